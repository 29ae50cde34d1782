"""What in the marks a person should look at. None of it changes a mark."""

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from coursework.course.folder import Course, write_whole
from coursework.course.tables import defused, table_bytes, table_of
from coursework.handed_in.notebook import Unreadable, read_cells
from coursework.handed_in.uploads import shown
from coursework.marking.marks import UNREADABLE, Marks
from coursework.marking.records import ERROR, from_record, read_record
from coursework.questions.cases import Assignment

# By urgency, each with what an instructor should know.
KINDS = {
    "marking-failed": "the marking itself failed, and these have no marks",
    "malformed": "what came back makes no sense: does the code tamper with the marking?",
    "died": "the process ended (exit, crash, out of memory): marked as wrong",
    "too-slow": "not finished in time: marked as wrong",
    "unreadable": "no marks, for the file cannot be read: ask for another",
    "to-review": "a way around what is forbidden? It has cost no marks",
    "failed-cells": "these cells failed when they were run; answers may have needed them",
}
OF_QUESTIONS = ("malformed", "died", "too-slow")
MOST_LINES, MOST_STUDENTS = 8, 6  # for each kind, and on a line; a table has all of them


class Concern(NamedTuple):
    kind: str  # one of KINDS
    question: str  # the name of its function, empty where it is about all that was handed in
    what: str  # more about it; the student's own words, made harmless


def concerns(marks: Marks, cells: Sequence[str] = ()) -> list[Concern]:
    """What there is to look at in a submission, the most urgent first.

    Args:
        marks: of the submission.
        cells: its code cells, if it should be said in which of them something is.
    """
    found = []
    if marks.status == ERROR:
        found.append(Concern("marking-failed", "", "see errors.log"))
    if marks.status == UNREADABLE:
        found.append(Concern("unreadable", "", marks.reason.name))
    reasons = {
        question.question.function: {reason.name for _, reason in question.verdicts if reason}
        for question in marks.questions
    }
    for kind in OF_QUESTIONS:
        found += [Concern(kind, function, "") for function in reasons if kind in reasons[function]]
    for detour in marks.to_review:
        places = [str(number) for number, cell in enumerate(cells, start=1) if detour in cell]
        where = f" in cell {', '.join(places)}" if places else ""
        found.append(Concern("to-review", "", f"{detour}{where}"))
    for number, error, _ in marks.failed_cells:
        name = error if error.isidentifier() and len(error) < 60 else shown(error, 60)
        found.append(Concern("failed-cells", "", f"cell {number}: {name}"))
    return found


def told(found: Mapping[str, Sequence[Concern]]) -> list[str]:
    """Lines for a terminal: what many students share is one line, and a long list is cut."""
    lines = []
    for kind, meaning in KINDS.items():
        shared: dict[str, list[str]] = {}
        for student, all_of_them in sorted(found.items()):
            parts = [c for c in all_of_them if c.kind == kind]
            if parts:
                separator = "; " if kind not in OF_QUESTIONS else ", "
                what = separator.join(c.question or c.what for c in parts)
                shared.setdefault(what, []).append(student)
        if not shared:
            continue
        lines.append(f"  {kind} ({sum(map(len, shared.values()))}): {meaning}")
        most = sorted(shared.items(), key=lambda each: -len(each[1]))
        lines += [f"    {what}: {_some(students)}" for what, students in most[:MOST_LINES]]
        if left := sum(len(students) for _, students in most[MOST_LINES:]):
            lines.append(f"    and {left} more")
    return lines


def _some(students: Sequence[str]) -> str:
    more = f" and {len(students) - MOST_STUDENTS} more" if len(students) > MOST_STUDENTS else ""
    return f"{', '.join(students[:MOST_STUDENTS])}{more}"


def of_class(course: Course, assignment: Assignment) -> dict[str, list[Concern]]:
    """What there is to look at of each student whose marks can be read."""
    found = {}
    for student in course.students(assignment.name):
        record = read_record(course.record(student, assignment.name))
        try:
            marks = from_record(record or {}, assignment)
        except (KeyError, TypeError, ValueError):
            continue
        path = course.submission(student, assignment.name)
        found[student] = concerns(marks, _cells(path) if marks.to_review else ())
    return found


def _cells(path: Path) -> Sequence[str]:
    try:
        return read_cells(path)
    except (Unreadable, OSError):
        return ()


def table(course: Course, assignment: str) -> Path:
    return course.marks(assignment) / "look_at.csv"


def write_table(
    path: Path, course: Course, assignment: str, found: Mapping[str, Iterable[Concern]]
) -> None:
    """All that there is to look at, a row for each, with the file to look at."""
    rows = [
        (student, concern, course.submission(student, assignment))
        for student, all_of_them in sorted(found.items())
        for concern in all_of_them
    ]
    rows.sort(key=lambda row: list(KINDS).index(row[1].kind))
    header = ("student", "kind", "question", "what", "where")
    cells = ((defused(s), c.kind, c.question, defused(c.what), defused(str(w))) for s, c, w in rows)
    write_whole(path, table_bytes(table_of(header, cells)))
