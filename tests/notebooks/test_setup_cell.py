"""The first cell of every notebook, where the library is not installed yet, as in Colab."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

import pytest
from book_files import EDITIONS, NOTEBOOKS, ROOT, cells, environment
from pack import LIBRARY

VERSIONS = """
import importlib.metadata
print(importlib.metadata.version("torch"), importlib.metadata.version("numpy"))
"""
# What a reader does next, in the same kernel.
GO_ON = f"""
import attention_lib
print(attention_lib.__file__)
{VERSIONS}
"""
# Nothing may be fetched: all that the library needs is there, in versions it accepts.
OFFLINE = {"PIP_NO_INDEX": "1", "PIP_NO_BUILD_ISOLATION": "0", "PYTHONPATH": ""}
ADDRESS = r'(?<=book = ")[^"]+'


def first_cell(edition):
    path = next(path for path in NOTEBOOKS if path.parent.name == edition)
    return cells(path, "code")[0]["source"]


class Reader(NamedTuple):
    """Somebody in an empty folder, with all packages of this environment but the library."""

    python: Path
    packages: str
    folder: Path

    def run(self, *parts):
        (self.folder / "cell.ipy").write_text("\n".join(parts), encoding="utf-8")
        return subprocess.run(
            [self.python, "-m", "IPython", "--colors=nocolor", "cell.ipy"],
            capture_output=True,
            encoding="utf-8",
            cwd=self.folder,
            env=os.environ | OFFLINE,
        )


@pytest.fixture
def reader(tmp_path):
    python, own = environment(tmp_path / "venv")
    folder = tmp_path / "empty"
    folder.mkdir()
    return Reader(python, own, folder)


@pytest.mark.parametrize("edition", EDITIONS)
def test_setup_cells_are_all_the_same(edition):
    """What holds for one notebook's first cell holds for all of its edition."""
    paths = [path for path in NOTEBOOKS if path.parent.name == edition]
    assert {cells(path, "code")[0]["source"] for path in paths} == {first_cell(edition)}


def test_setup_cell_installs_into_a_running_kernel(reader, tmp_path):
    """Alone in an empty folder, the library can be imported at once; torch and numpy stay."""
    source = tmp_path / "source"
    source.mkdir()
    for name in LIBRARY:
        copy = shutil.copytree if (ROOT / name).is_dir() else shutil.copy
        copy(ROOT / name, source / name)
    cell = first_cell("en").replace("git+{book}", "{book}")
    cell = re.sub(ADDRESS, source.as_uri(), cell)
    done = reader.run("import torch, numpy", cell, GO_ON)
    assert done.returncode == 0, done.stdout + done.stderr
    *_, said, file, versions = done.stdout.split("\n")[:-1]
    assert said == f"Installed attention_lib from {source.as_uri()}."
    assert file.startswith(reader.packages), done.stdout + done.stderr
    here = [sys.executable, "-c", VERSIONS]
    expected = subprocess.run(here, capture_output=True, encoding="utf-8", check=True).stdout
    assert versions == expected.strip()


def test_setup_cell_is_silent_where_the_library_is(reader):
    """Nothing is said, let alone installed, where there is nothing to do."""
    (reader.folder / "attention_lib").mkdir()
    (reader.folder / "attention_lib/__init__.py").touch()
    done = reader.run(first_cell("en"))
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


@pytest.mark.parametrize(
    ("edition", "advice"),
    [
        ("zh", "请检查网络和地址 {}，然后重新运行这一格。"),
        ("en", "Check the network and {}, then run this cell again."),
    ],
)
def test_setup_cell_without_a_network(reader, edition, advice):
    """One error says in the reader's language what to do; those of pip and git are not shown."""
    nowhere = "https://127.0.0.1:9/nobody/nothing@main"  # nothing listens there
    done = reader.run(re.sub(ADDRESS, nowhere, first_cell(edition)), GO_ON)
    assert_only_advice(done, advice.format(nowhere))


@pytest.mark.parametrize(
    ("edition", "advice"),
    [
        ("zh", "本书还没有地址：请教师运行 python book/repoint.py。"),
        ("en", "No address yet: the instructor runs python book/repoint.py."),
    ],
)
def test_setup_cell_without_an_address(reader, edition, advice):
    """A copy that has no address yet says so, and installs nothing from the placeholder's."""
    (reader.folder / "pip.py").write_text("open('asked', 'w')")  # would be run instead of pip
    cell = re.sub(r"(?<=github\.com/)[\w.-]+/[\w.-]+", "OWNER/REPOSITORY", first_cell(edition))
    assert_only_advice(reader.run(cell, GO_ON), advice)
    assert not (reader.folder / "asked").exists()


def assert_only_advice(done, advice):
    lines = (done.stdout + done.stderr).strip().split("\n")
    assert done.returncode != 0
    assert lines[-1].startswith("ModuleNotFoundError: ") and lines[-1].endswith(advice)
    # The frame of this cell, and IPython's remark on kernels.
    assert len(lines) < 12 and "Traceback" not in "".join(lines[3:]), "\n".join(lines)
