"""The text of an assignment, ``zh.md`` or ``en.md``, cut at the places where answers go.

``<!-- code FUNCTION -->`` stands where a student writes a function, and
``<!-- written NAME POINTS -->`` where one answers in words; what follows between
``<!-- rubric -->`` and ``<!-- /rubric -->`` is for whoever marks that answer.
"""

import ast
import inspect
import json
import re
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from coursework.questions.cases import Assignment

ASSIGNMENTS = Path(__file__).parents[1] / "assignments"
BOOK = Path(__file__).parents[2] / "book"
MARK = re.compile(
    r"<!-- (?:code (?P<function>\w+)|written (?P<name>[a-z][\w-]*) (?P<points>\d+)) -->"
)
RUBRIC, END_OF_RUBRIC = "<!-- rubric -->", "<!-- /rubric -->"


@dataclass(frozen=True)
class Prose:
    text: str


@dataclass(frozen=True)
class Code:
    """The place of a function."""

    function: str


@dataclass(frozen=True)
class Written:
    """The place of an answer in words, which a person marks."""

    name: str
    points: int
    rubric: str


class BadText(ValueError):
    """The text does not fit its assignment; says where and why."""


def read_text(assignment: Assignment, language: str) -> list[Prose | Code | Written]:
    """The parts of an assignment's text, in order. A new section starts a new part.

    Raises:
        BadText: a comment is not understood, a question has no place or two, or there is no rubric.
    """
    path = ASSIGNMENTS / assignment.name / f"{language}.md"
    parts = cut(path.read_text(encoding="utf-8"), path.relative_to(ASSIGNMENTS))
    asked = sorted(question.function for question in assignment.questions)
    placed = sorted(part.function for part in parts if isinstance(part, Code))
    if asked != placed:
        raise BadText(
            f"{path.relative_to(ASSIGNMENTS)} has places for {', '.join(placed) or 'no function'}; "
            f"the assignment asks for {', '.join(asked)}"
        )
    return parts


def cut(text: str, source: object = "text") -> list[Prose | Code | Written]:
    parts, lines = [], iter(enumerate(text.splitlines(), start=1))
    prose = []

    def end_prose():
        if "".join(prose).strip():
            parts.append(Prose("\n".join(prose).strip()))
        prose.clear()

    for number, line in lines:
        mark = MARK.fullmatch(line)
        if mark:
            end_prose()
            if mark["function"]:
                parts.append(Code(mark["function"]))
            else:
                rubric = _rubric(lines, f"{source}, line {number}")
                parts.append(Written(mark["name"], int(mark["points"]), rubric))
        elif line.lstrip().startswith("<!--"):
            raise BadText(f"{source}, line {number}: {line!r} is no mark that is known here")
        else:
            if line.startswith("## "):
                end_prose()
            prose.append(line)
    end_prose()
    return parts


def _rubric(lines, place: str) -> str:
    """What the next lines hold for the marker alone."""
    first = next((line for _, line in lines if line.strip()), None)
    rubric = []
    for _, line in lines:
        if line == END_OF_RUBRIC:
            break
        rubric.append(line)
    else:
        first = None
    if first != RUBRIC or not "".join(rubric).strip():
        raise BadText(f"{place}: a written answer needs {RUBRIC} … {END_OF_RUBRIC} below it")
    return "\n".join(rubric).strip()


def head_and_body(function: Callable) -> tuple[str, str]:
    """The source of a solution, cut below its docstring: what students see, and what they write.

    Raises:
        BadText: it has no docstring. A student is told by it what to write.
    """
    lines = inspect.getsource(function).splitlines()
    (definition,) = ast.parse("\n".join(lines)).body
    if ast.get_docstring(definition) is None:
        raise BadText(f"{function.__name__} needs a docstring, which students see")
    end = definition.body[0].end_lineno
    return "\n".join(lines[:end]), "\n".join(lines[end:]).strip("\n")


def setup_cell(language: str) -> str:
    """The first code cell of the book's sections, so that a fork's address is in both."""
    section = min((BOOK / language).glob("0*.ipynb"))
    cells = json.loads(section.read_text(encoding="utf-8"))["cells"]
    return "".join(next(cell["source"] for cell in cells if cell["cell_type"] == "code"))
