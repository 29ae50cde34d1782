"""The built site, served, and pages of it opened in a browser."""

import subprocess
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager

import pytest
from book_site import EDITIONS, PHONE, ROOT, notebooks, sections
from serve import open_server
from small_book import SmallBook


def pytest_generate_tests(metafunc):
    """A test of ``edition`` and ``section``, or of their page, runs for every page of the book."""
    if {"edition", "section"} <= set(metafunc.fixturenames):
        # From the last section to the first: the later ones take longer.
        pages = [(edition, section) for section in reversed(sections()) for edition in EDITIONS]
        metafunc.parametrize(("edition", "section"), pages, scope="session")


def build_site():
    """Whether the book's own command succeeds, and what it says."""
    command = [sys.executable, ROOT / "book" / "build.py"]
    built = subprocess.run(command, capture_output=True, encoding="utf-8", cwd=ROOT)
    return built.returncode == 0, built.stdout + built.stderr


@pytest.fixture(scope="session")
def built(once, executed):
    """What the build says, once every notebook has been executed by nbval."""
    with ThreadPoolExecutor(len(EDITIONS)) as pool:
        runs = list(pool.map(executed, notebooks()))
    failing = [
        f"book/{path.parent.name}/{path.name}"
        for path, (_, frames) in zip(notebooks(), runs, strict=True)
        if frames is None
    ]
    if failing:
        pytest.fail(
            "The site was not built, since a cell fails in "
            f"{', '.join(failing)}: see tests/notebooks/test_outputs.py.",
            pytrace=False,
        )
    succeeded, said = once("site", build_site)
    if not succeeded:
        pytest.fail(f"book/build.py failed:\n{said}", pytrace=False)
    return said


@pytest.fixture(scope="session")
def site_folder(built):
    """The site as readers get it."""
    return ROOT / "_build" / "site"


@pytest.fixture(scope="session")
def site(site_folder):
    """The address of the served site, without a slash at its end."""
    with open_server(site_folder, 0) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()


@pytest.fixture(scope="session")
def visit(browser, site):
    """Open a page in a profile of its own: ``with visit("zh/index.html", locale="fr") as page``.

    Other hosts are blocked, as they are for a reader behind a strict network, and all that goes
    wrong is listed in ``page.faults``. Options are those of Playwright's ``new_context``.
    """

    @contextmanager
    def visited(address, **options):
        with browser.new_context(**options) as context:
            page = context.new_page()
            watch(page, site)
            page.goto(f"{site}/{address}", wait_until="networkidle")
            if options.get("java_script_enabled", True):
                page.evaluate("window.MathJax?.startup?.promise")  # formulas are set
            yield page

    return visited


@pytest.fixture(scope="session")
def section_page(visit, edition, section):
    """The page of a section on a phone, opened once for all tests that only look at it."""
    with visit(f"{edition}/{section}.html", viewport=PHONE) as page:
        yield page


def watch(page, site):
    """Block other hosts and keep a list of faults."""
    page.faults = []

    def block(route):
        page.faults.append(f"request to another host: {route.request.url}")
        route.abort()

    def check_response(response):
        if response.status >= 400:
            page.faults.append(f"answer {response.status}: {response.url}")

    def check_message(message):
        if message.type in ("error", "warning"):
            page.faults.append(f"console: {message.text}")

    page.route(lambda url: not url.startswith((f"{site}/", "data:", "blob:")), block)
    page.on("response", check_response)
    page.on("console", check_message)
    page.on("pageerror", lambda error: page.faults.append(f"script error: {error}"))


@pytest.fixture
def small_book(tmp_path):
    """A book of two pages with this project's machinery, to break at will."""
    return SmallBook(tmp_path)
