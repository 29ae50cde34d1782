"""Links to cells: the site says the heading as it is today, and leads to it."""

import re

import nbformat
from nbformat import v4
from small_book import PYTHON


def test_links_lead_to_the_headings_of_cells(small_book):
    """One to a cell with a heading, one to a cell below it; a cell that is gone fails the build."""
    notebook = v4.new_notebook(
        cells=[
            v4.new_markdown_cell("# Page\n\nText.", id="title"),
            v4.new_markdown_cell("## Why $d$?\n\nText.", id="why"),
            v4.new_code_cell("# no heading\nprint(1)", id="below"),
        ],
        metadata=PYTHON,
    )
    text = "# 位置编码\n\n{cell}`page#title`, {cell}`page#why`, {cell}`page#below`\n"
    for edition in ("zh", "en"):
        nbformat.write(notebook, small_book.root / f"book/{edition}/page.ipynb")
        small_book.write(f"book/{edition}/index.md", text)
    done = small_book.build()
    assert not done.returncode, done.stdout

    html = (small_book.root / "_build/site/zh/index.html").read_text(encoding="utf-8")
    paragraph = re.search(r"<p>(.+?page\.html.+?)</p>", html, re.S)[1]
    links = re.findall(r'href="(.+?)"[^>]*>(.+?)</a>', paragraph)
    heading = ("page.html#why-d", r"Page › Why \(d\)?")
    said = [(target, re.sub(r"<.+?>", "", words)) for target, words in links]
    assert said == [("page.html", "Page"), heading, heading]

    small_book.write("book/zh/index.md", f"{text}\n{{cell}}`page#gone`\n")
    done = small_book.build()
    assert done.returncode and "page#gone" in done.stdout
