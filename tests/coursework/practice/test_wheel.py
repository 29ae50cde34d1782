"""What a student installs: the wheel, and nothing else of the repository."""

import ast
import inspect
import os
import re
import subprocess
import sys
import zipfile

import pytest

from coursework.assignments import assignment_names, find_assignment
from coursework.exercises import EXERCISES
from coursework.handing_out.texts import ASSIGNMENTS

# The library, what the wheel says of itself, and of the coursework what practice needs.
INSTALLED = re.compile(
    r"attention_lib/.+|attention_lib-[^/]+\.dist-info/.+"
    r"|coursework/(__init__|__main__|(practice|questions)/\w+)\.py"
    r"|coursework/practice/data/\w+\.safetensors"
)


@pytest.fixture(scope="module")
def installed(wheel, tmp_path_factory):
    """A folder with what the wheel holds."""
    folder = tmp_path_factory.mktemp("installed")
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(folder)
    return folder


def run(installed, folder, *arguments):
    """Python somewhere, with nothing of ours but what is installed."""
    return subprocess.run(
        [sys.executable, *arguments],
        capture_output=True,
        encoding="utf-8",
        cwd=folder,
        env=os.environ | {"PYTHONPATH": str(installed)},
    )


def test_nothing_else_is_installed(wheel):
    """Neither an assignment nor a part of the marking, and all that practice is made of."""
    names = zipfile.ZipFile(wheel).namelist()
    assert [name for name in names if not INSTALLED.fullmatch(name)] == []
    for name in ("practice/__init__", "practice/package", "questions/call", "questions/wire"):
        assert f"coursework/{name}.py" in names


def test_what_a_package_imports_is_installed(wheel):
    """The programs that students get with an assignment find their modules in the wheel."""
    names = zipfile.ZipFile(wheel).namelist()
    imported = {
        node.module
        for path in ASSIGNMENTS.glob("*/starter/**/*.py")
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.ImportFrom) and node.module.startswith("coursework")
    }
    assert len(imported) > 1
    for module in imported:
        path = module.replace(".", "/")
        assert {f"{path}.py", f"{path}/__init__.py"} & set(names), module


def test_the_commands_are_not_installed(installed, tmp_path):
    """A student who asks for them is told in a sentence."""
    # Without site-packages, where this environment may have the repository itself.
    done = run(installed, tmp_path, "-S", "-m", "coursework", "mark", "a1_scores")
    assert done.returncode == 1 and done.stdout == ""
    assert done.stderr.startswith("python -m coursework: the commands for instructors are not")
    assert done.stderr.count("\n") == 1


def test_the_wheel_holds_the_checks_and_no_solution(wheel):
    """No line of an assignment or exercise is installed, and all of the practice data is."""
    with zipfile.ZipFile(wheel) as archive:
        names = archive.namelist()
        content = b"\n".join(archive.read(name) for name in names)
    for section in EXERCISES:
        assert f"coursework/practice/data/{section}.safetensors" in names
    for name in assignment_names():
        assert f"coursework/practice/data/{name}.safetensors" in names
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


def test_practice_needs_nothing_but_the_wheel(installed, tmp_path):
    """The installed checks run where there is no sandbox, and import no package of ours."""
    done = run(installed, tmp_path, "-c", STUDENT, installed)
    assert done.returncode == 0, done.stderr
    assert "The mask has no effect" in done.stdout
    assert "[0, 0, 0]:" in done.stdout
