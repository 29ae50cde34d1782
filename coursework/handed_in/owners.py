"""Whose each file is, as far as it is certain.

A wrong guess gives one student's marks to another, so that nothing is guessed: where the number
and the name of a file lead to two people, or two numbers to one, nobody gets it, and it is said.
"""

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import NamedTuple

from coursework.course.roster import Roster, Student, folded, key, usable
from coursework.handed_in.archive import Entry
from coursework.handed_in.uploads import FOLDER, Platform, Upload, shown

UNNAMED = "no student can be told from its name, or not one that can name a folder"


class Uncertain(Exception):
    """Nobody may be said to own a file; the text says why."""


class Claim(NamedTuple):
    """A file, and the student whom its name names."""

    student: Student
    upload: Upload
    entry: Entry


@dataclass
class HandedIn:
    """The files of one student."""

    student: Student
    on_roster: bool = False
    files: list[tuple[Upload, Entry]] = field(default_factory=list)


def owner(told: Upload, platform: Platform, roster: Roster) -> Student:
    """The student whom a number and a name agree on; a new one, if the roster has neither.

    Raises:
        Uncertain: they do not agree, or can name no folder.
    """
    by_number = roster.find(told.number)
    by_name = roster.find(told.name) if told.name else None
    if by_number:
        # A roster of numbers only has no name that could disagree.
        agree = not told.name or key(told.name) in by_number.keys
        if not agree and (by_number.name or by_name):
            other = f"that of {by_name.id}" if by_name else "another"
            raise Uncertain(f"the number {told.number} is that of {by_number.id}, the name {other}")
        return by_number
    if by_name and platform.lasting and by_name.canvas not in ("", told.number):
        raise Uncertain(
            f"the number {told.number} is nobody's, the name that of {by_name.id}, whose number "
            f"is {by_name.canvas}"
        )
    if by_name:
        return by_name
    if not usable(told.number) or roster.holds_folder(told.number):
        raise Uncertain(UNNAMED)
    return Student(told.number, told.name)


def sort_out(
    files: Iterable[tuple[Upload, Entry]], platform: Platform, roster: Roster
) -> tuple[list[HandedIn], list[tuple[Entry, str]]]:
    """The files by student; and those that nobody owns, with the reason."""
    files = list(files)
    # Marked blindly, all are called the same, and the number alone tells them apart.
    blind = len({told.name for told, _ in files}) == 1 < len({told.number for told, _ in files})
    claims, nobody = [], []
    for told, entry in files:
        told = told._replace(name="") if blind else told
        try:
            student = owner(told, platform, roster)
        except Uncertain as error:
            nobody.append((entry, str(error)))
            continue
        if entry.problem and platform is FOLDER and student.id not in roster.students:
            nobody.append((entry, entry.problem.en))
        else:
            claims.append(Claim(student, told, entry))
    found: dict[str, HandedIn] = {}
    for claim, doubt in _of_one_mind(claims):
        if doubt:
            nobody.append((claim.entry, doubt))
            continue
        student = claim.student
        handed_in = found.setdefault(student.id, HandedIn(student, student.id in roster.students))
        handed_in.files.append((claim.upload, claim.entry))
    return [found[student] for student in sorted(found)], nobody


def _of_one_mind(claims: list[Claim]) -> Iterable[tuple[Claim, str]]:
    """Each claim with what speaks against it: in one archive, a student has one number and name."""
    numbers, names = defaultdict(set), defaultdict(set)
    for claim in claims:
        numbers[folded(claim.student.id)].add(claim.upload.number)
        if claim.upload.name:
            names[claim.upload.number].add(key(claim.upload.name))
    for claim in claims:
        doubt = ""
        of_student = sorted(numbers[folded(claim.student.id)])
        if len(of_student) > 1:
            spelled = (name if name.isprintable() else shown(name) for name in of_student)
            doubt = f"{' and '.join(spelled)} are both called {claim.student.id}"
        elif len(names[claim.upload.number]) > 1:
            doubt = f"{claim.upload.number} has several names in this archive"
        yield claim, doubt
