"""What is so: he is tired, he has a car, there is a cat, the cat is bigger.

How a rule writes all languages at once is told in ``synchronous.py``. In its templates S is the
subject, C what is said of it, O an object, P a place.
"""

from collections.abc import Sequence

from attention_lib.corpus import chinese
from attention_lib.corpus.draws import RandomDraws
from attention_lib.corpus.lexicon import (
    ADJECTIVES,
    AGES,
    AVOIR,
    BE,
    DONT,
    ETRE,
    SENSATIONS,
    SHORT_BE,
    STATES,
    THE,
)
from attention_lib.corpus.phrases import (
    DEFINITE,
    NounPhrase,
    adjectives_for,
    noun_alone,
    noun_phrase,
    of_kinds,
    place,
    pronoun,
    subject,
)
from attention_lib.corpus.synchronous import Phrase, rule, word
from attention_lib.corpus.word_classes import Noun

# The comparatives that are one word, and of what they are said.
COMPARATIVES = {
    "bigger": ("big", "animal,thing,edible,openable"),
    "smaller": ("small", "animal,thing,edible,openable"),
    "younger": ("young", "person,animal"),
    "older": ("old", "person,animal,thing,openable"),
    "heavier": ("heavy", "thing,readable,openable"),
    "cleaner": ("clean", "thing,openable"),
    "stranger": ("strange", "thing,readable,openable"),
}
ADJECTIVE = {adjective.english: adjective for adjective in ADJECTIVES}


# To be


def state(draws: RandomDraws) -> Phrase:
    """he's tired . → il est fatigué ."""
    who, how = subject(draws), draws.choice(STATES)
    zh = chinese.STATES[how.english]
    described = word(how.english, how.french(who.feminine, who.plural), zh.predicate)
    return to_be(draws, who, described, ETRE, zh.copula, negation=0.3)


def sensation(draws: RandomDraws) -> Phrase:
    """he's hungry . → il a faim . Where English *is*, French *has*."""
    who, (hungry, faim) = subject(draws), draws.choice(SENSATIONS)
    zh = chinese.STATES[hungry]
    return to_be(draws, who, word(hungry, faim, zh.predicate), AVOIR, zh.copula, negation=0.3)


def age(draws: RandomDraws) -> Phrase:
    """he's ten years old . → il a dix ans ."""
    number, nombre = draws.choice(AGES)
    years = rule(
        "N years old",
        "N ans[years](old)",
        "N 岁[years](old)",
        N=word(number, nombre, chinese.AGES[number]),
    )
    return to_be(draws, subject(draws, of_kinds("person")), years, AVOIR, "number")


def whereabouts(draws: RandomDraws) -> Phrase:
    """he's behind the door . → il est derrière la porte ."""
    who, where = subject(draws), place(draws)
    return to_be(draws, who, where.phrase, ETRE, where.kind, negation=0.3)


def at_home(draws: RandomDraws) -> Phrase:
    """he's home . → il est chez lui ."""
    who = pronoun(draws)
    home = rule("home", f"chez[home] {who.stressed}[home]", "家[home]")
    return to_be(draws, who, home, ETRE, "place", negation=0.3)


def quality(draws: RandomDraws) -> Phrase:
    """marie's cat is black . → le chat de marie est noir ."""
    what = noun_phrase(draws, of_kinds("animal,object"), ("genitive",), described=0.4)
    said, copula = description(draws, what.noun, what.plural, besides=what.phrase.english)
    return to_be(draws, what, said, ETRE, copula, negation=0.2)


def located_thing(draws: RandomDraws) -> Phrase:
    """the book on the table is red . → le livre sur la table est rouge . → 桌子 上 的 书 …"""
    noun = draws.choice(of_kinds("animal,object"))
    many = draws.bernoulli(0.3)
    where = place(draws)
    while where.kind != "place":
        where = place(draws)
    said, copula = description(draws, noun, many)
    person, le = "they" if many else "he", THE.french(noun.gender == "f", many)
    is_, est = BE[person], ETRE[person]
    return rule(
        f"the N P {is_} C .",
        f"{le}[the](N) N P {est}[{is_}] C .",
        f"P 的(P,N) N(the) {chinese.COPULAS[copula].affirmed.format(is_=is_)} .",
        N=noun_alone(noun, many),
        P=where.phrase,
        C=said,
    )


def description(
    draws: RandomDraws, noun: Noun, plural: bool, besides: Sequence[str] = ()
) -> tuple[Phrase, str]:
    """What can be said of a noun, *red*, but for these words; and how Chinese then says *is*."""
    new = draws.choice([a for a in adjectives_for(noun.kind) if a.english not in besides])
    zh = chinese.adjective(new.english, noun.kind)
    said = word(new.english, new.french(noun.gender == "f", plural), zh.predicate)
    return said._replace(described=((new.english, noun.singular),)), zh.copula


