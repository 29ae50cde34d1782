import os

import pytest

from coursework.sandbox import NoSandbox, check_walls


@pytest.fixture(scope="session")
def walls():
    """A working bwrap. Without one, continuous integration fails, and other machines skip."""
    try:
        check_walls()
    except NoSandbox as error:
        if os.environ.get("CI"):
            raise
        pytest.skip(f"student code cannot be run here: {error}")
