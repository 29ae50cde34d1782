"""The kinds of sentence: every rule writes English and French at once, and links the words.

In the templates S is the subject, V a verb, O what follows it, T a time or a place.
"""

from collections.abc import Callable

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
    described = word(how.english, how.french(who.feminine, who.plural))
    return to_be(draws, who, described, ETRE, negation=0.3)


def sensation(draws: RandomDraws) -> Phrase:
    """he's hungry . → il a faim . Where English *is*, French *has*."""
    return to_be(draws, subject(draws), word(*draws.choice(SENSATIONS)), AVOIR, negation=0.3)


def age(draws: RandomDraws) -> Phrase:
    """he's ten years old . → il a dix ans ."""
    years = rule("N years old", "N ans[years](old)", N=word(*draws.choice(AGES)))
    return to_be(draws, subject(draws, of_kinds("person")), years, AVOIR)


def whereabouts(draws: RandomDraws) -> Phrase:
    """he's behind the door . → il est derrière la porte ."""
    return to_be(draws, subject(draws), place(draws), ETRE, negation=0.3)


def at_home(draws: RandomDraws) -> Phrase:
    """he's home . → il est chez lui ."""
    who = pronoun(draws)
    home = rule("home", f"chez[home] {who.stressed}[home]")
    return to_be(draws, who, home, ETRE, negation=0.3)


def quality(draws: RandomDraws) -> Phrase:
    """marie's cat is black . → le chat de marie est noir ."""
    what = noun_phrase(draws, of_kinds("animal,object"), ("genitive",), described=0.4)
    fitting = adjectives_for(what.noun.kind)
    new = draws.choice([a for a in fitting if a.english not in what.phrase.english])
    said = word(new.english, new.french(what.feminine, what.plural))
    said = said._replace(described=((new.english, what.noun.singular),))
    return to_be(draws, what, said, ETRE, negation=0.2)


def to_be(
    draws: RandomDraws,
    who: NounPhrase,
    complement: Phrase,
    french_verb: dict[str, str],
    negation: float = 0.0,
) -> Phrase:
    """he is, he's, he isn't, he is not or he's not, and its French."""
    is_, est = short_or_long_be(draws, who), french_verb[who.person]
    parts = {"S": who.phrase, "C": complement}
    if not draws.bernoulli(negation):
        return rule(f"S {is_} C .", f"S {est}[{is_}] C .", **parts)
    if is_ in ("is", "are") and draws.bernoulli(0.5):
        isnt = is_ + "n't"
        return rule(f"S {isnt} C .", f"S ne[{isnt}] {est}[{isnt}] pas[{isnt}] C .", **parts)
    return rule(f"S {is_} not C .", f"S ne[not] {est}[{is_}] pas[not] C .", **parts)


def short_or_long_be(draws: RandomDraws, who: NounPhrase) -> str:
    return (SHORT_BE if who.stressed and draws.bernoulli(0.7) else BE)[who.person]


# Verbs


def verb_alone(draws: RandomDraws) -> Phrase:
    """he sleeps . → il dort ."""
    who, verb = subject(draws), draws.choice(VERBS_ALONE)
    when = adjunct(draws, 0.45)
    return rule("S V T .", "S V T .", S=who.phrase, V=finite(verb, who), T=when)


def verb_negated(draws: RandomDraws) -> Phrase:
    """he doesn't sleep . → il ne dort pas ."""
    who, verb = subject(draws), draws.choice(VERBS_ALONE)
    dont, when = DONT[who.person], adjunct(draws, 0.45)
    french = f"S ne[{dont}] V pas[{dont}] T ."
    return rule(f"S {dont} V T .", french, S=who.phrase, V=bare(verb, who), T=when)


def verb_with_frequency(draws: RandomDraws) -> Phrase:
    """he often sleeps . → il dort souvent ."""
    who, verb = subject(draws), draws.choice(VERBS_ALONE)
    when, (often, souvent) = adjunct(draws, 0.45), draws.choice(FREQUENCIES)
    french = f"S V {souvent}[{often}] T ."
    return rule(f"S {often} V T .", french, S=who.phrase, V=finite(verb, who), T=when)


def verb_with_never(draws: RandomDraws) -> Phrase:
    """he never sleeps . → il ne dort jamais ."""
    who, verb = subject(draws), draws.choice(VERBS_ALONE)
    when, french = adjunct(draws, 0.45), "S ne[never] V jamais[never] T ."
    return rule("S never V T .", french, S=who.phrase, V=finite(verb, who), T=when)