def is_it_too(draws: RandomDraws) -> Phrase:
    """he is tired too . → il est fatigué aussi . → 他 也 很 累 。"""
    who, how = subject(draws), draws.choice(STATES)
    zh = chinese.STATES[how.english]
    is_, est = BE[who.person], ETRE[who.person]
    said = word(how.english, how.french(who.feminine, who.plural), zh.predicate)
    said_zh = f"S 也[too] {chinese.COPULAS[zh.copula].affirmed.format(is_=is_)} ."
    french = f"S {est}[{is_}] C aussi[too] ."
    return rule(f"S {is_} C too .", french, said_zh, S=who.phrase, C=said)


def to_be(
    draws: RandomDraws,
    who: NounPhrase,
    complement: Phrase,
    french_verb: dict[str, str],
    copula: str,
    negation: float = 0.0,
) -> Phrase:
    """he is, he's, he isn't, he is not or he's not, and its French and Chinese."""
    is_, est = short_or_long_be(draws, who), french_verb[who.person]
    parts, zh = {"S": who.phrase, "C": complement}, chinese.COPULAS[copula]
    if not draws.bernoulli(negation):
        said_zh = f"S {zh.affirmed.format(is_=is_)} ."
        return rule(f"S {is_} C .", f"S {est}[{is_}] C .", said_zh, **parts)
    if is_ in ("is", "are") and draws.bernoulli(0.5):
        isnt = is_ + "n't"
        said_zh = f"S {zh.negated.format(is_=isnt, not_=isnt)} ."
        french = f"S ne[{isnt}] {est}[{isnt}] pas[{isnt}] C ."
        return rule(f"S {isnt} C .", french, said_zh, **parts)
    said_zh = f"S {zh.negated.format(is_=is_, not_='not')} ."
    return rule(f"S {is_} not C .", f"S ne[not] {est}[{is_}] pas[not] C .", said_zh, **parts)


def short_or_long_be(draws: RandomDraws, who: NounPhrase) -> str:
    return (SHORT_BE if who.stressed and draws.bernoulli(0.7) else BE)[who.person]


# To have, to be there, to be more


def possession(draws: RandomDraws) -> Phrase:
    """he has a car . → il a une voiture . → 他 有 一 辆 汽车 。"""
    who, negated = subject(draws), draws.bernoulli(0.4)
    determiners = ("a", "a", "number") if not negated else ("a",)
    what = noun_phrase(draws, of_kinds("living,object"), determiners, negated=negated).phrase
    a, parts = AVOIR[who.person], {"S": who.phrase, "O": what}
    if not negated:
        has = "has" if who.person == "he" else "have"
        return rule(f"S {has} O .", f"S {a}[{has}] O .", f"S 有[{has}] O .", **parts)
    dont = DONT[who.person]
    french = f"S ne[{dont}] {a}[have] pas[{dont}] O ."
    return rule(f"S {dont} have O .", french, f"S 没有[{dont},have] O .", **parts)


def there_is(draws: RandomDraws) -> Phrase:
    """there are two cats in the garden . → il y a deux chats dans le jardin ."""
    many = draws.bernoulli(0.45)
    determiners = ("a", "a", "a", "a", "number") if many else ("a",)
    what = noun_phrase(draws, determiners=determiners, plural=float(many)).phrase
    is_, where = "are" if many else "is", place(draws)
    french = f"il[there] y[there] a[{is_}] N P ."
    said_zh = f"P 有[{is_}](there) N ."
    if where.kind == "company":
        said_zh = f"有[{is_}](there) N P 在(P) 一起(P) ."
    return rule(f"there {is_} N P .", french, said_zh, N=what, P=where.phrase)


def comparison(draws: RandomDraws) -> Phrase:
    """the car is older than the bike . → … plus vieille que … → 那 辆 汽车 比 … 旧 。"""
    bigger = draws.choice(list(COMPARATIVES))
    big, kinds = COMPARATIVES[bigger]
    kind = draws.choice(kinds.split(","))
    often = {"determiners": DEFINITE, "described": 0.1, "plural": 0.15}
    one = noun_phrase(draws, of_kinds(kind), **often)
    other = noun_phrase(draws, [n for n in of_kinds(kind) if n != one.noun], **often)
    grand = ADJECTIVE[big].french(one.feminine, one.plural)
    compared = chinese.COMPARED.get(f"{bigger}/{kind}", chinese.COMPARED[bigger])
    parts = {"S": one.phrase, "O": other.phrase, "C": word(bigger, f"plus {grand}", compared)}
    is_, est = BE[one.person], ETRE[one.person]
    if not draws.bernoulli(0.25):
        french, said_zh = f"S {est}[{is_}] C que[than] O .", f"S 比[than] O C({is_}) ."
        return rule(f"S {is_} C than O .", french, said_zh, **parts)
    french = f"S ne[not] {est}[{is_}] pas[not] C que[than] O ."
    return rule(f"S {is_} not C than O .", french, f"S 不[not] 比[than] O C({is_}) .", **parts)
