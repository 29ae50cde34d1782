"""Put what students handed in where marking finds it, whatever platform it comes from."""

import argparse
import json
import sys
from collections import Counter, defaultdict
from pathlib import Path

from coursework.course.folder import (
    Course,
    CourseError,
    add_course_arguments,
    load_assignment,
    write_whole,
)
from coursework.course.roster import key, read_roster
from coursework.handed_in.newest import notebooks
from coursework.handed_in.notebook import Unreadable
from coursework.handed_in.owners import HandedIn
from coursework.handed_in.readings import path_of, read_archive
from coursework.handed_in.uploads import PLATFORMS, Platform, shown

COLLECTED = ("new", "replaced", "unchanged")


class Collection:
    """Files the submissions of one assignment, and remembers what to say about them."""

    def __init__(self, course: Course, assignment: str):
        self.course, self.assignment = course, assignment
        self.has_roster = bool(course.roster().students)
        self.notes = course.notes(assignment)
        self.counts: Counter[str] = Counter()
        self.remarks: defaultdict[str, list[str]] = defaultdict(list)

    def file(self, handed_in: HandedIn, platform: Platform) -> None:
        student, remarks = handed_in.student, self.remarks[handed_in.student.id]
        path = self.course.submission(student.id, self.assignment)
        note = {"name": student.name, "file": "", "late": False, "problem": None}
        if self.has_roster and not handed_in.on_roster:
            remarks.append(f"not on the roster: {shown(handed_in.files[0][1].name)}")
        if path.exists() and (doubt := self._another(handed_in, platform)):
            remarks.append(f"not collected: {doubt}; what was collected before is kept")
            self.counts["not replaced"] += 1
            return
        remarks += {entry.problem.en for _, entry in handed_in.files if entry.problem}
        try:
            found = notebooks(handed_in.files, self.assignment)
            told, entry, right_name, _ = found[-1]
            note |= {"file": entry.name, "late": told.late}
            content = entry.read()
        except Unreadable as error:
            remarks.append(error.reason.en)
            if path.exists():
                remarks.append("what was collected before is kept")
                self.counts["unchanged"] += 1
            else:
                self.notes[student.id] = note | {"problem": list(error.reason)}
                self.counts["with a problem"] += 1
            return
        if len(found) > 1:
            named = found[0].right_name < right_name or found[0].rank[2] < found[-1].rank[2]
            why = "the one of the right name" if named else "the newest"
            remarks.append(f"{len(found)} notebooks, {why} counts: {shown(entry.name)}")
        if told.late:
            remarks.append("handed in late")
        self.notes[student.id] = note
        self.counts[self._write(path, content, remarks)] += 1

    def _another(self, handed_in: HandedIn, platform: Platform) -> str:
        """What tells that somebody else's work was collected under this identifier before."""
        before = self.notes.get(handed_in.student.id, {})
        told = handed_in.files[0][0]
        read = platform.read(path_of(before.get("file", "")))
        if read and read.name and read.number != told.number:
            return f"{told.number} was {read.number} when it was collected before"
        if told.name and not handed_in.on_roster and key(before.get("name", "")) != key(told.name):
            return f"the name is not the one of {told.number} that was collected before"
        return ""

    def _write(self, path: Path, content: bytes, remarks: list[str]) -> str:
        if path.exists() and path.read_bytes() == content:
            return "unchanged"
        replaced = path.exists()
        if replaced:
            remarks.append(f"replaces {path}, which is different")
        write_whole(path, content)
        return "replaced" if replaced else "new"

    def save(self) -> None:
        text = json.dumps(self.notes, ensure_ascii=False, indent=1, sort_keys=True)
        write_whole(self.course.collected(self.assignment), f"{text}\n".encode("utf-8", "replace"))


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_course_arguments(parser)
    parser.add_argument(
        "source",
        type=Path,
        help="a folder of files or folders named after the students, or what Canvas, Moodle, "
        "Gradescope or nbgrader gives for all submissions; a folder or a zip",
    )
    parser.add_argument(
        "--platform",
        choices=PLATFORMS,
        help="who has named the files, where they do not agree (default: whoever has named all; "
        "“folder”: you, after the students)",
    )
    parser.add_argument(
        "--roster",
        type=Path,
        metavar="CSV",
        help="who takes the course (id, name, email; or as exported by Canvas or Moodle); "
        "kept in the course folder as roster.csv",
    )


def run(arguments: argparse.Namespace) -> int:
    course, assignment = Course(arguments.course), load_assignment(arguments.assignment).name
    if not arguments.source.exists():
        raise CourseError(f"{arguments.source} does not exist; wanted is a folder or a zip")
    if arguments.roster:
        keep_roster(course, arguments.roster)
    roster = course.roster()
    platform = PLATFORMS[arguments.platform] if arguments.platform else None
    try:
        reading = read_archive(arguments.source, roster, assignment, platform)
    except (Unreadable, CourseError) as error:
        raise CourseError(f"{arguments.source}: {error}") from None
    if not reading.found and not reading.nobody:
        raise CourseError(f"{arguments.source} holds nothing of {assignment}")
    collection = Collection(course, assignment)
    for handed_in in reading.found:
        collection.file(handed_in, reading.platform)
    collection.save()
    if reading.remark:
        print(reading.remark)
    for student, remarks in collection.remarks.items():
        for remark in remarks:
            print(f"{student}: {remark}")
    for entry, reason in reading.nobody:
        print(f"not collected: {shown(entry.name)}: {reason}", file=sys.stderr)
    kinds = ", ".join(f"{n} {kind}" for kind, n in sorted(collection.counts.items()))
    print(f"{assignment}: {len(reading.found)} students: {kinds or 'nothing'}")
    missing = [s for s in roster.students if not course.submission(s, assignment).exists()]
    missing = [s for s in missing if not collection.notes.get(s, {}).get("problem")]
    if missing:
        print(f"{len(missing)} of {len(roster.students)} on the roster are missing")
    return 0 if any(collection.counts[kind] for kind in COLLECTED) else 1


def keep_roster(course: Course, file: Path) -> None:
    """Copy a roster into the course, once it has been read without an error."""
    try:
        students = read_roster(file).students
    except (ValueError, OSError) as error:
        raise CourseError(str(error)) from None
    content = file.read_bytes()
    if course.roster_file.exists() and course.roster_file.read_bytes() != content:
        print(f"{course.roster_file} is replaced by {file}: {len(students)} students")
    write_whole(course.roster_file, content)
