"""The parts of a sentence: noun phrases, subjects, places and times, drawn by chance."""

from collections.abc import Sequence
from functools import cache
from random import Random
from typing import NamedTuple, TypeVar

from attention_lib.corpus.lexicon import (
    ADJECTIVES,
    FIXED_PLACES,
    NAMES,
    NOUNS,
    NUMBERS,
    POSSESSIVES,
    PREPOSITIONS,
    PRONOUNS,
    TIMES,
    Noun,
)
from attention_lib.corpus.synchronous import Phrase, rule, word

Item = TypeVar("Item")

# Masculine and feminine singular, masculine and feminine plural.
LE = ("le", "la", "les", "les")
CE = ("ce", "cette", "ces", "ces")
UN = ("un", "une", "des", "des")
# The more often a name stands here, the more often it is drawn.
DETERMINERS = ("the", "the", "a", "a", "this", "possessive", "genitive", "number")
DEFINITE = ("the", "the", "this", "possessive", "genitive")


class Chance:
    """Draws that are the same from the same seed in every version of Python.

    That is promised for ``random()`` alone, not for the other methods of
    :class:`random.Random`, so nothing else of it is used.
    """

    def __init__(self, seed: int):
        self._uniform = Random(seed).random

    def event(self, probability: float) -> bool:
        return self._uniform() < probability

    def pick(self, items: Sequence[Item]) -> Item:
        return items[int(self._uniform() * len(items))]


class NounPhrase(NamedTuple):
    """A phrase that can be a subject, with all that verbs and adjectives agree with."""

    phrase: Phrase
    person: int = 3
    plural: bool = False
    feminine: bool = False
    stressed: str = ""  # of a pronoun, the French form after a preposition
    noun: Noun | None = None

    @property
    def form(self) -> int:
        """Where its verb stands among the forms for je, tu, il or elle, nous, ils."""
        return self.person - 1 if not self.plural else 3 + (self.person == 3)


@cache
def of_kinds(kinds: str) -> list[Noun]:
    """All nouns of these kinds."""
    return [noun for noun in NOUNS if noun.kind in kinds]


LIVING = of_kinds("pa")


def noun_phrase(
    chance: Chance,
    nouns: Sequence[Noun] = NOUNS,
    determiners: Sequence[str] = DETERMINERS,
    *,
    described: float = 0.5,
    plural: float = 0.3,
    negated: bool = False,
) -> NounPhrase:
    """A noun with a determiner and perhaps an adjective.

    Args:
        chance: draws the words.
        nouns, determiners: to pick from.
        described: the probability of an adjective.
        plural: the probability of the plural.
        negated: the noun is the object of a negated verb: *some* becomes *any*, and *un* and
            *des* become *de*.
    """
    noun, many = chance.pick(nouns), chance.event(plural)
    feminine = noun.gender == "f"
    parts = {"N": word(noun[many], noun[2 + many])}
    english, french, said_of = "N", "N", ()
    if chance.event(described):
        adjective = chance.pick([a for a in ADJECTIVES if noun.kind in a.kinds])
        parts["A"] = word(adjective.english, adjective.agreeing(feminine, many))
        english, french = "A N", "A N" if adjective.place == "before" else "N A"
        said_of = ((adjective.english, noun.singular),)

    determiner, form = chance.pick(determiners), feminine + 2 * many
    # The article translates an English word, but it is the noun that chooses le or la: hence
    # its possible link to N.
    if determiner == "genitive":
        name, _ = chance.pick(NAMES)
        parts["O"] = word(name, name)
        phrase = rule(f"O 's {english}", f"{LE[form]}='s~N {french} de='s O", **parts)
    else:
        the, le = _determiner(chance, determiner, form)
        if negated and le in UN:
            the, le = "any" if the == "some" else the, "de"
        elif le == "des" and french == "A N":
            le = "de"
        phrase = rule(f"{the} {english}", f"{le}={the}~N {french}", **parts)
    return NounPhrase(phrase._replace(described=said_of), plural=many, feminine=feminine, noun=noun)


def _determiner(chance: Chance, determiner: str, form: int) -> tuple[str, str]:
    plural = form >= 2
    if determiner == "number" and plural:
        return chance.pick(NUMBERS)
    if determiner == "possessive":
        mine = chance.pick(POSSESSIVES)
        return mine.english, (mine.masculine, mine.feminine, mine.plural, mine.plural)[form]
    if determiner == "the":
        return "the", LE[form]
    if determiner == "this":
        return "these" if plural else "this", CE[form]
    return "some" if plural else "a", UN[form]


def pronoun(chance: Chance) -> NounPhrase:
    """I, you, he, she, we, they."""
    drawn = chance.pick(PRONOUNS)
    return NounPhrase(
        word(drawn.english, drawn.french),
        person=int(drawn.person),
        plural=drawn.number == "plural",
        feminine=drawn.gender == "f",
        stressed=drawn.stressed,
    )


def subject(chance: Chance, nouns: Sequence[Noun] = LIVING) -> NounPhrase:
    """A pronoun, a name or a noun phrase."""
    if chance.event(0.5):
        return pronoun(chance)
    if chance.event(0.24):
        name, gender = chance.pick(NAMES)
        return NounPhrase(word(name, name), feminine=gender == "f")
    return noun_phrase(chance, nouns, DEFINITE, described=0.35)


def place(chance: Chance) -> Phrase:
    """Where: at school, behind the door."""
    if chance.event(0.15):
        return rule(*chance.pick(FIXED_PLACES))
    near = chance.pick(PREPOSITIONS)
    found = noun_phrase(
        chance,
        [noun for noun in NOUNS if noun.singular in near.nouns.split(",")],
        ("the", "the", "the", "possessive", "this"),
        described=0.15,
        plural=0.0,
    )
    return rule("P N", "P N", P=word(near.english, near.french), N=found.phrase)


def adjunct(chance: Chance, probability: float) -> Phrase:
    """A place or a time, or nothing."""
    if not chance.event(probability):
        return Phrase()
    return place(chance) if chance.event(0.6) else rule(*chance.pick(TIMES))
