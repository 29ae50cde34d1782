"""The first cell of every notebook, where the library is not installed yet, as in Colab."""

import os
import re
import shutil
import subprocess
import sysconfig
import venv

from book_files import NOTEBOOKS, ROOT, cells

PACKAGE = ("attention_lib", "pyproject.toml", "README.md", "LICENSE")
# What a reader does next, in the same kernel.
GO_ON = """
import importlib.metadata
print(attention_lib.__file__)
print(importlib.metadata.version("torch"), importlib.metadata.version("numpy"))
"""


def first_cell(path):
    return cells(path, "code")[0]["source"]


def test_setup_cells_are_all_the_same():
    """What holds for one notebook's first cell holds for all, up to the language of a comment."""
    assert len({re.sub("#.*", "", first_cell(path)) for path in NOTEBOOKS}) == 1


def test_setup_cell_installs_into_a_running_kernel(tmp_path):
    """Alone in an empty folder, the library can be imported at once; torch and numpy stay."""
    source = tmp_path / "source"
    source.mkdir()
    for name in PACKAGE:
        copy = shutil.copytree if (ROOT / name).is_dir() else shutil.copy
        copy(ROOT / name, source / name)

    # An environment that sees all packages of this one, pip among them, but not the library, which
    # is installed here as editable.
    venv.create(tmp_path / "venv")
    python = tmp_path / "venv/bin/python"
    asked = [python, "-c", "import sysconfig; print(sysconfig.get_path('purelib'))"]
    own = subprocess.run(asked, capture_output=True, encoding="utf-8", check=True).stdout.strip()
    with open(f"{own}/others.pth", "w", encoding="utf-8") as others:
        others.write(sysconfig.get_path("purelib"))

    folder = tmp_path / "empty"
    folder.mkdir()
    address = "git+https://github.com/OWNER/REPOSITORY"
    cell = first_cell(NOTEBOOKS[0])
    assert address in cell
    (folder / "cell.ipy").write_text(
        "import torch, numpy\n" + cell.replace(address, source.as_uri()) + GO_ON, encoding="utf-8"
    )
    # Nothing may be fetched: all that the library needs is there, in versions it accepts.
    offline = {"PIP_NO_INDEX": "1", "PIP_NO_BUILD_ISOLATION": "0", "PYTHONPATH": ""}
    done = subprocess.run(
        [python, "-m", "IPython", "cell.ipy"],
        capture_output=True,
        encoding="utf-8",
        cwd=folder,
        env=os.environ | offline,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    *_, file, versions = done.stdout.split("\n")[:-1]
    assert file.startswith(own), done.stdout + done.stderr
    here = [python, "-c", GO_ON.replace("print(attention_lib.__file__)", "")]
    expected = subprocess.run(here, capture_output=True, encoding="utf-8", check=True).stdout
    assert versions == expected.strip()
