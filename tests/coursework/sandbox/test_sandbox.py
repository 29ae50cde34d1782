"""What code in the sandbox can and cannot do."""

import os
import signal

import numpy as np
import pytest

from coursework.sandbox.system_calls import NoSandbox, no_new_processes
from coursework.sandbox.walls import WORKER, Died, Limits, Sandbox

# Each is tried in a cell of its own; the name of the error says how it was stopped.
ATTEMPTS = {
    "a process": ("import os\nos.fork()", "PermissionError"),
    "a fork bomb": ("import os\nwhile True: os.fork()", "PermissionError"),
    "a command": ("import subprocess\nsubprocess.run(['true'])", "PermissionError"),
    "the network": (
        "import socket\nsocket.create_connection(('127.0.0.1', PORT), timeout=5)",
        "ConnectionRefusedError",
    ),
    "a file of the instructor": ("open('SECRET_FILE')", "FileNotFoundError"),
    "the course": ("open('THIS_FILE')", "FileNotFoundError"),
    "the solutions": ("import coursework.assignments", "ModuleNotFoundError"),
    "the environment": ("import os\nos.environ['COURSEWORK_SEED']", "KeyError"),
    "other processes": (
        "import os\nif len([p for p in os.listdir('/proc') if p.isdigit()]) < 4: raise KeyError",
        "KeyError",
    ),
    "the root": ("open('/file', 'w')", "OSError"),
    "shared memory": ("open('/dev/shm/file', 'w')", "OSError"),
    "the library": ("import torch\nopen(torch.__file__, 'a')", "OSError"),
    "a large file": ("open('/tmp/large', 'wb').write(bytes(2**25))", "OSError"),
    "many files": (
        "for i in range(99): open(f'/tmp/{i}', 'wb').write(bytes(2**20))",
        "OSError",
    ),
    "the memory": ("import torch\ntorch.ones(2**32)", "RuntimeError"),
    "more memory": (
        "import resource as r\nr.setrlimit(r.RLIMIT_AS, (2**50, 2**50))",
        "ValueError",
    ),
    "an endless loop": ("while True: pass", "TooSlow"),
}
LIMITS = Limits(cell_seconds=2)


@pytest.fixture(scope="module")
def outcome(walls, tmp_path_factory):
    """The errors that the attempts ended with, all made in one sandbox."""
    import socket

    secret = tmp_path_factory.mktemp("instructor") / "solution.py"
    secret.write_text("the solution")
    with socket.create_server(("127.0.0.1", 0)) as server, pytest.MonkeyPatch.context() as patch:
        patch.setenv("COURSEWORK_SEED", "the secret")
        names = {
            "PORT": str(server.getsockname()[1]),
            "SECRET_FILE": str(secret),
            "THIS_FILE": __file__,
        }
        cells = []
        for code, _ in ATTEMPTS.values():
            for name, value in names.items():
                code = code.replace(name, value)
            cells.append(code)
        with Sandbox([*cells, "def two(x):\n    return 2 * x"], limits=LIMITS) as sandbox:
            errors = {number: error for number, error, _ in sandbox.failed_cells}
            afterwards = sandbox.answer("two", [np.array([1.0, 2.0])], {})
    return {name: errors.get(i) for i, name in enumerate(ATTEMPTS, start=1)}, afterwards


@pytest.mark.parametrize("name", ATTEMPTS)
def test_nothing_outside_can_be_reached(name, outcome):
    """Each attempt ends with the error that its wall gives."""
    assert outcome[0][name] == ATTEMPTS[name][1]


def test_a_failed_cell_does_not_stop_the_others(outcome):
    """The function that is defined after all attempts answers."""
    assert outcome[1].output.tolist() == [2.0, 4.0]


def test_a_hanging_notebook_is_ended(walls):
    """Cells that catch their own time limit are stopped from outside, with all their threads."""
    cell = """
import time
while True:
    try: time.sleep(0.1)
    except BaseException: pass
"""
    with pytest.raises(Died, match="too slow"):
        Sandbox([cell], limits=Limits(cell_seconds=1, cells_seconds=3))
    for process in os.listdir("/proc"):
        try:
            with open(f"/proc/{process}/cmdline") as file:
                parent_of_worker = WORKER in file.read()
            with open(f"/proc/{process}/status") as file:
                ours = f"PPid:\t{os.getpid()}\n" in file.read()
        except OSError:
            continue
        assert not (parent_of_worker and ours)


def test_a_process_that_reads_no_more_does_not_hold_up_the_marker():
    """A call larger than a pipe holds is given up at the deadline, too."""
    with Sandbox([], limits=Limits(answer_seconds=1), without_walls=True) as sandbox:
        os.kill(sandbox._process.pid, signal.SIGSTOP)
        assert sandbox.answer("f", [np.zeros(10**6)], {}).problem == "too slow"
        assert not sandbox.alive


def test_unknown_machines_are_refused():
    """Without a filter of system calls for it, a machine runs no student code."""
    with pytest.raises(NoSandbox, match="riscv64"):
        no_new_processes("riscv64")
