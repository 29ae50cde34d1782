"""The command line with a marking that is slow and harmless: python slow_marking.py mark …

Beside this file, a test can kill it in the middle and look at what is left.
"""

import os
import secrets
import sys
import time
from pathlib import Path

from coursework.__main__ import main
from coursework.marking import mark


def slow_mark(assignment, seed, without_walls, path):
    """A record that no second run would give. Tells who is at work in a file beside."""
    with (Path(path).parents[3] / "workers.txt").open("a") as workers:
        workers.write(f"{os.getpid()}\n")
    time.sleep(0.5)
    return {"status": "marked", "token": secrets.token_hex()}


if __name__ == "__main__":
    mark.mark_one = slow_mark
    sys.exit(main())
