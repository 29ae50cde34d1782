"""How a sentence of the grammar is spelt: *he's* and *an orange*, *du*, *l'* and *cet*, 。"""

import re

from attention_lib.corpus.chinese import MARKS
from attention_lib.corpus.pairs import Pair
from attention_lib.corpus.synchronous import Phrase, TargetWord

VOWEL = re.compile("[aeiouyàâéèêëîïôûùœh]")  # the h of this lexicon is always silent
CONTRACTIONS = {"de le": "du", "de les": "des", "à le": "au", "à les": "aux"}
ELIDING = {"je", "le", "la", "ne", "de", "que", "me", "te"}
BEFORE_VOWEL = {
    "ce": "cet",
    "ma": "mon",
    "ta": "ton",
    "sa": "son",
    "vieux": "vieil",
    "nouveau": "nouvel",
    "beau": "bel",
}
ENGLISH_ENDINGS = {"'m", "'re", "'s"}


def spell(phrase: Phrase, target: str = "french") -> Pair:
    """Write the sentence as it is spelt: *he's* and *an orange*, *du*, *l'* and *cet*, 。"""
    source, position = _spell_english(phrase.english)
    words = SPELL[target](getattr(phrase, target))
    return Pair(
        source,
        target=tuple(word.text for word in words),
        sure=frozenset((t, position[s]) for t, word in enumerate(words) for s in word.sure),
        possible=frozenset((t, position[s]) for t, word in enumerate(words) for s in word.possible),
    )


def in_characters(pair: Pair) -> Pair:
    """The same pair with each character of the target a token, linked as its word is.

    >>> pair = Pair(("my", "cat"), ("我", "的", "小猫"), sure=frozenset({(0, 0), (2, 1)}))
    >>> in_characters(pair).target
    ('我', '的', '小', '猫')
    >>> sorted(in_characters(pair).sure)
    [(0, 0), (2, 1), (3, 1)]
    """
    word_of = [t for t, word in enumerate(pair.target) for _ in word]
    sure, possible = (
        frozenset((t, s) for t, word in enumerate(word_of) for w, s in links if w == word)
        for links in (pair.sure, pair.possible)
    )
    return Pair(pair.source, tuple("".join(pair.target)), sure, possible)


def _spell_english(words: tuple[str, ...]) -> tuple[tuple[str, ...], list[int]]:
    """The words as spelt, and for each given word its position among them."""
    spelt, position = [], []
    for text in words:
        if text in ENGLISH_ENDINGS:
            spelt[-1] += text
        else:
            if spelt and spelt[-1] == "a" and text[0] in "aeiou":
                spelt[-1] = "an"
            spelt.append(text)
        position.append(len(spelt) - 1)
    return tuple(spelt), position


def _spell_french(words: tuple[TargetWord, ...]) -> list[TargetWord]:
    spelt: list[TargetWord] = []
    # From the end, since the form of a word depends on the next.
    for word in reversed(words):
        following = spelt[0].text if spelt else "."
        if f"{word.text} {following}" in CONTRACTIONS:
            text = CONTRACTIONS[f"{word.text} {following}"]
            merged = spelt.pop(0)
            word = TargetWord(text, word.sure | merged.sure, word.possible | merged.possible)
        elif VOWEL.match(following):
            word = word._replace(text=_before_vowel(word.text, following))
        spelt.insert(0, word)
    return spelt


def _before_vowel(text: str, following: str) -> str:
    if text in ELIDING:
        return text[:-1] + "'"
    if text == "vieux" and following[-1] in "sx":  # plural: vieux amis, but vieil ami
        return text
    return BEFORE_VOWEL.get(text, text)


def _spell_chinese(words: tuple[TargetWord, ...]) -> list[TargetWord]:
    return [word._replace(text=MARKS.get(word.text, word.text)) for word in words]


SPELL = {"french": _spell_french, "chinese": _spell_chinese}
