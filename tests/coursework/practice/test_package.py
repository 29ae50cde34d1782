"""The assignment that is a package: what students get, and what they hand in."""

import inspect
import json
import subprocess
import sys
import zipfile

import pytest

from coursework.assignments.a6_package import ASSIGNMENT
from coursework.handing_out.leaks import Scanner
from coursework.handing_out.package import release_package, zip_package
from coursework.marking.marker import Marker
from coursework.practice.package import NotReady, module_cell, modules_in, submit
from coursework.sandbox.cells import run_cells

# The reference, in modules that import each other, as a student would write it.
SOFTMAX, STEP, BLOCK, GROWTH = (inspect.getsource(q.solution) for q in ASSIGNMENT.questions)
SOLUTION = {
    "my_transformer/constants.py": "import math\n\nINFINITY = math.inf\n",
    "my_transformer/softmax.py": "import torch\nfrom .constants import INFINITY\n\n"
    + SOFTMAX.replace("math.inf", "INFINITY").replace("run_masked", "masked"),
    "my_transformer/decoder/__init__.py": "from .step import decoder_step\n",
    "my_transformer/decoder/step.py": "import math\nimport torch\nfrom .. import softmax\n\n"
    + STEP.replace("run_decoder", "decoder"),
    "adapters.py": "import math\nimport torch\n"
    "from my_transformer.softmax import masked_softmax as run_masked_softmax\n"
    f"from my_transformer.decoder import decoder_step as run_decoder_step\n\n{BLOCK}\n\n{GROWTH}\n",
}


@pytest.fixture
def folder(tmp_path):
    """What students get."""
    release_package(ASSIGNMENT, tmp_path / "package")
    return tmp_path / "package"


@pytest.fixture
def solved(folder):
    for name, source in SOLUTION.items():
        path = folder / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(source, encoding="utf-8")
    return folder


@pytest.fixture(scope="module")
def marker(walls):
    return Marker(ASSIGNMENT, "a seed for tests")


def run(folder, *arguments):
    """What a student sees who runs Python in the package."""
    return subprocess.run(
        [sys.executable, *arguments], cwd=folder, capture_output=True, text=True, check=False
    )


def test_nothing_is_given_away(folder):
    """What students get holds the tasks in both languages, and neither solutions nor rubrics."""
    assert not list(Scanner([ASSIGNMENT]).scan([folder]))
    for language, words in (("zh", "解码器块"), ("en", "decoder block")):
        text = (folder / f"README.{language}.md").read_text(encoding="utf-8")
        assert words in text and "`run_decoder_block`" in text and "<!--" not in text
    (folder / "leak.py").write_text(SOFTMAX + BLOCK, encoding="utf-8")
    assert list(Scanner([ASSIGNMENT]).scan([folder]))  # the scan would have found one


def test_releasing_again_changes_nothing(folder, tmp_path):
    """The package follows from the source; work that is there already is not overwritten."""
    again = tmp_path / "again"
    release_package(ASSIGNMENT, again)
    for path in again.rglob("*"):
        if path.is_file():
            assert (folder / path.relative_to(again)).read_bytes() == path.read_bytes()
    with pytest.raises(FileExistsError, match="package is not empty"):
        release_package(ASSIGNMENT, folder)


def test_tests_of_the_package_say_what_is_wrong(solved):
    """A right package passes; a wrong line fails the checks it should, in both languages."""
    right = run(solved, "-m", "pytest", "-q", "-p", "no:cacheprovider")
    assert "17 passed" in right.stdout, right.stdout
    path = solved / "my_transformer" / "decoder" / "step.py"
    path.write_text(path.read_text().replace("keys.shape[1] * 10000", "0 * 10000"))
    wrong = run(solved, "-m", "pytest", "-q", "-p", "no:cacheprovider")
    assert "4 failed, 13 passed" in wrong.stdout, wrong.stdout
    assert "每一步都读位置 0" in wrong.stdout and "Every step reads position 0" in wrong.stdout


