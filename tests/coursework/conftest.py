import shutil
import subprocess
import sys
from pathlib import Path

import browser
import pytest

from coursework.sandbox import check_walls
from coursework.system_calls import NoSandbox

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="session")
def walls():
    """A working bwrap; without one, a failure in CI and elsewhere a reason to skip."""
    try:
        check_walls()
    except NoSandbox as error:
        # What holds for a missing browser holds here.
        (pytest.fail if browser.required() else pytest.skip)(f"no student code is run: {error}")


@pytest.fixture(scope="session")
def wheel(tmp_path_factory):
    """The wheel that a student installs."""
    source, folder = tmp_path_factory.mktemp("source"), tmp_path_factory.mktemp("wheel")
    for name in ("attention_lib", "coursework"):
        shutil.copytree(ROOT / name, source / name, ignore=shutil.ignore_patterns("__pycache__"))
    for name in ("pyproject.toml", "README.md", "LICENSE"):
        shutil.copy(ROOT / name, source / name)
    pip = [sys.executable, "-m", "pip", "wheel", "--no-deps", "--no-index"]
    subprocess.run(
        [*pip, "--no-build-isolation", "--wheel-dir", folder, source],
        check=True,
        capture_output=True,
    )
    (path,) = folder.glob("*.whl")
    return path
