import os

import browser as browsers
import pytest
from hypothesis import settings
from playwright.sync_api import sync_playwright

# The same examples in every run, and no deadline: times on a busy machine say nothing.
settings.register_profile("reproducible", deadline=None, derandomize=True, max_examples=50)
settings.load_profile("reproducible")

# Small matrices gain nothing from a second thread, and two busy threads wait for each other.
# The kernels of the notebooks inherit this.
os.environ.setdefault("OMP_NUM_THREADS", "1")
# The notebooks are compared with outputs that hold no progress bars.
os.environ["TQDM_DISABLE"] = "1"


@pytest.hookimpl(tryfirst=True)  # before pytest-xdist reads the groups
def pytest_collection_modifyitems(items):
    """Tests that share something costly stay together when the tests run on several cores.

    The cells of a notebook need one kernel, the tests of a page the page in a browser, and
    JupyterLab is one server.
    """
    for item in items:
        parameters = item.callspec.params if hasattr(item, "callspec") else {}
        if item.path.suffix == ".ipynb":
            group = f"notebook {item.path.parent.name}/{item.path.stem}"
        elif {"edition", "section"} <= set(parameters):
            group = f"page {parameters['edition']}/{parameters['section']}"
        elif item.path.stem == "test_jupyterlab":
            group = "jupyterlab"
        else:
            continue
        item.add_marker(pytest.mark.xdist_group(group))


@pytest.fixture(scope="session")
def browser():
    """A Chromium; without one, a failure in CI and elsewhere a reason to skip."""
    path = browsers.find()
    if not path:
        (pytest.fail if browsers.required() else pytest.skip)(browsers.MISSING)
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=path, args=browsers.ARGUMENTS)
        yield chromium
        chromium.close()
