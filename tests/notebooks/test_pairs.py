"""The two editions hold the same course: neither lags, and neither computes something else."""

import ast
import re

import pytest
from book_files import EDITIONS, ROOT, read

FILES = {
    edition: sorted(
        path for path in (ROOT / "book" / edition).iterdir() if path.suffix in (".ipynb", ".md")
    )
    for edition in EDITIONS
}
PAIRS = [(path, ROOT / "book" / "en" / path.name) for path in FILES["zh"]]
NOTEBOOK_PAIRS = [pair for pair in PAIRS if pair[0].suffix == ".ipynb"]

DISPLAY, INLINE = r"\n\$\$\n(.+?)\n\$\$\n", r"(?<!\$)\$([^$\n]+)\$(?!\$)"
CITATION = r"\{cite[:a-z]*\}`[^`]+`"
ROW = r"^\|.*\|$"

of_all_pages = pytest.mark.parametrize("pair", PAIRS, ids=lambda pair: pair[0].name)
of_notebooks = pytest.mark.parametrize("pair", NOTEBOOK_PAIRS, ids=lambda pair: pair[0].name)


def prose(path):
    """The text of a page, code cells left out."""
    if path.suffix != ".ipynb":
        return path.read_text(encoding="utf-8")
    return "\n\n".join(
        cell["source"] for cell in read(path)["cells"] if cell["cell_type"] == "markdown"
    )


class SetWordsAside(ast.NodeTransformer):
    """Empty string literals, which are in the edition's language; names and numbers stay."""

    def visit_JoinedStr(self, node):
        inner = [self.visit(part) for part in node.values if isinstance(part, ast.FormattedValue)]
        return ast.JoinedStr(values=inner)

    def visit_Constant(self, node):
        return ast.Constant("") if isinstance(node.value, str) else node


def code(source):
    """The code of a cell, without comments and words; magics kept as they are."""
    magics = re.findall(r"^\s*[%!].*$", source, re.M)
    python = re.sub(r"^(\s*)[%!].*$", r"\1pass", source, flags=re.M)
    return magics, ast.dump(SetWordsAside().visit(ast.parse(python)))


def test_editions_hold_the_same_files():
    """A page that exists in one edition only is a dead end of the language switch."""
    names = {edition: [path.name for path in FILES[edition]] for edition in EDITIONS}
    assert names["zh"] == names["en"] and NOTEBOOK_PAIRS


@of_notebooks
def test_cells_are_of_the_same_kinds(pair):
    """Same number, same order, same ids, same tags: a section lands in both editions."""
    zh, en = (
        [
            (cell["cell_type"], cell["id"], cell["metadata"].get("tags"))
            for cell in read(path)["cells"]
        ]
        for path in pair
    )
    assert zh == en


@of_notebooks
def test_code_is_the_same(pair):
    """Once comments and words are set aside, both editions compute the same."""
    sources = [
        [cell["source"] for cell in read(path)["cells"] if cell["cell_type"] == "code"]
        for path in pair
    ]
    for zh, en in zip(*sources, strict=True):
        assert code(zh) == code(en)


@of_all_pages
def test_formulas_are_the_same(pair):
    """Display formulas in the same order; inline, the same ones wherever a sentence needs them."""
    display, inline = (
        [re.findall(pattern, prose(path), re.S) for path in pair] for pattern in (DISPLAY, INLINE)
    )
    assert display[0] == display[1]
    assert set(inline[0]) == set(inline[1])


@of_all_pages
def test_citations_are_the_same(pair):
    """The same sources in the same order."""
    zh, en = (re.findall(CITATION, prose(path)) for path in pair)
    assert zh == en


@of_all_pages
def test_structure_is_the_same(pair):
    """Headings of the same levels, as many exercises, each with as many hints and solutions."""
    pattern = r"^(#+) |^\*\*(?:练习|Exercise) (\d+)|<(summary)>"
    zh, en = (re.findall(pattern, prose(path), re.M) for path in pair)
    assert zh == en and zh


@of_all_pages
def test_tables_hold_the_same_numbers(pair):
    """Row by row, whatever the words around them."""
    zh, en = (
        [re.findall(r"[−\d.]+", row) for row in re.findall(ROW, prose(path), re.M)] for path in pair
    )
    assert zh == en


@pytest.mark.parametrize("pattern", [DISPLAY, INLINE, CITATION, ROW])
def test_what_is_compared_is_there(pattern):
    """Nothing equals nothing: each of these is found in several pages of the book."""
    found = [path for path in FILES["zh"] if re.findall(pattern, prose(path), re.M | re.S)]
    assert len(found) > 3
