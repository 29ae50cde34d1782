"""The kinds of sentence: every rule writes English and French at once, and links the words.

In the templates S is the subject, V a verb, O what follows it, T a time or a place.
"""

from collections.abc import Callable

from attention_lib.corpus.lexicon import (
    ADJECTIVES,
    AGES,
    FREQUENCIES,
    INTRANSITIVE_VERBS,
    MODALS,
    MOTION_VERBS,
    OBJECT_PRONOUNS,
    SENSATIONS,
    STATES,
    TRANSITIVE_VERBS,
    Verb,
)
from attention_lib.corpus.phrases import (
    Chance,
    NounPhrase,
    adjunct,
    noun_phrase,
    of_kinds,
    place,
    pronoun,
    subject,
)
from attention_lib.corpus.synchronous import Phrase, rule, word

# For je, tu, il or elle, nous, ils.
BE = ("am", "are", "is", "are", "are")
SHORT_BE = ("'m", "'re", "'s", "'re", "'re")
DO = ("do", "do", "does", "do", "do")
ETRE = ("suis", "es", "est", "sommes", "sont")
AVOIR = ("ai", "as", "a", "avons", "ont")
ALLER = ("vais", "vas", "va", "allons", "vont")

DONT = tuple(f"{do}n't" for do in DO)

VERBS_ALONE = INTRANSITIVE_VERBS + MOTION_VERBS


# To be


def state(chance: Chance) -> Phrase:
    """he's tired . → il est fatigué ."""
    who, how = subject(chance), chance.pick(STATES)
    described = word(how.english, how.agreeing(who.feminine, who.plural))
    return to_be(chance, who, described, ETRE, negation=0.3)


def sensation(chance: Chance) -> Phrase:
    """he's hungry . → il a faim . Where English *is*, French *has*."""
    return to_be(chance, subject(chance), word(*chance.pick(SENSATIONS)), AVOIR, negation=0.3)


def age(chance: Chance) -> Phrase:
    """he's ten years old . → il a dix ans ."""
    years = rule("N years old", "N ans=years~old", N=word(*chance.pick(AGES)))
    return to_be(chance, subject(chance, of_kinds("p")), years, AVOIR)


def whereabouts(chance: Chance) -> Phrase:
    """he's behind the door . → il est derrière la porte ."""
    return to_be(chance, subject(chance), place(chance), ETRE, negation=0.3)


def at_home(chance: Chance) -> Phrase:
    """he's home . → il est chez lui ."""
    who = pronoun(chance)
    home = rule("home", f"chez=home {who.stressed}=home")
    return to_be(chance, who, home, ETRE, negation=0.3)


def quality(chance: Chance) -> Phrase:
    """marie's cat is black . → le chat de marie est noir ."""
    what = noun_phrase(chance, of_kinds("ateor"), ("genitive",), described=0.4)
    fitting = [a for a in ADJECTIVES if what.noun.kind in a.kinds]
    new = chance.pick([a for a in fitting if a.english not in what.phrase.english])
    said = word(new.english, new.agreeing(what.feminine, what.plural))
    said = said._replace(described=((new.english, what.noun.singular),))
    return to_be(chance, what, said, ETRE, negation=0.2)


def to_be(
    chance: Chance,
    who: NounPhrase,
    complement: Phrase,
    french_verb: tuple[str, ...],
    negation: float = 0.0,
) -> Phrase:
    """he is, he's, he isn't, he is not or he's not, and its French."""
    is_, est = short_or_long_be(chance, who), french_verb[who.form]
    parts = {"S": who.phrase, "C": complement}
    if not chance.event(negation):
        return rule(f"S {is_} C .", f"S {est}={is_} C .", **parts)
    if is_ in ("is", "are") and chance.event(0.5):
        isnt = is_ + "n't"
        return rule(f"S {isnt} C .", f"S ne={isnt} {est}={isnt} pas={isnt} C .", **parts)
    return rule(f"S {is_} not C .", f"S ne=not {est}={is_} pas=not C .", **parts)


def short_or_long_be(chance: Chance, who: NounPhrase) -> str:
    return (SHORT_BE if who.stressed and chance.event(0.7) else BE)[who.form]


# Verbs


def verb_alone(chance: Chance) -> Phrase:
    """he sleeps . → il dort ."""
    who, verb = subject(chance), chance.pick(VERBS_ALONE)
    when = adjunct(chance, 0.45)
    return rule("S V T .", "S V T .", S=who.phrase, V=finite(verb, who), T=when)


def verb_negated(chance: Chance) -> Phrase:
    """he doesn't sleep . → il ne dort pas ."""
    who, verb = subject(chance), chance.pick(VERBS_ALONE)
    dont, when = DONT[who.form], adjunct(chance, 0.45)
    french = f"S ne={dont} V pas={dont} T ."
    return rule(f"S {dont} V T .", french, S=who.phrase, V=bare(verb, who), T=when)


