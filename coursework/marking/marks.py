"""The marks of one submission: points, and reasons, for each question."""

from dataclasses import dataclass

from coursework.questions.cases import Assignment, Message, Question
from coursework.questions.checks import Verdict

# "missing" is no answer, "unreadable" an answer that nobody could read, "marked" includes zero.
MARKED, MISSING, UNREADABLE = "marked", "missing", "unreadable"

NOTHING = Message("nothing-handed-in", "没有提交。", "Nothing was handed in.")


@dataclass(frozen=True)
class QuestionMarks:
    question: Question
    status: str
    out_of: int
    verdicts: tuple[Verdict, ...] = ()

    @property
    def points(self) -> int:
        return sum(verdict.points for verdict in self.verdicts)


@dataclass(frozen=True)
class Marks:
    status: str
    questions: tuple[QuestionMarks, ...]
    reason: Message | None = None  # why the whole submission is missing or unreadable
    failed_cells: tuple[tuple[int, str, str], ...] = ()  # number, error, message; not to be trusted
    to_review: tuple[str, ...] = ()

    @property
    def points(self) -> int:
        return sum(question.points for question in self.questions)

    @property
    def out_of(self) -> int:
        return sum(question.out_of for question in self.questions)


def unmarked(assignment: Assignment, seed: str, status: str, reason: Message) -> Marks:
    """No points, because nobody has judged the answers."""
    questions = tuple(
        QuestionMarks(q, status, sum(case.points for case in q.cases(seed)))
        for q in assignment.questions
    )
    return Marks(status, questions, reason)
