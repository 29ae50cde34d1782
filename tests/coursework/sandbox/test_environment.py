"""Nothing of the instructor's environment is inside, however it is looked for."""

import pytest

from tests.coursework.sandbox.users import USERS, run_as

SECRET = "the instructor's own seed"
# Whatever of all processes can be read: environments, command lines, and what is open.
LOOK = r"""
def look(x):
    import glob, os, torch
    found = []
    for path in glob.glob("/proc/*/environ") + glob.glob("/proc/*/cmdline"):
        try: found.append(f"{path} {open(path, 'rb').read()!r}")
        except OSError as error: found.append(f"{path} {error}")
    for path in glob.glob("/proc/*/fd/*") + glob.glob("/proc/*/cwd") + glob.glob("/proc/*/root"):
        try: found.append(f"{path} {os.readlink(path)}")
        except OSError as error: found.append(f"{path} {error}")
    return torch.tensor(list("\n".join(found).encode()))
"""
PRINT_WHAT_IS_SEEN = f"""
import numpy as np
from coursework.sandbox.walls import Sandbox
with Sandbox([{LOOK!r}]) as sandbox:
    print(bytes(sandbox.answer("look", [np.zeros(1)], {{}}).output.astype(np.uint8)).decode())
"""


@pytest.mark.parametrize("user", USERS)
def test_nothing_of_the_environment_enters(user, walls):
    """Neither by the student's own process nor by one of bubblewrap's around it."""
    seen = run_as(user, PRINT_WHAT_IS_SEEN, {"COURSEWORK_SEED": SECRET, "SOME_TOKEN": "abc"})
    assert "OMP_NUM_THREADS=1" in seen  # it did look
    for entry in ("COURSEWORK_SEED", SECRET, "SOME_TOKEN"):
        assert entry not in seen
    opened = {line.split()[1] for line in seen.splitlines() if "/fd/" in line}
    assert all(what.startswith(("pipe:", "/dev/null", "anon_inode:", "[Errno")) for what in opened)
