"""The assignments, one per folder: questions, solutions, cases, and the mistakes that are known."""

import importlib
from pathlib import Path

from coursework.questions.cases import Assignment

HERE = Path(__file__).parent


def assignment_names() -> list[str]:
    return sorted(path.parent.name for path in HERE.glob("*/__init__.py"))


def find_assignment(name: str) -> Assignment:
    """The assignment of this name.

    Raises:
        LookupError: there is none; the message names those there are.
    """
    if name not in assignment_names():
        raise LookupError(f"there is no assignment {name!r}, only {', '.join(assignment_names())}")
    return importlib.import_module(f"coursework.assignments.{name}").ASSIGNMENT
