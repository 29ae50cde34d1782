"""Marks in nbgrader's gradebook, and the written answers beside them."""

import json
import re
from pathlib import Path

import nbgrader
import pytest
from nbconvert import HTMLExporter
from nbgrader.api import Gradebook

from coursework.__main__ import main
from coursework.assignments.a1_scores import ASSIGNMENT
from coursework.course.database import opened
from coursework.course.folder import CourseError
from coursework.handed_in.notebook import read_notebook
from coursework.reports.reading_copy import reading_copy
from coursework.reports.results import results
from coursework.reports.written import Written, written_answers
from tests.coursework import small_class

WRITTEN = "why_scale"


def written_cell(source="Because.", **more):
    nbgrader = {"grade_id": WRITTEN, "grade": True, "solution": True, "points": 99}
    return {"cell_type": "markdown", "source": source, "metadata": {"nbgrader": nbgrader}} | more


@pytest.fixture(scope="module")
def course(tmp_path_factory):
    """A course with the cells that a release leaves in the gradebook, and the command run."""
    course = small_class.make(tmp_path_factory.mktemp("course"))
    cells = {"cells": [*small_class.NOTEBOOK["cells"], written_cell()]}
    course.submission("ada", "a1_scores").write_text(json.dumps(cells))
    with opened(course.database) as book:
        book.add_assignment("a1_scores")
        book.add_notebook("a1_scores", "a1_scores")
        where = (WRITTEN, "a1_scores", "a1_scores")
        book.add_grade_cell(*where, max_score=4, cell_type="markdown")
        book.add_solution_cell(*where)
    enter(course)
    return course


def enter(course):
    assert main(["gradebook", "a1_scores", "--course", str(course.root)]) == 0


def grades(course, student):
    with Gradebook(course.database) as book:
        found = book.find_submission_notebook("a1_scores", "a1_scores", student).grades
        return {g.name: (g.auto_score, g.manual_score, g.needs_manual_grade) for g in found}


def test_points_are_there_and_answers_wait(course):
    """What a program marked needs nobody; what it cannot mark waits for a person."""
    automatic = {
        "masked_softmax": (5, None, False),
        "sdpa": (0, None, False),
        "measure_scaling": (3, None, False),
    }
    assert grades(course, "bo") == automatic | {WRITTEN: (None, None, True)}
    with Gradebook(course.database) as book:
        assert {s.student.id for s in book.assignment_submissions("a1_scores")} == {
            "ada",
            "bo",
            "cy",
        }
        assert book.find_assignment("a1_scores").max_score == 17
        ada = book.find_student("ada")
        assert (ada.first_name, ada.last_name) == ("Ada", "Lovelace")


def test_what_a_person_gave_stays(course, capsys):
    """Entering again changes no manual mark, and marks anew what is automatic."""
    assert written_answers(course.database, ASSIGNMENT)["ada"][WRITTEN] == Written(None, 4)
    with Gradebook(course.database) as book:
        where = (WRITTEN, "a1_scores", "a1_scores", "ada")
        grade, comment = book.find_grade(*where), book.find_comment(*where)
        grade.manual_score, grade.needs_manual_grade = 3.5, False
        comment.manual_comment = "Good."
        book.find_grade("sdpa", *where[1:]).auto_score = 1
        book.db.commit()
    enter(course)
    assert grades(course, "ada") == {
        "masked_softmax": (5, None, False),
        "sdpa": (5, None, False),
        "measure_scaling": (3, None, False),
        WRITTEN: (None, 3.5, False),
    }
    found = {r.student.id: r for r in results(course, ASSIGNMENT, course.database)}
    assert found["ada"].written == {WRITTEN: Written(3.5, 4, "Good.")}
    assert (found["ada"].total, found["ada"].out_of) == (16.5, 17)
    assert found["bo"].total is None
    capsys.readouterr()
    assert main(["export", "a1_scores", "--course", str(course.root)]) == 0
    assert "2 have written answers that nobody has marked" in capsys.readouterr().err
    table = (course.exports("a1_scores") / "marks.csv").read_text("utf-8-sig").splitlines()
    assert table[0].endswith(
        f"masked_softmax,sdpa,measure_scaling,automatic,{WRITTEN},total,out of"
    )
    assert table[1].endswith(",5,5,3,13,3.5,16.5,17")
    assert table[2].endswith(",5,0,3,8,,,17")


