"""The site without a server, what it says of its own making, and the archive to take away."""

import importlib.metadata
import re
import subprocess
import sys
import zipfile

import pytest
from book_site import EDITIONS, ROOT
from small_book import MACHINERY

NOTE = {"zh": "这个网站是从文件打开的", "en": "This site was opened from files"}


@pytest.fixture
def from_files(browser, site_folder):
    """A page opened from the file system, with a list of what went wrong on it."""
    with browser.new_context(locale="en") as context:
        page = context.new_page()
        page.faults = []
        page.on("requestfailed", lambda request: page.faults.extend(why_failed(request)))
        page.on("pageerror", lambda error: page.faults.append(str(error)))
        page.on(
            "request",
            lambda request: (
                request.url.startswith(("file:", "data:", "blob:"))
                or page.faults.append(request.url)
            ),
        )
        page.address = site_folder.as_uri()
        yield page


def why_failed(request):
    """What is wrong; nothing where the page was left before all of it had arrived."""
    return [] if request.failure == "net::ERR_ABORTED" else [f"{request.failure}: {request.url}"]


def test_site_can_be_read_from_files(from_files):
    """From the first file on: formulas are set, a slider moves, the other edition is one click."""
    page = from_files
    page.goto(f"{page.address}/index.html")
    page.wait_for_url("**/en/index.html")
    page.goto(f"{page.address}/en/02_attention_pooling.html")
    page.locator("mjx-container").first.wait_for()
    picture = page.locator(".explore-picture").first
    before = picture.inner_html()
    page.locator(".explore input").first.press("End")
    assert picture.inner_html() != before
    page.locator("a[hreflang='zh-CN']").first.click()
    page.wait_for_url("**/zh/02_attention_pooling.html")
    assert page.faults == []


@pytest.mark.parametrize(("edition", "query"), [("zh", "注意力汇聚"), ("en", "softmax")])
def test_search_from_files_says_what_it_cannot(from_files, edition, query):
    """Pages are found without quotations, and the reader is told why there are none."""
    page = from_files
    page.goto(f"{page.address}/{edition}/search.html?q={query}")
    page.wait_for_function("document.querySelector('.search-summary')?.innerText")
    assert page.locator("#search-results ul.search a").count() >= 2
    assert page.get_by_text(NOTE[edition]).is_visible()
    assert page.faults == []


@pytest.mark.parametrize("edition", EDITIONS)
def test_served_search_says_nothing_of_files(visit, edition):
    """With a server there are quotations, and nothing to excuse."""
    with visit(f"{edition}/search.html?q=softmax") as page:
        page.locator("#search-results p.context").first.wait_for()
        assert page.get_by_text(NOTE[edition]).count() == 0


@pytest.mark.parametrize("edition", EDITIONS)
def test_record_of_the_build(visit, edition):
    """Each notebook with the time and the seconds of its last run, and the versions it ran with."""
    with visit(f"{edition}/colophon.html") as page:
        runs, versions = (table.locator("tbody tr").all() for table in page.locator("table").all())
        titles = [run.locator("td").first.inner_text() for run in runs]
        notebooks = sorted((ROOT / "book" / edition).glob("*.ipynb"))
        assert len(titles) == len(set(titles)) == len(notebooks)
        for run, path in zip(runs, notebooks, strict=True):
            link, when, seconds = run.locator("td").all()
            assert link.locator("a").get_attribute("href") == f"{path.stem}.html"
            assert re.fullmatch(r"20\d\d-\d\d-\d\d \d\d:\d\d", when.inner_text())
            assert int(seconds.inner_text()) >= 1
        said = dict(row.locator("td").all_inner_texts() for row in versions)
        assert said["torch"] == importlib.metadata.version("torch")
        assert said["Python"] == ".".join(map(str, sys.version_info[:3]))


def test_archive_holds_all_and_its_checksums(small_book, tmp_path_factory):
    """Both editions, the notebooks and a wheel; a changed byte does not pass the checksums."""
    library = ("pyproject.toml", "README.md", "LICENSE")
    assert not set(library) & set(MACHINERY)
    for part in library:
        small_book.write(part, (ROOT / part).read_text(encoding="utf-8"))
    small_book.write("attention_lib/py.typed", "")
    small_book.write("coursework/__init__.py", "")
    command = [sys.executable, small_book.root / "book/pack.py"]
    packed = subprocess.run(command, capture_output=True, encoding="utf-8")
    assert packed.returncode == 0, packed.stdout + packed.stderr
    release = small_book.root / "_build/release"
    (archive,) = release.glob("*.zip")
    assert sums(release, f"{archive.name}.sha256") == 0

    taken = tmp_path_factory.mktemp("taken")
    zipfile.ZipFile(archive).extractall(taken)
    (folder,) = taken.iterdir()
    assert sums(folder, "SHA256SUMS") == 0
    for edition in EDITIONS:
        assert (folder / f"site/{edition}/page.html").exists()
        assert (folder / f"notebooks/{edition}/page.ipynb").exists()
    (wheel,) = folder.glob("*.whl")
    assert "attention_lib/__init__.py" in zipfile.ZipFile(wheel).namelist()
    with open(folder / "site/index.html", "a") as page:
        page.write(" ")
    assert sums(folder, "SHA256SUMS") != 0


def sums(folder, name):
    command = ["sha256sum", "--check", "--strict", "--quiet", name]
    return subprocess.run(command, cwd=folder, capture_output=True).returncode
