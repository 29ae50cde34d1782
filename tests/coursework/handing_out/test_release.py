"""Notebooks for students, made from the source of an assignment."""

import argparse
import json
import re
from pathlib import Path

import nbformat
import pytest
from nbgrader.api import Gradebook

from coursework.assignments import assignment_names, find_assignment
from coursework.assignments.a1_scores import ASSIGNMENT
from coursework.course.database import opened, programs_of_this_environment
from coursework.course.folder import CourseError
from coursework.handing_out import release as releases
from coursework.handing_out import texts
from coursework.handing_out.leaks import Scanner
from coursework.handing_out.release import to_fill_in
from coursework.handing_out.texts import BadText, Code, Written, cut, read_text
from coursework.marking.marker import Marker
from coursework.questions.cases import LANGUAGES, PUBLIC_SEED
from coursework.sandbox.walls import Sandbox

ROOT = Path(__file__).parents[3]
EDITIONS = [(name, language) for name in assignment_names() for language in LANGUAGES]
each_edition = pytest.mark.parametrize("name, language", EDITIONS)


def run(course, *words):
    parser = argparse.ArgumentParser()
    releases.add_arguments(parser)
    return releases.run(parser.parse_args([*words, "--course", str(course)]))


@pytest.fixture(scope="module")
def course(tmp_path_factory):
    """A course in which all assignments are released, through the command."""
    folder = tmp_path_factory.mktemp("course")
    assert run(folder) == 0
    return folder


def path_of(course, step, name, language):
    return course / step / language / name / f"{name}.ipynb"


def read(course, step, name, language):
    return nbformat.read(path_of(course, step, name, language), as_version=4)


def ids(notebook, **wanted):
    """The identifiers of the cells that nbgrader treats as is wanted."""
    known = [cell.metadata.nbgrader for cell in notebook.cells if "nbgrader" in cell.metadata]
    return [cell.grade_id for cell in known if all(cell[key] == v for key, v in wanted.items())]


def test_generating_again_changes_nothing(course):
    """The same source makes the same bytes, so that a release can be checked and repeated."""
    before = {path: path.read_bytes() for path in course.rglob("*.ipynb")}
    assert len(before) == 2 * len(EDITIONS)
    run(course)
    assert {path: path.read_bytes() for path in course.rglob("*.ipynb")} == before


@each_edition
def test_students_get_the_questions_and_no_answer(name, language, course):
    """Each function is there to fill in, with its signature, docstring, and practice check."""
    notebook = read(course, "release", name, language)
    sources = {cell.id: cell.source for cell in notebook.cells}
    for question in find_assignment(name).questions:
        lines = sources[f"{question.function}-answer"].splitlines()
        assert lines[0].startswith(f"def {question.function}(")
        assert question.solution.__doc__.splitlines()[0] in "\n".join(lines)
        assert lines[-1] == "    raise NotImplementedError()"
        check = f'check({question.function}, "{name}", language="{language}")'
        assert sources[question.function].splitlines()[-1] == check
    assert "SOLUTION" not in "".join(sources.values())
    for part in read_text(find_assignment(name), language):
        if isinstance(part, Written):
            assert sources[part.name] == releases.WORDS[language]["answer"]


@each_edition
def test_the_file_is_as_jupyter_wants_it(name, language, course):
    """Valid format 4.5, unique identifiers, nothing executed, the edition's title first."""
    notebook = read(course, "release", name, language)
    nbformat.validate(notebook)
    assert (notebook.nbformat, notebook.nbformat_minor) == (4, 5)
    assert len({cell.id for cell in notebook.cells}) == len(notebook.cells)
    code = [cell for cell in notebook.cells if cell.cell_type == "code"]
    assert all(cell.execution_count is None and cell.outputs == [] for cell in code)
    title = notebook.cells[0].source.splitlines()[0]
    assert title.startswith("# ")
    assert bool(re.search("[一-鿿]", title)) == (language == "zh")


@each_edition
def test_the_first_cell_is_that_of_the_book(name, language, course):
    """It installs the library from the repository that the book names, a fork's from the fork."""
    code = [c for c in read(course, "release", name, language).cells if c.cell_type == "code"]
    for section in texts.BOOK.glob(f"{language}/0*.ipynb"):
        cells = json.loads(section.read_text(encoding="utf-8"))["cells"]
        first = next(cell for cell in cells if cell["cell_type"] == "code")
        assert code[0].source == "".join(first["source"])
    assert code[1].source.splitlines()[-1] == "from coursework.practice import check"


@pytest.mark.parametrize("name", assignment_names())
def test_the_gradebook_has_a_place_for_all_points(name, course):
    """One grade per function and per written answer, the same in both editions."""
    assignment = find_assignment(name)
    wanted = {
        question.function: sum(case.points for case in question.cases(PUBLIC_SEED))
        for question in assignment.questions
    }
    written = [part for part in read_text(assignment, "en") if isinstance(part, Written)]
    wanted |= {part.name: part.points for part in written}
    for language in LANGUAGES:
        notebook = read(course, "release", name, language)
        assert sorted(ids(notebook, grade=True)) == sorted(wanted)
        assert ids(notebook, grade=True, solution=True) == [part.name for part in written]
    with (
        programs_of_this_environment(),
        Gradebook(f"sqlite:///{course}/gradebook.db") as gradebook,
    ):
        cells = gradebook.find_notebook(name, name).grade_cells
        assert {cell.name: cell.max_score for cell in cells} == wanted


