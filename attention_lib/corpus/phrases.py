"""The parts of a sentence: noun phrases, subjects, places and times, drawn at random."""

from collections.abc import Sequence
from functools import cache
from typing import NamedTuple

from attention_lib.corpus import chinese
from attention_lib.corpus.draws import RandomDraws
from attention_lib.corpus.kinds import kinds_in
from attention_lib.corpus.lexicon import (
    ADJECTIVES,
    FIXED_PLACES,
    NAMES,
    NOUNS,
    NUMBERS,
    POSSESSIVES,
    PREPOSITIONS,
    PRONOUNS,
    THE,
    THIS,
    TIMES,
    A,
)
from attention_lib.corpus.synchronous import Phrase, rule, word
from attention_lib.corpus.word_classes import Adjective, Noun

# The more often a name stands here, the more often it is drawn.
DETERMINERS = ("the", "the", "a", "a", "this", "possessive", "genitive", "number")
ARTICLES = {"the": THE, "a": A, "this": THIS}
DEFINITE = ("the", "the", "this", "possessive", "genitive")


class NounPhrase(NamedTuple):
    """A phrase that can be a subject, with all that verbs and adjectives agree with."""

    phrase: Phrase
    person: str  # of PERSONS: whose form its verb takes
    plural: bool = False
    feminine: bool = False
    stressed: str = ""  # of a pronoun, the French form after a preposition
    noun: Noun | None = None


class Adjunct(NamedTuple):
    """Where, with whom or when something happens, or nothing.

    ``kind`` is *place*, *company*, *time*, *now*, *habit* or nothing. English and French put all
    of them at the end; in Chinese it depends on the kind where they stand (``word_order.py``).
    """

    phrase: Phrase = Phrase()
    kind: str = ""


NOTHING, NO_ADJUNCT = Phrase(), Adjunct()


@cache
def of_kinds(kinds: str) -> list[Noun]:
    """All nouns of these kinds, such as ``"living,edible"``."""
    return [noun for noun in NOUNS if noun.kind in kinds_in(kinds)]


LIVING = of_kinds("living")


@cache
def adjectives_for(kind: str) -> list[Adjective]:
    """All adjectives that can describe a noun of this kind."""
    return [adjective for adjective in ADJECTIVES if kind in kinds_in(adjective.kinds)]


@cache
def nouns_named(names: str) -> list[Noun]:
    """The nouns of a list such as ``"table,chair"``, in the order of the lexicon."""
    return [noun for noun in NOUNS if noun.singular in names.split(",")]


def noun_phrase(
    draws: RandomDraws,
    nouns: Sequence[Noun] = NOUNS,
    determiners: Sequence[str] = DETERMINERS,
    *,
    described: float = 0.5,
    plural: float = 0.3,
    negated: bool = False,
    located: bool = False,
) -> NounPhrase:
    """A noun with a determiner and perhaps an adjective.

    Args:
        draws: of the words.
        nouns, determiners: to pick from.
        described: the probability of an adjective.
        plural: the probability of the plural.
        negated: the noun is the object of a negated verb: *some* becomes *any*, and *un* and
            *des* become *de*; Chinese says the bare noun.
        located: something is there, as in *behind the door*: then Chinese leaves out *the*.
    """
    noun, many = draws.choice(nouns), draws.bernoulli(plural)
    feminine = noun.gender == "f"
    parts = {"N": noun_alone(noun, many)}
    english, french, described_zh, said_of = "N", "N", "N", ()
    if draws.bernoulli(described):
        adjective = draws.choice(adjectives_for(noun.kind))
        attribute = chinese.adjective(adjective.english, noun.kind).attribute
        parts["A"] = word(adjective.english, adjective.french(feminine, many), attribute)
        # 的 stands between the two, and belongs to both.
        described_zh = "A(N) N" if attribute.endswith("的") else "A N"
        english, french = "A N", "A N" if adjective.place == "before" else "N A"
        said_of = ((adjective.english, noun.singular),)

    determiner = draws.choice(determiners)
    # The article translates an English word, but it is the noun that chooses le or la: hence
    # its possible link to N.
    if determiner == "genitive":
        name, _ = draws.choice(NAMES)
        parts["O"] = word(name, name, chinese.NAMES[name])
        le = THE.french(feminine, many)
        french = f"{le}['s](N) {french} de['s] O"
        phrase = rule(f"O 's {english}", french, f"O 的['s] {described_zh}", **parts)
    else:
        the, le = _determiner(draws, determiner, feminine, many)
        bare = (negated and the in ("a", "some")) or (located and the == "the")
        if negated and le in ("un", "une", "des"):
            the, le = "any" if the == "some" else the, "de"
        elif le == "des" and french == "A N":
            le = "de"
        said_zh = _determined(the, described_zh, noun, many, bare)
        phrase = rule(f"{the} {english}", f"{le}[{the}](N) {french}", said_zh, **parts)
    return NounPhrase(
        phrase._replace(described=said_of),
        person="they" if many else "he",
        plural=many,
        feminine=feminine,
        noun=noun,
    )


