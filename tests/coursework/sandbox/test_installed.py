"""The library and the marking are hidden inside, wherever they are installed."""

import zipfile

import pytest

from coursework.sandbox import bubblewrap
from coursework.sandbox.installed import hidden_folders
from coursework.sandbox.system_calls import NoSandbox
from coursework.sandbox.walls import Sandbox

# Of an environment, of Debian's Python, of what is installed on top of that, and a user's own.
PLACES = (
    "lib/python3.11/site-packages",
    "lib/python3/dist-packages",
    "local/lib/python3.12/dist-packages",
    "lib64/python3.13/site-packages",
)
IMPORTS = """
import sys
for name in [name for name in sys.modules if name.split(".")[0] in ("attention_lib", "coursework")]:
    del sys.modules[name]
sys.path = [PLACE, *(place for place in sys.path if "checker" not in place)]
sys.meta_path = [finder for finder in sys.meta_path if isinstance(finder, type)]  # no stand-ins
import numpy, torch
"""
# An empty folder counts as a package, so that something in it is asked for.
LINES = (
    "from harmless import x",
    "from attention_lib import attention",
    "from coursework.questions import checks",
)


@pytest.fixture
def installed(wheel, tmp_path_factory, monkeypatch):
    """An environment in which the wheel lies unpacked in each of the places; students see it."""
    folder = tmp_path_factory.mktemp("environment")
    folder.chmod(0o755)
    for place in PLACES:
        (folder / place).mkdir(parents=True)
        with zipfile.ZipFile(wheel) as archive:
            archive.extractall(folder / place)
        (folder / place / "harmless.py").write_text("x = 1")
    shown = [*bubblewrap.shown(), str(folder)]
    monkeypatch.setattr(bubblewrap, "shown", lambda: shown)
    return folder


def attempts(folder):
    for place in PLACES:
        start = IMPORTS.replace("PLACE", repr(str(folder / place)))
        yield from (f"{start}{line}" for line in LINES)
        hidden = str(folder / place / "coursework")
        yield f"import os\nif not os.listdir({hidden!r}): raise KeyError"


def test_an_installed_copy_is_hidden(walls, installed):
    """Neither as a module nor as a file; what lies beside it is there as before."""
    with Sandbox([*attempts(installed)]) as inside:
        failed = {number: error for number, error, _ in inside.failed_cells}
    told = [failed.get(number) for number in range(1, 4 * len(PLACES) + 1)]
    assert told == [None, "ImportError", "ModuleNotFoundError", "KeyError"] * len(PLACES)


def test_an_environment_in_the_repository_shows_no_more_than_itself(tmp_path):
    """.venv in the repository is as usual; the repository in the environment is refused."""
    (tmp_path / ".git").mkdir()
    (tmp_path / "coursework").mkdir()
    assert hidden_folders([str(tmp_path / ".venv")], tmp_path) == []
    with pytest.raises(NoSandbox, match="lies in a folder that students' code sees"):
        hidden_folders([str(tmp_path)], tmp_path)


def test_an_editable_copy_in_the_environment_is_hidden(tmp_path):
    """pip puts what it clones into the environment's folder src."""
    course = tmp_path / "src" / "course"
    (course / "coursework").mkdir(parents=True)
    assert hidden_folders([str(tmp_path)], course) == [str(course / "coursework")]
