"""From the source of an assignment to what students get: notebooks, and practice checks.

The instructor's notebook holds the solutions; nbgrader takes them out, and enters the questions
into the gradebook. The identifier of a question there is the name of its function, or of its
written answer.
"""

import re
from collections.abc import Callable, Iterator
from pathlib import Path

import nbformat
from nbgrader.apps import NbGraderAPI
from traitlets.config import Config

from coursework.assignments import assignment_names
from coursework.course.database import add_database_argument, opened, programs_of_this_environment
from coursework.course.folder import Course, CourseError, load_assignment
from coursework.handing_out.package import has_package, zip_package
from coursework.handing_out.refresh import refresh
from coursework.handing_out.texts import Code, Prose, Written, head_and_body, read_text, setup_cell
from coursework.questions.cases import LANGUAGES, PUBLIC_SEED, Assignment

WORDS = {
    "zh": {
        "answer": "在这里作答。",
        "code": "# 在这里写代码，然后删去下一行。",
        "check": "# 练习检查。评分时用另一组数据做同样的检查，共 {points} 分。",
    },
    "en": {
        "answer": "Your answer goes here.",
        "code": "# Your code goes here, in place of the next line.",
        "check": "# Practice. The marks ({points} points) come from the same checks of other data.",
    },
}


def release(
    assignment: Assignment, course: Path, language: str, database: str | None = None
) -> Path:
    """Write the instructor's notebook and the students', and enter the assignment in the gradebook.

    Args:
        assignment: what is asked.
        course: the instructor's folder, with nbgrader's gradebook and everything handed in.
        language: "zh" or "en", the edition.
        database: address of the gradebook; None for the one in the instructor's folder.

    Returns:
        The students' notebook, below ``release/`` in the course.
    """
    name = assignment.name
    source = course / "source" / language / name / f"{name}.ipynb"
    source.parent.mkdir(parents=True, exist_ok=True)
    nbformat.write(source_notebook(assignment, language), source)
    config = Config()
    config.CourseDirectory.root = str(course.resolve())
    config.CourseDirectory.db_url = database or Course(course).database
    # The course that the gradebook opens. PostgreSQL, unlike SQLite, accepts none that is missing.
    config.CourseDirectory.course_id = "default_course"
    config.CourseDirectory.source_directory = f"source/{language}"
    config.CourseDirectory.release_directory = f"release/{language}"
    stub = f"{WORDS[language]['code']}\nraise NotImplementedError()"
    config.ClearSolutions.code_stub = {"python": stub}
    config.ClearSolutions.text_stub = WORDS[language]["answer"]
    with programs_of_this_environment():
        result = NbGraderAPI(config=config).generate_assignment(name)
    if not result["success"]:
        raise CourseError(f"nbgrader does not release {source}:\n{result.get('log', '')}")
    return course / "release" / language / name / f"{name}.ipynb"


def source_notebook(assignment: Assignment, language: str) -> nbformat.NotebookNode:
    """The instructor's notebook, with solutions and rubrics in it."""
    first, *parts = read_text(assignment, language)
    start = [
        _text("text-0", first.text),
        _cell("code", "setup", setup_cell(language)),
        _cell("code", "imports", f"{assignment.imports}\n\nfrom coursework.practice import check"),
    ]
    rest = [
        cell
        for number, part in enumerate(parts, start=1)
        for cell in _cells(assignment, number, part, language)
    ]
    kernel = {"display_name": "Python 3", "language": "python", "name": "python3"}
    return nbformat.v4.new_notebook(
        cells=start + rest,
        metadata={"kernelspec": kernel, "language_info": {"name": "python"}},
        nbformat_minor=5,
    )


def _cells(
    assignment: Assignment, number: int, part: Prose | Code | Written, language: str
) -> Iterator[nbformat.NotebookNode]:
    if isinstance(part, Prose):
        yield _text(f"text-{number}", part.text)
    elif isinstance(part, Written):
        source = _solution(part.rubric)
        yield _cell("markdown", part.name, source, solution=True, points=part.points)
    else:
        (question,) = (q for q in assignment.questions if q.function == part.function)
        points = sum(case.points for case in question.cases(PUBLIC_SEED))
        answer = to_fill_in(question.solution)
        yield _cell("code", f"{part.function}-answer", answer, solution=True)
        remark = WORDS[language]["check"].format(points=points)
        call = f'check({part.function}, "{assignment.name}", language="{language}")'
        yield _cell("code", part.function, f"{remark}\n{call}", points=points)


def to_fill_in(function: Callable) -> str:
    """The source of a function, with marks around what a student has to write."""
    head, body = head_and_body(function)
    indent = re.match(r"\s*", body)[0]
    return f"{head}\n{_solution(body, indent)}"


def _solution(text: str, indent: str = "") -> str:
    return f"{indent}### BEGIN SOLUTION\n{text}\n{indent}### END SOLUTION"


def _text(name: str, source: str) -> nbformat.NotebookNode:
    return nbformat.v4.new_markdown_cell(source, id=name)


def _cell(
    kind: str, name: str, source: str, *, solution: bool = False, points: int = 0
) -> nbformat.NotebookNode:
    """A cell that nbgrader knows: students change a solution, and keep the others as they are."""
    make = {"code": nbformat.v4.new_code_cell, "markdown": nbformat.v4.new_markdown_cell}[kind]
    metadata = {
        "grade": points > 0,
        "grade_id": name,
        "locked": not solution,
        "schema_version": 3,
        "solution": solution,
        "task": False,
    } | ({"points": points} if points else {})
    return make(source, id=name, metadata={"nbgrader": metadata})


def add_arguments(parser) -> None:
    parser.add_argument(
        "assignments", nargs="*", metavar="ASSIGNMENT", help="such as a1_scores (default: all)"
    )
    parser.add_argument(
        "--course", type=Path, required=True, metavar="FOLDER", help="the instructor's folder"
    )
    add_database_argument(parser)


def run(arguments) -> int:
    """Release assignments in both editions, and say where the notebooks are."""
    if arguments.database:
        with opened(arguments.database):  # nbgrader would answer a wrong address with a traceback
            pass
    for assignment in map(load_assignment, arguments.assignments or assignment_names()):
        refresh(assignment.name, assignment.questions, assignment.forbidden)
        for language in LANGUAGES:
            print(release(assignment, arguments.course, language, arguments.database))
        if has_package(assignment):
            print(zip_package(assignment, arguments.course / "release"))
    return 0
