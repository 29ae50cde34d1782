"""Practice checks: what students run, from the wheel that they install."""

import inspect
import os
import subprocess
import sys
import zipfile

import pytest
from a1_wrong_solutions import WRONG

from coursework.assignments import assignment_names, find_assignment
from coursework.assignments.a1_scores import ASSIGNMENT
from coursework.cases import PUBLIC_SEED
from coursework.checks import judge
from coursework.exercises import EXERCISES
from coursework.practice import check
from coursework.practice_file import Practice, practice_path
from coursework.refresh import write_practice
from coursework.worker import answer, run_cells


def defined(*cells):
    names, failed = run_cells([*ASSIGNMENT.solution_cells(), *cells], seconds=60)
    assert not failed
    return names


@pytest.mark.parametrize("name", assignment_names())
def test_generating_practice_again_changes_nothing(name):
    """What students install is what the assignments say today."""
    before, assignment = practice_path(name).read_bytes(), find_assignment(name)
    assert not write_practice(name, Practice.of(assignment.questions, assignment.forbidden))
    assert practice_path(name).read_bytes() == before


def test_a_changed_case_is_written(monkeypatch, tmp_path):
    """Other numbers, messages or points are a change; the last digits of an answer are none."""
    monkeypatch.setattr("coursework.practice_file.FOLDER", tmp_path)
    practice = Practice.of(ASSIGNMENT.questions)
    assert write_practice("a1_scores", practice)
    assert not write_practice("a1_scores", practice)
    answers = practice.questions["sdpa"].right
    answers[0].output[0] *= 1 + 1e-9
    assert practice.agrees_with(Practice.of(ASSIGNMENT.questions))
    answers[0].output[0] *= 2
    assert not practice.agrees_with(Practice.of(ASSIGNMENT.questions))
    case = practice.questions["sdpa"].cases[0]
    answers[0].output[0] /= 2
    assert practice.agrees_with(Practice.of(ASSIGNMENT.questions))
    practice.questions["sdpa"].cases[0] = type(case)(**(vars(case) | {"points": 2}))
    assert not practice.agrees_with(Practice.of(ASSIGNMENT.questions))


@pytest.mark.parametrize("question", ASSIGNMENT.questions, ids=lambda question: question.name)
def test_practice_and_marking_agree(question):
    """With the public seed, the stored checks say of each solution what marking says."""
    practice = Practice.unpack(practice_path("a1_scores").read_bytes())
    codes = [solution.code for solution in WRONG.get(question.function, {}).values()]
    for code in ["", *codes]:
        function = defined(code)[question.function]
        cases = question.cases(PUBLIC_SEED)
        answers = [answer(function, c.arguments, c.keywords, c.gradient_of) for c in cases]
        marked = [reason for _, reason in judge(question, cases, answers)]
        practised = practice.questions[question.function].judge(answers)
        assert [reason for _, reason in practised] == marked, code


@pytest.mark.parametrize(
    "language, sentence", [("zh", "分数没有缩放"), ("en", "The scores are not scaled")]
)
def test_practice_says_what_is_wrong(language, sentence, capsys):
    """In the notebook, the public cases say in the edition's language what is wrong."""
    check(defined(WRONG["sdpa"]["no scale"].code)["sdpa"], "a1_scores", language)
    printed = capsys.readouterr().out
    assert sentence in printed
    assert printed.count("✓") == 2 and printed.count("✗") == 3


def test_what_marking_forbids_is_forbidden_in_practice(capsys):
    """Nobody learns only from the marks that the library's whole answer does not count."""
    call = "torch.nn.functional.scaled_dot_product_attention"
    names = defined(f"def sdpa(q, k, v, mask=None):\n    return {call}(q, k, v, mask)")
    check(names["sdpa"], "a1_scores", "en")
    printed = capsys.readouterr().out
    assert printed.count("✗") == 5 and "✓" not in printed
    assert printed.count("calls what is forbidden") == 1  # what is wrong everywhere is told once
    ones = names["torch"].ones(1, 2, 2)
    assert names["sdpa"](ones, ones, ones).tolist() == ones.tolist()  # afterwards it works again


def test_wrong_use_is_told():
    """Errors name what was given and what there is."""

    def sdpa(): ...

    with pytest.raises(TypeError, match=r"check wants a function.*got 'sdpa'"):
        check("sdpa", "a1_scores")
    with pytest.raises(ValueError, match=r"checks of 03_scoring.*, a1_scores.*got 'a9'"):
        check(sdpa, "a9")
    with pytest.raises(ValueError, match=r"asks for masked_softmax, sdpa.* named len"):
        check(len, "a1_scores")
    with pytest.raises(ValueError, match="zh, en, got 'fr'"):
        check(sdpa, "a1_scores", language="fr")


def test_the_wheel_holds_the_checks_and_no_solution(wheel):
    """No line of an assignment or exercise is installed, and all of the practice data is."""
    with zipfile.ZipFile(wheel) as archive:
        names = archive.namelist()
        content = b"\n".join(archive.read(name) for name in names)
    assert not [name for name in names if "assignments" in name or "exercises" in name]
    for section in EXERCISES:
        assert f"coursework/practice_data/{section}.safetensors" in names
    for name in assignment_names():
        assert f"coursework/practice_data/{name}.safetensors" in names
        for question in find_assignment(name).questions:
            lines = inspect.getsource(question.solution).splitlines()
            for line in (line.strip() for line in lines):
                assert len(line) < 20 or line.encode() not in content, line


# As on Windows: no module `resource`, no alarm clock. And as for a student: nothing but what the
# library depends on, and no assignments.
STUDENT = """
import signal, sys
sys.modules["resource"] = sys.modules["fcntl"] = None
del signal.SIGALRM, signal.setitimer
import torch, numpy.random, safetensors.numpy
allowed = set(sys.modules)
from coursework.practice import check
def masked_softmax(scores, mask, dim=-1):
    return scores.softmax(dim)
check(masked_softmax, "a1_scores", language="en")
check(lambda queries, keys, values, lengths: values, "03_scoring_functions", language="en")
import coursework
assert coursework.__file__.startswith(sys.argv[1])
new = {name.partition(".")[0] for name in set(sys.modules) - allowed} - sys.stdlib_module_names
assert new <= {"coursework", "torch", "numpy", "safetensors"}, new
assert not [name for name in sys.modules if "assignments" in name or "exercises" in name]
"""


def test_practice_needs_nothing_but_the_wheel(wheel, tmp_path):
    """The installed checks run where there is no sandbox, and import no package of ours."""
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(tmp_path / "installed")
    installed = str(tmp_path / "installed")
    done = subprocess.run(
        [sys.executable, "-c", STUDENT, installed],
        capture_output=True,
        encoding="utf-8",
        cwd=tmp_path,
        env=os.environ | {"PYTHONPATH": installed},
    )
    assert done.returncode == 0, done.stderr
    assert "The mask has no effect" in done.stdout
    assert "[0, 0, 0]:" in done.stdout
