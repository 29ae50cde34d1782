"""The command line with a marking that is harmless and waits: python slow_marking.py mark …

Two students are marked at once, the others when the file ``go_on`` stands in the course's
folder. Until then a test can kill the marking in the middle, and look at what is left.
"""

import os
import secrets
import sys
import time
from pathlib import Path

from coursework.__main__ import main
from coursework.marking import mark

AT_ONCE = ("s0", "s1")


def slow_mark(assignment, seed, without_walls, path):
    """A record that no second run would give. Tells who is at work in a file beside."""
    student, course = Path(path).parents[1].name, Path(path).parents[3]
    with (course / "workers.txt").open("a") as workers:
        workers.write(f"{os.getpid()}\n")
    while student not in AT_ONCE and not (course / "go_on").exists():
        time.sleep(0.05)
    return {"status": "marked", "token": secrets.token_hex()}


if __name__ == "__main__":
    mark.mark_one = slow_mark
    sys.exit(main())
