"""Judging the answers to a question: right, or wrong and why, in both languages.

The reason is found by comparison. A question knows the mistakes that are often made; an answer
that equals what one of them gives is told so. Two mistakes can agree on a case: then the one
that explains more of the student's answers is named.
"""

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np

from coursework.questions.call import answer
from coursework.questions.cases import Case, Message, Question
from coursework.questions.wire import Answer, parts


class Verdict(NamedTuple):
    """How one case went: ``reason`` is None where the answer is right."""

    case: Case
    reason: Message | None

    @property
    def points(self) -> int:
        return 0 if self.reason else self.case.points


class Explanation(NamedTuple):
    """What a known mistake answers to the cases of a question, and how to tell a student."""

    reason: Message
    answers: Sequence[Answer]


def judge(question: Question, cases: Sequence[Case], answers: Sequence[Answer]) -> list[Verdict]:
    """The verdict on each case, from the student's answers to all of them."""
    return compare(
        cases, answers, right_answers(question, cases), lambda: known_mistakes(question, cases)
    )


def right_answers(question: Question, cases: Sequence[Case]) -> list[Answer]:
    return [_call(question.oracle, case) for case in cases]


def known_mistakes(question: Question, cases: Sequence[Case]) -> list[Explanation]:
    return [
        Explanation(mistake.reason, [_call(mistake.function, case) for case in cases])
        for mistake in question.mistakes
    ]


def compare(
    cases: Sequence[Case],
    answers: Sequence[Answer],
    right: Sequence[Answer],
    mistakes: Callable[[], Sequence[Explanation]],
) -> list[Verdict]:
    """The verdict on each case, by comparison with answers that were computed before.

    Args:
        cases: what was asked.
        answers: the student's.
        right: what they should be.
        mistakes: gives the known mistakes; called only if an answer is wrong.
    """
    triples = list(zip(cases, answers, right, strict=True))
    reasons = [_wrong(case, given, expected) for case, given, expected in triples]
    if any(reasons):
        reasons = _explain(cases, answers, mistakes(), reasons)
    return [Verdict(*both) for both in zip(cases, reasons, strict=True)]


def _explain(
    cases: Sequence[Case],
    answers: Sequence[Answer],
    mistakes: Sequence[Explanation],
    first_sight: list[Message | None],
) -> list[Message | None]:
    """The same reasons, with the names of known mistakes where there were only symptoms."""
    explanations = [
        (name, [_same(*each) for each in zip(cases, answers, wrong, strict=True)])
        for name, wrong in mistakes
    ]
    # Sorting keeps the order of the question between mistakes that explain as much.
    explanations.sort(key=lambda explanation: -sum(explanation[1]))
    reasons = []
    for i, (reason, given) in enumerate(zip(first_sight, answers, strict=True)):
        if reason in (VALUES, SHAPE, NOT_FINITE):
            reason = next((name for name, same in explanations if same[i]), reason)
        elif given.problem == "raised":  # one error is much like another: it takes all the rest
            reason = next((name for name, same in explanations if all(same)), reason)
        reasons.append(reason)
    return reasons


def _call(function: Callable, case: Case) -> Answer:
    return answer(function, case.arguments, case.keywords, case.gradient_of)


def _wrong(case: Case, given: Answer, expected: Answer) -> Message | None:
    """What is wrong with an answer at first sight, None if nothing is."""
    if given.problem == "raised":
        return IN_PLACE if given.error == "in-place" else RAISED.get(given.error, FAILED)
    if given.problem in (None, "not a tensor") and not _alike(given.output, expected.output):
        several = isinstance(expected.output, tuple)
        return _not_a_tuple(len(expected.output)) if several else PROBLEMS["not a tensor"]
    if given.problem:
        return PROBLEMS.get(given.problem, PROBLEMS["malformed"])
    if len(given.inputs) != len(case.arguments) or len(given.gradients) != len(case.gradient_of):
        return PROBLEMS["malformed"]
    if [one.shape for one in parts(given.output)] != [one.shape for one in parts(expected.output)]:
        return SHAPE
    if not all(np.isfinite(one).all() for one in parts(given.output)):
        return NOT_FINITE
    if not _same(case, given, expected):
        return VALUES
    if case.keeps_inputs and not all(map(_equal, given.inputs, case.arguments)):
        return IN_PLACE
    for got, wanted in zip(given.gradients, expected.gradients, strict=True):
        if got is None or got.shape != wanted.shape:
            return NO_GRADIENT
        if not _close(got, wanted, 10 * case.tolerance, case.relative):
            return GRADIENT
    return None


