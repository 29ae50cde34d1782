"""Words and their numbers: a network reads numbers only."""

from collections import Counter
from collections.abc import Iterable, Sequence

from jaxtyping import Int
from torch import Tensor

PAD, BOS, EOS, UNK = 0, 1, 2, 3
MARKS = ("<pad>", "<bos>", "<eos>", "<unk>")


class Vocabulary:
    """The words of a corpus, each with a number.

    The first four numbers are marks: ``PAD`` fills up a batch, ``BOS`` and ``EOS`` are the
    beginning and the end of a sentence, ``UNK`` stands for every word that is not known. The
    words follow in alphabetical order, so that the same corpus always gives the same numbers.

    Args:
        sentences: sequences of words, as :func:`tokenize` makes them.
        min_count: words that occur less often are left out, and encoded as ``UNK``.

    Raises:
        TypeError: a sentence is a text instead of a sequence of words.
        ValueError: ``min_count`` is less than 1.

    >>> vocabulary = Vocabulary([["go", "."], ["run", "!"]])
    >>> vocabulary.words
    ('<pad>', '<bos>', '<eos>', '<unk>', '!', '.', 'go', 'run')
    >>> vocabulary.encode(["go", "home", "."])
    [6, 3, 5]
    >>> vocabulary.decode([BOS, 6, 5, EOS, PAD])
    ['go', '.']
    """

    def __init__(self, sentences: Iterable[Sequence[str]], min_count: int = 1):
        if min_count < 1:
            raise ValueError(f"min_count must be at least 1, got {min_count}")
        counts = Counter(word for tokens in sentences for word in _checked(tokens))
        # A corpus that contains the text "<pad>" must not gain a second padding.
        known = (word for word in counts if counts[word] >= min_count and word not in MARKS)
        self.words = MARKS + tuple(sorted(known))
        self._numbers = {word: n for n, word in enumerate(self.words) if n >= len(MARKS)}

    def __len__(self) -> int:
        return len(self.words)

    def __eq__(self, other: object) -> bool:
        # A subclass may encode the same words differently.
        return type(other) is type(self) and self.words == other.words

    def __hash__(self) -> int:
        return hash(self.words)

    def __repr__(self) -> str:
        return f"<{type(self).__name__} of {len(self)} words>"

    def encode(self, tokens: Sequence[str]) -> list[int]:
        """The numbers of the words, ``UNK`` for those not known; no marks are added."""
        return [self._numbers.get(word, UNK) for word in _checked(tokens)]

    def decode(self, ids: Iterable[int] | Int[Tensor, " len"]) -> list[str]:
        """The words up to the first ``EOS``, without ``PAD`` and ``BOS``."""
        words = []
        for number in map(int, ids):
            if number == EOS:
                break
            if not 0 <= number < len(self):
                raise ValueError(f"ids from 0 to {len(self) - 1} wanted, got {number}")
            if number not in (PAD, BOS):
                words.append(self.words[number])
        return words


def _checked(tokens: Sequence[str]) -> Sequence[str]:
    # A text is a sequence of letters, and would pass for a sentence of one-letter words.
    if isinstance(tokens, str):
        raise TypeError(f"a sequence of words wanted, got the text {tokens!r}: tokenize it first")
    return tokens
