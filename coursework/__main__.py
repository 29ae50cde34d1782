"""The commands for instructors: python -m coursework --help"""

import argparse
import importlib
import sys
from collections.abc import Sequence
from typing import NamedTuple

try:
    from coursework.course.folder import CourseError
except ModuleNotFoundError as error:
    if error.name != "coursework.course":
        raise
    sys.exit(
        "python -m coursework: the commands for instructors are not installed with the library; "
        "run them in the repository of the course."
    )


class Command(NamedTuple):
    module: str  # has add_arguments(parser) and run(arguments)
    purpose: str


# In the order in which a course needs them.
COMMANDS = {
    "refresh": Command(
        "coursework.handing_out.refresh",
        "write the practice checks anew, of the assignments and of the book's sections",
    ),
    "release": Command(
        "coursework.handing_out.release",
        "make the students' notebooks and practice checks, without solutions",
    ),
    "leaks": Command(
        "coursework.handing_out.leaks",
        "look for solutions and hidden cases in what is given to students",
    ),
    "collect": Command(
        "coursework.handed_in.collect",
        "file what students handed in, from a folder or a platform's zip",
    ),
    "mark": Command(
        "coursework.marking.mark", "mark all submissions of an assignment that are new or changed"
    ),
    "gradebook": Command(
        "coursework.reports.gradebook",
        "put the marks into nbgrader's gradebook, beside the written answers",
    ),
    "feedback": Command(
        "coursework.reports.feedback",
        "write a page for each student: what was checked, and what is wrong",
    ),
    "export": Command(
        "coursework.reports.export", "write the marks as tables: CSV, Canvas, Moodle, Gradescope"
    ),
}


def main(words: Sequence[str] | None = None) -> int:
    words = sys.argv[1:] if words is None else list(words)
    # Only the command that is asked for is imported: some of them take seconds to load PyTorch.
    asked = next((word for word in words if word in COMMANDS), None)
    module = asked and importlib.import_module(COMMANDS[asked].module)
    parser = argparse.ArgumentParser(
        prog="python -m coursework",
        description="Hand out, collect, mark and return the coursework.",
        epilog="Each command explains itself: python -m coursework mark --help",
    )
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    for name, (_, purpose) in COMMANDS.items():
        command = commands.add_parser(
            name, help=purpose, description=f"{purpose[0].upper()}{purpose[1:]}."
        )
        if name == asked:
            module.add_arguments(command)
    arguments = parser.parse_args(words)
    try:
        return module.run(arguments)
    except (CourseError, OSError) as error:
        print(f"{parser.prog} {asked}: {error}", file=sys.stderr)
        return 2


if __name__ == "__main__":
    sys.exit(main())
