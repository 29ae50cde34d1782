"""Put what students handed in where marking finds it, whatever platform it comes from."""

import argparse
import io
import json
import sys
from collections import Counter, defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path

from coursework.course.folder import (
    Course,
    CourseError,
    add_course_arguments,
    load_assignment,
    write_whole,
)
from coursework.course.roster import Roster, Student, read_roster, usable
from coursework.handed_in.archive import Entry, entries, in_zip
from coursework.handed_in.notebook import Unreadable
from coursework.handed_in.uploads import Upload, upload
from coursework.questions.cases import Message

NO_NOTEBOOK = Message(
    "no-notebook",
    "提交的文件中没有笔记本（.ipynb）。",
    "There is no notebook (.ipynb) among the files that were handed in.",
)
UNNAMED = "no student can be told from its name, or not one that can name a folder"


@dataclass
class HandedIn:
    """The files of one student, newest last."""

    student: Student
    files: list[tuple[Upload, Entry]] = field(default_factory=list)

    def newest(self, assignment: str) -> tuple[Upload, Entry, int]:
        """The notebook that counts, and how many there are. Raises Unreadable if none does."""
        notebooks = []
        for upload_, entry in self.files:
            if entry.problem:
                raise Unreadable(entry.problem)
            inside = _unpacked(entry) if entry.name.lower().endswith(".zip") else [entry]
            notebooks += [(upload_, e) for e in inside if e.name.lower().endswith(".ipynb")]
        if not notebooks:
            raise Unreadable(NO_NOTEBOOK)

        def age(notebook):
            upload_, entry = notebook
            named = Path(entry.name).stem.startswith(assignment)
            return upload_.order, named, entry.changed, entry.name

        return *max(notebooks, key=age), len(notebooks)


def _unpacked(entry: Entry) -> list[Entry]:
    """The files of a zip that a student handed in. One that leads out of it spoils it all."""
    inside = list(in_zip(io.BytesIO(entry.read())))
    for each in inside:
        if each.problem:
            raise Unreadable(each.problem)
    return inside


def hand_ins(
    files: Iterable[Entry], roster: Roster, assignment: str
) -> tuple[list[HandedIn], list[tuple[str, str]]]:
    """The files by student; and those that nobody owns, with the reason."""
    found: dict[str, HandedIn] = {}
    nobody: list[tuple[str, str]] = []
    for entry in files:
        # A path that leads out of its folder still tells whose it is.
        path = entry.name.replace("\\", "/").replace("../", "").lstrip("/")
        told = upload(path, assignment)
        if told is None:
            continue
        student = roster.find(*told.owner) or Student(told.owner[0], told.name)
        if entry.problem and student.id not in roster.students and len(told.owner) == 1:
            nobody.append((entry.name, entry.problem.en))
        elif not usable(student.id):
            nobody.append((entry.name, UNNAMED))
        else:
            found.setdefault(student.id, HandedIn(student)).files.append((told, entry))
    return [found[student] for student in sorted(found)], nobody


class Collection:
    """Files the submissions of one assignment, and remembers what to say about them."""

    def __init__(self, course: Course, assignment: str):
        self.course, self.assignment = course, assignment
        self.notes = course.notes(assignment)
        self.counts: Counter[str] = Counter()
        self.remarks: defaultdict[str, list[str]] = defaultdict(list)

    def file(self, handed_in: HandedIn) -> None:
        student, remarks = handed_in.student, self.remarks[handed_in.student.id]
        path = self.course.submission(student.id, self.assignment)
        note = {"name": student.name, "file": "", "late": False, "problem": None}
        try:
            told, entry, how_many = handed_in.newest(self.assignment)
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
        if how_many > 1:
            remarks.append(f"{how_many} notebooks, the newest counts: {entry.name!r}")
        if told.late:
            remarks.append("handed in late")
        self.notes[student.id] = note
        self.counts[self._write(path, content, remarks)] += 1

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
        help="a folder of students' files or folders, nbgrader's “submitted”, or the zip that "
        "Canvas or Moodle gives for all submissions",
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
    try:
        found, nobody = hand_ins(entries(arguments.source), roster, assignment)
    except Unreadable as error:
        raise CourseError(f"{arguments.source}: {error.reason.en}") from None
    if not found and not nobody:
        raise CourseError(f"{arguments.source} holds nothing of {assignment}")
    collection = Collection(course, assignment)
    for handed_in in found:
        collection.file(handed_in)
    collection.save()
    for student, remarks in collection.remarks.items():
        for remark in remarks:
            print(f"{student}: {remark}")
    for name, reason in nobody:
        print(f"not collected: {name!r}: {reason}", file=sys.stderr)
    kinds = ", ".join(f"{n} {kind}" for kind, n in sorted(collection.counts.items()))
    print(f"{assignment}: {len(found)} students: {kinds or 'nothing'}")
    missing = [s for s in roster.students if not course.submission(s, assignment).exists()]
    missing = [s for s in missing if not collection.notes.get(s, {}).get("problem")]
    if missing:
        print(f"{len(missing)} of {len(roster.students)} on the roster are missing")
    return 0


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
