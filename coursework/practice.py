"""Practice checks: what a student runs in the notebook before handing in.

    from coursework.practice import check
    check(masked_softmax, "a1_scores", language="en")

The judging is the same code as for the marks, with other numbers.
"""

from collections.abc import Callable
from contextlib import ExitStack, contextmanager
from unittest import mock

from coursework.cases import LANGUAGES
from coursework.practice_file import Practice, practice_assignments, practice_path
from coursework.worker import answer


def check(function: Callable, assignment: str, language: str = "en") -> None:
    """Print for each practice case whether the function is right, and if not, what is wrong.

    Args:
        function: the student's own, under the name that the assignment asks for.
        assignment: such as "a1_scores".
        language: "zh" or "en".

    Raises:
        TypeError: ``function`` is none.
        ValueError: there is no such assignment or language, or the assignment does not ask for a
            function of this name.
    """
    if not callable(function):
        raise TypeError(f"check wants a function, such as masked_softmax, got {function!r}")
    if language not in LANGUAGES:
        raise ValueError(f"language is one of {', '.join(LANGUAGES)}, got {language!r}")
    if assignment not in practice_assignments():
        known = ", ".join(practice_assignments())
        raise ValueError(f"the assignments are {known}; got {assignment!r}")
    practice = Practice.unpack(practice_path(assignment).read_bytes())
    name = getattr(function, "__name__", repr(function))
    if name not in practice.questions:
        asked = ", ".join(practice.questions)
        raise ValueError(f"{assignment} asks for {asked}; got a function named {name}")
    question = practice.questions[name]
    with forbidden(practice.forbidden):
        answers = [
            answer(function, case.arguments, case.keywords, case.gradient_of)
            for case in question.cases
        ]
    for case, reason in question.judge(answers):
        print("✗" if reason else "✓", getattr(case.title, language))
        if reason:
            print("   ", getattr(reason, language))


@contextmanager
def forbidden(names: tuple[str, ...]):
    """Functions of libraries refuse in the block, as they do for the marks."""
    with ExitStack() as stack:
        for name in names:
            refusal = PermissionError(f"{name} is the whole answer, and not allowed here")
            stack.enter_context(mock.patch(name, side_effect=refusal))
        yield
