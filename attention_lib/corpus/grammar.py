"""A corpus for translation: sentences in English and in French or Chinese, from a grammar of ours.

The words are in ``lexicon.py``, the rules in ``phrases.py`` and ``sentences.py``; how a rule
works, and how it links the words of the two languages, is in ``synchronous.py``. What has to be
done to add to them is told in ``__init__.py``.
"""

import zlib
from itertools import cycle, islice

from attention_lib.corpus.draws import RandomDraws
from attention_lib.corpus.idioms import idioms
from attention_lib.corpus.pairs import Pair
from attention_lib.corpus.sentences import ALL_KINDS, SENTENCE_KINDS, sentence
from attention_lib.corpus.spelling import in_characters, spell

IDIOM_EVERY = 16  # one training pair in sixteen
HELD_OUT_EVERY = 8  # one combination of adjective and noun in eight
TEST_SIZE = 500
MAX_ENGLISH, MAX_TARGET = 12, {"french": 14, "chinese": 18}  # words, the mark included
KINDS = {"french": SENTENCE_KINDS, "chinese": ALL_KINDS}
TOKENS = ("words", "characters")


def grammar_corpus(
    size: int = 16_000, seed: int = 0, *, target: str = "french", tokens: str = "words"
) -> dict[str, list[Pair]]:
    """Make the corpus: no download, and every pair with its word alignment.

    ``train``
        ``size`` pairs. One in sixteen is an idiom, beginning with ``go . → va !``: at the
        default size each of the 100 comes ten times. The others are all different.
    ``validation`` and ``test``
        500 new sentences each, from the same distribution.
    ``compositional``
        500 sentences in which an adjective describes a noun that it never describes in the
        other parts, though both words occur there: can a model put together what it has only
        seen apart?

    Args:
        size: number of training pairs. With fewer than 500, the other parts are as small. The
            test sentences are new to the training pairs of the same call, not of another.
        seed: the same seed gives the same corpus everywhere.
        target: into which language, ``"french"`` or ``"chinese"``. The Chinese corpus has more
            kinds of sentence: comparison, possession, *too* and *all*, more questions.
        tokens: ``"words"``, or ``"characters"``: each character of the translation is a token,
            and is linked to what its word is linked to.

    Raises:
        ValueError: ``size`` is less than 1, or the language or the tokens are not known.

    >>> corpus = grammar_corpus(size=100)
    >>> {part: len(pairs) for part, pairs in corpus.items()}
    {'train': 100, 'validation': 100, 'test': 100, 'compositional': 100}
    >>> print(corpus["train"][0])
    go . → va !
    >>> print(grammar_corpus(size=100, target="chinese")["test"][0])
    what does tom look for ? → 汤姆 在 找 什么 ？
    """
    if size < 1:
        raise ValueError(f"the size of the training set must be at least 1, got {size}")
    if target not in KINDS:
        raise ValueError(f"target must be one of {', '.join(KINDS)}, got {target!r}")
    if tokens not in TOKENS:
        raise ValueError(f"tokens must be one of {', '.join(TOKENS)}, got {tokens!r}")
    test_size = min(size, TEST_SIZE)
    draws, phrases = RandomDraws(seed), idioms(target)
    taken = {idiom.source for idiom in phrases}
    usual: list[Pair] = []
    compositional: list[Pair] = []
    while len(usual) < size + 2 * test_size or len(compositional) < test_size:
        phrase = sentence(draws, KINDS[target])
        pair = spell(phrase, target)
        too_long = len(pair.source) > MAX_ENGLISH or len(pair.target) > MAX_TARGET[target]
        if too_long or pair.source in taken:
            continue
        taken.add(pair.source)
        part = compositional if any(map(held_out, phrase.described)) else usual
        part.append(pair)
    fresh, repeated = iter(usual), cycle(phrases)
    corpus = {
        "train": [next(fresh if n % IDIOM_EVERY else repeated) for n in range(size)],
        "validation": list(islice(fresh, test_size)),
        "test": list(islice(fresh, test_size)),
        "compositional": compositional[:test_size],
    }
    if tokens == "characters":
        return {part: [in_characters(pair) for pair in pairs] for part, pairs in corpus.items()}
    return corpus


def held_out(description: tuple[str, str]) -> bool:
    """Whether this adjective may describe this noun in the compositional test only."""
    # A checksum spreads evenly, and unlike hash() it is the same in every run.
    return zlib.crc32(" ".join(description).encode()) % HELD_OUT_EVERY == 0