def test_a_package_is_marked_as_a_notebook(solved, marker):
    """Modules that import each other get full marks, and the written answer is there to read."""
    (solved / "growth.md").write_text("1 + depth：每层加一。", encoding="utf-8")
    made = run(solved, "make_submission.py")
    assert made.returncode == 0 and "my_transformer/decoder/step.py" in made.stdout, made.stderr
    marks = marker.mark(solved / "a6_package.ipynb")
    assert (marks.points, marks.out_of, marks.failed_cells) == (17, 17, ())
    cells = json.loads((solved / "a6_package.ipynb").read_text(encoding="utf-8"))["cells"]
    assert cells[-1]["source"] == "1 + depth：每层加一。"
    assert cells[-1]["metadata"]["nbgrader"]["grade_id"] == "growth"


def test_an_unanswered_package_is_told_so(folder, marker):
    """What students get is worth nothing yet, and each question says why."""
    marks = marker.mark(submit(folder))
    reasons = {reason.name for q in marks.questions for _, reason in q.verdicts}
    assert marks.points == 0 and reasons == {"unanswered"}


def test_a_module_that_fails_costs_what_needs_it(solved, marker):
    """An import that fails is named; without adapters, no function is found."""
    (solved / "my_transformer" / "constants.py").write_text("import no_such_module")
    marks = marker.mark(submit(solved))
    ((_, error, message),) = marks.failed_cells
    assert (error, message) == (
        "ModuleNotFoundError",
        "line 12: No module named 'no_such_module'",
    )
    assert {r.name for q in marks.questions for _, r in q.verdicts} == {"missing"}


@pytest.mark.parametrize(
    "source", ["'", "'''", "\\", "\"\"\"\n'''", "\\'''\\n", "a = 'ä 中'\n", "x = '\\\\'\r\n", ""]
)
def test_any_source_survives(source):
    """Quotes and backslashes reach the marker as they were written."""
    defined, failed = run_cells(["modules = {}", module_cell("m'.py", source)], seconds=5)
    assert not failed
    assert defined["modules"]["m'.py"].strip("\n") == source.replace("\r\n", "\n").strip("\n")


def test_only_modules_of_the_package_are_handed_in(solved, tmp_path):
    """Tests, environments, hidden folders and links to elsewhere are left out."""
    wanted = set(modules_in(solved))
    assert wanted == set(SOLUTION) | {"my_transformer/__init__.py"}
    (tmp_path / "outside.py").write_text("secret = 1")
    (solved / "link.py").symlink_to(tmp_path / "outside.py")
    (solved / "folder").symlink_to(tmp_path)
    for name in (".hidden/a.py", "env/lib/a.py", "tests/b.py", "build/c.py"):
        (solved / name).parent.mkdir(parents=True, exist_ok=True)
        (solved / name).write_text("a = 1")
    (solved / "env" / "pyvenv.cfg").touch()
    (solved / "data.bin").write_bytes(bytes(10))
    assert set(modules_in(solved)) == wanted


def test_what_is_not_ready_is_refused(solved):
    """The message says which file and why; nothing is written."""
    (solved / "big.py").write_text("a = 1\n" * 200_000)
    with pytest.raises(NotReady, match=r"more than 1 MB of code; the largest file is big\.py"):
        submit(solved)
    (solved / "big.py").write_text("a = 1\nb = (\n")
    with pytest.raises(NotReady, match=r"big\.py, line 2: '\(' was never closed"):
        submit(solved)
    (solved / "big.py").unlink()
    (solved / "adapters.py").unlink()
    with pytest.raises(NotReady, match=r"no adapters\.py"):
        submit(solved)
    refused = run(solved, "make_submission.py")
    assert refused.returncode == 1 and "there is no adapters.py" in refused.stderr
    assert not (solved / "a6_package.ipynb").exists()


def test_the_archive_is_the_package(folder, tmp_path):
    """What ``release`` puts beside the notebooks: the same files, and the same bytes each time."""
    archive = zip_package(ASSIGNMENT, tmp_path)
    first = archive.read_bytes()
    assert zip_package(ASSIGNMENT, tmp_path).read_bytes() == first
    zipfile.ZipFile(archive).extractall(tmp_path)
    unpacked = tmp_path / ASSIGNMENT.name
    names = {path.relative_to(folder) for path in folder.rglob("*") if path.is_file()}
    assert names == {path.relative_to(unpacked) for path in unpacked.rglob("*") if path.is_file()}
    assert all((unpacked / name).read_bytes() == (folder / name).read_bytes() for name in names)