BOXES = {"masked_softmax": 5, "sdpa": 5, "measure_scaling": 3, WRITTEN: 4}


def boxes(copy):
    """The cells that formgrader puts a box for points beside."""
    found = {}
    for cell in copy["cells"]:
        if box := cell["metadata"].get("nbgrader"):
            assert box["grade_id"] not in found
            found[box["grade_id"]] = box["points"]
    return found


def test_what_formgrader_shows(course):
    """Each answer has one box, also where the cell has lost its mark, with the right points."""
    for student in ("ada", "bo"):
        path = course.reading_copy(student, "a1_scores")
        assert boxes(read_notebook(path)) == {
            "masked_softmax": 5,
            "sdpa": 5,
            "measure_scaling": 3,
            WRITTEN: 4,
        }
    assert not course.reading_copy("ed", "a1_scores").exists()


def test_nothing_in_it_runs(tmp_path):
    """A page of formgrader's can change marks: no HTML, no script, no forged box."""
    evil = "<script>alert(1)</script> a<b <IMG SRC=x onerror=alert(1)> $x<y$ 2 < 3"
    output = {"text/html": evil, "image/svg+xml": evil, "text/plain": "tensor(1)"}
    png = {"image/png": '"><script>'}
    cells = [
        written_cell(evil),
        written_cell("twice"),
        {
            "cell_type": "code",
            "source": "x<y",
            "metadata": {"nbgrader": {"grade_id": "sdpa", "grade": True}},
            "outputs": [{"output_type": "display_data", "data": d} for d in (output, png)] + [7],
        },
        {"cell_type": "raw", "source": evil, "metadata": {"raw_mimetype": "text/html"}},
        "no cell",
    ]
    path = tmp_path / "evil.ipynb"
    path.write_text(json.dumps({"cells": cells}))
    copy = json.loads(reading_copy(path, small_class.MARKS["ada"], {WRITTEN: 4}))
    assert boxes(copy) == BOXES
    shown = [c["source"] for c in copy["cells"] if c["cell_type"] == "markdown"]
    assert all(c["cell_type"] in ("markdown", "code") for c in copy["cells"])
    assert not [s for s in shown if "<s" in s or "<I" in s]
    assert "$x< y$ 2 < 3" in shown[0]
    (code,) = [c for c in copy["cells"] if c["cell_type"] == "code"]
    assert [o["data"] for o in code["outputs"]] == [{"text/plain": "tensor(1)"}]


def formgraders_page(notebook, **about):
    """The page of nbgrader's formgrader, which escapes nothing."""
    templates = Path(nbgrader.__file__).parent / "server_extensions" / "formgrader" / "templates"
    exporter = HTMLExporter(extra_template_basedirs=[str(templates)], template_name="formgrade")
    names = "assignment_id notebook_id submission_id base_url student last_name first_name "
    resources = dict.fromkeys((names + "notebook_path").split(), "x") | {"index": 0, "total": 1}
    return exporter.from_filename(str(notebook), resources=resources | about)[0]


def test_a_name_is_text_for_formgrader(tmp_path):
    """Its page shows names as they are in the gradebook, where no tag may stand."""
    course = small_class.make(tmp_path)
    name = "<script>alert(1)</script>, </a><img src=x onerror=alert(2)>"
    course.roster_file.write_text(f'id,name\nada,"{name}"\n', encoding="utf-8")
    enter(course)
    with Gradebook(course.database) as book:
        ada = book.find_student("ada")
        names = {"last_name": ada.last_name, "first_name": ada.first_name}
    html = formgraders_page(course.reading_copy("ada", "a1_scores"), **names)
    assert html.count("alert(") == 2
    assert not re.search(r"<script>alert|</a><img|<img src=x", html)


