"""From the source of an assignment to what students get: notebooks, and practice checks."""

from coursework.cases import Assignment
from coursework.practice_file import Practice, practice_path


def write_practice(assignment: Assignment) -> bool:
    """Write the practice checks that students install; whether there was anything to change.

    A file that differs only in the last digits is left as it is: they depend on the processor.
    """
    practice, path = Practice.of(assignment), practice_path(assignment.name)
    if path.exists() and practice.agrees_with(Practice.unpack(path.read_bytes())):
        return False
    path.parent.mkdir(exist_ok=True)
    path.write_bytes(practice.pack())
    return True
