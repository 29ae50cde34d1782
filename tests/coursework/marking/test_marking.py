"""Whole submissions, marked in the sandbox."""

import dataclasses
import json
from pathlib import Path

import pytest

from coursework.assignments import a1_scores
from coursework.marking.marker import Marker, ReferenceFails
from coursework.sandbox import walls as sandbox
from coursework.sandbox.system_calls import NoSandbox
from coursework.sandbox.walls import Limits

# The submissions answer these two questions.
ASSIGNMENT = dataclasses.replace(
    a1_scores.ASSIGNMENT, questions=(a1_scores.MASKED_SOFTMAX, a1_scores.SDPA)
)
SUBMISSIONS = Path(__file__).parent / "submissions"
# e_: honest but awkward, m_: hostile.
POINTS = {
    "alice": 10,
    "bob": 5,
    "carol_loop": 0,
    "carol_hardloop": 0,
    "dave_noanswer": 0,
    "e_delcell": 10,
    "e_nometa": 10,
    "e_pip": 10,
    "e_renamed": 10,
    "e_syntax": 0,
    "m_read": 0,
    "m_exit": 0,
    "m_db": 0,
    "m_patch": 0,
    "m_trace": 0,
    "m_points": 0,
    "m_gradefalse": 0,
    "m_solflag": 0,
    "m_mem": 0,
    "m_fork": 0,
    "m_huge": 0,
}
SHORT = Limits(cells_seconds=10, cell_seconds=2, answer_seconds=2)


@pytest.fixture(scope="module")
def marker(walls):
    return Marker(ASSIGNMENT, "a seed for tests", SHORT)


def names(marks):
    """The reasons given for each question."""
    return [{r.name for _, r in question.verdicts if r} for question in marks.questions]


SOLUTION = ASSIGNMENT.solution_cells()
RIGHT_SDPA = "import torch\n" + (
    "def sdpa(q, k, v, mask=None):\n"
    "    s = q @ k.mT / q.shape[-1] ** 0.5\n"
    "    return (s if mask is None else s.masked_fill(~mask, -torch.inf)).softmax(-1) @ v\n"
)


@pytest.mark.parametrize("name", POINTS)
def test_submissions_get_their_marks(name, marker):
    """Honest ones in spite of what is odd about them, hostile ones no more than their answers."""
    marks = marker.mark(SUBMISSIONS / f"{name}.json")
    assert (marks.status, marks.points, marks.out_of) == ("marked", POINTS[name], 10)
    assert all(question.verdicts for question in marks.questions)


def test_unreadable_missing_and_zero_are_three_things(marker, tmp_path):
    """A mark of zero is only given to an answer that was read."""
    unreadable = marker.mark(SUBMISSIONS / "e_corrupt.json")
    assert (unreadable.status, unreadable.reason.name) == ("unreadable", "not-json")
    nothing = marker.mark(tmp_path / "nothing.ipynb")
    assert (nothing.status, nothing.reason.name) == ("missing", "nothing-handed-in")
    half = marker.mark_cells([RIGHT_SDPA])
    assert [q.status for q in half.questions] == ["missing", "marked"]
    assert [q.points for q in half.questions] == [0, 5]


ATTACKS = {
    "died": "import os\nos._exit(0)",
    "malformed": """
import os
for descriptor in range(3, 99):
    try: os.write(descriptor, b"9" * 99)
    except OSError: pass
""",
    "too-slow": """
import time
while True:
    try: time.sleep(0.1)
    except BaseException: pass
""",
}


@pytest.mark.parametrize("reason", ATTACKS)
def test_an_attack_in_one_function_costs_that_question(reason, marker):
    """The process that it ends is started again for the next question."""
    body = "\n".join("    " + line for line in ATTACKS[reason].splitlines())
    attacked = f"def masked_softmax(scores, mask, dim=-1):\n{body}\n"
    marks = marker.mark_cells([attacked, RIGHT_SDPA])
    assert [question.points for question in marks.questions] == [0, 5]
    assert names(marks)[0] == {reason}


def test_what_is_returned_is_judged_outside(marker):
    """Neither an equal-to-everything object nor patched comparisons reach the comparison."""
    always_equal = """
import numpy, torch

class Equal(torch.Tensor):
    def __eq__(self, other): return True
    def __bool__(self): return True

for module in (torch, numpy):
    module.allclose = module.equal = lambda *_, **__: True
torch.equal = torch.Tensor.equal = torch.Tensor.__eq__ = lambda *_: True
numpy.array_equal = lambda *_, **__: True

def masked_softmax(scores, mask, dim=-1):
    return Equal(scores)

class Anything:
    def __eq__(self, other): return True

def sdpa(q, k, v, mask=None):
    return Anything()
"""
    marks = marker.mark_cells([always_equal])
    assert marks.points == 0
    assert names(marks) == [{"values"}, {"not-a-tensor"}]


def test_the_whole_answer_of_the_library_is_forbidden(marker):
    """The exercise is to write attention, and ways around this are shown to a person."""
    call = "torch.nn.functional.scaled_dot_product_attention"
    cheat = f"import torch\ndef sdpa(q, k, v, mask=None):\n    return {call}(q, k, v, mask)\n"
    marks = marker.mark_cells([*SOLUTION, cheat])
    assert names(marks) == [set(), {"forbidden"}]
    assert marks.to_review == ("scaled_dot_product_attention",)


def test_an_unreasonable_output_is_refused(marker):
    """A reply of gigabytes is not even read."""
    huge = (
        "import torch\ndef masked_softmax(s, m, dim=-1):\n    return torch.zeros(1).expand(10**12)"
    )
    assert names(marker.mark_cells([huge, RIGHT_SDPA])) == [{"too-large"}, set()]


def test_nobody_is_marked_if_the_reference_fails(walls):
    """A machine on which the right answer is wrong marks nobody, and says what is wrong."""
    question = dataclasses.replace(
        ASSIGNMENT.questions[0], oracle=lambda scores, mask, dim=-1: scores.double()
    )
    with pytest.raises(ReferenceFails, match=r"gets 5 of 10 points.*A small example"):
        Marker(dataclasses.replace(ASSIGNMENT, questions=(question, ASSIGNMENT.questions[1])), "s")


def test_without_bwrap_nothing_is_run(monkeypatch, tmp_path):
    """Student code is not run in the open unless somebody asks for exactly that."""
    monkeypatch.setattr(sandbox.shutil, "which", lambda name: None)
    sandbox._check_walls_once.cache_clear()
    with pytest.raises(NoSandbox, match="install bubblewrap"):
        Marker(ASSIGNMENT, "a seed for tests")
    marker = Marker(ASSIGNMENT, "a seed for tests", without_walls=True)
    path = tmp_path / "right.ipynb"
    cells = [{"cell_type": "code", "source": source} for source in SOLUTION]
    path.write_text(json.dumps({"cells": cells}))
    assert marker.mark(path).points == 10