def verb_with_frequency(chance: Chance) -> Phrase:
    """he often sleeps . → il dort souvent ."""
    who, verb = subject(chance), chance.pick(VERBS_ALONE)
    when, (often, souvent) = adjunct(chance, 0.45), chance.pick(FREQUENCIES)
    french = f"S V {souvent}={often} T ."
    return rule(f"S {often} V T .", french, S=who.phrase, V=finite(verb, who), T=when)


def verb_with_never(chance: Chance) -> Phrase:
    """he never sleeps . → il ne dort jamais ."""
    who, verb = subject(chance), chance.pick(VERBS_ALONE)
    when, french = adjunct(chance, 0.45), "S ne=never V jamais=never T ."
    return rule("S never V T .", french, S=who.phrase, V=finite(verb, who), T=when)


def verb_with_object(chance: Chance) -> Phrase:
    """he sees a cat . → il voit un chat . – he doesn't see a cat . → il ne voit pas de chat ."""
    who, verb = subject(chance), chance.pick(TRANSITIVE_VERBS)
    negated = chance.event(0.35)
    what = noun_phrase(chance, of_kinds(verb.objects), negated=negated).phrase
    if not negated:
        return rule("S V O .", "S V O .", S=who.phrase, V=finite(verb, who), O=what)
    dont = DONT[who.form]
    french = f"S ne={dont} V pas={dont} O ."
    return rule(f"S {dont} V O .", french, S=who.phrase, V=bare(verb, who), O=what)


def verb_with_pronoun(chance: Chance) -> Phrase:
    """he sees her . → il la voit . The French pronoun stands before the verb."""
    who, verb = subject(chance), chance.pick([v for v in TRANSITIVE_VERBS if "p" in v.objects])
    negated = chance.event(0.3)
    himself = {0: ("me", "us"), 1: ("you",), 3: ("me", "us")}.get(who.form, ())
    whom = word(*chance.pick([pair for pair in OBJECT_PRONOUNS if pair[0] not in himself]))
    if not negated:
        return rule("S V O .", "S O V .", S=who.phrase, V=finite(verb, who), O=whom)
    dont = DONT[who.form]
    french = f"S ne={dont} O V pas={dont} ."
    return rule(f"S {dont} V O .", french, S=who.phrase, V=bare(verb, who), O=whom)


def finite(verb: Verb, who: NounPhrase) -> Phrase:
    """The verb in the present, in agreement with its subject: he *sees*, il *voit*."""
    english = verb.third_person if who.form == 2 else verb.base
    return word(english, verb.present[who.form])


def bare(verb: Verb, who: NounPhrase) -> Phrase:
    """The verb after *do*, where only the French agrees: he doesn't *see*, il ne *voit* pas."""
    return word(verb.base, verb.present[who.form])


# The past, with avoir or être: one English verb, two French words


def past_alone(chance: Chance) -> Phrase:
    """she left . → elle est partie . – she slept . → elle a dormi ."""
    who, verb = subject(chance), chance.pick(VERBS_ALONE)
    negated = chance.event(0.3)
    if verb in MOTION_VERBS:
        ending = ("", "e", "s", "es")[who.feminine + 2 * who.plural]
        return past(who, verb, ETRE, verb.participle + ending, adjunct(chance, 0.3), negated)
    return past(who, verb, AVOIR, verb.participle, adjunct(chance, 0.3), negated)


def past_with_object(chance: Chance) -> Phrase:
    """he bought a car . → il a acheté une voiture ."""
    who, negated = subject(chance), chance.event(0.3)
    # Affirmed, *read* could be the present as well.
    verb = chance.pick([v for v in TRANSITIVE_VERBS if negated or v.base != v.past])
    what = noun_phrase(chance, of_kinds(verb.objects), negated=negated).phrase
    return past(who, verb, AVOIR, verb.participle, what, negated)


def past(
    who: NounPhrase,
    verb: Verb,
    auxiliary: tuple[str, ...],
    participle: str,
    rest: Phrase,
    negated: bool,
) -> Phrase:
    a = auxiliary[who.form]
    if not negated:
        v = word(verb.past, f"{a} {participle}")
        return rule("S V O .", "S V O .", S=who.phrase, V=v, O=rest)
    v, french = word(verb.base, participle), f"S ne=didn't {a}=didn't pas=didn't V O ."
    return rule("S didn't V O .", french, S=who.phrase, V=v, O=rest)


# A second verb, in the infinitive


