"""The comparison of notebooks with their stored outputs notices what it is there for."""

import os
import shutil
import subprocess
import sys
from configparser import ConfigParser

import pytest
from book_files import ROOT
from nbformat import v4, write

from tests.nbval_outputs import MASK


def nbval(folder, code, stored):
    """Run a notebook of one cell under the project's options."""
    outputs = [v4.new_output("stream", name="stdout", text=stored)] if stored else []
    notebook = v4.new_notebook(
        cells=[v4.new_code_cell(code, outputs=outputs, execution_count=1)],
        metadata={"kernelspec": {"name": "python3", "display_name": "Python 3"}},
    )
    write(notebook, folder / "page.ipynb")
    command = [sys.executable, "-m", "pytest", "-c", ROOT / "pyproject.toml", MASK, "-q", "."]
    return subprocess.run(command, capture_output=True, encoding="utf-8", cwd=folder)


@pytest.mark.parametrize("stored", ["2\n", "3\n", None], ids=["right", "corrupted", "missing"])
def test_only_the_right_output_passes(stored, tmp_path):
    """A wrong digit, or an output that is gone, turns nbval red under the project's options."""
    run = nbval(tmp_path, "print(1 + 1)", stored)
    assert run.returncode == (stored != "2\n"), run.stdout
    assert ("1 passed" if stored == "2\n" else "1 failed") in run.stdout, run.stdout


PRINTED = "words of 8: ≈45.7 %, ≈−0.31 of 12, ≈ .5, 3"


@pytest.mark.parametrize(
    ("stored", "passes"),
    [
        (PRINTED, True),
        ("words of 8: ≈7 %, ≈12.05 of 12, ≈0.52, 3", True),
        ("words of 9: ≈45.7 %, ≈−0.31 of 12, ≈ .5, 3", False),
        ("words of 8: ≈45.7 %, ≈−0.31 of 13, ≈ .5, 3", False),
        ("words of 8: ≈45.7 %, ≈−0.31 of 12, ≈ .5, 4", False),
        ("words of 8: 45.7 %, ≈−0.31 of 12, ≈ .5, 3", False),
        ("words of 8: ≈45.7, ≈−0.31 of 12, ≈ .5, 3", False),
        ("words of 8: ≈many %, ≈−0.31 of 12, ≈ .5, 3", False),
    ],
)
def test_only_measured_digits_are_masked(stored, passes, tmp_path):
    """What stands behind ≈ may differ on another processor, all else may not."""
    run = nbval(tmp_path, f"print({PRINTED!r})", f"{stored}\n")
    assert run.returncode == (not passes), run.stdout


def test_one_rule_masks():
    """A second rule would hide what nobody measured."""
    rules = ConfigParser()
    rules.read(ROOT / "tests/measured.cfg", encoding="utf-8")
    assert len(rules.sections()) == 1 and rules["measured"]["regex"].startswith("≈")


class OneNotebook:
    """A book of one notebook, which notes each time it is executed."""

    def __init__(self, root):
        self.root = root
        for part in ("attention_lib", "book/_ext", "tests/extent.py", "tests/nbval_outputs.py"):
            self.copy(part)
        for part in ("tests/run_notebook.py", "tests/slider_frames.py", "pyproject.toml"):
            self.copy(part)
        for part in ("requirements.txt", "tests/__init__.py", "tests/measured.cfg"):
            self.copy(part)
        (root / "book/en").mkdir()

    def copy(self, part):
        (self.root / part).parent.mkdir(exist_ok=True)
        copy = shutil.copytree if (ROOT / part).is_dir() else shutil.copy
        copy(ROOT / part, self.root / part)

    def write(self, stored, code="print(1 + 1)"):
        noting = "with open('runs', 'a') as runs:\n    runs.write('x')\n"
        outputs = [v4.new_output("stream", name="stdout", text=stored)]
        notebook = v4.new_notebook(
            cells=[v4.new_code_cell(noting + code, outputs=outputs, execution_count=1)],
            metadata={"kernelspec": {"name": "python3", "display_name": "Python 3"}},
        )
        write(notebook, self.root / "book/en/page.ipynb")

    def run(self):
        """Whether it passes, whether its frames were written, how often it has been executed."""
        frames = self.root / "frames.json"
        frames.unlink(missing_ok=True)
        own = [str(self.root / part) for part in (".", "tests", "book/_ext")]
        passed = not subprocess.run(
            [sys.executable, "tests/run_notebook.py", "book/en/page.ipynb", frames],
            cwd=self.root,
            capture_output=True,
            env=os.environ | {"PYTHONPATH": os.pathsep.join(own)},
        ).returncode
        return passed, frames.exists(), (self.root / "book/en/runs").read_text().count("x")


def test_what_passed_is_compared_again_and_not_executed(tmp_path):
    """A notebook is executed anew where code or library changed, or where it has not passed."""
    book = OneNotebook(tmp_path)
    book.write("2\n")
    assert book.run() == (True, True, 1)
    assert book.run() == (True, True, 1)
    book.write("3\n")
    assert book.run() == (False, True, 2)  # seen to be wrong, executed to be sure
    book.write("2\n")
    assert book.run() == (True, True, 3)
    with (tmp_path / "attention_lib/__init__.py").open("a") as library:
        library.write("# changed\n")
    assert book.run() == (True, True, 4)
    book.write("2\n", "print(3 - 1)")
    assert book.run() == (True, True, 5)
    book.write("2\n", "print(2)\n1 / 0")
    assert book.run() == (False, False, 6)  # of which no page can be made
