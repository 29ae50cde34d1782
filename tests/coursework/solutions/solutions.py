"""All assignments, each with wrong solutions and with right ones in other words.

A module of solutions holds ``WRONG``, for each function its wrong solutions by title, and
``REWRITES``, right solutions by title; a rewrite is of the questions whose functions it defines.
"""

from collections.abc import Iterator
from types import ModuleType

from coursework.assignments import (
    a1_scores,
    a2_pooling,
    a3_multi_head,
    a4_positions,
    a5_decoding,
    a6_package,
)
from coursework.questions.cases import Assignment, Question
from tests.coursework.solutions import (
    a1_wrong_solutions,
    a2_wrong_solutions,
    a3_wrong_solutions,
    a4_wrong_solutions,
    a5_wrong_solutions,
    a6_wrong_solutions,
)

SOLUTIONS: tuple[tuple[Assignment, ModuleType], ...] = (
    (a1_scores.ASSIGNMENT, a1_wrong_solutions),
    (a2_pooling.ASSIGNMENT, a2_wrong_solutions),
    (a3_multi_head.ASSIGNMENT, a3_wrong_solutions),
    (a4_positions.ASSIGNMENT, a4_wrong_solutions),
    (a5_decoding.ASSIGNMENT, a5_wrong_solutions),
    (a6_package.ASSIGNMENT, a6_wrong_solutions),
)


def questions() -> Iterator[tuple[Assignment, Question]]:
    for assignment, _ in SOLUTIONS:
        for question in assignment.questions:
            yield assignment, question


def wrong(question: Question) -> dict:
    """The wrong solutions of a question, by title."""
    return _module(question).WRONG[question.function]


def rewrites(question: Question) -> dict[str, str]:
    """The right solutions of a question in other words, by title."""
    definition = f"def {question.function}("
    return {t: code for t, code in _module(question).REWRITES.items() if definition in code}


def _module(question: Question) -> ModuleType:
    return next(module for assignment, module in SOLUTIONS if question in assignment.questions)