def test_formgraders_own_page_of_it(tmp_path):
    """nbgrader's template puts the boxes in place, and nothing of the student's is alive."""
    cells = [
        written_cell(
            "<script>alert(1)</script> [a](javascript:alert(2)) [b]\n\n[b]: data:,alert(3)"
        )
    ]
    path, copy = tmp_path / "a1_scores.ipynb", tmp_path / "copy.ipynb"
    path.write_text(json.dumps({"cells": cells}))
    copy.write_bytes(reading_copy(path, small_class.MARKS["bo"], {WRITTEN: 4}))
    html = formgraders_page(copy)
    for name in (WRITTEN, "masked_softmax", "sdpa"):
        assert len(re.findall(rf'class="score[^>]*id="{name}"', html)) == 1
    assert f'id="{WRITTEN}-comment"' in html
    assert html.count("alert(") == 3
    assert not re.search(r"<script>alert|(href|src)=.(javascript|data:,)", html)


@pytest.mark.parametrize(
    "formula",
    [
        r"\href{javascript:alert(1)}{x}",
        r"\csname href\endcsname{javascript:alert(1)}{x}",
        r"\require{html} \style{position: fixed}{x}",
        r"\class{nav}{x}",
        r"\cssId{why_scale}{x}",
        r"\let\f\href \f{javascript:alert(1)}{x}",
        r"\\href{javascript:alert(1)}{x}",
    ],
)
def test_a_formula_is_no_link(formula, tmp_path):
    """MathJax makes links and styles of these; other formulas stay as they are."""
    path = tmp_path / "a1_scores.ipynb"
    path.write_text(json.dumps({"cells": [written_cell(f"${formula}$ $\\hat h \\\\ \\chi$")]}))
    copy = json.loads(reading_copy(path, small_class.MARKS["bo"], {WRITTEN: 4}))
    shown = copy["cells"][0]["source"]
    assert not re.search(r"\\(href|csname|require|style|class|cssId)", shown)
    assert shown.endswith("$\\hat h \\\\ \\chi$")


def test_what_needs_an_eye_is_shown_beside_the_answers(tmp_path):
    """Whoever marks the written answers sees it where they are; a student's words as words."""
    path = tmp_path / "a1_scores.ipynb"
    path.write_text(json.dumps({"cells": [{"cell_type": "code", "source": "import ctypes"}]}))
    error = ((1, "<img src=x>[a](javascript:b)", "x"),)
    marks = small_class.marks(None, None, None, failed_cells=error, to_review=("ctypes",))
    copy = json.loads(reading_copy(path, marks, {WRITTEN: 4}))
    (told,) = [c["source"] for c in copy["cells"] if "to-review" in c["source"]]
    assert "to-review: ctypes in cell 1" in told and "failed-cells: cell 1: " in told
    assert "<img" not in told and "](" not in told
    fine = json.loads(reading_copy(path, small_class.MARKS["ada"], {WRITTEN: 4}))
    assert len(fine["cells"]) == len(copy["cells"]) - 1


@pytest.mark.parametrize(
    ("address", "told"),
    [
        ("gradebook.db", "is no address of a database"),
        ("sqlite:////nowhere/at/all.db", "unable to open database file"),
        ("nosuch://host/course", "nosuch"),
    ],
)
def test_a_database_that_is_none(address, told):
    """A sentence with the address, not a traceback."""
    with pytest.raises(CourseError, match=told), opened(address):
        pass


def test_a_password_is_not_shown():
    """Errors are mailed around."""
    with pytest.raises(CourseError) as error, opened("nosuch://tutor:secret@host/course"):
        pass
    assert "secret" not in str(error.value) and "tutor" in str(error.value)
