"""The folder of a course, and what lies where in it. The layout is nbgrader's::

COURSE/roster.csv                                       who takes the course
COURSE/submitted/STUDENT/ASSIGNMENT/ASSIGNMENT.ipynb    what was handed in
COURSE/collected/ASSIGNMENT.json                        what was odd about it
COURSE/marks/ASSIGNMENT/STUDENT.json                    the automatic marks
COURSE/marks/ASSIGNMENT/look_at.csv                     what a person should look at
COURSE/gradebook.db                                     nbgrader's gradebook
COURSE/autograded/STUDENT/ASSIGNMENT/ASSIGNMENT.ipynb   what formgrader shows
COURSE/feedback/STUDENT/ASSIGNMENT/ASSIGNMENT.html      what students get back
COURSE/exports/ASSIGNMENT/                              tables for learning platforms
"""

import argparse
import json
import os
import tempfile
from dataclasses import dataclass
from pathlib import Path

from coursework.assignments import find_assignment
from coursework.course.roster import Roster, read_roster
from coursework.questions.cases import Assignment


class CourseError(Exception):
    """What an instructor can put right; the text says what was found, and what to do."""


@dataclass(frozen=True)
class Course:
    root: Path

    def submission(self, student: str, assignment: str) -> Path:
        return self.root / "submitted" / student / assignment / f"{assignment}.ipynb"

    def reading_copy(self, student: str, assignment: str) -> Path:
        return self.root / "autograded" / student / assignment / f"{assignment}.ipynb"

    def feedback(self, student: str, assignment: str) -> Path:
        return self.root / "feedback" / student / assignment / f"{assignment}.html"

    def marks(self, assignment: str) -> Path:
        return self.root / "marks" / assignment

    def record(self, student: str, assignment: str) -> Path:
        return self.marks(assignment) / f"{student}.json"

    def collected(self, assignment: str) -> Path:
        return self.root / "collected" / f"{assignment}.json"

    def exports(self, assignment: str) -> Path:
        return self.root / "exports" / assignment

    @property
    def roster_file(self) -> Path:
        return self.root / "roster.csv"

    @property
    def database(self) -> str:
        return f"sqlite:///{(self.root / 'gradebook.db').absolute()}"

    def roster(self) -> Roster:
        """Who takes the course; nobody is known if there is no roster."""
        if not self.roster_file.exists():
            return Roster(())
        try:
            return read_roster(self.roster_file)
        except ValueError as error:
            raise CourseError(str(error)) from None

    def students(self, assignment: str) -> list[str]:
        """All on the roster, and all who handed something in that was collected."""
        handed_in = self.root.glob(f"submitted/*/{assignment}")
        known = {folder.parent.name for folder in handed_in} | set(self.roster().students)
        return sorted(known | set(self.notes(assignment)))

    def notes(self, assignment: str) -> dict[str, dict]:
        """What was noted of each student when the assignment was collected."""
        file = self.collected(assignment)
        return json.loads(file.read_text(encoding="utf-8")) if file.exists() else {}


def write_whole(path: Path, content: bytes) -> None:
    """Write a file so that nobody ever sees a part of it, whatever ends this process."""
    path.parent.mkdir(parents=True, exist_ok=True)
    descriptor, name = tempfile.mkstemp(dir=path.parent, prefix=".", suffix=".part")
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        os.chmod(name, 0o640)  # mkstemp lets nobody else read it, not even a group of tutors
        os.replace(name, path)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise


def load_assignment(name: str) -> Assignment:
    """The assignment of this name. Raises CourseError with the names that there are."""
    try:
        return find_assignment(name)
    except LookupError as error:
        raise CourseError(str(error)) from None


def add_course_arguments(parser: argparse.ArgumentParser) -> None:
    """What every command about a class is told: the assignment, and where the course is."""
    parser.add_argument("assignment", help="name of the assignment, such as a1_scores")
    parser.add_argument(
        "--course",
        type=Path,
        default=Path("."),
        metavar="FOLDER",
        help="folder of the course (default: the current folder)",
    )
