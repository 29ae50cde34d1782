"""Whose a submission is in Gradescope's export: a table beside them tells, in YAML."""

from collections.abc import Iterable

import yaml

from coursework.course.folder import CourseError
from coursework.course.roster import composed
from coursework.handed_in.archive import Entry
from coursework.handed_in.notebook import Unreadable
from coursework.handed_in.uploads import Upload

TABLE = "submission_metadata.yml"


def submitters(
    files: Iterable[tuple[Upload, Entry]],
) -> tuple[list[tuple[Upload, Entry]], list[tuple[Entry, str]]]:
    """The files with their students, once for each of those who handed in together; the others.

    Raises:
        CourseError: there is no table, or none that can be read.
    """
    files = list(files)
    tables = [entry for told, entry in files if told.number == TABLE]
    if len(tables) != 1:
        raise CourseError(f"{TABLE} is missing, or there is more than one: it tells whose is what")
    people = _people(tables[0])
    named, unnamed = [], []
    for told, entry in files:
        for number, name in people.get(told.number, ()):
            named.append((told._replace(number=number, name=name), entry))
        if told.number not in people and told.number != TABLE:
            unnamed.append((entry, f"not in {TABLE}"))
    return named, unnamed


def _people(entry: Entry) -> dict[str, list[tuple[str, str]]]:
    """Number, or else e-mail, and name of those who made each submission."""
    try:
        # Text only: no number loses its zeros, and no tag makes anything.
        table = yaml.load(entry.read(), yaml.BaseLoader)
    except (yaml.YAMLError, Unreadable, ValueError, RecursionError) as error:
        raise CourseError(f"{TABLE} cannot be read: {error}") from None
    found = {}
    for submission, about in table.items() if isinstance(table, dict) else ():
        group = about.get(":submitters") if isinstance(about, dict) else None
        people = [each for each in group if isinstance(each, dict)] if group else []
        if people:
            found[submission] = [
                (_text(each, ":sid") or _text(each, ":email"), _text(each, ":name"))
                for each in people
            ]
    return found


def _text(person: dict, field: str) -> str:
    value = person.get(field)
    return composed(value) if isinstance(value, str) else ""
