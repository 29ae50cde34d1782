import sys
from pathlib import Path

import browser
import pytest

from coursework.sandbox import check_walls
from coursework.system_calls import NoSandbox

sys.path.insert(0, str(Path(__file__).parents[2] / "book"))
from pack import build_wheel


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
    return build_wheel(tmp_path_factory.mktemp("wheel"))
