"""Which of the files that a student handed in counts."""

import io
import re
from pathlib import PurePosixPath
from typing import NamedTuple

from coursework.handed_in.archive import Entry, in_zip
from coursework.handed_in.notebook import Unreadable
from coursework.handed_in.uploads import Upload
from coursework.questions.cases import Message

NO_NOTEBOOK = Message(
    "no-notebook",
    "提交的文件中没有笔记本（.ipynb）。",
    "There is no notebook (.ipynb) among the files that were handed in.",
)
# The -2 or (2) that platforms, browsers and Jupyter append.
COPY = re.compile(r"(?:-(?:Copy)?| ?\()(\d{1,9})\)?$")


class Notebook(NamedTuple):
    """A notebook that may count, and by what it is chosen."""

    upload: Upload
    entry: Entry
    right_name: int
    rank: tuple


def notebooks(files: list[tuple[Upload, Entry]], assignment: str) -> list[Notebook]:
    """The notebooks of a student, the one that counts last. Raises Unreadable if none does.

    The name that was handed out goes before all; then the platform's count of uploads; and a
    number that a browser appended only tells copies apart.
    """
    found = []
    for told, entry in files:
        if entry.problem:
            continue
        zipped = entry.name.lower().endswith(".zip")
        for each in _unpacked(entry) if zipped else [entry]:
            if not each.name.lower().endswith(".ipynb"):
                continue
            stem = PurePosixPath(each.name if zipped else told.file).stem
            right_name, copy = _rightness(stem, assignment)
            exact = right_name == 2 and not copy
            of_zip = _copy(PurePosixPath(told.file).stem)
            rank = (right_name, told.order, exact, copy, of_zip, each.changed, each.name)
            found.append(Notebook(told, each, right_name, rank))
    if not found:
        raise Unreadable(next(filter(None, (e.problem for _, e in files)), NO_NOTEBOOK))
    return sorted(found, key=lambda notebook: notebook.rank)


def _rightness(stem: str, assignment: str) -> tuple[int, int]:
    """2 for the assignment's name, 1 if there is more, 0 for another; and the number of a copy.

    >>> [_rightness(s, "a1") for s in ("a1", "A1 (2)", "a1-Copy1", "a1_ada", "scratch-3")]
    [(2, 0), (2, 2), (2, 1), (1, 0), (0, 3)]
    """
    plain = COPY.sub("", stem).casefold()
    return (plain == assignment) + plain.startswith(assignment), _copy(stem)


def _copy(stem: str) -> int:
    found = COPY.search(stem)
    return int(found[1]) if found else 0


def _unpacked(entry: Entry) -> list[Entry]:
    """The files of a zip that a student handed in. One that leads out of it spoils it all."""
    inside = list(in_zip(io.BytesIO(entry.read())))
    for each in inside:
        if each.problem:
            raise Unreadable(each.problem)
    return inside
