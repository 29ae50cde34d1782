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
