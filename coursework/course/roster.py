"""Who takes the course: a CSV file of one's own, or as Canvas and Moodle export it."""

import re
import unicodedata
from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

from coursework.course.tables import Table, read_table

# The first of these columns that a row fills is the student's identifier.
IDENTIFIERS = (
    "student id",
    "student_id",
    "学号",
    "sis login id",
    "username",
    "用户名",
    "sis user id",
    "id number",
    "id",
    "email",
    "email address",
    "identifier",
)
NAMES = ("name", "student", "full name", "student name", "姓名", "全名")
FIRST_NAMES, LAST_NAMES = ("first name", "first_name", "名"), ("last name", "surname", "姓")
EMAILS = ("email", "email address", "e-mail", "e-mail address", "邮箱", "电子邮件")
NOBODY = ("points possible", "student, test", "test student")  # rows of Canvas's own


class Student(NamedTuple):
    id: str
    name: str = ""
    email: str = ""
    keys: frozenset[str] = frozenset()  # what else a platform calls this student
    canvas: str = ""  # Canvas's number of this student, which is the same in every assignment


class Roster:
    """Students by identifier, and by whatever else names exactly one of them."""

    def __init__(self, students: Iterable[Student]):
        self.students = {student.id: student for student in students}
        self._folders = set(map(folded, self.students))
        named = Counter(key for s in self.students.values() for key in s.keys)
        self._by_key = {
            key: student
            for student in self.students.values()
            for key in student.keys
            if named[key] == 1
        }

    def find(self, *names: str) -> Student | None:
        """The student whom the first name belongs to that belongs to anybody."""
        by_id = (self.students.get(composed(name)) for name in names)
        by_key = (self._by_key.get(key(name)) for name in names)
        return next((s for pair in zip(by_id, by_key, strict=True) for s in pair if s), None)

    def holds_folder(self, name: str) -> bool:
        """Whether some file system would take a folder of this name for a student's."""
        return folded(name) in self._folders


def key(name: str) -> str:
    """A name as it can be compared, whatever a platform did to its spaces, signs and letters.

    >>> key("Lovelace, Ada"), key("lovelaceada"), key("Participant 12345")
    ('lovelaceada', 'lovelaceada', '12345')
    """
    participant = re.fullmatch(r"\D+ (\d+)", name.strip())
    plain = participant[1] if participant else folded(name)
    # Letters, the marks that belong to them, and digits.
    return "".join(sign for sign in plain if unicodedata.category(sign)[0] in "LMN")


def composed(name: str) -> str:
    """A name with each letter and its marks in one piece, as most systems write it."""
    return unicodedata.normalize("NFC", name)


def folded(name: str) -> str:
    """What two names have in common that a file system may take for one."""
    return composed(composed(name).casefold())


def usable(student: str) -> bool:
    """Whether an identifier can name a folder, on every system and inside this one only.

    >>> [usable(name) for name in ("li.lei@uni.cn", "王小明", "../x", "a/b", ".x", "")]
    [True, True, False, False, False, False]
    """
    return re.fullmatch(r"[\w@][\w.@+-]{0,79}", student) is not None and student[-1] != "."


def read_roster(path: Path) -> Roster:
    """The students of a CSV file.

    Raises:
        ValueError: no column names the students, or two rows or a row's name make no sense.
    """
    table = read_table(path)
    students: dict[str, Student] = {}
    seen: dict[str, str] = {}
    for number, row in enumerate(table.rows, start=2):
        student = student_of(table, row)
        if student is None:
            continue
        if not student.id:
            raise ValueError(
                f"{path}, row {number}: no identifier; wanted is a column “id” (or one of "
                f"{', '.join(IDENTIFIERS)}), there are {', '.join(table.header)}"
            )
        if student.id in students:
            raise ValueError(f"{path}, row {number}: {student.id!r} is there twice")
        if other := seen.get(folded(student.id)):
            raise ValueError(
                f"{path}, row {number}: {student.id!r} and {other!r} could not be told apart as "
                "names of folders"
            )
        if not usable(student.id):
            raise ValueError(
                f"{path}, row {number}: {student.id!r} cannot name a folder; wanted are "
                "letters, digits and . _ @ + -"
            )
        students[student.id] = student
        seen[folded(student.id)] = student.id
    return Roster(students.values())


def student_of(table: Table, row: list[str]) -> Student | None:
    """The student of a row, None if it is about nobody."""
    name = composed(_name(table, row))
    if name.strip().casefold() in NOBODY:
        return None
    identifiers = [value for title in IDENTIFIERS if (value := _cell(table, row, title))]
    email = _cell(table, row, *EMAILS)
    last, _, first = name.partition(", ")
    names = {*identifiers, email, name, f"{first} {last}", f"{last}, {first}"}
    if not first:
        names |= {" ".join(reversed(name.split()))}
    keys = frozenset(filter(None, map(key, names)))
    of_canvas = table.column("sis user id", "sis login id") is not None
    canvas = _cell(table, row, "id") if of_canvas else ""
    return Student(composed(identifiers[0]) if identifiers else "", name, email, keys, canvas)


def _name(table: Table, row: list[str]) -> str:
    whole = _cell(table, row, *NAMES)
    return whole or f"{_cell(table, row, *FIRST_NAMES)} {_cell(table, row, *LAST_NAMES)}".strip()


def _cell(table: Table, row: list[str], *titles: str) -> str:
    column = table.column(*titles)
    return "" if column is None else row[column].strip()
