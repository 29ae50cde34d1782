"""What is known of each student's work on an assignment: the marks, and who it is."""

import sys
from dataclasses import dataclass, field

from coursework.course.folder import Course
from coursework.course.roster import Student, key
from coursework.marking.marks import MARKED, Marks
from coursework.marking.records import file_hash, from_record, read_record
from coursework.questions.cases import Assignment
from coursework.reports.written import Written, written_answers

NOT_MARKED = "not marked"


@dataclass(frozen=True)
class Result:
    student: Student
    marks: Marks | None  # None: nobody has marked it
    late: bool = False
    written: dict[str, Written] = field(default_factory=dict)
    file: str = ""  # what the student called it, as far as collecting has noted

    @property
    def status(self) -> str:
        return self.marks.status if self.marks else NOT_MARKED

    @property
    def total(self) -> float | None:
        """All points, None as long as they are not known. Zero is known."""
        if self.status != MARKED or any(answer.points is None for answer in self.written.values()):
            return None
        return self.marks.points + sum(answer.points for answer in self.written.values())

    @property
    def out_of(self) -> float | None:
        if self.marks is None:
            return None
        return self.marks.out_of + sum(answer.out_of for answer in self.written.values())


def results(course: Course, assignment: Assignment, database: str | None = None) -> list[Result]:
    """Of all students of the course, in the order of their identifiers.

    Says on stderr what is older than what was handed in.

    Args:
        course: where the marks are.
        assignment: whose marks.
        database: a gradebook with the points of the written answers; without one, there are none.
    """
    written = {}
    if database:
        written = written_answers(database, assignment)
    roster, notes = course.roster().students, course.notes(assignment.name)
    found, outdated = [], []
    for id in course.students(assignment.name):
        note = notes.get(id, {})
        name = note.get("name", "")
        student = roster.get(id) or Student(id, name, "", frozenset({key(id), key(name)}) - {""})
        record = read_record(course.record(id, assignment.name))
        try:
            marks = from_record(record, assignment) if record else None
        except (KeyError, TypeError, ValueError):
            marks = None
        submission = course.submission(id, assignment.name)
        if (
            submission.exists()
            and marks
            and record["hashes"]["submission"] != file_hash(submission)
        ):
            outdated.append(id)
        late, file = bool(note.get("late")), note.get("file", "")
        found.append(Result(student, marks, late, written.get(id, {}), file))
    outdated += [result.student.id for result in found if result.marks is None]
    if outdated:
        print(
            f"not marked as they are now: {', '.join(outdated)}; run: mark {assignment.name}",
            file=sys.stderr,
        )
    return found