def verb_with_object(draws: RandomDraws) -> Phrase:
    """he sees a cat . → il voit un chat . – he doesn't see a cat . → il ne voit pas de chat ."""
    who, verb = subject(draws), draws.choice(TRANSITIVE_VERBS)
    negated = draws.bernoulli(0.35)
    what = noun_phrase(draws, of_kinds(verb.objects), negated=negated).phrase
    if not negated:
        return rule("S V O .", "S V O .", S=who.phrase, V=finite(verb, who), O=what)
    dont = DONT[who.person]
    french = f"S ne[{dont}] V pas[{dont}] O ."
    return rule(f"S {dont} V O .", french, S=who.phrase, V=bare(verb, who), O=what)


def verb_with_pronoun(draws: RandomDraws) -> Phrase:
    """he sees her . → il la voit . The French pronoun stands before the verb."""
    who, verb = subject(draws), draws.choice(OF_PERSONS)
    negated = draws.bernoulli(0.3)
    reflexive = {"i": ("me", "us"), "you": ("you",), "we": ("me", "us")}.get(who.person, ())
    others = [(her, la) for her, la in OBJECT_PRONOUNS if her not in reflexive]
    whom = word(*draws.choice(others))
    if not negated:
        return rule("S V O .", "S O V .", S=who.phrase, V=finite(verb, who), O=whom)
    dont = DONT[who.person]
    french = f"S ne[{dont}] O V pas[{dont}] ."
    return rule(f"S {dont} V O .", french, S=who.phrase, V=bare(verb, who), O=whom)


def finite(verb: Verb, who: NounPhrase) -> Phrase:
    """The verb in the present, in agreement with its subject: he *sees*, il *voit*."""
    english = verb.third_person if who.person == "he" else verb.base
    return word(english, verb.present[who.person])


def bare(verb: Verb, who: NounPhrase) -> Phrase:
    """The verb after *do*, where only the French agrees: he doesn't *see*, il ne *voit* pas."""
    return word(verb.base, verb.present[who.person])


# The past, with avoir or être: one English verb, two French words


def past_alone(draws: RandomDraws) -> Phrase:
    """she left . → elle est partie . – she slept . → elle a dormi ."""
    who, verb = subject(draws), draws.choice(VERBS_ALONE)
    negated = draws.bernoulli(0.3)
    if verb in MOTION_VERBS:
        ending = "e" * who.feminine + "s" * who.plural
        return past(who, verb, ETRE, verb.participle + ending, adjunct(draws, 0.3), negated)
    return past(who, verb, AVOIR, verb.participle, adjunct(draws, 0.3), negated)


def past_with_object(draws: RandomDraws) -> Phrase:
    """he bought a car . → il a acheté une voiture ."""
    who, negated = subject(draws), draws.bernoulli(0.3)
    # Affirmed, *read* could be the present as well.
    verb = draws.choice([v for v in TRANSITIVE_VERBS if negated or v.base != v.past])
    what = noun_phrase(draws, of_kinds(verb.objects), negated=negated).phrase
    return past(who, verb, AVOIR, verb.participle, what, negated)


def past(
    who: NounPhrase,
    verb: Verb,
    auxiliary: dict[str, str],
    participle: str,
    rest: Phrase,
    negated: bool,
) -> Phrase:
    a = auxiliary[who.person]
    if not negated:
        v = word(verb.past, f"{a} {participle}")
        return rule("S V O .", "S V O .", S=who.phrase, V=v, O=rest)
    v, french = word(verb.base, participle), f"S ne[didn't] {a}[didn't] pas[didn't] V O ."
    return rule("S didn't V O .", french, S=who.phrase, V=v, O=rest)


# A second verb, in the infinitive


def future(draws: RandomDraws) -> Phrase:
    """he's going to sleep . → il va dormir ."""
    who, (verb, rest) = subject(draws), infinitive(draws)
    is_, va = short_or_long_be(draws, who), ALLER[who.person]
    french = f"S {va}[going]({is_},to) V O ."
    return rule(f"S {is_} going to V O .", french, S=who.phrase, V=verb, O=rest)


