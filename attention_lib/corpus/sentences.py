"""The kinds of sentence: every rule writes all languages at once, and links the words.

In the templates S is the subject, V a verb, O what follows it, T a time or a place.
"""

from collections.abc import Callable, Sequence
from typing import NamedTuple

from attention_lib.corpus import chinese, word_order
from attention_lib.corpus.draws import RandomDraws
from attention_lib.corpus.kinds import kinds_in
from attention_lib.corpus.lexicon import (
    AGES,
    FREQUENCIES,
    INTRANSITIVE_VERBS,
    MODALS,
    MOTION_VERBS,
    OBJECT_PRONOUNS,
    SENSATIONS,
    STATES,
    TRANSITIVE_VERBS,
)
from attention_lib.corpus.phrases import (
    Adjunct,
    NounPhrase,
    adjectives_for,
    adjunct,
    noun_phrase,
    of_kinds,
    place,
    pronoun,
    subject,
)
from attention_lib.corpus.synchronous import Phrase, rule, word
from attention_lib.corpus.word_classes import Verb, by_person

NOTHING, NO_ADJUNCT = Phrase(), Adjunct()
SentenceKind = Callable[[RandomDraws], Phrase]

BE = by_person("am", "are", "is", "are", "are")
SHORT_BE = by_person("'m", "'re", "'s", "'re", "'re")
DO = by_person("do", "do", "does", "do", "do")
DONT = by_person("don't", "don't", "doesn't", "don't", "don't")
ETRE = by_person("suis", "es", "est", "sommes", "sont")
AVOIR = by_person("ai", "as", "a", "avons", "ont")
ALLER = by_person("vais", "vas", "va", "allons", "vont")

VERBS_ALONE = INTRANSITIVE_VERBS + MOTION_VERBS
OF_PERSONS = [verb for verb in TRANSITIVE_VERBS if "person" in kinds_in(verb.objects)]


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
    fitting = adjectives_for(what.noun.kind)
    new = draws.choice([a for a in fitting if a.english not in what.phrase.english])
    zh = chinese.adjective(new.english, what.noun.kind)
    said = word(new.english, new.french(what.feminine, what.plural), zh.predicate)
    said = said._replace(described=((new.english, what.noun.singular),))
    return to_be(draws, what, said, ETRE, zh.copula, negation=0.2)


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


# Verbs


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


def finite(verb: Verb, who: NounPhrase, zh: str) -> Phrase:
    """The verb in the present, in agreement with its subject: he *sees*, il *voit*."""
    english = verb.third_person if who.person == "he" else verb.base
    return word(english, verb.present[who.person], zh)


def bare(verb: Verb, who: NounPhrase, zh: str) -> Phrase:
    """The verb after *do*, where only the French agrees: he doesn't *see*, il ne *voit* pas."""
    return word(verb.base, verb.present[who.person], zh)


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


# Commands and questions


def command(draws: RandomDraws) -> Phrase:
    """run ! → cours ! → 跑 ！"""
    verb, when, mark = draws.choice(VERBS_ALONE), adjunct(draws, 0.35), draws.choice("!!.")
    zh = word_order.imperative(chinese.VERBS_ALONE[verb.base], when)
    run = word(verb.base, verb.imperative, zh.verb)
    return rule(f"V T {mark}", f"V T {mark}", f"{zh.order} {mark}", V=run, T=when.phrase)


def prohibition(draws: RandomDraws) -> Phrase:
    """don't run ! → ne cours pas ! → 别 跑 ！"""
    verb, when, mark = draws.choice(VERBS_ALONE), adjunct(draws, 0.35), draws.choice("!!.")
    zh = word_order.imperative(chinese.VERBS_ALONE[verb.base], when, "别[don't]")
    run, french = word(verb.base, verb.imperative, zh.verb), f"ne[don't] V pas[don't] T {mark}"
    return rule(f"don't V T {mark}", french, f"{zh.order} {mark}", V=run, T=when.phrase)


def invitation(draws: RandomDraws) -> Phrase:
    """let's dance ! → dansons ! → 我们 跳舞 吧 ！"""
    verb, when, mark = draws.choice(VERBS_ALONE), adjunct(draws, 0.35), draws.choice("!!.")
    zh = word_order.imperative(chinese.VERBS_ALONE[verb.base], when)
    dance = rule(verb.base, f"{verb.nous}[{verb.base}]", f"{zh.verb}[{verb.base}]")
    parts = {"V": dance, "T": when.phrase}
    said_zh = f"我们[let's] {zh.order} 吧[let's] {mark}"
    return rule(f"let's V T {mark}", f"V(let's) T {mark}", said_zh, **parts)


def yes_no_question(draws: RandomDraws) -> Phrase:
    """does he see the cat ? → est-ce qu' il voit le chat ? → 他 看见 了 那 只 猫 吗 ？"""
    who, verb = subject(draws), draws.choice(TRANSITIVE_VERBS)
    what, do = noun_phrase(draws, of_kinds(verb.objects)).phrase, DO[who.person]
    zh = word_order.asked(chinese.with_object(verb.base), do)
    french = f"est-ce[{do}] que[{do}] S V O ?"
    parts = {"S": who.phrase, "V": bare(verb, who, zh.verb), "O": what}
    return rule(f"{do} S V O ?", french, f"S {zh.order} ?", **parts)


def where_question(draws: RandomDraws) -> Phrase:
    """where is the cat ? → où est le chat ? → 那 只 猫 在 哪儿 ？"""
    what = noun_phrase(draws, determiners=("the", "possessive", "this"))
    is_, est = BE[what.person], ETRE[what.person]
    french, said_zh = f"où[where] {est}[{is_}] S ?", f"S 在[{is_}] 哪儿[where] ?"
    return rule(f"where {is_} S ?", french, said_zh, S=what.phrase)


def who_question(draws: RandomDraws) -> Phrase:
    """who sees the cat ? → qui voit le chat ? → 谁 看见 那 只 猫 ？"""
    verb = draws.choice(TRANSITIVE_VERBS)
    what = noun_phrase(draws, of_kinds(verb.objects)).phrase
    zh = word_order.present(chinese.with_object(verb.base), NO_ADJUNCT)
    sees = word(verb.third_person, verb.il, zh.verb)
    return rule("who V O ?", "qui[who] V O ?", f"谁[who] {zh.order} O ?", V=sees, O=what)


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


# How often each kind of sentence is drawn.
SENTENCES: dict[SentenceKind, int] = {
    state: 40,
    sensation: 11,
    age: 10,
    whereabouts: 13,
    at_home: 8,
    quality: 10,
    verb_alone: 20,
    verb_negated: 13,
    verb_with_frequency: 10,
    verb_with_never: 7,
    verb_with_object: 70,
    verb_with_pronoun: 28,
    past_alone: 30,
    past_with_object: 30,
    future: 20,
    modal: 15,
    wish: 15,
    command: 10,
    prohibition: 5,
    invitation: 5,
    yes_no_question: 18,
    where_question: 12,
    who_question: 10,
    there_is: 18,
}
SENTENCE_KINDS = [kind for kind, weight in SENTENCES.items() for _ in range(weight)]


def sentence(draws: RandomDraws, kinds: Sequence[SentenceKind] = SENTENCE_KINDS) -> Phrase:
    """A sentence of a kind drawn by its weight."""
    kind = draws.choice(kinds)
    return kind(draws)
