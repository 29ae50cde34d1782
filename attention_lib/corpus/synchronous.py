"""Synchronous rules: both languages grow together, so that every word knows its translation.

A rule is a pair of templates, one for each language:

    S don't V O .   →   S ne[don't] V pas[don't] O .

- A capital letter is a place for a phrase: here S for a subject, V for a verb and O for its
  object. The places may stand in another order in French.
- Everything else is a word. In square brackets behind a French word stand the English words of
  the same template that it surely translates, in round ones those that it possibly does:
  ``la[the](N)`` translates *the*, but it was the noun that chose *la* and not *le*. Several are
  separated by commas: ``va[going](is,to)``. A place in brackets means the first word there.
- A mark, which is the same in both, needs no brackets.
"""

import re
from functools import cache
from typing import NamedTuple

# la[the](N): the word, what it surely translates, what it possibly does.
LINKED_WORD = re.compile(r"([^\[\]()]+)(?:\[([^\[\]()]+)\])?(?:\(([^\[\]()]+)\))?")


class FrenchWord(NamedTuple):
    """A French word, and the positions of the English words that it translates.

    The possible links include the sure ones.
    """

    text: str
    sure: frozenset[int]
    possible: frozenset[int]

    def moved(self, steps: int) -> "FrenchWord":
        sure, possible = (frozenset(n + steps for n in ns) for ns in (self.sure, self.possible))
        return FrenchWord(self.text, sure, possible)


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
        french: template with links, such as ``"la[the](N) N A"``.
        **phrases: one for each capital letter.

    Raises:
        ValueError: a word of the French template is not written as above, or is linked to a word
            that the English template does not have.

    >>> red, car = word("red", "rouge"), word("car", "voiture")
    >>> print(rule("the A N", "la[the](N) N A", A=red, N=car))
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
        text, sure_words, possible_words = _word_and_links(token)
        try:
            sure = frozenset([start[linked] for linked in sure_words])
            possible = sure.union([start[linked] for linked in possible_words])
        except KeyError as missing:
            raise ValueError(f"{token!r} is linked to {missing}, not in {english!r}") from None
        french_words.append(FrenchWord(text, sure, possible))
    described = tuple(pair for phrase in phrases.values() for pair in phrase.described)
    return Phrase(tuple(english_words), tuple(french_words), described)


@cache
def _word_and_links(token: str) -> tuple[str, tuple[str, ...], tuple[str, ...]]:
    """``"va[going](is,to)"`` → ``("va", ("going",), ("is", "to"))``."""
    read = LINKED_WORD.fullmatch(token)
    if not read:
        raise ValueError(f"a word with links wanted, such as la[the](N), got {token!r}")
    text, sure, possible = read.groups()
    if sure is possible is None:
        return text, (text,), ()  # a mark translates itself
    return text, *(tuple(names.split(",")) if names else () for names in (sure, possible))


@cache
def word(english: str, french: str) -> Phrase:
    """A word of the lexicon. Of *look for*, the verb has the sure link, *for* a possible one."""
    first, *rest = english.split()
    links = f"[{first}]" + (f"({','.join(rest)})" if rest else "")
    return rule(english, " ".join(text + links for text in french.split()))
