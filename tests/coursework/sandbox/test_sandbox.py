"""What code in the sandbox can and cannot do."""

import json
import os
import resource
import signal
import socket

import numpy as np
import pytest

from coursework.questions.forbidden import ATTENTION
from coursework.sandbox.walls import WORKER, Died, Limits, Sandbox
from tests.coursework.sandbox.users import USERS, run_as

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
    "other processes": (
        "import os\nif len([p for p in os.listdir('/proc') if p.isdigit()]) < 4: raise KeyError",
        "KeyError",
    ),
    "the rights of root": (
        "lines = [line.split() for line in open('/proc/self/status')]\n"
        "rights = [int(line[1], 16) for line in lines if line[0] in ('CapInh:', 'CapPrm:')]\n"
        "if rights == [0, 0] and ['NoNewPrivs:', '1'] in lines: raise KeyError",
        "KeyError",
    ),
    "the root": ("open('/file', 'w')", "OSError"),
    "a file in shared memory": ("open('/dev/shm/file', 'w')", "OSError"),
    "a process of multiprocessing": (
        "import multiprocessing as m\nm.get_context('fork').Process(target=print).start()",
        "PermissionError",
    ),
    "a pool of processes": ("import multiprocessing as m\nm.Pool(2)", "OSError"),
    "workers that load data": (
        "from torch.utils.data import DataLoader\nlist(DataLoader([1, 2], num_workers=2))",
        "OSError",
    ),
    "threads": (
        "import threading, time\nthreading.stack_size(2**15)\n"
        "for _ in range(300): threading.Thread(target=time.sleep, args=(1,), daemon=True).start()",
        "RuntimeError",
    ),
    "the library": (  # whoever owns the file
        "import os, torch\nif os.statvfs(torch.__file__).f_flag & os.ST_RDONLY: raise OSError",
        "OSError",
    ),
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
RUN = """
import json, sys
import numpy as np
from coursework.sandbox.walls import Limits, Sandbox
cells = {cells!r} + ["def two(x):\\n    return 2 * x"]
with Sandbox(cells, limits=Limits(cell_seconds=2)) as sandbox:
    afterwards = sandbox.answer("two", [np.array([1.0, 2.0])], {{}})
    print(json.dumps([sandbox.failed_cells, afterwards.output.tolist()]))
"""


@pytest.fixture(scope="module", params=USERS)
def outcome(walls, request, tmp_path_factory):
    """The errors that the attempts ended with, all made in one sandbox."""
    secret = tmp_path_factory.mktemp("instructor") / "solution.py"
    secret.write_text("the solution")
    with socket.create_server(("127.0.0.1", 0)) as server:
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
        failed, afterwards = json.loads(run_as(request.param, RUN.format(cells=cells), {}))
    errors = {number: error for number, error, _ in failed}
    return {name: errors.get(i) for i, name in enumerate(ATTEMPTS, start=1)}, afterwards


@pytest.mark.parametrize("name", ATTEMPTS)
def test_nothing_outside_can_be_reached(name, outcome):
    """Each attempt ends with the error that its wall gives."""
    assert outcome[0][name] == ATTEMPTS[name][1]


def test_a_failed_cell_does_not_stop_the_others(outcome):
    """The function that is defined after all attempts answers."""
    assert outcome[1] == [2.0, 4.0]


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


def test_without_walls_threads_are_not_counted(walls):
    """The kernel would count all that the instructor runs, and refuse the first one."""
    limit = "import resource as r\ndef f(x): return x * r.getrlimit(r.RLIMIT_NPROC)[0]"
    told = []
    for without_walls in (False, True):
        with Sandbox([limit], limits=Limits(threads=50), without_walls=without_walls) as sandbox:
            told.append(sandbox.answer("f", [np.ones(1)], {}).output.item())
    assert told == [50, resource.getrlimit(resource.RLIMIT_NPROC)[0]] and told[1] != 50


def test_what_is_forbidden_stays_so_whatever_it_is_called(walls):
    """Inside, too: by a copy, a joined name, an operator, and a layer around it."""
    cell = """
import torch
from torch.nn.functional import scaled_dot_product_attention as copied

def by_a_copy(x): return copied(x, x, x)
def joined(x): return getattr(torch._C._nn, "scaled_dot" + "_product_attention")(x, x, x)
def operator(x): return torch.ops.aten.scaled_dot_product_attention.default(x, x, x)
def part(x): return torch._scaled_dot_product_attention_math(x, x, x)[0]
def layer(x): return torch.nn.TransformerEncoderLayer(4, 2, 8).double()(x[0])
def allowed(x): return torch.softmax(x @ x.mT, -1) @ x
"""
    names = ("by_a_copy", "joined", "operator", "part", "layer", "allowed")
    with Sandbox([cell], forbidden=ATTENTION) as sandbox:
        told = [sandbox.answer(name, [np.ones((1, 2, 3, 4))], {}) for name in names]
    assert [answer.error for answer in told] == ["PermissionError"] * 5 + [""]
