"""Where the parts of a Chinese predicate stand.

English and French say *what* before *when* and *where*; in Chinese a time, a place and company
stand before the verb, and what has changed or been done is marked behind it:

    he bought a car today       →  他 今天 买 了 一 辆 汽车
    he sleeps behind the door   →  他 在 门 后面 睡觉
    he doesn't work every day   →  他 不 是 每天 都 工作

Each function gives the form of the verb, for the phrase V, and the template of the predicate, in
which T is the place, the company or the time.
"""

from typing import NamedTuple

from attention_lib.corpus.chinese import Verb
from attention_lib.corpus.phrases import NO_ADJUNCT, Adjunct


class Predicate(NamedTuple):
    """The form of the verb, and the order of verb, particles and adjunct."""

    verb: str
    order: str


def present(verb: Verb, when: Adjunct, adverb: str = "") -> Predicate:
    """他 在 睡觉, 他 喜欢, 他 赢 了; with an adverb, 他 也 在 睡觉."""
    if verb.aspect == "ongoing":
        # 在 for what is going on; with a place it stands before that, and 每天 is no moment.
        lasting = "在(V)" if when.kind in ("", "now") else ""
        return _predicate(verb.plain, verb, when, before=f"{adverb} {lasting}")
    # Who comes or goes at a given time or to a given place need not be there yet: 他 今晚 来.
    on_the_way = when.kind in ("time", "place") and verb.destination != "-"
    open_end = when.kind == "habit" or on_the_way
    done = "" if open_end or verb.aspect != "change" else "了(V)"
    return _predicate(verb.plain, verb, when, before=adverb, after=done)


def present_negated(verb: Verb, when: Adjunct, dont: str) -> Predicate:
    """他 不 睡觉, 他 看不见, 他 没 赢, 他 不 是 每天 都 睡觉."""
    if when.kind == "habit":
        return Predicate(verb.plain, f"不[{dont}] 是({dont}) T 都(T) V")
    if len(verb.negated) > 1:
        return _predicate(verb.negated, verb, when, said=f"V[{dont}]")
    return _predicate(verb.plain, verb, when, before=f"{verb.negated}[{dont}]")


def asked(verb: Verb, do: str) -> Predicate:
    """他 喜欢 那 只 猫 吗: the object stands before the 吗, so it has a place in the order."""
    done = "了(V)" if verb.aspect == "change" or len(verb.negated) > 1 else ""
    return Predicate(verb.plain, f"V {done} O 吗[{do}](?)")


def usual(verb: Verb, when: Adjunct, adverb: str) -> Predicate:
    """他 经常 睡觉, 他 从不 在 学校 睡觉: what is often so is neither going on nor over."""
    return _predicate(verb.plain, verb, when, all_of_them="", before=adverb)


def past(verb: Verb, when: Adjunct) -> Predicate:
    """他 睡觉 了, 他 喜欢 过. What was done every day takes neither."""
    particle = {"state": "过(V)"}.get(verb.aspect, "了(V)")
    return _predicate(verb.plain, verb, when, after="" if when.kind == "habit" else particle)


def past_somewhere(verb: Verb, where: Adjunct, when: Adjunct) -> Predicate:
    """她 今天 在 市场 买 了: first the time, then the place P."""
    there = {"place": "在[P] P", "company": "P 一起[P]"}[where.kind]
    done = "" if when.kind == "habit" else "了(V)"
    return Predicate(verb.plain, f"{_time(when)} {there} V {done}")


def past_negated(verb: Verb, when: Adjunct, didnt: str) -> Predicate:
    """他 没 睡觉, 他 没 喜欢 过: 没 and 了 do not go together."""
    if when.kind == "habit":
        return Predicate(verb.plain, f"不[{didnt}] 是({didnt}) T 都(T) V")
    after = "过(V)" if verb.aspect == "state" else ""
    return _predicate(verb.plain, verb, when, before=f"没[{didnt}]", after=after)


def planned(verb: Verb, when: Adjunct, auxiliary: str, *, able: bool = False) -> Predicate:
    """他 今晚 要 睡觉, 他 必须 看 那 只 猫; but who is able to, 能 看见 那 只 猫."""
    sees = able and len(verb.negated) > 1
    form = verb.plain if sees or verb.planned == "-" else verb.planned
    return _predicate(form, verb, when, before=auxiliary)


def imperative(verb: Verb, when: Adjunct, before: str = "") -> Predicate:
    """跑, 在 花园 里 跑, 别 跑."""
    form = verb.plain if verb.imperative == "-" else verb.imperative
    if before and when.kind == "habit":  # 别 每天 跑, but 今晚 别 跑
        return Predicate(form, f"{before} T V")
    order = _predicate(form, verb, when, all_of_them="", before=before)
    # Of those who are told to come, 来 is enough: 来 花园 里.
    return order if order.verb != "来到" else order._replace(verb="来")


def asked_what(verb: Verb, do: str) -> Predicate:
    """他 在 读 什么: a question word stands where the answer will."""
    said = present(verb, NO_ADJUNCT)
    return said._replace(order=f"{said.order} 什么[what]({do})")


def asked_where(verb: Verb, do: str) -> Predicate:
    """他 在 哪儿 睡觉, 他 去 哪儿."""
    if verb.destination != "-":
        return Predicate(verb.destination, f"V 哪儿[where]({do})")
    return Predicate(verb.plain, f"在(where) 哪儿[where]({do}) V")


def _time(when: Adjunct, all_of_them: str = "都(T)") -> str:
    """今天, and 每天 都."""
    return {"time": "T", "now": "T", "habit": f"T {all_of_them}"}.get(when.kind, "")


def _predicate(
    form: str,
    verb: Verb,
    when: Adjunct,
    *,
    all_of_them: str = "都(T)",
    before: str = "",
    said: str = "V",
    after: str = "",
) -> Predicate:
    there = {"place": "在[T] T", "company": "T 一起[T]"}.get(when.kind, "")
    behind = ""
    if when.kind == "place" and verb.destination != "-":
        form, there, behind = verb.destination, "", "T"
    order = (_time(when, all_of_them), before, there, said, after, behind)
    return Predicate(form, " ".join(" ".join(order).split()))
