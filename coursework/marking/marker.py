"""Mark one submission: points and reasons for each question.

Nobody is marked unless the reference solution gets full marks on this machine first: a broken
sandbox or another release of PyTorch should stop the marking, not cost students their marks.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from coursework.handed_in.notebook import Unreadable, read_cells
from coursework.marking.marks import (
    MARKED,
    MISSING,
    NOTHING,
    UNREADABLE,
    Marks,
    QuestionMarks,
    unmarked,
)
from coursework.questions.cases import Assignment, Question
from coursework.questions.checks import PROBLEMS, Verdict, judge
from coursework.questions.wire import Answer
from coursework.sandbox.walls import Died, Limits, Sandbox

# Ways around `forbidden` that a person should look at. They cost no marks by themselves.
TO_REVIEW = re.compile(
    r"scaled_dot_product_attention|MultiheadAttention|torch\.ops|torch\.library|getsource|__code__"
    r"|ctypes|_exit"
)


class ReferenceFails(RuntimeError):
    """The reference solution does not get full marks here, so that nobody is marked."""


@dataclass(frozen=True)
class Marker:
    """Marks the submissions of one assignment, after marking its reference.

    Args:
        assignment: the questions.
        seed: the instructor's secret, from which the cases are made.
        limits: how much each submission may use up.
        without_walls: see ``Sandbox``; never for students' code.

    Raises:
        NoSandbox: student code cannot be locked up on this machine.
        ReferenceFails: the reference does not get full marks.
    """

    assignment: Assignment
    seed: str = field(repr=False)
    limits: Limits = field(default_factory=Limits)
    without_walls: bool = False

    def __post_init__(self):
        marks = self.mark_cells(self.assignment.solution_cells())
        if marks.points != marks.out_of:
            wrong = [
                f"{question.question.name}, {case.title.en}: {reason.en}"
                for question in marks.questions
                for case, reason in question.verdicts
                if reason
            ]
            raise ReferenceFails(
                f"nobody is marked, for the reference gets {marks.points} of {marks.out_of} "
                f"points: {'; '.join(wrong)}"
            )

    def mark(self, path: Path) -> Marks:
        """The marks of a notebook, whatever it holds; a bad file is a status, not an error."""
        try:
            return self.mark_cells(read_cells(path))
        except FileNotFoundError:
            return unmarked(self.assignment, self.seed, MISSING, NOTHING)
        except Unreadable as error:
            return unmarked(self.assignment, self.seed, UNREADABLE, error.reason)

    def mark_cells(self, cells: Sequence[str]) -> Marks:
        """The marks of code cells. A process that hangs or dies costs the question it did it in."""
        code = "\n".join(cells)
        questions, failed, sandbox = [], (), None
        try:
            for question in self.assignment.questions:
                cases = question.cases(self.seed)
                if sandbox is None or not sandbox.alive:
                    sandbox = self._open(cells)
                    failed = failed or tuple(sandbox.failed_cells)
                answers = _ask(sandbox, question, cases)
                attempted = question.function in code
                questions.append(
                    QuestionMarks(
                        question,
                        MARKED if attempted else MISSING,
                        sum(case.points for case in cases),
                        tuple(judge(question, cases, answers)),
                    )
                )
        except Died as death:
            # What hung or died before any question did so in the cells themselves.
            questions += [
                self._lost(question, str(death))
                for question in self.assignment.questions[len(questions) :]
            ]
        finally:
            if sandbox:
                sandbox.close()
        return Marks(
            MARKED,
            tuple(questions),
            failed_cells=failed,
            to_review=tuple(sorted(set(TO_REVIEW.findall(code)))),
        )

    def _open(self, cells: Sequence[str]) -> Sandbox:
        return Sandbox(
            cells,
            forbidden=self.assignment.forbidden,
            limits=self.limits,
            without_walls=self.without_walls,
        )

    def _lost(self, question: Question, problem: str) -> QuestionMarks:
        cases = question.cases(self.seed)
        verdicts = tuple(Verdict(case, PROBLEMS[problem]) for case in cases)
        return QuestionMarks(question, MARKED, sum(case.points for case in cases), verdicts)


def _ask(sandbox: Sandbox, question: Question, cases: Sequence) -> list[Answer]:
    """The answers to all cases. After one that took too long, no others are waited for."""
    answers = []
    for case in cases:
        if answers and answers[-1].problem in ("too slow", "died", "malformed"):
            answers.append(answers[-1])
        else:
            answers.append(
                sandbox.answer(question.function, case.arguments, case.keywords, case.gradient_of)
            )
    return answers
