"""Marks in the tables that learning platforms import.

Canvas and Moodle take a table back that they gave out, so theirs is the form, and ours are only
the cells with marks. Who has no total keeps what the platform has: no mark is not zero.
"""

import re
from collections.abc import Callable, Sequence

from coursework.course.roster import (
    EMAILS,
    FIRST_NAMES,
    IDENTIFIERS,
    LAST_NAMES,
    NAMES,
    NOBODY,
    Roster,
)
from coursework.course.tables import Table, defused
from coursework.reports.results import Result

CANVAS_COLUMNS = (
    "student",
    "id",
    "sis user id",
    "sis login id",
    "integration id",
    "root account",
    "section",
)
GRADES = ("grade", "成绩", "分数")
COMMENTS = ("feedback comments", "反馈意见", "反馈评论")


def canvas(table: Table, found: Sequence[Result], assignment: str) -> tuple[Table, list[str]]:
    """What Canvas imports, out of its own export; and the students that it does not know.

    Raises:
        ValueError: no column, or more than one, belongs to the assignment.
    """
    titled = [
        i
        for i, title in enumerate(table.header)
        if re.sub(r"\s*\(\d+\)$", "", title.strip()).casefold() == assignment.casefold()
    ]
    if len(titled) != 1:
        columns = [title for title in table.header if re.search(r"\(\d+\)$", title.strip())]
        raise ValueError(
            f"{len(titled)} columns are called “{assignment} (number)”; those with a number are: "
            f"{', '.join(columns) or 'none'}"
        )
    kept = [i for i, t in enumerate(table.header) if t.strip().casefold() in CANVAS_COLUMNS]
    filled, unknown = _filled(table, found, {titled[0]: lambda result: f"{result.total:g}"})
    kept.append(titled[0])
    rows = [[row[i] for i in kept] for row in filled]
    return table._replace(header=[table.header[i] for i in kept], rows=rows), unknown


def moodle(table: Table, found: Sequence[Result]) -> tuple[Table, list[str]]:
    """Moodle's grading worksheet with marks and comments; and the students that it does not know.

    Raises:
        ValueError: it has no column for the grade.
    """
    grade, comments = table.column(*GRADES), table.column(*COMMENTS)
    if grade is None:
        raise ValueError(
            "no column “Grade”; wanted is the grading worksheet that Moodle offers for download, "
            f"there are {', '.join(table.header)}"
        )
    cells = {grade: lambda result: f"{result.total:g}"}
    if comments is not None:
        cells[comments] = comment
    rows, unknown = _filled(table, found, cells)
    return table._replace(rows=rows), unknown


def gradescope(result: Result) -> dict:
    """The results.json of a student, in the form of Gradescope's autograder specification."""
    tests = [
        {
            "name": f"{question.question.name}: {case.title.zh} / {case.title.en}",
            "score": 0 if reason else case.points,
            "max_score": case.points,
            "output": f"{reason.zh}\n{reason.en}" if reason else "",
            "visibility": "visible",
        }
        for question in result.marks.questions
        for case, reason in question.verdicts
    ]
    tests += [
        {
            "name": f"书面题 / Written answer: {name}",
            "score": answer.points,
            "max_score": answer.out_of,
            "output": answer.comment,
            "visibility": "visible",
        }
        for name, answer in sorted(result.written.items())
        if answer.points is not None
    ]
    reason = result.marks.reason
    return {
        "score": sum(test["score"] for test in tests),
        "output": f"{reason.zh}\n{reason.en}" if reason else "",
        "visibility": "visible",
        "tests": tests,
    }


def comment(result: Result) -> str:
    """What a student reads beside the grade: points and reasons, in both languages."""
    parts = []
    for question in result.marks.questions:
        reasons = {r.name: f"{r.zh} {r.en}" for _, r in question.verdicts if r}
        points = f"{question.question.name}: {question.points:g}/{question.out_of:g}"
        parts.append(" — ".join([points, *reasons.values()]))
    for name, answer in sorted(result.written.items()):
        parts.append(f"{name}: {answer.points:g}/{answer.out_of:g} {answer.comment}".strip())
    return "; ".join(parts)


def _filled(
    table: Table, found: Sequence[Result], cells: dict[int, Callable[[Result], str]]
) -> tuple[list[list[str]], list[str]]:
    """The rows with cells from the results, and the students who have no row."""
    by_id = {result.student.id: result for result in found}
    owners = _owners(table, Roster(result.student for result in found))
    names = [
        i
        for i, t in enumerate(table.header)
        if t.strip().casefold() in (*NAMES, *FIRST_NAMES, *LAST_NAMES)
    ]
    rows = []
    for row, owner in zip(table.rows, owners, strict=True):
        row = [*row]
        for i in names:
            row[i] = defused(row[i])
        if owner and by_id[owner].total is not None:
            for i, text in cells.items():
                row[i] = text(by_id[owner])
        rows.append(row)
    return rows, sorted(set(by_id) - set(owners))


def _owners(table: Table, roster: Roster) -> list[str | None]:
    """The student of each row.

    One column decides for all rows, the one that finds most: the number of one student in one
    column may be that of another in the next.
    """
    name = table.column(*NAMES)
    people = [name is None or row[name].strip().casefold() not in NOBODY for row in table.rows]
    best: list[str | None] = [None] * len(table.rows)
    for title in (*IDENTIFIERS, *EMAILS, *NAMES):
        column = table.column(title)
        if column is None:
            continue
        students = [
            roster.find(row[column]) if person and row[column].strip() else None
            for row, person in zip(table.rows, people, strict=True)
        ]
        owners = [student.id if student else None for student in students]
        known = [owner for owner in owners if owner]
        if len(set(known)) == len(known) and len(known) > len(best) - best.count(None):
            best = owners
    return best
