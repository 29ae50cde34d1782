"""What people gave for the written answers, as nbgrader's gradebook has it."""

from typing import NamedTuple

from coursework.course.database import exists, has_assignment, opened
from coursework.questions.cases import Assignment


class Written(NamedTuple):
    """What a person gave for a written answer; ``points`` is None until then."""

    points: float | None
    out_of: float
    comment: str = ""


def written_answers(database: str, assignment: Assignment) -> dict[str, dict[str, Written]]:
    """For each student, what was given for the answers that no program marks."""
    automatic = {question.function for question in assignment.questions}
    found: dict[str, dict[str, Written]] = {}
    if not exists(database):
        return found
    with opened(database) as book:
        if not has_assignment(book, assignment.name):
            return found
        for submission in book.assignment_submissions(assignment.name):
            answers = found.setdefault(submission.student.id, {})
            for notebook in submission.notebooks:
                comments = {comment.name: comment.comment or "" for comment in notebook.comments}
                for grade in notebook.grades:
                    if grade.name in automatic:
                        continue
                    done = grade.manual_score is not None and not grade.needs_manual_grade
                    points = grade.score if done else None
                    answers[grade.name] = Written(
                        points, grade.max_score, comments.get(grade.name, "")
                    )
    return found