def _determiner(draws: RandomDraws, name: str, feminine: bool, plural: bool) -> tuple[str, str]:
    if name == "number" and plural:
        return draws.choice(NUMBERS)
    drawn = draws.choice(POSSESSIVES) if name == "possessive" else ARTICLES.get(name, A)
    return drawn.english(plural), drawn.french(feminine, plural)


def noun_alone(noun: Noun, plural: bool) -> Phrase:
    """The noun without determiner and adjective."""
    return word(noun.english(plural), noun.french(plural), chinese.NOUNS[noun.singular].text)


def _determined(the: str, described: str, noun: Noun, plural: bool, bare: bool) -> str:
    """The template of a Chinese noun phrase: determiner, measure word, and what follows."""
    zh = chinese.NOUNS[noun.singular]
    if bare:
        return f"{described}({the})"
    if the in chinese.OWNERS:
        near = zh.kin and described == "N" and the in chinese.NEAR_OWNERS
        of = "" if near else f"的({the},N)"
        return f"{chinese.OWNERS[the]}[{the}] {of} {described}"
    if the in chinese.NUMBERS:
        return f"{chinese.NUMBERS[the]}[{the}] {zh.measure}({the},N) {described}"
    if plural:  # 那些, 一些 and 这些 take no measure word
        return f"{chinese.PLURAL_DETERMINERS[the]}[{the}] {described}"
    return f"{chinese.DETERMINERS[the]}[{the}] {zh.measure}({the},N) {described}"


def pronoun(draws: RandomDraws) -> NounPhrase:
    """I, you, he, she, we, they."""
    drawn = draws.choice(PRONOUNS)
    return NounPhrase(
        word(drawn.english, drawn.french, chinese.PRONOUNS[drawn.english]),
        person=drawn.person,
        plural=drawn.number == "plural",
        feminine=drawn.gender == "f",
        stressed=drawn.stressed,
    )


def subject(draws: RandomDraws, nouns: Sequence[Noun] = LIVING) -> NounPhrase:
    """A pronoun, a name or a noun phrase."""
    if draws.bernoulli(0.5):
        return pronoun(draws)
    if draws.bernoulli(0.24):
        name, gender = draws.choice(NAMES)
        spoken = word(name, name, chinese.NAMES[name])
        return NounPhrase(spoken, person="he", feminine=gender == "f")
    return noun_phrase(draws, nouns, DEFINITE, described=0.35)


def place(draws: RandomDraws) -> Adjunct:
    """Where: at school, behind the door; or with whom: with the dog."""
    if draws.bernoulli(0.15):
        return Adjunct(rule(*draws.choice(FIXED_PLACES)), "place")
    near = draws.choice(PREPOSITIONS)
    found = noun_phrase(
        draws,
        nouns_named(near.nouns),
        ("the", "the", "the", "possessive", "this"),
        described=0.15,
        plural=0.0,
        located=True,
    )
    kind, chinese_template = "company", "和[P] N"
    if near.english != "with":
        kind = "place"
        chinese_template = f"N {chinese.localizer(near.english, found.noun.singular)}[P]"
    preposition = word(near.english, near.french)
    return Adjunct(rule("P N", "P N", chinese_template, P=preposition, N=found.phrase), kind)


def time(draws: RandomDraws) -> Adjunct:
    """When: today, every day."""
    phrase = rule(*draws.choice(TIMES))
    return Adjunct(phrase, {"now": "now", "every": "habit"}.get(phrase.english[0], "time"))


def adjunct(draws: RandomDraws, probability: float) -> Adjunct:
    """A place or a time, or nothing."""
    if not draws.bernoulli(probability):
        return NO_ADJUNCT
    return place(draws) if draws.bernoulli(0.6) else time(draws)
