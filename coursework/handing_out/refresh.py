"""The practice checks that students and readers install, written anew from the questions."""

from collections.abc import Sequence

from coursework.assignments import assignment_names, find_assignment
from coursework.exercises import EXERCISES
from coursework.practice.file import Practice, practice_path
from coursework.questions.cases import Question


def refresh(name: str, questions: Sequence[Question], forbidden: tuple[str, ...] = ()) -> None:
    """Write the practice checks of an assignment or a section, and say so if they have changed."""
    if write_practice(name, Practice.of(questions, forbidden)):
        path = practice_path(name)
        print(f"{path}: the practice checks have changed; students install them, so commit it")


def write_practice(name: str, practice: Practice) -> bool:
    """Write a file of practice checks; whether there was anything to change.

    A file that differs only in the last digits is left as it is: they depend on the processor.
    """
    path = practice_path(name)
    if path.exists() and practice.agrees_with(Practice.unpack(path.read_bytes())):
        return False
    path.parent.mkdir(exist_ok=True)
    path.write_bytes(practice.pack())
    return True


def add_arguments(parser) -> None:
    """There is nothing to choose."""


def run(arguments) -> int:
    for assignment in map(find_assignment, assignment_names()):
        refresh(assignment.name, assignment.questions, assignment.forbidden)
    for section, question in EXERCISES.items():
        refresh(section, [question])
    return 0
