import browser
import pytest

from coursework.sandbox import check_walls
from coursework.system_calls import NoSandbox


@pytest.fixture(scope="session")
def walls():
    """A working bwrap; without one, a failure in CI and elsewhere a reason to skip."""
    try:
        check_walls()
    except NoSandbox as error:
        # What holds for a missing browser holds here.
        (pytest.fail if browser.required() else pytest.skip)(f"no student code is run: {error}")