def modal(draws: RandomDraws) -> Phrase:
    """he can swim . → il peut nager ."""
    who, (verb, rest) = subject(draws), infinitive(draws)
    can = draws.choice(MODALS)
    french = f"S {can.present[who.person]}[{can.english}] V O ."
    return rule(f"S {can.english} V O .", french, S=who.phrase, V=verb, O=rest)


def wish(draws: RandomDraws) -> Phrase:
    """he wants to sleep . → il veut dormir ."""
    who, (verb, rest) = subject(draws), infinitive(draws)
    wants = draws.choice([v for v in TRANSITIVE_VERBS if v.base in ("want", "like")])
    english = wants.third_person if who.person == "he" else wants.base
    french = f"S {wants.present[who.person]}[{english}](to) V O ."
    return rule(f"S {english} to V O .", french, S=who.phrase, V=verb, O=rest)


def infinitive(draws: RandomDraws) -> tuple[Phrase, Phrase]:
    """A verb in the infinitive, and what follows it."""
    if draws.bernoulli(0.5):
        verb, rest = draws.choice(VERBS_ALONE), adjunct(draws, 0.3)
    else:
        verb = draws.choice(TRANSITIVE_VERBS)
        rest = noun_phrase(draws, of_kinds(verb.objects)).phrase
    return word(verb.base, verb.infinitive), rest


# Commands and questions


def command(draws: RandomDraws) -> Phrase:
    """run ! → cours !"""
    verb, when, mark = draws.choice(VERBS_ALONE), adjunct(draws, 0.35), draws.choice("!!.")
    run = word(verb.base, verb.imperative)
    return rule(f"V T {mark}", f"V T {mark}", V=run, T=when)


def prohibition(draws: RandomDraws) -> Phrase:
    """don't run ! → ne cours pas !"""
    verb, when, mark = draws.choice(VERBS_ALONE), adjunct(draws, 0.35), draws.choice("!!.")
    run, french = word(verb.base, verb.imperative), f"ne[don't] V pas[don't] T {mark}"
    return rule(f"don't V T {mark}", french, V=run, T=when)


def invitation(draws: RandomDraws) -> Phrase:
    """let's dance ! → dansons !"""
    verb, when, mark = draws.choice(VERBS_ALONE), adjunct(draws, 0.35), draws.choice("!!.")
    french = f"{verb.nous}[{verb.base}](let's) T {mark}"
    return rule(f"let's {verb.base} T {mark}", french, T=when)


def yes_no_question(draws: RandomDraws) -> Phrase:
    """does he see the cat ? → est-ce qu' il voit le chat ?"""
    who, verb = subject(draws), draws.choice(TRANSITIVE_VERBS)
    what, do = noun_phrase(draws, of_kinds(verb.objects)).phrase, DO[who.person]
    french = f"est-ce[{do}] que[{do}] S V O ?"
    return rule(f"{do} S V O ?", french, S=who.phrase, V=bare(verb, who), O=what)


def where_question(draws: RandomDraws) -> Phrase:
    """where is the cat ? → où est le chat ?"""
    what = noun_phrase(draws, determiners=("the", "possessive", "this"))
    is_, est = BE[what.person], ETRE[what.person]
    return rule(f"where {is_} S ?", f"où[where] {est}[{is_}] S ?", S=what.phrase)


def who_question(draws: RandomDraws) -> Phrase:
    """who sees the cat ? → qui voit le chat ?"""
    verb = draws.choice(TRANSITIVE_VERBS)
    what = noun_phrase(draws, of_kinds(verb.objects)).phrase
    sees = word(verb.third_person, verb.il)
    return rule("who V O ?", "qui[who] V O ?", V=sees, O=what)


def there_is(draws: RandomDraws) -> Phrase:
    """there are two cats in the garden . → il y a deux chats dans le jardin ."""
    many = draws.bernoulli(0.45)
    determiners = ("a", "a", "a", "a", "number") if many else ("a",)
    what = noun_phrase(draws, determiners=determiners, plural=float(many)).phrase
    is_ = "are" if many else "is"
    french = f"il[there] y[there] a[{is_}] N P ."
    return rule(f"there {is_} N P .", french, N=what, P=place(draws))


# How often each kind of sentence is drawn.
SENTENCES: dict[Callable[[RandomDraws], Phrase], int] = {
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


def sentence(draws: RandomDraws) -> Phrase:
    """A sentence of a kind drawn by its weight."""
    kind = draws.choice(SENTENCE_KINDS)
    return kind(draws)
