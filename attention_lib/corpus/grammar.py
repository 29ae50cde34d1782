"""A corpus for translation: English and French sentences from a grammar of our own.

The words are in ``lexicon.py``, the rules in ``phrases.py`` and ``sentences.py``; how a rule
works, and how it links the words of the two languages, is in ``synchronous.py``. What has to be
done to add to them is told in ``__init__.py``.
"""

import zlib
from itertools import cycle, islice

from attention_lib.corpus.draws import RandomDraws
from attention_lib.corpus.idioms import idioms
from attention_lib.corpus.pairs import Pair
from attention_lib.corpus.sentences import sentence
from attention_lib.corpus.spelling import spell

IDIOM_EVERY = 16  # one training pair in sixteen
HELD_OUT_EVERY = 8  # one combination of adjective and noun in eight
TEST_SIZE = 500
MAX_ENGLISH, MAX_FRENCH = 12, 14  # words of a sentence, its mark included


def grammar_corpus(size: int = 16_000, seed: int = 0) -> dict[str, list[Pair]]:
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

    Raises:
        ValueError: ``size`` is less than 1.

    >>> corpus = grammar_corpus(size=100)
    >>> {part: len(pairs) for part, pairs in corpus.items()}
    {'train': 100, 'validation': 100, 'test': 100, 'compositional': 100}
    >>> print(corpus["train"][0])
    go . → va !
    """
    if size < 1:
        raise ValueError(f"the size of the training set must be at least 1, got {size}")
    test_size = min(size, TEST_SIZE)
    draws, phrases = RandomDraws(seed), idioms()
    taken = {idiom.source for idiom in phrases}
    usual: list[Pair] = []
    compositional: list[Pair] = []
    while len(usual) < size + 2 * test_size or len(compositional) < test_size:
        phrase = sentence(draws)
        pair = spell(phrase)
        too_long = len(pair.source) > MAX_ENGLISH or len(pair.target) > MAX_FRENCH
        if too_long or pair.source in taken:
            continue
        taken.add(pair.source)
        part = compositional if any(map(held_out, phrase.described)) else usual
        part.append(pair)
    fresh, repeated = iter(usual), cycle(phrases)
    return {
        "train": [next(fresh if n % IDIOM_EVERY else repeated) for n in range(size)],
        "validation": list(islice(fresh, test_size)),
        "test": list(islice(fresh, test_size)),
        "compositional": compositional[:test_size],
    }


def held_out(description: tuple[str, str]) -> bool:
    """Whether this adjective may describe this noun in the compositional test only."""
    # A checksum spreads evenly, and unlike hash() it is the same in every run.
    return zlib.crc32(" ".join(description).encode()) % HELD_OUT_EVERY == 0