@pytest.mark.parametrize("name", assignment_names())
def test_both_editions_ask_the_same(name):
    """The same questions in the same order, for the same points."""
    zh, en = (
        [
            part if isinstance(part, Code) else (part.name, part.points)
            for part in read_text(find_assignment(name), language)
            if isinstance(part, Code | Written)
        ]
        for language in LANGUAGES
    )
    assert zh == en


@each_edition
def test_the_source_gets_full_marks(name, language, course, walls):
    """The instructor's notebook is marked as a student's: no cell fails, nothing is missing."""
    marks = Marker(find_assignment(name), "a seed for tests").mark(
        path_of(course, "source", name, language)
    )
    assert (marks.points, marks.failed_cells) == (marks.out_of, ())


def test_an_untouched_notebook_gets_nothing(course, walls):
    """As released, it says of each question that it has not been answered."""
    notebook = path_of(course, "release", "a1_scores", "zh")
    marks = Marker(ASSIGNMENT, "a seed for tests").mark(notebook)
    assert (marks.points, marks.failed_cells) == (0, ())
    reasons = {reason.name for question in marks.questions for _, reason in question.verdicts}
    assert reasons == {"unanswered"}


def test_no_course_module_stands_in_for_an_answer(walls):
    """Inside, the library of the course can be looked for, but gives no answer."""
    cell = "from attention_lib import masked_softmax\nmasked_softmax(1, 2)"
    with Sandbox([cell, "from coursework.practice import check\ncheck(1)"]) as sandbox:
        assert [(n, error) for n, error, _ in sandbox.failed_cells] == [(1, "PermissionError")]


def without_docstring(x):
    # The answer is two.
    return 2 * x


def with_comment(x):
    """Twice x."""
    # The answer is two.
    return 2 * x


def test_no_assignment_gives_itself_away(course):
    """Nor does a section of the book: the notebooks of all students, and all that readers see."""
    scanner = Scanner(map(find_assignment, assignment_names()), "a seed for tests")
    assert list(scanner.scan([course / "release", ROOT / "book"])) == []


def test_what_is_left_to_fill_in():
    """Everything below the docstring is the solution, comments included."""
    assert to_fill_in(with_comment) == (
        'def with_comment(x):\n    """Twice x."""\n    ### BEGIN SOLUTION\n'
        "    # The answer is two.\n    return 2 * x\n    ### END SOLUTION"
    )
    with pytest.raises(BadText, match="without_docstring needs a docstring"):
        to_fill_in(without_docstring)


BAD = {
    "line 3: '<!-- cod f -->' is no mark": "# title\n\n<!-- cod f -->",
    "line 2: a written answer needs": "# title\n<!-- written why 4 -->\nprose",
    "line 1: a written answer needs": "<!-- written why 4 -->\n<!-- rubric -->\nnever ends",
    "line 2: a written answer needs <!-- rubric": (
        "# title\n<!-- written why 4 -->\n<!-- rubric -->\n\n<!-- /rubric -->"
    ),
    "line 1: '<!-- rubric -->' is no mark": "<!-- rubric -->\nwithout a question",
}


@pytest.mark.parametrize("message", BAD)
def test_a_bad_text_is_refused(message):
    """A mark that is not understood could be a rubric that students would read."""
    with pytest.raises(BadText, match=re.escape(message)):
        cut(BAD[message])


def test_a_question_without_a_place_is_refused(monkeypatch, tmp_path):
    """An assignment is not released with a question forgotten, or asked twice."""
    monkeypatch.setattr("coursework.handing_out.texts.ASSIGNMENTS", tmp_path)
    (tmp_path / "a1_scores").mkdir()
    text = "# title\n<!-- code sdpa -->\n<!-- code sdpa -->\n"
    (tmp_path / "a1_scores/en.md").write_text(text)
    with pytest.raises(BadText, match=r"en.md has places for sdpa, sdpa; .*masked_softmax"):
        read_text(ASSIGNMENT, "en")


def test_what_nbgrader_refuses_is_told(monkeypatch, tmp_path):
    """Its own words reach the instructor."""
    monkeypatch.setitem(
        releases.WORDS["en"], "check", "### BEGIN HIDDEN TESTS {points}\n### BEGIN HIDDEN TESTS"
    )
    with pytest.raises(CourseError, match=r"(?s)nbgrader does not release.*hidden tests"):
        releases.release(ASSIGNMENT, tmp_path, "en")


def test_the_gradebook_may_be_elsewhere(tmp_path):
    """Where tutors share a database, the written answers are entered there at the release."""
    database = f"sqlite:///{tmp_path / 'shared.db'}"
    course = tmp_path / "course"
    assert run(course, "a1_scores", "--database", database) == 0
    with opened(database) as book:
        cells = book.find_notebook("a1_scores", "a1_scores").grade_cells
        assert {cell.name for cell in cells} > {"masked_softmax", "sdpa"}
        # PostgreSQL refuses an assignment of a course that is not there.
        assert book.check_course(book.find_assignment("a1_scores").course_id)
    assert not (course / "gradebook.db").exists()


def test_a_database_that_is_none_is_told_before_anything_is_made(tmp_path):
    """One line, and no half of a release."""
    with pytest.raises(CourseError, match="is no address of a database"):
        run(tmp_path / "course", "a1_scores", "--database", "gradebook.db")
    assert not (tmp_path / "course").exists()
