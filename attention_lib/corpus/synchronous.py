"""Synchronous rules: both languages grow together, so that every word knows its translation.

A rule is a pair of templates. Capital letters are places for phrases, and may stand in another
order in French; everything else is a word. ``=`` gives a French word a sure link to an English
word of the same rule, ``~`` a possible one:

    S don't V O .   →   S ne=don't V pas=don't O .
"""

import re
from functools import cache
from typing import NamedTuple

from attention_lib.corpus.pairs import Pair


class FrenchWord(NamedTuple):
    """A French word, and the positions of the English words that it translates.

    The possible links include the sure ones.
    """

    text: str
    sure: frozenset[int]
    possible: frozenset[int]

    def moved(self, steps: int) -> "FrenchWord":
        return FrenchWord(self.text, *(frozenset(n + steps for n in links) for links in self[1:]))


class Phrase(NamedTuple):
    """A part of a sentence in both languages.

    ``described`` lists which adjective describes which noun in it, as pairs of English words.
    """

    english: tuple[str, ...] = ()
    french: tuple[FrenchWord, ...] = ()
    described: tuple[tuple[str, str], ...] = ()

    def __str__(self) -> str:
        return f"{' '.join(self.english)} → {' '.join(word.text for word in self.french)}"


def rule(english: str, french: str, **phrases: Phrase) -> Phrase:
    """Put phrases into the places of two templates, and link the words between them.

    Args:
        english: template, such as ``"the A N"``.
        french: template with links, such as ``"la=the~N N A"``; a link to a place is a link to
            the first English word of the phrase there.
        **phrases: one for each capital letter.

    Raises:
        KeyError: a link to a word that the English template does not have.

    >>> print(rule("the A N", "la=the~N N A", A=word("red", "rouge"), N=word("car", "voiture")))
    the red car → la voiture rouge
    """
    english_words, start = [], {}
    for token in english.split():
        start[token] = len(english_words)
        english_words += phrases[token].english if token in phrases else [token]
    french_words = []
    for token in french.split():
        if token in phrases:
            french_words += [word.moved(start[token]) for word in phrases[token].french]
            continue
        text, *links = _text_and_links(token)
        links = links or [f"={text}"]  # a mark translates itself
        sure = frozenset(start[link[1:]] for link in links if link[0] == "=")
        possible = frozenset(start[link[1:]] for link in links)
        french_words.append(FrenchWord(text, sure, possible))
    described = tuple(pair for phrase in phrases.values() for pair in phrase.described)
    return Phrase(tuple(english_words), tuple(french_words), described)


@cache
def _text_and_links(token: str) -> list[str]:
    """``"la=the~N"`` → ``["la", "=the", "~N"]``."""
    return re.split("(?=[=~])", token)


@cache
def word(english: str, french: str) -> Phrase:
    """A word of the lexicon. Of *look for*, the verb has the sure link, *for* a possible one."""
    first, *rest = english.split()
    links = f"={first}" + "".join(f"~{other}" for other in rest)
    return rule(english, " ".join(text + links for text in french.split()))


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


def spell(phrase: Phrase) -> Pair:
    """Write the sentence as it is spelt: *he's* and *an orange*, *du*, *l'* and *cet*."""
    source, position = _spell_english(phrase.english)
    words = _spell_french(phrase.french)
    return Pair(
        source,
        target=tuple(word.text for word in words),
        sure=frozenset((t, position[s]) for t, word in enumerate(words) for s in word.sure),
        possible=frozenset((t, position[s]) for t, word in enumerate(words) for s in word.possible),
    )


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


def _spell_french(words: tuple[FrenchWord, ...]) -> list[FrenchWord]:
    spelt: list[FrenchWord] = []
    # From the end, since the form of a word depends on the next.
    for word in reversed(words):
        following = spelt[0].text if spelt else "."
        if f"{word.text} {following}" in CONTRACTIONS:
            text = CONTRACTIONS[f"{word.text} {following}"]
            merged = spelt.pop(0)
            word = FrenchWord(text, word.sure | merged.sure, word.possible | merged.possible)
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
