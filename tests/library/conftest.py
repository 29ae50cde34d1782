from contextlib import contextmanager

import jaxtyping
import matplotlib.pyplot as plt
import pytest


@pytest.fixture
def readers_view():
    """The library as readers have it: shapes in annotations are documentation, not checks.

    Under test, annotations are enforced and would answer bad input before the library does.
    """
    with annotations_unchecked():
        yield


@pytest.fixture(scope="module")
def unchecked():
    """``with unchecked():`` for much work of one kind, whose types other tests have seen."""
    return annotations_unchecked


@contextmanager
def annotations_unchecked():
    jaxtyping.config.update("jaxtyping_disable", True)
    try:
        yield
    finally:
        jaxtyping.config.update("jaxtyping_disable", False)


@pytest.fixture(autouse=True)
def no_figures():
    """Each test starts without open figures and leaves none behind."""
    plt.close("all")
    yield
    plt.close("all")
