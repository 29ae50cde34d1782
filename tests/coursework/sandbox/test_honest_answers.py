"""Right answers in cells as students write them: practice passes, and they get all their marks."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

import coursework
from coursework.assignments import find_assignment
from coursework.questions.checks import judge
from coursework.sandbox.walls import Limits, Sandbox
from tests.coursework.sandbox import in_jupyter
from tests.coursework.sandbox.honest_answers import HONEST

SEED = "a seed for honest answers"
LIMITS = Limits(cell_seconds=5, cells_seconds=400, cpu_seconds=400)


def notebook(kind):
    """The cells of an answer, below those of the assignment with this question unanswered."""
    honest = HONEST[kind]
    assignment = find_assignment(honest.assignment)
    *_, solution = (
        source
        for source, question in zip(
            assignment.solution_cells()[1:], assignment.questions, strict=True
        )
        if question.function == honest.function
    )
    indented = solution.strip().replace("\n", "\n    ")
    cells = [
        cell.replace("SOLUTION", solution)
        .replace("INDENTED", indented)
        .replace("NAME", honest.function)
        for cell in honest.cells
    ]
    return [*assignment.solution_cells(), f"del {honest.function}", *cells]


def question_of(kind):
    honest = HONEST[kind]
    return next(
        question
        for question in find_assignment(honest.assignment).questions
        if question.function == honest.function
    )


@pytest.fixture(scope="module")
def marked(walls):
    """The reasons against each answer, all from one process, where each has a name of its own."""
    cells, names = [], {}
    for number, kind in enumerate(HONEST):
        names[kind] = f"honest_{number}"
        cells += [*notebook(kind), f"{names[kind]} = {HONEST[kind].function}"]
    found = {}
    with Sandbox(cells, limits=LIMITS) as sandbox:
        for kind, name in names.items():
            cases = question_of(kind).cases(SEED)
            answers = [sandbox.answer(name, c.arguments, c.keywords, c.gradient_of) for c in cases]
            verdicts = judge(question_of(kind), cases, answers)
            found[kind] = [verdict.reason for verdict in verdicts if verdict.reason]
    return found


@pytest.fixture(scope="module")
def practised(tmp_path_factory):
    """What the practice check prints of each answer, in IPython."""
    notebooks = []
    for kind, (assignment, function, _) in HONEST.items():
        check = f"from coursework.practice import check\ncheck({function}, {assignment!r})"
        notebooks.append((notebook(kind), check))
    done = subprocess.run(
        [sys.executable, in_jupyter.__file__],
        input=json.dumps(notebooks),
        capture_output=True,
        encoding="utf-8",
        cwd=tmp_path_factory.mktemp("student"),
        env=os.environ
        | {
            "COLAB_GPU": "1",
            "MPLBACKEND": "agg",
            "PYTHONPATH": str(Path(coursework.__file__).parents[1]),
            # What torch.compile gives is called, but compiles nothing: there may be no compiler.
            "TORCHDYNAMO_DISABLE": "1",
        },
    )
    assert done.returncode == 0, done.stderr
    return dict(zip(HONEST, json.loads(done.stdout), strict=True))


@pytest.mark.parametrize("kind", HONEST)
def test_an_honest_answer_gets_full_marks(kind, marked):
    """Whatever else stands in its cells, and however the function is made."""
    assert marked[kind] == []


@pytest.mark.parametrize("kind", HONEST)
def test_an_honest_answer_passes_its_practice(kind, practised):
    """Practice and marking accept the same."""
    printed = practised[kind]
    assert "✓" in printed and "✗" not in printed and "⚠" not in printed, printed
