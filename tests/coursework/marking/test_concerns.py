"""What needs a person's eye is told at the end, shortly, and the worst first."""

import csv
import json

import pytest

from coursework.__main__ import main
from coursework.assignments.a1_scores import ASSIGNMENT
from coursework.course.folder import Course
from coursework.handed_in.notebook import NOT_JSON
from coursework.marking.concerns import KINDS, concerns, of_class, told
from coursework.marking.mark import Batch
from coursework.marking.marks import MISSING, NOTHING, unmarked
from coursework.marking.records import ERROR, MARKING_FAILED, to_record
from coursework.questions.checks import PROBLEMS
from tests.coursework import small_class

SEED = "a secret for tests"
SDPA = "scaled_dot_product_attention"


def unmarked_(status, reason):
    return unmarked(ASSIGNMENT, SEED, status, reason)


def with_failed(*cells):
    return small_class.marks(None, None, None, failed_cells=cells)


CASES = {
    "fine": (small_class.MARKS["ada"], []),
    "wrong": (small_class.MARKS["bo"], []),
    "missing": (unmarked_(MISSING, NOTHING), []),
    "error": (unmarked_(ERROR, MARKING_FAILED), [("marking-failed", "", "see errors.log")]),
    "unreadable": (unmarked_("unreadable", NOT_JSON), [("unreadable", "", "not-json")]),
    "tampered": (
        small_class.marks(PROBLEMS["malformed"], None, PROBLEMS["malformed"]),
        [("malformed", "masked_softmax", ""), ("malformed", "measure_scaling", "")],
    ),
    "killed, and slow": (
        small_class.marks(PROBLEMS["too slow"], PROBLEMS["died"], None),
        [("died", "sdpa", ""), ("too-slow", "masked_softmax", "")],
    ),
    "a detour": (
        small_class.marks(None, None, None, to_review=("ctypes", "torch.ops")),
        [("to-review", "", "ctypes"), ("to-review", "", "torch.ops")],
    ),
    "failed": (
        with_failed((2, "ValueError", "no"), (5, "NameError", "")),
        [("failed-cells", "", "cell 2: ValueError"), ("failed-cells", "", "cell 5: NameError")],
    ),
}


@pytest.mark.parametrize("case", CASES)
def test_what_concerns(case):
    """Names that a program can compare, the worst first; what was only wrong is no concern."""
    marks, expected = CASES[case]
    found = concerns(marks)
    assert [(c.kind, c.question, c.what) for c in found] == expected
    assert [c.kind for c in found] == sorted((c.kind for c in found), key=list(KINDS).index)


def test_a_class_of_two_hundred():
    """What many share is one line; what one student did alone is not lost among it."""
    broken = with_failed((3, "ModuleNotFoundError", "No module named 'google'"))
    found = {f"s{i:03}": concerns(broken) for i in range(200)}
    found["s117"] += concerns(small_class.marks(PROBLEMS["malformed"], None, None))
    lines = told(found)
    assert len(lines) < 10
    (first,) = [i for i, line in enumerate(lines) if "malformed" in line]
    assert "s117" in lines[first + 1] and "masked_softmax" in lines[first + 1]
    (many,) = [line for line in lines if "ModuleNotFoundError" in line]
    assert "cell 3" in many and "s000" in many and "more" in many and "s150" not in many
    assert next(i for i, line in enumerate(lines) if "failed-cells" in line) > first
    assert any("200" in line for line in lines)


def test_many_different_ones():
    """Two hundred who each failed in another way fill no screen, and are counted."""
    found = {f"s{i:03}": concerns(with_failed((i, "ValueError", ""))) for i in range(200)}
    lines = told(found)
    assert len(lines) < 15 and "and 192 more" in lines[-1]


def test_nothing_is_said_of_a_class_without():
    """No news."""
    assert told({"ada": [], "bo": []}) == []


