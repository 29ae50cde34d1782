"""Marks in nbgrader's gradebook, where formgrader shows them and the written answers are marked.

nbgrader itself runs no student code here: the points come from the records of ``mark``.
"""

import argparse
import sys
from collections import Counter

from nbgrader.api import Comment, Grade, Gradebook

from coursework.course.database import add_database_argument, has_assignment, opened
from coursework.course.folder import (
    Course,
    CourseError,
    add_course_arguments,
    load_assignment,
    write_whole,
)
from coursework.course.roster import Student
from coursework.handed_in.notebook import Unreadable
from coursework.marking.marks import MARKED, Marks
from coursework.questions.cases import Assignment
from coursework.reports.reading_copy import reading_copy, without_tags
from coursework.reports.results import results


def prepare(book: Gradebook, assignment: Assignment, out_of: dict[str, int]) -> None:
    """The assignment with a cell for each question, beside whatever the release has put there."""
    name = assignment.name
    if not has_assignment(book, name):
        book.add_assignment(name)
    book.update_or_create_notebook(name, name)
    for function, points in out_of.items():
        book.update_or_create_grade_cell(function, name, name, max_score=points, cell_type="code")


def enter(book: Gradebook, assignment: str, student: Student, marks: Marks) -> None:
    """The automatic points of a student. What people have given stays as it is."""
    # formgrader shows names unescaped.
    last, _, first = without_tags(student.name).partition(", ")
    names = {"first_name": first, "last_name": last, "email": student.email}
    book.update_or_create_student(student.id, **{k: v for k, v in names.items() if v})
    with book.db.no_autoflush:
        book.update_or_create_submission(assignment, student.id)
    notebook = book.find_submission_notebook(assignment, assignment, student.id)
    _complete(book, notebook)
    points = {question.question.function: question.points for question in marks.questions}
    for grade in notebook.grades:
        if grade.name in points:
            grade.auto_score = points[grade.name]
            grade.needs_manual_grade = False
        else:
            grade.auto_score = None
            grade.needs_manual_grade = grade.needs_manual_grade or grade.manual_score is None
    book.db.commit()


def _complete(book: Gradebook, notebook) -> None:
    """Grades and comments for cells that came into the assignment after the submission did."""
    graded = {grade.cell_id for grade in notebook.grades}
    commented = {comment.cell_id for comment in notebook.comments}
    for cell in notebook.notebook.grade_cells:
        if cell.id not in graded:
            book.db.add(Grade(cell_id=cell.id, notebook=notebook))
    for cell in notebook.notebook.solution_cells:
        if cell.id not in commented:
            book.db.add(Comment(cell_id=cell.id, notebook=notebook))
    book.db.commit()


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_course_arguments(parser)
    add_database_argument(parser)


def run(arguments: argparse.Namespace) -> int:
    course, assignment = Course(arguments.course), load_assignment(arguments.assignment)
    counts: Counter[str] = Counter()
    found = results(course, assignment)
    marked = [result for result in found if result.status == MARKED]
    if not marked:
        raise CourseError(f"{course.root}: no marks of {assignment.name}; mark it first")
    out_of = {q.question.function: q.out_of for q in marked[0].marks.questions}
    with opened(arguments.database or course.database) as book:
        prepare(book, assignment, out_of)
        cells = book.find_notebook(assignment.name, assignment.name).grade_cells
        written = {cell.name: cell.max_score for cell in cells if cell.name not in out_of}
        for result in marked:
            enter(book, assignment.name, result.student, result.marks)
            path = course.reading_copy(result.student.id, assignment.name)
            try:
                submission = course.submission(result.student.id, assignment.name)
                write_whole(path, reading_copy(submission, result.marks, written))
            except (FileNotFoundError, Unreadable) as error:
                print(f"{result.student.id}: not shown in formgrader: {error}", file=sys.stderr)
            counts["entered"] += 1
    others = Counter(result.status for result in found if result.status != MARKED)
    told = "".join(f", {n} {status}" for status, n in sorted(others.items()))
    print(f"{assignment.name}: {counts['entered']} entered{told}")
    if not written:
        print(
            f"the gradebook knows no written answer of {assignment.name}: make its release with "
            "this gradebook first, then run this again",
            file=sys.stderr,
        )
    return 0
