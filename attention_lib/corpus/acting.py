"""What is done in the present: he sleeps, he doesn't see her, they all dance.

In the templates S is the subject, V a verb, O its object, T a time or a place.
"""

from attention_lib.corpus import chinese, word_order
from attention_lib.corpus.draws import RandomDraws
from attention_lib.corpus.kinds import kinds_in
from attention_lib.corpus.lexicon import (
    DONT,
    FREQUENCIES,
    OBJECT_PRONOUNS,
    TRANSITIVE_VERBS,
    VERBS_ALONE,
)
from attention_lib.corpus.phrases import (
    DEFINITE,
    NO_ADJUNCT,
    Adjunct,
    NounPhrase,
    adjunct,
    noun_phrase,
    of_kinds,
    pronoun,
    subject,
)
from attention_lib.corpus.synchronous import Phrase, rule, word
from attention_lib.corpus.word_classes import Verb

OF_PERSONS = [verb for verb in TRANSITIVE_VERBS if "person" in kinds_in(verb.objects)]


def verb_alone(draws: RandomDraws) -> Phrase:
    """he sleeps . → il dort . → 他 在 睡觉 。"""
    who, verb = subject(draws), draws.choice(VERBS_ALONE)
    when = adjunct(draws, 0.45)
    zh = word_order.present(chinese.VERBS_ALONE[verb.base], when)
    parts = {"S": who.phrase, "V": finite(verb, who, zh.verb), "T": when.phrase}
    return rule("S V T .", "S V T .", f"S {zh.order} .", **parts)


def verb_negated(draws: RandomDraws) -> Phrase:
    """he doesn't sleep . → il ne dort pas . → 他 不 睡觉 。"""
    who, verb = subject(draws), draws.choice(VERBS_ALONE)
    dont, when = DONT[who.person], adjunct(draws, 0.45)
    zh = word_order.present_negated(chinese.VERBS_ALONE[verb.base], when, dont)
    french = f"S ne[{dont}] V pas[{dont}] T ."
    parts = {"S": who.phrase, "V": bare(verb, who, zh.verb), "T": when.phrase}
    return rule(f"S {dont} V T .", french, f"S {zh.order} .", **parts)


def verb_with_frequency(draws: RandomDraws) -> Phrase:
    """he often sleeps . → il dort souvent . → 他 经常 睡觉 。"""
    who, verb = subject(draws), draws.choice(VERBS_ALONE)
    when, (often, souvent) = adjunct(draws, 0.45), draws.choice(FREQUENCIES)
    return _with_adverb(who, verb, when, often, f"S V {souvent}[{often}] T .")


def verb_with_never(draws: RandomDraws) -> Phrase:
    """he never sleeps . → il ne dort jamais . → 他 从不 睡觉 。"""
    who, verb = subject(draws), draws.choice(VERBS_ALONE)
    when = adjunct(draws, 0.45)
    return _with_adverb(who, verb, when, "never", "S ne[never] V jamais[never] T .")


def _with_adverb(who: NounPhrase, verb: Verb, when: Adjunct, often: str, french: str) -> Phrase:
    adverb = f"{chinese.FREQUENCIES[often]}[{often}]"
    zh = word_order.usual(chinese.VERBS_ALONE[verb.base], when, adverb)
    parts = {"S": who.phrase, "V": finite(verb, who, zh.verb), "T": when.phrase}
    return rule(f"S {often} V T .", french, f"S {zh.order} .", **parts)


def verb_with_object(draws: RandomDraws) -> Phrase:
    """he sees a cat . → il voit un chat . – he doesn't see a cat . → il ne voit pas de chat ."""
    who, verb = subject(draws), draws.choice(TRANSITIVE_VERBS)
    negated = draws.bernoulli(0.35)
    what = noun_phrase(draws, of_kinds(verb.objects), negated=negated).phrase
    return _with_object(who, verb, what, "S V O .", "S ne[{0}] V pas[{0}] O .", negated)


def verb_with_pronoun(draws: RandomDraws) -> Phrase:
    """he sees her . → il la voit . The French pronoun stands before the verb."""
    who, verb = subject(draws), draws.choice(OF_PERSONS)
    negated = draws.bernoulli(0.3)
    reflexive = {"i": ("me", "us"), "you": ("you",), "we": ("me", "us")}.get(who.person, ())
    her, la = draws.choice([pair for pair in OBJECT_PRONOUNS if pair[0] not in reflexive])
    whom = word(her, la, chinese.PRONOUNS[her])
    return _with_object(who, verb, whom, "S O V .", "S ne[{0}] O V pas[{0}] .", negated)


def _with_object(
    who: NounPhrase, verb: Verb, what: Phrase, french: str, french_negated: str, negated: bool
) -> Phrase:
    zh_verb = chinese.with_object(verb.base)
    if not negated:
        zh = word_order.present(zh_verb, NO_ADJUNCT)
        parts = {"S": who.phrase, "V": finite(verb, who, zh.verb), "O": what}
        return rule("S V O .", french, f"S {zh.order} O .", **parts)
    dont = DONT[who.person]
    zh = word_order.present_negated(zh_verb, NO_ADJUNCT, dont)
    parts = {"S": who.phrase, "V": bare(verb, who, zh.verb), "O": what}
    return rule(f"S {dont} V O .", french_negated.format(dont), f"S {zh.order} O .", **parts)


def does_it_too(draws: RandomDraws) -> Phrase:
    """he sleeps too . → il dort aussi . → 他 也 在 睡觉 。"""
    who, verb = subject(draws), draws.choice(VERBS_ALONE)
    when = adjunct(draws, 0.3)
    zh = word_order.present(chinese.VERBS_ALONE[verb.base], when, "也[too]")
    parts = {"S": who.phrase, "V": finite(verb, who, zh.verb), "T": when.phrase}
    return rule("S V T too .", "S V aussi[too] T .", f"S {zh.order} .", **parts)


def all_do(draws: RandomDraws) -> Phrase:
    """they all sleep . → ils dorment tous . → 他们 都 在 睡觉 。"""
    who, verb = several(draws), draws.choice(VERBS_ALONE)
    when = adjunct(draws, 0.3)
    when = NO_ADJUNCT if when.kind == "habit" else when
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


def finite(verb: Verb, who: NounPhrase, zh: str) -> Phrase:
    """The verb in the present, in agreement with its subject: he *sees*, il *voit*."""
    english = verb.third_person if who.person == "he" else verb.base
    return word(english, verb.present[who.person], zh)


def bare(verb: Verb, who: NounPhrase, zh: str) -> Phrase:
    """The verb after *do*, where only the French agrees: he doesn't *see*, il ne *voit* pas."""
    return word(verb.base, verb.present[who.person], zh)