@pytest.fixture
def mark(tmp_path, monkeypatch, capsys):
    """Runs the command with marks that are made up; gives exit status and what it said."""
    course = Course(tmp_path)
    monkeypatch.setenv("COURSEWORK_SEED", SEED)

    def run(given, cells=()):
        def made_up(self, todo, job, processes):
            for task in todo:
                self.keep(task, to_record(given[task.student]))

        monkeypatch.setattr(Batch, "mark", made_up)
        for student in given:
            path = course.submission(student, "a1_scores")
            path.parent.mkdir(parents=True, exist_ok=True)
            code = [{"cell_type": "code", "source": source} for source in cells]
            path.write_text(json.dumps({"cells": code}))
        status = main(["mark", "a1_scores", "--course", str(tmp_path)])
        return status, "".join(capsys.readouterr())

    run.course = course
    return run


def test_mark_ends_with_them(mark):
    """Student, question, what, and where to look; and all of it in a table."""
    given = {case.replace(", and ", "-").replace(" ", "-"): each[0] for case, each in CASES.items()}
    status, said = mark(given, ["x = 1", f"F.{SDPA}", "import ctypes"])
    assert status == 1  # for the error, as before
    after = said.partition("a1_scores: ")[2]
    order = [after.index(f"  {kind} (") for kind in KINDS]
    assert order == sorted(order)
    assert "masked_softmax, measure_scaling: tampered" in after
    assert "ctypes in cell 3; torch.ops: a-detour" in after
    assert "cell 2: ValueError; cell 5: NameError: failed" in after
    assert "fine" not in after and "wrong" not in after.replace("marked as wrong", "")
    table = mark.course.marks("a1_scores") / "look_at.csv"
    assert str(table) in after
    rows = list(csv.DictReader(table.read_text("utf-8-sig").splitlines()))
    assert rows[0]["kind"] == "marking-failed" and len(rows) == 10
    (row,) = [row for row in rows if row["what"] == "ctypes in cell 3"]
    assert (row["student"], row["kind"]) == ("a-detour", "to-review")
    assert row["where"] == str(mark.course.submission("a-detour", "a1_scores"))


def test_again_tells_them_again(mark):
    """Nothing is marked anew, and what nobody has looked at yet is still there."""
    given = {"eve": CASES["tampered"][0]}
    mark(given)
    status, said = mark(given)
    assert status == 0 and "1 unchanged" in said and "malformed (1)" in said


def test_no_list_where_all_is_well(mark):
    """The table is there all the same, with nobody in it: an old one would mislead."""
    mark({"eve": CASES["tampered"][0]})
    record = mark.course.record("eve", "a1_scores")
    record.unlink()
    status, said = mark({"eve": CASES["fine"][0]})
    assert status == 0 and said.rstrip().endswith("a1_scores: 1 marked")
    table = mark.course.marks("a1_scores") / "look_at.csv"
    assert table.read_text("utf-8-sig").splitlines() == ["student,kind,question,what,where"]


def test_a_students_words_are_only_words(mark):
    """The name of an error is the student's own: no formula, no command to the terminal."""
    evil = with_failed((1, "\x1b[2J\u202e", "x"), (2, "=HYPERLINK(1)", "x"), (3, "A" * 100, "x"))
    _, said = mark({"eve": evil})
    assert "\x1b" not in said and "\u202e" not in said
    table = (mark.course.marks("a1_scores") / "look_at.csv").read_text("utf-8-sig")
    assert "\x1b" not in table
    assert not [cell for row in csv.reader(table.splitlines()) for cell in row if cell[:1] == "="]


def test_a_record_of_another_version_is_passed_over(tmp_path):
    """It will be marked again; until then nobody knows."""
    course = small_class.make(tmp_path)
    course.record("ada", "a1_scores").write_text('{"status": "marked", "questions": [{}]}')
    course.record("bo", "a1_scores").unlink()
    assert sorted(of_class(course, ASSIGNMENT)) == ["cy", "di", "ed"]
