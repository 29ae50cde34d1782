"""What the text says of benchmarks is what benchmarks/README.md has recorded."""

import re

import pytest
from book_files import EDITIONS, NOTEBOOKS, ROOT, cells, name

ROW = r"^\|.*\|$"
# A median with its range, 97.2 (96.4–97.4): in the README some as shares, .972 (.964–.974).
MEASURED = r"(\d*\.\d+) ?[(（](\d*\.\d+)–(\d*\.\d+)[)）]"
RECORDED = (ROOT / "benchmarks" / "README.md").read_text(encoding="utf-8")


def in_percent(number):
    return f"{100 * float(number):.1f}" if re.fullmatch(r"1?\.\d+|1\.000", number) else number


def rows(text):
    """The medians with their ranges, row by row, of tables that have them."""
    found = (re.findall(MEASURED, row) for row in re.findall(ROW, text, re.M))
    return [tuple(tuple(map(in_percent, each)) for each in row) for row in found if row]


@pytest.mark.parametrize("path", NOTEBOOKS, ids=name)
def test_tables_are_those_of_the_benchmarks(path):
    """Each row has all its medians, with their ranges, from one row of the README."""
    recorded = rows(RECORDED)
    for cell in cells(path, "markdown"):
        for row in rows(cell["source"]):
            assert any(set(row) <= set(each) for each in recorded), row


@pytest.mark.parametrize("edition", EDITIONS)
def test_tables_are_found(edition):
    """Sections 4, 7 and 8 quote benchmarks: what finds nothing compares nothing."""
    for section in ("04_bahdanau_attention", "07_transformer", "08_decoding"):
        path = ROOT / "book" / edition / f"{section}.ipynb"
        assert sum(len(rows(cell["source"])) for cell in cells(path, "markdown")) >= 4
