import json
import os
import tempfile
from pathlib import Path

import pytest
from filelock import FileLock
from hypothesis import settings
from playwright.sync_api import sync_playwright

from tests import browser as browsers

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


@pytest.fixture(scope="session")
def once(testrun_uid):
    """``once(name, make)`` is what ``make()`` returns (in JSON), and makes it once.

    Tests run in several processes: whichever comes first computes it for all.
    """
    folder = Path(tempfile.gettempdir()) / f"tests-{testrun_uid}"
    folder.mkdir(exist_ok=True)

    def made(name, make):
        kept = folder / f"{name}.json"
        with FileLock(f"{kept}.lock"):
            if not kept.exists():
                kept.write_text(json.dumps(make()), encoding="utf-8")
        return json.loads(kept.read_text(encoding="utf-8"))

    return made
