"""What was done, and what will, can or should be: he slept, he is going to leave.

In the templates S is the subject, V a verb, O its object, T a time or a place, P a place.
"""

from typing import NamedTuple

from attention_lib.corpus import chinese, word_order
from attention_lib.corpus.being import short_or_long_be
from attention_lib.corpus.draws import RandomDraws
from attention_lib.corpus.lexicon import (
    ALLER,
    AVOIR,
    ETRE,
    MODALS,
    MOTION_VERBS,
    TRANSITIVE_VERBS,
    VERBS_ALONE,
)
from attention_lib.corpus.phrases import (
    NO_ADJUNCT,
    NOTHING,
    Adjunct,
    NounPhrase,
    adjunct,
    noun_phrase,
    of_kinds,
    place,
    subject,
    time,
)
from attention_lib.corpus.synchronous import Phrase, rule, word
from attention_lib.corpus.word_classes import Verb

# What one does at a place, and may be over.
DEEDS = ("see", "buy", "find", "sell", "hear", "eat", "wash", "hide", "look for", "lose")


# The past, with avoir or être: one English verb, two French words


def past_alone(draws: RandomDraws) -> Phrase:
    """she left . → elle est partie . – she slept . → elle a dormi ."""
    who, verb = subject(draws), draws.choice(VERBS_ALONE)
    negated = draws.bernoulli(0.3)
    auxiliary, participle = AVOIR, verb.participle
    if verb in MOTION_VERBS:
        auxiliary, participle = ETRE, participle + "e" * who.feminine + "s" * who.plural
    zh_verb = chinese.VERBS_ALONE[verb.base]
    when = adjunct(draws, 0.3)
    return past(who, verb, zh_verb, auxiliary, participle, negated, when=when)


def past_with_object(draws: RandomDraws) -> Phrase:
    """he bought a car . → il a acheté une voiture . → 他 买 了 一 辆 汽车 。"""
    who, negated = subject(draws), draws.bernoulli(0.3)
    # Affirmed, *read* could be the present as well.
    verb = draws.choice([v for v in TRANSITIVE_VERBS if negated or v.base != v.past])
    what = noun_phrase(draws, of_kinds(verb.objects), negated=negated).phrase
    return past(who, verb, chinese.with_object(verb.base), AVOIR, verb.participle, negated, what)


def deed(draws: RandomDraws) -> Phrase:
    """she bought a bag at the market today . → 她 今天 在 市场 买 了 一 个 包 。"""
    who = subject(draws)
    verb = draws.choice([verb for verb in TRANSITIVE_VERBS if verb.base in DEEDS])
    what = noun_phrase(draws, of_kinds(verb.objects), described=0.25).phrase
    where, when = place(draws), time(draws) if draws.bernoulli(0.6) else NO_ADJUNCT
    zh = word_order.past_somewhere(chinese.with_object(verb.base), where, when)
    v = word(verb.past, f"{AVOIR[who.person]} {verb.participle}", zh.verb)
    parts = {"S": who.phrase, "V": v, "O": what, "P": where.phrase, "T": when.phrase}
    return rule("S V O P T .", "S V O P T .", f"S {zh.order} O .", **parts)


def past(
    who: NounPhrase,
    verb: Verb,
    zh_verb: chinese.Verb,
    auxiliary: dict[str, str],
    participle: str,
    negated: bool,
    what: Phrase = NOTHING,
    when: Adjunct = NO_ADJUNCT,
) -> Phrase:
    a, parts = auxiliary[who.person], {"S": who.phrase, "O": what, "T": when.phrase}
    if not negated:
        zh = word_order.past(zh_verb, when)
        v = word(verb.past, f"{a} {participle}", zh.verb)
        return rule("S V O T .", "S V O T .", f"S {zh.order} O .", V=v, **parts)
    zh = word_order.past_negated(zh_verb, when, "didn't")
    v, french = (
        word(verb.base, participle, zh.verb),
        f"S ne[didn't] {a}[didn't] pas[didn't] V O T .",
    )
    return rule("S didn't V O T .", french, f"S {zh.order} O .", V=v, **parts)


# A second verb, in the infinitive


class Infinitive(NamedTuple):
    """A verb in the infinitive, what follows it, and the verb in Chinese."""

    verb: Verb
    what: Phrase
    when: Adjunct
    chinese: chinese.Verb

    def after(self, auxiliary: str, *, able: bool = False) -> tuple[str, dict[str, Phrase]]:
        """The order of the Chinese words behind an auxiliary, and the phrases of all languages."""
        zh = word_order.planned(self.chinese, self.when, auxiliary, able=able)
        verb = word(self.verb.base, self.verb.infinitive, zh.verb)
        return zh.order, {"V": verb, "O": self.what, "T": self.when.phrase}


def future(draws: RandomDraws) -> Phrase:
    """he's going to sleep . → il va dormir . → 他 要 睡觉 。"""
    who, second = subject(draws), infinitive(draws)
    is_, va = short_or_long_be(draws, who), ALLER[who.person]
    will = "会" if second.chinese.aspect == "state" else "要"
    order, parts = second.after(f"{will}[going]({is_},to)")
    french = f"S {va}[going]({is_},to) V O T ."
    return rule(f"S {is_} going to V O T .", french, f"S {order} O .", S=who.phrase, **parts)


def modal(draws: RandomDraws) -> Phrase:
    """he can swim . → il peut nager . → 他 能 游泳 。"""
    who, second = subject(draws), infinitive(draws)
    can = draws.choice(MODALS)
    auxiliary = f"{chinese.MODALS[can.english]}[{can.english}]"
    order, parts = second.after(auxiliary, able=can.english == "can")
    french = f"S {can.present[who.person]}[{can.english}] V O T ."
    return rule(f"S {can.english} V O T .", french, f"S {order} O .", S=who.phrase, **parts)


def wish(draws: RandomDraws) -> Phrase:
    """he wants to sleep . → il veut dormir . → 他 想 睡觉 。"""
    who, second = subject(draws), infinitive(draws)
    wants = draws.choice([v for v in TRANSITIVE_VERBS if v.base in ("want", "like")])
    english = wants.third_person if who.person == "he" else wants.base
    order, parts = second.after(f"{chinese.MODALS[wants.base]}[{english}](to)")
    french = f"S {wants.present[who.person]}[{english}](to) V O T ."
    return rule(f"S {english} to V O T .", french, f"S {order} O .", S=who.phrase, **parts)


def infinitive(draws: RandomDraws) -> Infinitive:
    """A verb in the infinitive, with a place, a time or an object."""
    if draws.bernoulli(0.5):
        verb, when = draws.choice(VERBS_ALONE), adjunct(draws, 0.3)
        return Infinitive(verb, NOTHING, when, chinese.VERBS_ALONE[verb.base])
    verb = draws.choice(TRANSITIVE_VERBS)
    what = noun_phrase(draws, of_kinds(verb.objects)).phrase
    return Infinitive(verb, what, NO_ADJUNCT, chinese.with_object(verb.base))
