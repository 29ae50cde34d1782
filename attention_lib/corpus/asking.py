"""Commands and questions: run, does he see her, where does he sleep.

In the templates S is the subject, V a verb, O its object, T a time or a place.
"""

from attention_lib.corpus import chinese, word_order
from attention_lib.corpus.acting import bare
from attention_lib.corpus.draws import RandomDraws
from attention_lib.corpus.lexicon import AVOIR, BE, DO, ETRE, TRANSITIVE_VERBS, VERBS_ALONE
from attention_lib.corpus.phrases import NO_ADJUNCT, adjunct, noun_phrase, of_kinds, subject
from attention_lib.corpus.synchronous import Phrase, rule, word

# Commands


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


# Questions


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
    zh = word_order.usual(chinese.VERBS_ALONE[verb.base], NO_ADJUNCT, f"什么时候[when]({do})")
    parts = {"S": who.phrase, "V": bare(verb, who, zh.verb)}
    french = f"quand[when] est-ce[{do}] que[{do}] S V ?"
    return rule(f"when {do} S V ?", french, f"S {zh.order} ?", **parts)
