import pytest
from pack import build_wheel

from coursework.sandbox.system_calls import NoSandbox
from coursework.sandbox.walls import check_walls
from tests import browser


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
