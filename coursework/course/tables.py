"""CSV tables as learning platforms and spreadsheets write and read them."""

import csv
import io
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import NamedTuple

BOM = b"\xef\xbb\xbf"  # without it, Excel takes UTF-8 for something else


class Table(NamedTuple):
    header: list[str]
    rows: list[list[str]]
    has_bom: bool = True
    delimiter: str = ","

    def column(self, *names: str) -> int | None:
        """The first column that has one of these names, which are given in lower case."""
        plain = [title.strip().casefold() for title in self.header]
        return next((plain.index(name) for name in names if name in plain), None)


def read_table(path: Path) -> Table:
    """A table of a platform or a spreadsheet.

    Raises:
        ValueError: it is no table in UTF-8; says what to do.
    """
    content = path.read_bytes()
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise ValueError(
            f"{path}: not encoded in UTF-8; in Excel, save it as “CSV UTF-8 (comma delimited)”"
        ) from None
    if "\0" in text or not text.strip():
        raise ValueError(f"{path}: {'not a CSV file' if text.strip() else 'the file is empty'}")
    first = text.lstrip().splitlines()[0]
    delimiter = max(",;\t", key=first.count)  # spreadsheets of some countries use a semicolon
    header, *rows = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter)
    full = [row + [""] * (len(header) - len(row)) for row in rows if any(map(str.strip, row))]
    return Table(header, full, content.startswith(BOM), delimiter)


def table_bytes(table: Table) -> bytes:
    text = io.StringIO(newline="")
    writer = csv.writer(text, delimiter=table.delimiter)
    writer.writerows([table.header, *table.rows])
    return (BOM if table.has_bom else b"") + text.getvalue().encode("utf-8")


def defused(text: str) -> str:
    """Text that a spreadsheet does not take for a formula.

    A name is a student's own choice, and the spreadsheet that opens it an instructor's.

    >>> defused("=HYPERLINK(1)"), defused("O'Neill"), defused(" -x")
    ("'=HYPERLINK(1)", "O'Neill", "' -x")
    """
    return f"'{text}" if text.lstrip()[:1] in tuple("=+-@") or text[:1] in tuple("\t\r") else text


def table_of(header: Sequence[str], rows: Iterable[Sequence[object]]) -> Table:
    return Table(list(header), [["" if v is None else str(v) for v in row] for row in rows])
