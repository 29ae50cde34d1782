"""Whose a file is, and which of several is the newest, from how learning platforms name them."""

import re
from typing import NamedTuple

MOODLE = re.compile(r"(?P<name>.+)_(?P<number>\d+)_assignsubmission_[a-z]+_?/?(?P<file>.*)")
CANVAS = re.compile(
    r"(?P<name>[^_/]+)_(?P<late>LATE_)?(?P<number>\d+)_(?P<count>\d+)_(?P<file>[^/]+)"
)
COPY = re.compile(r"(?:-| ?\()(\d+)\)?$")  # the -2 or (2) that platforms and browsers append


class Upload(NamedTuple):
    """What the name of a file tells."""

    owner: tuple[str, ...]  # what may name the student; the first serves if nobody is known
    name: str  # the student's name
    order: tuple[int, ...]  # of two files of a student, the newer has the larger
    late: bool = False


def upload(path: str, assignment: str) -> Upload | None:
    """What a path in a folder or a zip tells, None if it belongs to another assignment.

    >>> upload("adalovelace_LATE_12_345_a1-2.ipynb", "a1_scores")
    Upload(owner=('12', 'adalovelace'), name='adalovelace', order=(345, 2), late=True)
    >>> upload("Ada Lovelace_12_assignsubmission_file_/x.ipynb", "a1_scores").owner
    ('12', 'Ada Lovelace')
    >>> upload("submitted/ada/a1_scores/a1_scores.ipynb", "a1_scores").owner
    ('ada',)
    >>> upload("submitted/ada/a2_pooling/a2_pooling.ipynb", "a1_scores")
    """
    folders = path.split("/")
    copy = _copy(folders[-1])
    if found := MOODLE.fullmatch(path.removeprefix("submissions/")):
        return Upload((found["number"], found["name"]), found["name"], (copy,))
    if found := CANVAS.fullmatch(path.removeprefix("submissions/")):
        order = (int(found["count"]), copy)
        return Upload((found["number"], found["name"]), found["name"], order, bool(found["late"]))
    if folders[0] == "submitted":
        _, student, *rest = folders if len(folders) > 1 else ("", "")
        return Upload((student,), "", (copy,)) if rest[:1] == [assignment] else None
    if len(folders) == 1:
        student = path.rpartition(".")[0] or path
        return Upload((student,), "", (0,))
    return Upload((folders[0],), "", (copy,))


def _copy(file: str) -> int:
    found = COPY.search(file.rpartition(".")[0])
    return int(found[1]) if found else 0
