"""In which order the tests run, and which of them one process runs together.

Several processes take pieces of work from one list. What takes longest stands first: begun last,
it would keep the others waiting for its end. What waits for another piece stands well behind it.
"""

import re

# The first pieces, in their order; all others follow as they were collected.
ORDER = [
    r"notebooks/test_outputs\.py",  # what the site is made of
    r"test_versions_are_those_of_colab",  # installs them, for the notebooks further below
    r"test_nothing_is_executed_twice",  # builds the site, beside all that follows
    r"notebooks/test_colab\.py",
    r"site/test_build\.py",
    r"test_archive_holds_all|site/test_serve\.py",
    r"notebooks/test_jupyterlab\.py",
    r"tests/coursework/.*test_(release|solutions|marking|mark|package)\.py",
    r"tests/coursework/",
    r"notebooks/test_(setup_cell|nbval)\.py",
    r"attention_lib/|tests/library/",
]
# The site is looked at when it has long been built.
LAST = r"tests/site/"
# Files whose tests take so long that each is a piece of its own.
APART = r"test_(outputs|colab|build|setup_cell)\.py|test_archive_holds_all|executed_twice"
# A page of the site: opened once for all tests that look at it.
PAGE = r"tests/site/.*\[((?:zh|en)-\w+)[-\]]"


def piece(test):
    """The name of the piece that a test belongs to: that of a page, a file or the test itself."""
    if re.search(APART, test):
        return test
    page = re.match(PAGE, test)
    return page[1] if page else test.split("::")[0]


def place(test):
    """Where in the order a test stands; the smallest number first."""
    for number, pattern in enumerate(ORDER):
        if re.search(pattern, test):
            return number
    return len(ORDER) + bool(re.match(LAST, test))


def arrange(items):
    """Put the tests in their order, those of a piece one after the other."""
    pieces = {}
    for item in items:
        pieces.setdefault(piece(item.nodeid), len(pieces))
    items.sort(key=lambda item: (place(item.nodeid), pieces[piece(item.nodeid)]))
