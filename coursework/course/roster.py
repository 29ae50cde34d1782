"""Who takes the course: a CSV file of one's own, or as Canvas and Moodle export it."""

import re
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


class Roster:
    """Students by identifier, and by whatever else names exactly one of them."""

    def __init__(self, students: Iterable[Student]):
        self.students = {student.id: student for student in students}
        named = Counter(key for s in self.students.values() for key in s.keys)
        self._by_key = {
            key: student
            for student in self.students.values()
            for key in student.keys
            if named[key] == 1
        }

    def find(self, *names: str) -> Student | None:
        """The student whom the first name belongs to that belongs to anybody."""
        by_id = (self.students.get(name) for name in names)
        by_key = (self._by_key.get(key(name)) for name in names)
        return next((s for pair in zip(by_id, by_key, strict=True) for s in pair if s), None)


def key(name: str) -> str:
    """A name as it can be compared, whatever a platform did to its spaces and signs.

    >>> key("Lovelace, Ada"), key("lovelaceada"), key("Participant 12345")
    ('lovelaceada', 'lovelaceada', '12345')
    """
    participant = re.fullmatch(r"\D+ (\d+)", name.strip())
    return participant[1] if participant else re.sub(r"[\W_]", "", name.casefold())


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
        if not usable(student.id):
            raise ValueError(
                f"{path}, row {number}: {student.id!r} cannot name a folder; wanted are "
                "letters, digits and . _ @ + -"
            )
        students[student.id] = student
    return Roster(students.values())


def student_of(table: Table, row: list[str]) -> Student | None:
    """The student of a row, None if it is about nobody."""
    name = _name(table, row)
    if name.strip().casefold() in NOBODY:
        return None
    identifiers = [value for title in IDENTIFIERS if (value := _cell(table, row, title))]
    email = _cell(table, row, *EMAILS)
    last, _, first = name.partition(", ")
    names = {*identifiers, email, name, f"{first} {last}", f"{last}, {first}"}
    if not first:
        names |= {" ".join(reversed(name.split()))}
    keys = frozenset(filter(None, map(key, names)))
    return Student(identifiers[0] if identifiers else "", name, email, keys)


def _name(table: Table, row: list[str]) -> str:
    whole = _cell(table, row, *NAMES)
    return whole or f"{_cell(table, row, *FIRST_NAMES)} {_cell(table, row, *LAST_NAMES)}".strip()


def _cell(table: Table, row: list[str], *titles: str) -> str:
    column = table.column(*titles)
    return "" if column is None else row[column].strip()