def _same(case: Case, given: Answer, wrong: Answer) -> bool:
    """Whether an answer is the one that a mistake gives."""
    if given.output is None or wrong.output is None:
        return (given.problem, given.error) == (wrong.problem, wrong.error)
    return _alike(given.output, wrong.output) and all(
        _close(*both, case.tolerance, case.relative)
        for both in zip(parts(given.output), parts(wrong.output), strict=True)
    )


def _alike(a: object, b: object) -> bool:
    """Whether both are one array, or tuples of as many."""
    return type(a) is type(b) and len(parts(a)) == len(parts(b))


def _close(a: np.ndarray, b: np.ndarray, tolerance: float, relative: float) -> bool:
    return a.shape == b.shape and np.allclose(a, b, relative, tolerance, equal_nan=True)


def _equal(a: np.ndarray, b: np.ndarray) -> bool:
    return np.array_equal(a, b, equal_nan=True)


VALUES = Message(
    "values", "形状正确，但数值与应得的不同。", "The shape is right, but the values are not."
)
SHAPE = Message("shape", "输出的形状不对。", "The output has the wrong shape.")
NOT_FINITE = Message(
    "not-finite", "输出中有 NaN 或无穷大。", "There are NaN or infinite values in the output."
)
IN_PLACE = Message(
    "in-place",
    "函数就地修改了它的输入。调用者的张量应当保持不变。",
    "The function changes its inputs in place. The caller's tensors should stay as they were.",
)
NO_GRADIENT = Message(
    "no-gradient",
    "没有梯度回传到输入：输出与输入之间的计算图断开了（detach、.data 或 no_grad？）。",
    "No gradient reaches the inputs: the output is cut off from them (detach, .data, no_grad?).",
)
GRADIENT = Message(
    "gradient",
    "输出正确，但对输入的梯度不对：有一部分计算没有参与求导。",
    "The output is right, but its gradient is not: a part of the computation was left out of it.",
)


def _not_a_tuple(length: int) -> Message:
    return Message(
        "not-a-tuple",
        f"函数应当返回由 {length} 个实数张量组成的元组。",
        f"The function should return a tuple of {length} real tensors.",
    )


FAILED = Message("raised", "函数运行时出错。", "The function failed with an error.")
RAISED = {
    "NotImplementedError": Message(
        "unanswered", "这一题还没有作答。", "This has not been answered yet."
    ),
    "NameError": Message(
        "name-error",
        "函数使用了没有定义的名字（NameError）：缺少 import，或者前面的单元没有运行成功？",
        "The function uses a name that is not defined (NameError): is an import missing, "
        "or did an earlier cell fail?",
    ),
    "PermissionError": Message(
        "forbidden",
        "函数调用了本题不允许使用的库函数，或做了评分环境不允许的事。",
        "The function calls what is forbidden in this question, or does what marking forbids.",
    ),
}
RAISED |= {
    error: Message(
        error, f"函数运行时出错：{error}。", f"The function failed with an error: {error}."
    )
    for error in ("RuntimeError", "TypeError", "ValueError", "IndexError", "AttributeError")
}
PROBLEMS = {
    "missing": Message(
        "missing",
        "找不到这个函数：它没有定义，或者定义它的单元运行失败。",
        "There is no function of this name: it is not defined, or its cell failed.",
    ),
    "not a tensor": Message(
        "not-a-tensor",
        "函数应当返回一个实数张量，而不是元组、None 或其他对象。",
        "The function should return one real tensor, not a tuple, None, or another object.",
    ),
    "too large": Message("too-large", "输出大得不合理。", "The output is unreasonably large."),
    "too slow": Message(
        "too-slow",
        "函数在时限内没有结束。是不是死循环？",
        "The function did not finish in time. Is there an endless loop?",
    ),
    "died": Message(
        "died",
        "运行代码的进程意外结束（退出、崩溃或用完了内存或处理器时间）。",
        "The process ended while running the code (exit, crash, out of memory or CPU time).",
    ),
    "malformed": Message(
        "malformed",
        "进程返回的内容无法识别。代码是否改动了评分程序？",
        "What the process sent back makes no sense. Does the code tamper with the marking?",
    ),
}
