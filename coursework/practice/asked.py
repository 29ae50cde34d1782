"""Which question a function answers: by the name under which marking will find it."""

from collections.abc import Callable, Iterable, Mapping

from coursework.questions.cases import Message


def asked_name(
    function: Callable,
    names: Iterable[str],
    namespace: Mapping[str, object],
    of: str,
    language: str,
) -> str:
    """The name, among those that are asked for, that a function answers to.

    A lambda, a partial, a compiled function or an object does not know the name that it was
    given. The namespace does.

    Args:
        function: the student's.
        names: of the functions that are asked for.
        namespace: of the notebook.
        of: the assignment.
        language: of the error, "zh" or "en".

    Raises:
        ValueError: it is under none of the names, or under several.
    """
    own = getattr(function, "__name__", None)
    given = [name for name in names if namespace.get(name) is function]
    if len(given) > 1 and own not in given:
        raise ValueError(getattr(_several(given), language))
    if own in given or (not given and own in names):
        return own
    if given:
        return given[0]
    own = own if isinstance(own, str) else type(function).__name__
    raise ValueError(getattr(no_such_name(of, list(names), own), language))


def not_found(name: str) -> Message:
    return Message(
        "not-found",
        f"⚠ 评分时按名字 {name} 找函数，而现在笔记本里叫这个名字的不是这个函数："
        f"请在单元里写 {name} = ……",
        f"⚠ Marking looks for a function by the name {name}, and in your notebook this function "
        f"is not under that name: write {name} = … in a cell.",
    )


def _several(given: list[str]) -> Message:
    names = ", ".join(given)
    return Message(
        "several-names",
        f"同一个函数叫 {names}：请用 name= 说明检查哪一题。",
        f"one function is under the names {names}: say by name= which to check",
    )


def no_such_name(of: str, names: list[str], own: str) -> Message:
    asked = ", ".join(names)
    return Message(
        "no-such-name",
        f"{of} 要的是 {asked}；得到的函数名为 {own}。",
        f"{of} asks for {asked}; got a function named {own}",
    )
