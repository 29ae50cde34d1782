import json
import os
import subprocess
import sys
import tempfile
from contextlib import suppress
from pathlib import Path

import pytest
from filelock import FileLock
from hypothesis import settings
from playwright.sync_api import sync_playwright

from tests import browser as browsers
from tests import pieces
from tests.extent import WEEKLY

# The same examples in every run, and no deadline: times on a busy machine say nothing.
settings.register_profile(
    "reproducible", deadline=None, derandomize=True, max_examples=300 if WEEKLY else 50
)
settings.load_profile("reproducible")

# Small matrices gain nothing from a second thread, and two busy threads wait for each other.
# The kernels of the notebooks inherit this.
os.environ.setdefault("OMP_NUM_THREADS", "1")
# The notebooks are compared with outputs that hold no progress bars.
os.environ["TQDM_DISABLE"] = "1"

# Scripts that run elsewhere.
collect_ignore = ["run_notebook.py", "slider_frames.py"]
with suppress(ImportError):  # where the library alone is tested, there is one process
    from tests.in_pieces import pytest_xdist_make_scheduler  # noqa: F401

TESTS = Path(__file__).parent
BOOK = TESTS.parent / "book"


@pytest.hookimpl(trylast=True)  # after pytest's own, which looks at the fixtures only
def pytest_collection_modifyitems(items):
    pieces.arrange(items)


@pytest.fixture(scope="session")
def browser():
    """A Chromium; without one, a failure in CI and elsewhere a reason to skip."""
    path = browsers.find()
    if not path:
        (pytest.fail if browsers.required() else pytest.skip)(browsers.MISSING)
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=path, args=browsers.ARGUMENTS)
        chromium.new_context = patient(chromium.new_context)
        yield chromium
        chromium.close()


def patient(new_context):
    """Contexts in which nothing is given up because the machine is busy."""

    def opened(**options):
        context = new_context(**options)
        context.set_default_timeout(300_000)
        return context

    return opened


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


@pytest.fixture(scope="session")
def executed(once, tmp_path_factory):
    """``executed(path)`` runs a notebook of the book under nbval, once in a run of the tests.

    Returns:
        What nbval says where a cell fails or prints something else than it did, else an empty text;
        and what it shows (see slider_frames.py): ``sliders``, for each explorer, with some of their
        frames, and ``words``, all texts in figures. None where a cell failed.
    """

    def run(path):
        frames = tmp_path_factory.mktemp("executed") / "frames.json"
        own = os.pathsep.join(map(str, (BOOK.parent, BOOK / "_ext", TESTS)))
        done = subprocess.run(
            [sys.executable, TESTS / "run_notebook.py", path, frames],
            capture_output=True,
            encoding="utf-8",
            env=os.environ | {"PYTHONPATH": own},
        )
        drawn = json.loads(frames.read_text(encoding="utf-8")) if frames.exists() else None
        return done.stdout + done.stderr if done.returncode else "", drawn

    return lambda path: once(f"{path.parent.name}-{path.stem}", lambda: run(path))
