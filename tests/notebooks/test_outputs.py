"""Each notebook of both editions runs, and prints what is stored in it."""

import pytest
from book_files import LONGEST_FIRST, name


@pytest.mark.parametrize("path", LONGEST_FIRST, ids=name)
def test_notebook_prints_what_is_stored(executed, path):
    """Every cell runs, and what it prints is the same as ever, under nbval."""
    failure, _ = executed(path)
    assert not failure, failure
