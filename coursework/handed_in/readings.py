"""What is in an archive, and whose: names in the right encoding, of the platform that gave them."""

from pathlib import Path
from typing import NamedTuple

from coursework.course.folder import CourseError
from coursework.course.roster import Roster
from coursework.handed_in.archive import Entry, entries
from coursework.handed_in.gradescope import submitters
from coursework.handed_in.owners import HandedIn, sort_out
from coursework.handed_in.uploads import GRADESCOPE, Platform, recognise

# In which names may be written that do not say it, each with what people call it.
ENCODINGS = {
    "utf-8": "UTF-8 or CP437",  # which the zip format says
    "gb18030": "GBK",
    "big5": "Big5",
    "cp1252": "CP1252",
    "latin-1": "Latin-1",
    "cp932": "Shift-JIS",
    "cp850": "CP850",
}


class Reading(NamedTuple):
    """An archive as it was understood: whose is what, and what nobody owns, with the reason."""

    found: list[HandedIn]
    nobody: list[tuple[Entry, str]]
    platform: Platform
    remark: str = ""  # what was done to understand it


def read_archive(
    source: Path, roster: Roster, assignment: str, platform: Platform | None = None
) -> Reading:
    """Whose is what in a folder or a zip, in the encoding of names that finds most students.

    Args:
        source: the folder or the zip.
        roster: who takes the course; without it, names are what UTF-8 or the zip format says.
        assignment: whose files are wanted; those of another are left.
        platform: whose way of naming files counts; None: that of all files.

    Raises:
        CourseError: the names are of more than one platform.
        Unreadable: it is neither a folder nor a zip, or nothing is in it.
    """
    # What is read wrongly can look like clutter, and be passed over.
    unsure = any(entry.unsure for each in ENCODINGS for entry in entries(source, each))
    best, found, error = None, -1, None
    for encoding in ENCODINGS if unsure and roster.students else ("utf-8",):
        try:
            reading = _read(list(entries(source, encoding)), roster, assignment, platform)
        except CourseError as refused:  # what is read wrongly can be of no platform
            error = error or refused
            continue
        if _on_roster(reading, roster) > found:
            best, found = encoding, _on_roster(reading, roster)
            chosen = reading
    if best is None:
        raise error
    if not unsure:
        return chosen
    return chosen._replace(
        remark=f"names that do not say their encoding are read as {ENCODINGS[best]}, which finds "
        f"{found} of {len(roster.students)} on the roster"
    )


def _on_roster(reading: Reading, roster: Roster) -> int:
    return sum(handed_in.student.id in roster.students for handed_in in reading.found)


def _read(
    files: list[Entry], roster: Roster, assignment: str, platform: Platform | None
) -> Reading:
    paths = [(entry, path_of(entry.name)) for entry in files]
    # What leads out of its folder is no platform's work.
    sound = [path for entry, path in paths if not entry.problem]
    platform = platform or recognise(sound or [path for _, path in paths], roster)
    told, nobody = [], []
    for entry, path in paths:
        upload = platform.read(path)
        if upload is None:
            nobody.append((entry, f"not named as {platform.title} names files"))
        elif upload.assignment in ("", assignment):
            told.append((upload, entry))
    if platform is GRADESCOPE:
        told, unnamed = submitters(told)
        nobody += unnamed
    found, uncertain = sort_out(told, platform, roster)
    return Reading(found, nobody + uncertain, platform)


def path_of(name: str) -> str:
    """The path in an archive. One that leads out of its folder still tells whose it is."""
    return name.replace("\\", "/").replace("../", "").lstrip("/")
