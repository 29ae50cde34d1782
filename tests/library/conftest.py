import jaxtyping
import matplotlib.pyplot as plt
import pytest


@pytest.fixture
def readers_view():
    """The library as readers have it: shapes in annotations are documentation, not checks.

    Under test, annotations are enforced and would answer bad input before the library does.
    """
    jaxtyping.config.update("jaxtyping_disable", True)
    yield
    jaxtyping.config.update("jaxtyping_disable", False)


@pytest.fixture(autouse=True)
def no_figures():
    """Each test starts without open figures and leaves none behind."""
    plt.close("all")
    yield
    plt.close("all")
