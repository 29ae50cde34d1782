"""The build command, on a small copy of the book that is broken and changed on purpose."""

import signal
import subprocess
import sys

import pytest
from book_site import EDITIONS, LANGUAGES

from tests.extent import PATIENCE


def executed(result):
    """How many notebooks a build says that it executed, in both editions together."""
    return result.stdout.count(", executing\n")


def build_well(book):
    result = book.build()
    assert result.returncode == 0, result.stdout + result.stderr
    return result


def test_only_changes_are_executed(small_book):
    """Outputs are kept until a cell, the library or a pin changes, and never longer than that."""
    assert executed(build_well(small_book)) == 2
    assert "constant one" in small_book.page("zh") and "constant one" in small_book.page("en")

    assert executed(build_well(small_book)) == 0

    small_book.write_notebook("zh", "Prose two.")
    assert executed(build_well(small_book)) == 0
    assert "Prose two." in small_book.page("zh") and "constant one" in small_book.page("zh")

    small_book.write_library("constant two")
    assert executed(build_well(small_book)) == 2
    for edition in EDITIONS:
        assert "constant two" in small_book.page(edition)
        assert "constant one" not in small_book.page(edition)

    small_book.write("requirements.txt", "another==1.0\n")
    assert executed(build_well(small_book)) == 2


# What a notebook then holds (prose, and code where it matters), and what has to be reported.
FAULTS = {
    "failing_cell": (["Prose.", "1/0"], "ZeroDivisionError"),
    "cell_over_the_limit": (["Prose.", "import time; time.sleep(86_400)"], "CellTimeoutError"),
    "broken_link": (["[gone](nowhere.ipynb)"], "nowhere.ipynb"),
    "missing_citation": (["{cite}`nobody1900`"], "nobody1900"),
    "warning_of_a_library": (["Prose.", "import warnings; warnings.warn('old')"], "stderr"),
    "missing_picture": (["![picture](nowhere.png)"], "nowhere.png"),
}


def test_failing_pages_stop_the_build(small_book):
    """Each fault is reported with its page and a non-zero status, on the second run as well."""
    small_book.write_outline("page", *FAULTS)
    places = {}  # in turns in one edition and in the other, where the page holds no fault
    for number, (page, (content, _)) in enumerate(FAULTS.items()):
        places[page] = EDITIONS[number % 2]
        limit = {"execution": {"timeout": 1}} if page == "cell_over_the_limit" else {}
        small_book.write_notebook(places[page], *content, page=page, **limit)
        small_book.write(f"book/{EDITIONS[1 - number % 2]}/{page}.md", "# Page\n")
    for _ in range(2):
        result = small_book.build()
        assert result.returncode == 1
        for page, (_, evidence) in FAULTS.items():
            report = result.stdout.split(f"{places[page]}  FAILED")[1].split("  FAILED")[0]
            _, found, said = report.partition(f"book/{places[page]}/{page}.ipynb")
            assert found and evidence in said.split(f"book/{places[page]}/")[0], (page, report)
        assert "jupyter_book/cli" not in result.stdout, "the build's own frames say nothing"
        assert not (small_book.root / "_build/site").exists()


def test_removed_pages_leave_the_site(small_book):
    """A page that left the outline is not found any more, and the build says nothing of it."""
    build_well(small_book)
    assert (small_book.root / "_build/site/en/page.html").exists()
    small_book.write_outline()
    for edition in EDITIONS:
        small_book.write(f"book/{edition}/index.md", "# 注意力\n")
    build_well(small_book)
    assert (small_book.root / "_build/site/en/index.html").exists()
    assert not list((small_book.root / "_build/site").rglob("page*"))


def test_a_chinese_edition_without_chinese_terms_fails(small_book):
    """An index that no Chinese query can match must not be published."""
    small_book.write("book/zh/index.md", "# Positions\n\n[](page.ipynb)\n")
    result = small_book.build()
    assert result.returncode == 1
    assert "no Chinese terms" in result.stdout


def test_plain_jupyter_book_builds_chinese(small_book):
    """`jupyter-book build .` gives the Chinese edition, without links to one that is not there."""
    assert small_book.build_plainly().returncode == 0
    page = (small_book.root / "_build/html/book/zh/page.html").read_text(encoding="utf-8")
    assert 'lang="zh-CN"' in page and "constant one" in page
    assert "language-switch" not in page and "hreflang" not in page

    small_book.write_notebook("zh", "Prose.", "1/0")
    assert small_book.build_plainly().returncode != 0


def test_sphinx_alone_builds_both_editions(small_book):
    """The way out, should Jupyter Book 1 stop, is open: same pages, and warnings count."""
    command = [sys.executable, small_book.root / "book/plain_sphinx.py"]
    built = subprocess.run(command, capture_output=True, encoding="utf-8")
    assert built.returncode == 0, built.stdout + built.stderr
    for edition, language in LANGUAGES.items():
        folder = small_book.root / "_build/plain_sphinx" / edition / "html"
        page = (folder / "page.html").read_text(encoding="utf-8")
        assert f'lang="{language}"' in page and "Prose one." in page and "hreflang" in page

    small_book.write_notebook("zh", "[gone](nowhere.ipynb)")
    broken = subprocess.run(command, capture_output=True, encoding="utf-8")
    assert broken.returncode == 1 and "nowhere.ipynb" in broken.stderr


@pytest.mark.parametrize(
    "arguments", [["--port", "none"], ["--serve", "--port", "70000"], ["--port", "8000"], ["page"]]
)
def test_bad_arguments(small_book, arguments):
    """A mistyped command is answered with what was wrong, before anything is built."""
    result = small_book.build(*arguments)
    assert result.returncode == 2
    assert arguments[-1] in result.stderr or "--serve" in result.stderr
    assert not (small_book.root / "_build").exists()


def test_interrupted_build(small_book):
    """Ctrl-C ends the build at once, without a traceback, and the next build is whole."""
    # The cell outlasts the time limit of cells: a build that went on would end by that, in vain.
    small_book.write_notebook("zh", "Prose.", "import time; time.sleep(86_400)")
    process = small_book.start()
    while "executing" not in process.stdout.readline():
        assert process.poll() is None
    process.send_signal(signal.SIGINT)
    output, errors = process.communicate(timeout=PATIENCE)
    assert process.returncode == 130
    assert "Traceback" not in output + errors
    small_book.write_notebook("zh", "Prose.")
    build_well(small_book)


def kept(book, edition):
    """The folder of the outputs that an edition keeps, when its last build was broken off."""
    folder = book.root / "_build" / edition
    (folder / "finished").unlink()
    (cache,) = (folder / "_build/executed").iterdir()
    return cache


def test_outputs_cut_short_are_made_again(small_book):
    """At whatever moment a build was broken off, the next one is whole."""
    build_well(small_book)
    # The database is there, its tables are not yet.
    database = kept(small_book, "en")
    (database / "global.db").write_bytes(b"")
    (database / "__version__.txt").unlink()
    # Outputs are entered, but not written yet.
    (notebook,) = kept(small_book, "zh").glob("executed/*/base.ipynb")
    notebook.unlink()
    assert executed(build_well(small_book)) == 2

    # Outputs are half written; in the other edition all is well, and nothing is executed again.
    kept(small_book, "en")
    (notebook,) = kept(small_book, "zh").glob("executed/*/base.ipynb")
    notebook.write_bytes(notebook.read_bytes()[:100])
    assert executed(build_well(small_book)) == 1
    for edition in EDITIONS:
        assert "constant one" in small_book.page(edition)
