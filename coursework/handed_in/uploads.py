"""What learning platforms put into the names of files: the student, and which file is newest.

A platform's part of a name stands first, and ends where the student's own begins. Only the first
is read, in the way of one platform for a whole archive: what students call their files tells
nothing of whose they are.
"""

import re
from collections.abc import Sequence
from typing import NamedTuple

from coursework.assignments import assignment_names
from coursework.course.folder import CourseError
from coursework.course.roster import Roster, composed


class Upload(NamedTuple):
    """What the name of a file tells."""

    number: str  # what the platform, or whoever made the folder, calls the student
    name: str = ""  # the student's name, where the platform tells it
    file: str = ""  # what the student called the file, with folders
    order: str = ""  # of two files of a student, the newer has the larger
    late: bool = False
    assignment: str = ""  # where the platform tells it


class Platform(NamedTuple):
    """How a platform names all files that it gives out."""

    title: str
    pattern: re.Pattern[str]
    lasting: bool = False  # whether a student's number is the same in every assignment

    def read(self, path: str) -> Upload | None:
        """What a path tells, None if the platform would not name a file so.

        >>> CANVAS.read("adalovelace_LATE_12_345_a1-2.ipynb")[:3]
        ('12', 'adalovelace', 'a1-2.ipynb')
        >>> MOODLE.read("Ada_12_assignsubmission_file_/Eve_66_assignsubmission_file_x")[:3]
        ('12', 'Ada', 'Eve_66_assignsubmission_file_x')
        >>> NBGRADER.read("submitted/ada/a1_scores/x.ipynb").assignment
        'a1_scores'
        >>> FOLDER.read("ada.ipynb")[:3], FOLDER.read("ada/x.ipynb")[:3]
        (('ada', '', 'ada.ipynb'), ('ada', '', 'x.ipynb'))
        """
        found = self.pattern.fullmatch(path)
        if found is None:
            return None
        told = {part: text or "" for part, text in found.groupdict().items()}
        return Upload(
            number=composed(told["number"]),
            name=composed(told.get("name", "")),
            file=told["file"] or path,
            order=told.get("order", "").zfill(20),
            late=bool(told.get("late")),
            assignment=told.get("assignment", ""),
        )


def _named(title: str, pattern: str, **more: bool) -> Platform:
    return Platform(title, re.compile(pattern, re.S | re.X), **more)


# Moodle makes spaces of the low lines in a name, so that the first one is its own.
MOODLE = _named(
    "Moodle",
    r"(?:submissions/)? (?P<name>[^_/]+) _ (?P<number>\d+) _assignsubmission_[a-z]+ (?:_/|/|_)"
    r"(?P<file>.+)",
)
# Canvas takes numbers between low lines out of a name, so that the first two are its own. What
# was typed into its form instead of uploaded has only one.
CANVAS = _named(
    "Canvas",
    r"(?:submissions/)? (?P<name>[^/]+?) _ (?P<late>LATE_)? (?P<number>\d+) _"
    r"(?: (?P<order>\d+) _ (?P<file>[^/]+) | (?:text|link)\.html )",
    lasting=True,
)
# As it lies in the folder of a course, and as it waits in the exchange.
NBGRADER = _named(
    "nbgrader",
    r"(?: submitted/ (?=[^/]+/[^/]+/) | (?:inbound/)? (?=[^/]+\+[^+/]+\+\d{4}-\d\d-\d\d\ ) )"
    r"(?P<number>[^/]+?) [/+] (?P<assignment>[^+/]+)"
    r"(?: \+ (?P<order>\d{4}-\d\d-\d\d\ \d\d:\d\d:\d\d) [^/]* )? / (?P<file>.+)",
)
# Whose a submission is stands in a table beside them.
GRADESCOPE = _named(
    "Gradescope",
    r"(?:assignment_\d+_export/)? (?P<number>submission_\d+ (?=/) | submission_metadata\.yml)"
    r"(?: / (?P<file>.+) )?",
)
# One file or one folder for each student, named after the student; in it, perhaps, one for each
# assignment.
FOLDER = _named(
    "folder",
    r"(?P<number>[^/]+?)"
    rf"(?: / (?: (?P<assignment>{'|'.join(assignment_names())}) / )? (?P<file>.+)"
    r"| (?:\.[^./]*)? )",
)
# Where two could have given a name, the first one has.
PLATFORMS = {each.title.lower(): each for each in (MOODLE, CANVAS, NBGRADER, GRADESCOPE, FOLDER)}


def recognise(paths: Sequence[str], roster: Roster) -> Platform:
    """The platform that has named all of them.

    Raises:
        CourseError: there is more than one, so that somebody has to say which counts.
    """
    if not paths:
        return FOLDER
    named: dict[str, str] = {}
    for path in paths:
        named.setdefault(_first(path), path)
    if len(named) > 1:
        looks = ", ".join(f"{shown(path)} as in {title}" for title, path in named.items())
        raise CourseError(
            f"files are named in more than one way ({looks}): give each in an archive of its own, "
            f"or say which counts: --platform {' or '.join(named)}"
        )
    folder, _, inside = paths[0].partition("/")
    alone = all(path.startswith(f"{folder}/") for path in paths) and not roster.find(folder)
    if [*named] == ["folder"] and alone and _first(inside) != "folder":
        raise CourseError(
            f"all is in one folder, and named as in {_first(inside)} there, such as "
            f"{shown(paths[0])}: give what is in it, or, if it is one student's, say so: "
            "--platform folder"
        )
    return PLATFORMS[next(iter(named))]


def _first(path: str) -> str:
    """Who could have given this name; a path that nobody could is a folder's."""
    return next((title for title, each in PLATFORMS.items() if each.read(path)), "folder")


def shown(name: str, longest: int = 100) -> str:
    """A name as it can be printed: no sign that a terminal obeys or hides, and not endless."""
    if len(name) > longest:
        name = f"{name[: longest - 30]}…{name[-29:]}"
    return repr(name)
