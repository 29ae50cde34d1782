"""Synchronous rules: all languages grow together, so that every word knows its translation.

A rule is a template for each language:

    S don't V O .   →   S ne[don't] V pas[don't] O .   →   S 不[don't] V O .

- A capital letter is a place for a phrase: here S for a subject, V for a verb and O for its
  object. The places may stand in another order in each language.
- Everything else is a word. In square brackets behind a French or Chinese word stand the English
  words of the same template that it surely translates, in round ones those that it possibly does:
  ``la[the](N)`` translates *the*, but it was the noun that chose *la* and not *le*. Several are
  separated by commas: ``va[going](is,to)``. A place in brackets means the first word there.
- Brackets behind a place are for its last word: in ``A N(the)``, where Chinese leaves the article
  out, the noun is all that could translate *the*.
- A mark, which is the same in all, needs no brackets.
"""

import re
from functools import cache
from typing import NamedTuple

from attention_lib.corpus.chinese import PARTICLES

# The languages into which the grammar translates, each a field of Phrase.
LANGUAGES = ("french", "chinese")
# la[the](N): the word, what it surely translates, what it possibly does.
LINKED_WORD = re.compile(r"([^\[\]()]+)(?:\[([^\[\]()]+)\])?(?:\(([^\[\]()]+)\))?")


class TargetWord(NamedTuple):
    """A word of a translation, and the positions of the English words that it translates.

    The possible links include the sure ones.
    """

    text: str
    sure: frozenset[int]
    possible: frozenset[int]

    def moved(self, steps: int) -> "TargetWord":
        if not steps:
            return self
        sure, possible = (frozenset([n + steps for n in ns]) for ns in (self.sure, self.possible))
        return TargetWord(self.text, sure, possible)


class Phrase(NamedTuple):
    """A part of a sentence in all languages.

    ``described`` lists which adjective describes which noun in it, as pairs of English words.
    """

    english: tuple[str, ...] = ()
    french: tuple[TargetWord, ...] = ()
    chinese: tuple[TargetWord, ...] = ()
    described: tuple[tuple[str, str], ...] = ()

    def __str__(self) -> str:
        said = [" ".join(self.english)]
        said += (" ".join(word.text for word in getattr(self, each)) for each in LANGUAGES)
        return " → ".join(text for text in said if text)


def rule(english: str, french: str, chinese: str = "", **phrases: Phrase) -> Phrase:
    """Put phrases into the places of templates, and link the words between them.

    Args:
        english: template, such as ``"the A N"``.
        french, chinese: templates with links, such as ``"la[the](N) N A"``.
        **phrases: one for each capital letter.

    Raises:
        ValueError: a word of a template is not written as above, or is linked to a word that
            the English template does not have.

    >>> red, car = word("red", "rouge", "红色 的"), word("car", "voiture", "汽车")
    >>> print(rule("the A N", "la[the](N) N A", "那[the] 辆(the,N) A N", A=red, N=car))
    the red car → la voiture rouge → 那 辆 红色 的 汽车
    """
    words, start = [], {}
    for token in english.split():
        start[token] = len(words)
        words += phrases[token].english if token in phrases else [token]
    translations = [
        _translation(language, template, english, start, phrases)
        for language, template in zip(LANGUAGES, (french, chinese), strict=True)
    ]
    described = tuple(pair for phrase in phrases.values() for pair in phrase.described)
    return Phrase(tuple(words), *translations, described)


def _translation(
    language: str, template: str, english: str, start: dict[str, int], phrases: dict[str, Phrase]
) -> tuple[TargetWord, ...]:
    words = []
    for token in template.split():
        if token in phrases:
            words += [word.moved(start[token]) for word in getattr(phrases[token], language)]
            continue
        text, sure_words, possible_words = _word_and_links(token)
        try:
            sure = frozenset([start[linked] for linked in sure_words])
            possible = sure.union([start[linked] for linked in possible_words])
        except KeyError as missing:
            raise ValueError(f"{token!r} is linked to {missing}, not in {english!r}") from None
        if text in phrases:
            *before, last = getattr(phrases[text], language)
            words += [word.moved(start[text]) for word in before]
            last = last.moved(start[text])
            text, sure, possible = last.text, last.sure | sure, last.possible | possible
        words.append(TargetWord(text, sure, possible))
    return tuple(words)


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
def word(english: str, french: str, chinese: str = "") -> Phrase:
    """A word of the lexicon. Of *look for*, the verb has the sure link, *for* a possible one.

    A Chinese particle, which translates nothing by itself, has possible links only.
    """
    first, *rest = english.split()
    others = f"({','.join(rest)})" if rest else ""
    return rule(
        english,
        " ".join(f"{text}[{first}]{others}" for text in french.split()),
        " ".join(
            f"{text}({first})" if text in PARTICLES else f"{text}[{first}]{others}"
            for text in chinese.split()
        ),
    )
