"""Kinds of sentence that the Chinese corpus has beside those of the French one.

They are said in all three languages. The French corpus leaves them out, since what was trained on
it and the book's numbers rest on the kinds in ``sentences.py``.
"""

from attention_lib.corpus import chinese, word_order
from attention_lib.corpus.draws import RandomDraws
from attention_lib.corpus.lexicon import ADJECTIVES, STATES, THE, TRANSITIVE_VERBS
from attention_lib.corpus.phrases import (
    DEFINITE,
    Adjunct,
    NounPhrase,
    adjectives_for,
    adjunct,
    noun_phrase,
    of_kinds,
    place,
    pronoun,
    subject,
    time,
)
from attention_lib.corpus.sentences import (
    AVOIR,
    BE,
    DO,
    DONT,
    ETRE,
    SENTENCES,
    VERBS_ALONE,
    SentenceKind,
    bare,
    finite,
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
# What one does at a place, and may be over.
DEEDS = ("see", "buy", "find", "sell", "hear", "eat", "wash", "hide", "look for", "lose")
ADJECTIVE = {adjective.english: adjective for adjective in ADJECTIVES}


def does_it_too(draws: RandomDraws) -> Phrase:
    """he sleeps too . → il dort aussi . → 他 也 在 睡觉 。"""
    who, verb = subject(draws), draws.choice(VERBS_ALONE)
    when = adjunct(draws, 0.3)
    zh = word_order.present(chinese.VERBS_ALONE[verb.base], when, "也[too]")
    parts = {"S": who.phrase, "V": finite(verb, who, zh.verb), "T": when.phrase}
    return rule("S V T too .", "S V aussi[too] T .", f"S {zh.order} .", **parts)


def is_it_too(draws: RandomDraws) -> Phrase:
    """he is tired too . → il est fatigué aussi . → 他 也 很 累 。"""
    who, how = subject(draws), draws.choice(STATES)
    zh = chinese.STATES[how.english]
    is_, est = BE[who.person], ETRE[who.person]
    said = word(how.english, how.french(who.feminine, who.plural), zh.predicate)
    said_zh = f"S 也[too] {chinese.COPULAS[zh.copula].affirmed.format(is_=is_)} ."
    french = f"S {est}[{is_}] C aussi[too] ."
    return rule(f"S {is_} C too .", french, said_zh, S=who.phrase, C=said)


def all_do(draws: RandomDraws) -> Phrase:
    """they all sleep . → ils dorment tous . → 他们 都 在 睡觉 。"""
    who, verb = several(draws), draws.choice(VERBS_ALONE)
    when = adjunct(draws, 0.3)
    when = Adjunct() if when.kind == "habit" else when
    zh = word_order.present(chinese.VERBS_ALONE[verb.base], when, "都[all]")
    parts = {"S": who.phrase, "V": finite(verb, who, zh.verb), "T": when.phrase}
    french = f"S V {'toutes' if who.feminine else 'tous'}[all] T ."
    return rule("S all V T .", french, f"S {zh.order} .", **parts)


def several(draws: RandomDraws) -> NounPhrase:
    """More than one: we, they, or a noun in the plural."""
    if draws.bernoulli(0.5):
        who = pronoun(draws)
        while not who.plural:
            who = pronoun(draws)
        return who
    return noun_phrase(draws, of_kinds("living"), DEFINITE, described=0.35, plural=1.0)


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


def deed(draws: RandomDraws) -> Phrase:
    """she bought a bag at the market today . → 她 今天 在 市场 买 了 一 个 包 。"""
    who = subject(draws)
    verb = draws.choice([verb for verb in TRANSITIVE_VERBS if verb.base in DEEDS])
    what = noun_phrase(draws, of_kinds(verb.objects), described=0.25).phrase
    where, when = place(draws), time(draws) if draws.bernoulli(0.6) else Adjunct()
    zh = word_order.past_somewhere(chinese.with_object(verb.base), where, when)
    v = word(verb.past, f"{AVOIR[who.person]} {verb.participle}", zh.verb)
    parts = {"S": who.phrase, "V": v, "O": what, "P": where.phrase, "T": when.phrase}
    return rule("S V O P T .", "S V O P T .", f"S {zh.order} O .", **parts)


def located_thing(draws: RandomDraws) -> Phrase:
    """the book on the table is red . → le livre sur la table est rouge . → 桌子 上 的 书 …"""
    noun = draws.choice(of_kinds("animal,object"))
    many = draws.bernoulli(0.3)
    what, where = plain_noun(noun, many), place(draws)
    while where.kind != "place":
        where = place(draws)
    new = draws.choice(adjectives_for(noun.kind))
    zh = chinese.adjective(new.english, noun.kind)
    is_, est = BE[what.person], ETRE[what.person]
    said = word(new.english, new.french(what.feminine, many), zh.predicate)
    said = said._replace(described=((new.english, noun.singular),))
    le = THE.french(what.feminine, many)
    return rule(
        f"the N P {is_} C .",
        f"{le}[the](N) N P {est}[{is_}] C .",
        f"P 的(P,N) N(the) {chinese.COPULAS[zh.copula].affirmed.format(is_=is_)} .",
        N=what.phrase,
        P=where.phrase,
        C=said,
    )


def plain_noun(noun: Noun, many: bool) -> NounPhrase:
    """The noun alone, without its determiner."""
    said = word(noun.english(many), noun.french(many), chinese.NOUNS[noun.singular].text)
    person = "they" if many else "he"
    return NounPhrase(said, person, many, noun.gender == "f", noun=noun)


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


def possession_question(draws: RandomDraws) -> Phrase:
    """does he have a car ? → est-ce qu' il a une voiture ? → 他 有 汽车 吗 ？"""
    who = subject(draws)
    what = noun_phrase(draws, of_kinds("living,object"), ("a", "number")).phrase
    do, parts = DO[who.person], {"S": who.phrase, "O": what}
    french = f"est-ce[{do}] que[{do}] S {AVOIR[who.person]}[have] O ?"
    return rule(f"{do} S have O ?", french, f"S 有[have] O 吗[{do}](?) ?", **parts)


def what_question(draws: RandomDraws) -> Phrase:
    """what does he see ? → qu' est-ce qu' il voit ? → 他 看见 什么 ？"""
    who, verb = subject(draws), draws.choice(TRANSITIVE_VERBS)
    do = DO[who.person]
    zh = word_order.asked_what(chinese.with_object(verb.base), do)
    parts = {"S": who.phrase, "V": bare(verb, who, zh.verb)}
    french = f"que[what] est-ce[{do}] que[{do}] S V ?"
    return rule(f"what {do} S V ?", french, f"S {zh.order} ?", **parts)


def where_does_question(draws: RandomDraws) -> Phrase:
    """where does he sleep ? → où est-ce qu' il dort ? → 他 在 哪儿 睡觉 ？"""
    # Where somebody comes is not what one asks.
    verb = draws.choice([verb for verb in VERBS_ALONE if verb.base != "come"])
    who = subject(draws)
    do = DO[who.person]
    zh = word_order.asked_where(chinese.VERBS_ALONE[verb.base], do)
    parts = {"S": who.phrase, "V": bare(verb, who, zh.verb)}
    french = f"où[where] est-ce[{do}] que[{do}] S V ?"
    return rule(f"where {do} S V ?", french, f"S {zh.order} ?", **parts)


def when_question(draws: RandomDraws) -> Phrase:
    """when does he leave ? → quand est-ce qu' il part ? → 他 什么时候 离开 ？"""
    who, verb = subject(draws), draws.choice(VERBS_ALONE)
    do = DO[who.person]
    zh = word_order.usual(chinese.VERBS_ALONE[verb.base], Adjunct(), f"什么时候[when]({do})")
    parts = {"S": who.phrase, "V": bare(verb, who, zh.verb)}
    french = f"quand[when] est-ce[{do}] que[{do}] S V ?"
    return rule(f"when {do} S V ?", french, f"S {zh.order} ?", **parts)


# How often each kind is drawn, beside those of SENTENCES.
MORE_SENTENCES: dict[SentenceKind, int] = {
    does_it_too: 10,
    is_it_too: 8,
    all_do: 12,
    comparison: 22,
    deed: 45,
    located_thing: 30,
    possession: 22,
    possession_question: 8,
    what_question: 12,
    where_does_question: 10,
    when_question: 8,
}
ALL_KINDS = [kind for kind, weight in (SENTENCES | MORE_SENTENCES).items() for _ in range(weight)]
