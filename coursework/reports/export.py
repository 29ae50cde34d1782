"""The marks of a class as tables: one for people, and those that learning platforms import."""

import argparse
import json
import sys
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from coursework.course.database import add_database_argument
from coursework.course.folder import (
    Course,
    CourseError,
    add_course_arguments,
    load_assignment,
    write_whole,
)
from coursework.course.tables import Table, defused, read_table, table_bytes, table_of
from coursework.marking.concerns import concerns
from coursework.marking.marks import MARKED, MISSING
from coursework.reports.platforms import canvas, gradescope, moodle
from coursework.reports.results import Result, results

# What a person should look at: kinds of concerns with a column of their own, and all others.
COLUMNS = {"to-review": "to review", "failed-cells": "failed cells"}
LOOK_AT = ("problems", *COLUMNS.values())


def marks_table(found: Sequence[Result]) -> Table:
    """A row for each student. Points stand only where answers were judged: zero is a mark."""
    questions = list(
        {q.question.function: None for r in found if r.marks for q in r.marks.questions}
    )
    written = sorted({name for result in found for name in result.written})
    about = ["student", "name", "email", "status", "reason", "late", *LOOK_AT]
    return table_of(
        [*about, *questions, "automatic", *written, "total", "out of"],
        [
            [
                defused(result.student.id),
                defused(result.student.name),
                defused(result.student.email),
                result.status,
                result.marks.reason.en if result.marks and result.marks.reason else "",
                "late" if result.late else "",
                *_look_at(result),
                *_automatic(result, questions),
                *(_given(result, name) for name in written),
                _number(result.total),
                _number(result.out_of),
            ]
            for result in found
        ],
    )


def _look_at(result: Result) -> list[str]:
    """What a person should look at, in the columns of LOOK_AT."""
    found: dict[str, dict[str, list[str]]] = {column: {} for column in LOOK_AT}
    for concern in concerns(result.marks) if result.marks else ():
        column = COLUMNS.get(concern.kind, "problems")
        kind = "" if concern.kind in COLUMNS else f"{concern.kind}: "
        found[column].setdefault(kind, []).append(concern.question or concern.what)
    return [
        defused(
            "; ".join(
                kind + (", " if kind else "; ").join(parts) for kind, parts in by_kind.items()
            )
        )
        for by_kind in found.values()
    ]


def _automatic(result: Result, questions: Sequence[str]) -> list[str]:
    if result.status != MARKED:
        return [""] * (len(questions) + 1)
    points = {q.question.function: q.points for q in result.marks.questions}
    return [*(_number(points.get(question)) for question in questions), str(result.marks.points)]


def _given(result: Result, name: str) -> str:
    return _number(result.written[name].points if name in result.written else None)


def _number(points: float | None) -> str:
    return "" if points is None else f"{points:g}"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_course_arguments(parser)
    add_database_argument(parser)
    parser.add_argument(
        "--canvas",
        type=Path,
        metavar="CSV",
        help="the gradebook as exported by Canvas, which gets the marks back as canvas.csv",
    )
    parser.add_argument(
        "--canvas-column",
        metavar="TITLE",
        help="what Canvas calls the assignment, without its number (default: as we do)",
    )
    parser.add_argument(
        "--moodle",
        type=Path,
        metavar="CSV",
        help="the grading worksheet of Moodle, which gets the marks back as moodle.csv",
    )
    parser.add_argument(
        "--gradescope", action="store_true", help="write a results.json for each student"
    )


def run(arguments: argparse.Namespace) -> int:
    course, assignment = Course(arguments.course), load_assignment(arguments.assignment)
    found = results(course, assignment, arguments.database or course.database)
    if not found:
        raise CourseError(f"{course.root}: nobody is known here; collect {assignment.name} first")
    folder = course.exports(assignment.name)
    made = {"marks.csv": marks_table(found)}
    for platform, file, fill in (
        (
            "canvas",
            arguments.canvas,
            lambda table: canvas(table, found, arguments.canvas_column or assignment.name),
        ),
        ("moodle", arguments.moodle, lambda table: moodle(table, found)),
    ):
        if file:
            made[f"{platform}.csv"] = _for_platform(platform, file, fill)
    for name, table in made.items():
        write_whole(folder / name, table_bytes(table))
        print(folder / name)
    if arguments.gradescope:
        _write_gradescope(folder / "gradescope", found)
    statuses = Counter(result.status for result in found)
    print(", ".join(f"{n} {status}" for status, n in sorted(statuses.items())))
    waiting = sum(result.status == MARKED and result.total is None for result in found)
    if waiting:
        print(
            f"{waiting} have written answers that nobody has marked: their total is left empty",
            file=sys.stderr,
        )
    return 0


def _for_platform(platform: str, file: Path, fill) -> Table:
    try:
        table, unknown = fill(read_table(file))
    except (ValueError, OSError) as error:
        raise CourseError(f"{platform.capitalize()}: {error}") from None
    if unknown:
        print(f"not in {file}: {', '.join(unknown)}", file=sys.stderr)
    return table


def _write_gradescope(folder: Path, found: Sequence[Result]) -> None:
    for result in found:
        if result.marks and result.status != MISSING:
            text = json.dumps(gradescope(result), ensure_ascii=False, indent=1)
            write_whole(folder / result.student.id / "results.json", text.encode())
    print(folder)
