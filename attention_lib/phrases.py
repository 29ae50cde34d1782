"""The parts of a sentence: noun phrases, subjects, places and times, drawn by chance."""

from collections.abc import Sequence
from random import Random
from typing import NamedTuple, TypeVar

from attention_lib.lexicon import (
    ADJECTIVES,
    FIXED_PLACES,
    NAMES,
    NOUNS,
    NUMBERS,
    POSSESSIVES,
    PREPOSITIONS,
    PRONOUNS,
    TIMES,
    Adjective,
)
from attention_lib.synchronous import Phrase, rule, word

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

    @property
    def form(self) -> int:
        """Where its verb stands among the forms for je, tu, il or elle, nous, ils."""
        return self.person - 1 if not self.plural else 3 + (self.person == 3)


def agreeing(adjective: Adjective, feminine: bool, plural: bool) -> str:
    """The French form of the adjective."""
    return adjective[1 + feminine + 2 * plural]


def noun_phrase(
    chance: Chance,
    kinds: str = "pateor",
    determiners: Sequence[str] = DETERMINERS,
    *,
    nouns: Sequence[str] | None = None,
    described: float = 0.5,
    plural: float = 0.3,
    negated: bool = False,
) -> NounPhrase:
    """A noun with a determiner and perhaps an adjective.

    Args:
        chance: draws the words.
        kinds: of the nouns to pick from.
        determiners: to pick from.
        nouns: instead of kinds, the nouns themselves.
        described: the probability of an adjective.
        plural: the probability of the plural.
        negated: the noun is the object of a negated verb, which turns *un* and *des* into *de*.
    """
    noun = chance.pick([n for n in NOUNS if (n.singular in nouns if nouns else n.kind in kinds)])
    many, feminine = chance.event(plural), noun.gender == "f"
    place, parts = "", {"N": word(noun[many], noun[2 + many])}
    said_of = ()
    if chance.event(described):
        adjective = chance.pick([a for a in ADJECTIVES if noun.kind in a.kinds])
        parts["A"] = word(adjective.english, agreeing(adjective, feminine, many))
        place, said_of = adjective.place, ((adjective.english, noun.singular),)
    english = "A N" if place else "N"
    french = {"": "N", "before": "A N", "after": "N A"}[place]

    determiner, form = chance.pick(determiners), feminine + 2 * many
    if determiner == "genitive":
        name = chance.pick(NAMES)[0]
        parts["O"] = word(name, name)
        phrase = rule(f"O 's {english}", f"{LE[form]}='s~N {french} de='s O", **parts)
    else:
        the, le = _determiner(chance, determiner, form)
        if (negated and le in UN) or (le == "des" and place == "before"):
            le = "de"
        # The article translates the article, but it is the noun that chooses le or la.
        phrase = rule(f"{the} {english}", f"{le}={the}~N {french}", **parts)
    return NounPhrase(phrase._replace(described=said_of), plural=many, feminine=feminine)


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


def subject(chance: Chance, kinds: str = "pa") -> NounPhrase:
    """A pronoun, a name or a noun phrase."""
    if chance.event(0.5):
        return pronoun(chance)
    if chance.event(0.24):
        name, gender = chance.pick(NAMES)
        return NounPhrase(word(name, name), feminine=gender == "f")
    return noun_phrase(chance, kinds, DEFINITE, described=0.35)


def place(chance: Chance) -> Phrase:
    """Where: at school, behind the door."""
    if chance.event(0.15):
        return rule(*chance.pick(FIXED_PLACES))
    near = chance.pick(PREPOSITIONS)
    found = noun_phrase(
        chance,
        nouns=near.nouns.split(","),
        determiners=("the", "the", "the", "possessive", "this"),
        described=0.15,
        plural=0.0,
    )
    return rule("P N", "P N", P=word(near.english, near.french), N=found.phrase)


def adjunct(chance: Chance, probability: float) -> Phrase:
    """A place or a time, or nothing."""
    if not chance.event(probability):
        return Phrase()
    return place(chance) if chance.event(0.6) else rule(*chance.pick(TIMES))
