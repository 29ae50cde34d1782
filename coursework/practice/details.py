"""What practice adds to a reason, and marks do not: shapes, numbers, the text of an error.

The cases of practice are public. Where no known mistake explains an answer, the first number that
is wrong says most; of the cases that count, it would be a number too many.
"""

import inspect
from collections.abc import Callable, Iterator

import numpy as np

from coursework.questions.cases import Case, Message
from coursework.questions.checks import FAILED, IN_PLACE, NOT_FINITE, RAISED, SHAPE, VALUES
from coursework.questions.errors import error_name, error_text, is_error
from coursework.questions.wire import Answer, parts

NOTHING = Message(
    "nothing",
    "还没有作答：函数没有返回结果。",
    "Not answered yet: the function returns nothing.",
)
WORDS = {
    "zh": {
        "shape": "形状应为 {wanted}，得到 {given}。",
        "entry": "{output}的 [{place}] 应为 {wanted:.4f}，得到 {given:.4f}。",
        "right": "{output}是对的。",
        "output": "输出",
        "one of several": "第 {number} 个输出",
        "changed": "被改动的输入：{names}。",
        "and": "、",
    },
    "en": {
        "shape": "Shape: {wanted} wanted, got {given}.",
        "entry": "{output} [{place}]: {wanted:.4f} wanted, got {given:.4f}.",
        "right": "{output} is right.",
        "output": "The output",
        "one of several": "Output {number}",
        "changed": "Inputs changed: {names}.",
        "and": ", ",
    },
}


class Overheard:
    """A function that remembers what came of each call: what it returned, or an exception.

    Args:
        function: the student's.
        called: what is called for it; the function itself where nothing is given.
    """

    def __init__(self, function: Callable, called: Callable | None = None) -> None:
        self.function = function
        self.called = called or function
        self.results = []

    def __call__(self, *arguments, **keywords):
        try:
            result = self.called(*arguments, **keywords)
        except BaseException as error:
            result = error
            raise
        finally:
            self.results.append(result)
        return result

    def parameters(self) -> list[str]:
        """Their names, none where Python cannot know them, as of many functions in C."""
        try:
            return list(inspect.signature(self.function).parameters)
        except (TypeError, ValueError):
            return []

    def returned_nothing(self) -> bool:
        """Whether no call gave anything, as before there is any code."""
        return all(
            is_error(result, NotImplementedError)
            or all(one is None for one in (result if type(result) is tuple else (result,)))
            for result in self.results
        )


def detail_lines(
    reason: Message,
    case: Case,
    given: Answer,
    right: Answer,
    result: object,
    names: list[str],
    language: str,
) -> Iterator[str]:
    """What to print below the reason, line by line.

    Args:
        reason: as judging found it.
        case: what was asked.
        given: the answer to it.
        right: what it should be.
        result: what the function returned or raised.
        names: of the function's parameters.
        language: "zh" or "en".
    """
    words = WORDS[language]
    if reason == FAILED or reason in RAISED.values():
        yield f"{error_name(result)}: {error_text(result)}".splitlines()[0]
    elif reason == SHAPE:
        wanted, got = (words["and"].join(map(_shape, parts(a.output))) for a in (right, given))
        yield words["shape"].format(wanted=wanted, given=got)
    elif reason in (VALUES, NOT_FINITE):
        yield from _entries(case, parts(given.output), parts(right.output), words)
    if case.keeps_inputs or reason == IN_PLACE:
        changed = [
            # Of *arguments there is a number only.
            names[position] if position < len(names) else str(position + 1)
            for position, (after, before) in enumerate(
                zip(given.inputs, case.arguments, strict=False)
            )
            if not np.array_equal(after, before, equal_nan=True)
        ]
        if changed:
            yield words["changed"].format(names=words["and"].join(changed))


def _shape(array: np.ndarray) -> str:
    return str(array.shape)


def _entries(
    case: Case, given: tuple[np.ndarray, ...], right: tuple[np.ndarray, ...], words: dict[str, str]
) -> Iterator[str]:
    """Of each output, the first number that is wrong."""
    for number, (got, wanted) in enumerate(zip(given, right, strict=True), start=1):
        key = "one of several" if len(right) > 1 else "output"
        output = words[key].format(number=number)
        close = np.isclose(got, wanted, case.relative, case.tolerance, equal_nan=True)
        if close.all():
            yield words["right"].format(output=output)
            continue
        place = tuple(np.argwhere(~close)[0])
        yield words["entry"].format(
            output=output,
            place=", ".join(map(str, place)),
            wanted=wanted[place],
            given=got[place],
        )
