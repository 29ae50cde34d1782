"""Marks as JSON files, one for each student, and back.

A record holds titles, points and reasons. It holds no input and no expected value, so that
whatever is made from records can show none.
"""

import hashlib
import hmac
import json
import modulefinder
from functools import cache
from pathlib import Path

from coursework.marking.marks import Marks, QuestionMarks
from coursework.questions.cases import Assignment, Case, Message
from coursework.questions.checks import Verdict
from coursework.sandbox.walls import WORKER

ROOT = Path(__file__).parents[2]
ERROR = "error"  # beside marked, missing and unreadable: the marking itself failed

MARKING_FAILED = Message(
    "marking-failed",
    "评分程序自身出错，这份作业还没有评分。教师会处理。",
    "The marking itself failed, so this has not been marked yet. The instructor will see to it.",
)


def to_record(marks: Marks) -> dict:
    return {
        "status": marks.status,
        "reason": marks.reason,
        "questions": [
            {
                "function": q.question.function,
                "status": q.status,
                "out_of": q.out_of,
                "cases": [
                    {"title": case.title, "points": case.points, "reason": reason}
                    for case, reason in q.verdicts
                ],
            }
            for q in marks.questions
        ],
        "failed_cells": marks.failed_cells,
        "to_review": marks.to_review,
    }


def from_record(record: dict, assignment: Assignment) -> Marks:
    """The marks of a record; cases come back without their inputs.

    Raises:
        KeyError, TypeError: it is of another version of the assignment, or of another program.
    """
    questions = {question.function: question for question in assignment.questions}
    return Marks(
        record["status"],
        tuple(
            QuestionMarks(
                questions[q["function"]],
                q["status"],
                q["out_of"],
                tuple(
                    Verdict(
                        Case(Message(*case["title"]), case["points"], ()), _message(case["reason"])
                    )
                    for case in q["cases"]
                ),
            )
            for q in record["questions"]
        ),
        _message(record["reason"]),
        tuple((number, error, text) for number, error, text in record["failed_cells"]),
        tuple(record["to_review"]),
    )


def _message(parts: list[str] | None) -> Message | None:
    return None if parts is None else Message(*parts)


def file_hash(path: Path) -> str | None:
    """None if there is no such file; a link, which is not followed, is as good as another."""
    if path.is_symlink() or (path.exists() and not path.is_file()):
        return "not a file"
    if not path.exists():
        return None
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


@cache
def code_hash(assignment: str) -> str:
    """Of every file of this repository that marking the assignment runs."""
    finder = modulefinder.ModuleFinder([str(ROOT)])
    finder.import_hook(f"coursework.assignments.{assignment}")
    finder.import_hook("coursework.marking.marker")
    finder.import_hook(WORKER)  # started as a process, and imported by nobody
    digest = hashlib.sha256()
    for name, module in sorted(finder.modules.items()):
        digest.update(f"{name}\n".encode())
        digest.update(Path(module.__file__).read_bytes() if module.__file__ else b"")
    return digest.hexdigest()


@cache
def seed_hash(seed: str, assignment: str) -> str:
    """Tells two seeds apart, and does not help to guess one: each guess costs scrypt's work."""
    slow_key = hashlib.scrypt(seed.encode(), salt=assignment.encode(), n=2**14, r=8, p=1)
    return hmac.new(slow_key, b"coursework marks", "sha256").hexdigest()


def read_record(path: Path) -> dict | None:
    """A record, None if there is none that can be read."""
    try:
        record = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return None
    return record if isinstance(record, dict) else None


def record_bytes(record: dict) -> bytes:
    # A student's error message can hold half a character, which UTF-8 cannot.
    return f"{json.dumps(record, ensure_ascii=False, indent=1)}\n".encode("utf-8", "replace")