def future(chance: Chance) -> Phrase:
    """he's going to sleep . → il va dormir ."""
    who, (verb, rest) = subject(chance), infinitive(chance)
    is_, va = short_or_long_be(chance, who), ALLER[who.form]
    french = f"S {va}=going~{is_}~to V O ."
    return rule(f"S {is_} going to V O .", french, S=who.phrase, V=verb, O=rest)


def modal(chance: Chance) -> Phrase:
    """he can swim . → il peut nager ."""
    who, (verb, rest) = subject(chance), infinitive(chance)
    can, *paradigm = chance.pick(MODALS)
    french = f"S {paradigm[who.form]}={can} V O ."
    return rule(f"S {can} V O .", french, S=who.phrase, V=verb, O=rest)


def wish(chance: Chance) -> Phrase:
    """he wants to sleep . → il veut dormir ."""
    who, (verb, rest) = subject(chance), infinitive(chance)
    wants = chance.pick([v for v in TRANSITIVE_VERBS if v.base in ("want", "like")])
    english = wants.third_person if who.form == 2 else wants.base
    french = f"S {wants.present[who.form]}={english}~to V O ."
    return rule(f"S {english} to V O .", french, S=who.phrase, V=verb, O=rest)


def infinitive(chance: Chance) -> tuple[Phrase, Phrase]:
    """A verb in the infinitive, and what follows it."""
    if chance.event(0.5):
        verb, rest = chance.pick(VERBS_ALONE), adjunct(chance, 0.3)
    else:
        verb = chance.pick(TRANSITIVE_VERBS)
        rest = noun_phrase(chance, of_kinds(verb.objects)).phrase
    return word(verb.base, verb.infinitive), rest


# Commands and questions


def command(chance: Chance) -> Phrase:
    """run ! → cours !"""
    verb, when, mark = chance.pick(VERBS_ALONE), adjunct(chance, 0.35), chance.pick("!!.")
    run = word(verb.base, verb.imperative)
    return rule(f"V T {mark}", f"V T {mark}", V=run, T=when)


def prohibition(chance: Chance) -> Phrase:
    """don't run ! → ne cours pas !"""
    verb, when, mark = chance.pick(VERBS_ALONE), adjunct(chance, 0.35), chance.pick("!!.")
    run, french = word(verb.base, verb.imperative), f"ne=don't V pas=don't T {mark}"
    return rule(f"don't V T {mark}", french, V=run, T=when)


def invitation(chance: Chance) -> Phrase:
    """let's dance ! → dansons !"""
    verb, when, mark = chance.pick(VERBS_ALONE), adjunct(chance, 0.35), chance.pick("!!.")
    french = f"{verb.nous}={verb.base}~let's T {mark}"
    return rule(f"let's {verb.base} T {mark}", french, T=when)


def yes_no_question(chance: Chance) -> Phrase:
    """does he see the cat ? → est-ce qu' il voit le chat ?"""
    who, verb = subject(chance), chance.pick(TRANSITIVE_VERBS)
    what, do = noun_phrase(chance, of_kinds(verb.objects)).phrase, DO[who.form]
    french = f"est-ce={do} que={do} S V O ?"
    return rule(f"{do} S V O ?", french, S=who.phrase, V=bare(verb, who), O=what)


def where_question(chance: Chance) -> Phrase:
    """where is the cat ? → où est le chat ?"""
    what = noun_phrase(chance, determiners=("the", "possessive", "this"))
    is_, est = BE[what.form], ETRE[what.form]
    return rule(f"where {is_} S ?", f"où=where {est}={is_} S ?", S=what.phrase)


def who_question(chance: Chance) -> Phrase:
    """who sees the cat ? → qui voit le chat ?"""
    verb = chance.pick(TRANSITIVE_VERBS)
    what = noun_phrase(chance, of_kinds(verb.objects)).phrase
    sees = word(verb.third_person, verb.il)
    return rule("who V O ?", "qui=who V O ?", V=sees, O=what)


def there_is(chance: Chance) -> Phrase:
    """there are two cats in the garden . → il y a deux chats dans le jardin ."""
    many = chance.event(0.45)
    determiners = ("a", "a", "a", "a", "number") if many else ("a",)
    what = noun_phrase(chance, determiners=determiners, plural=float(many)).phrase
    is_ = "are" if many else "is"
    french = f"il=there y=there a={is_} N P ."
    return rule(f"there {is_} N P .", french, N=what, P=place(chance))


# How often each kind of sentence is drawn.
SENTENCES: dict[Callable[[Chance], Phrase], int] = {
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
KINDS = [kind for kind, weight in SENTENCES.items() for _ in range(weight)]


def sentence(chance: Chance) -> Phrase:
    """A sentence of a kind drawn by its weight."""
    kind = chance.pick(KINDS)
    return kind(chance)
