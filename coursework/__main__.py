"""The commands for instructors: python -m coursework --help"""

import argparse
import importlib
import sys
from collections.abc import Sequence

from coursework.course import CourseError

# In the order in which a course needs them. Each is the module of its name.
COMMANDS = {
    "refresh": "write the practice checks anew, of the assignments and of the book's sections",
    "release": "make the students' notebooks and practice checks, without solutions",
    "leaks": "look for solutions and hidden cases in what is given to students",
    "collect": "file what students handed in, from a folder or a platform's zip",
    "mark": "mark all submissions of an assignment that are new or changed",
    "gradebook": "put the marks into nbgrader's gradebook, beside the written answers",
    "feedback": "write a page for each student: what was checked, and what is wrong",
    "export": "write the marks as tables: CSV, Canvas, Moodle, Gradescope",
}


def main(words: Sequence[str] | None = None) -> int:
    words = sys.argv[1:] if words is None else list(words)
    # Only the command that is asked for is imported: some of them take seconds to load PyTorch.
    asked = next((word for word in words if word in COMMANDS), None)
    module = asked and importlib.import_module(f"coursework.{asked}")
    parser = argparse.ArgumentParser(
        prog="python -m coursework",
        description="Hand out, collect, mark and return the coursework.",
        epilog="Each command explains itself: python -m coursework mark --help",
    )
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    for name, purpose in COMMANDS.items():
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
