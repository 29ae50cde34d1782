"""A student's code in a process of its own, without network, home or the instructor's files.

Time is kept here, outside; memory, threads, processor time and file sizes by the kernel.

What the walls do not promise: bubblewrap is as good as the kernel below it, and whoever finds a
hole in Linux itself is outside.
"""

import functools
import os
import platform
import re
import selectors
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path

import numpy as np

from coursework.questions.wire import LENGTH, Answer, pack, unpack
from coursework.sandbox.bubblewrap import ENVIRONMENT, behind_walls
from coursework.sandbox.control_group import ControlGroup
from coursework.sandbox.system_calls import NoSandbox

COURSEWORK = Path(__file__).parents[1]
WORKER = "coursework.sandbox.worker"
PROGRAMS = {"bwrap": "bubblewrap", "choom": "util-linux", "setpriv": "util-linux"}
PYTHON = os.path.abspath(sys.executable)
ROOM, TASKS = 2**30, 16  # of a control group, for what is no student's
INSIDE = (  # all that a student's code can see of the course
    "__init__.py",
    "questions/__init__.py",
    "questions/call.py",
    "questions/errors.py",
    "questions/forbidden.py",
    "questions/wire.py",
    "sandbox/__init__.py",
    "sandbox/cells.py",
    "sandbox/nothing.py",
    "sandbox/python_of.py",
    "sandbox/shell.py",
    "sandbox/stand_ins.py",
    "sandbox/time_limit.py",
    "sandbox/worker.py",
)
FILES = {f"/checker/coursework/{name}": COURSEWORK / name for name in INSIDE}


@dataclass(frozen=True)
class Limits:
    start_seconds: float = 120.0  # for Python and PyTorch, before any of the student's code
    cells_seconds: float = 60.0  # for all cells
    cell_seconds: float = 10.0  # for one cell; the next one runs all the same
    answer_seconds: float = 5.0  # for one call
    cpu_seconds: int = 120  # of all threads together
    memory: int = 2 * 2**30  # on top of what PyTorch itself takes
    threads: int | None = 64  # None: as many as the user may have
    file_size: int = 16 * 2**20
    scratch: int = 64 * 2**20  # of all files together
    reply_size: int = 64 * 2**20


class Died(Exception):
    """The process with the student's code ended, hung, or talked nonsense. Says which."""


class Sandbox:
    """A process that has run the cells of one student and answers calls of its functions.

    Args:
        cells: sources of the code cells.
        forbidden: functions of PyTorch that the student must not use, see ``forbidden``.
        limits: how much the process may use up.
        without_walls: run the code as an ordinary process. For code of your own only: it could
            read, change and send whatever you can.

    Raises:
        NoSandbox: there is no ``bwrap`` that works, and ``without_walls`` is not set; or PyTorch
            does not start inside.
        Died: "too slow", "died" or "malformed": the cells were not run to their end.
    """

    def __init__(
        self,
        cells: Sequence[str],
        *,
        forbidden: Sequence[str] = (),
        limits: Limits = Limits(),
        without_walls: bool = False,
    ):
        self.limits = limits
        self.alive = True
        self._group = None if without_walls else _control_group(limits)
        self._process = _start(limits, self._group)
        os.set_blocking(self._process.stdin.fileno(), False)
        # Without walls, the kernel would count all that the user runs.
        within = replace(limits, threads=None) if without_walls else limits
        task = {"cells": list(cells), "forbidden": list(forbidden), "limits": asdict(within)}
        try:
            self._exchange(b"", limits.start_seconds)
        except Died as death:
            raise NoSandbox(f"the process for the student's code does not start: {death}") from None
        try:
            header, _ = unpack(self._exchange(pack(task), limits.cells_seconds))
            failed = [
                (int(n), str(e)[:100], str(text)[:300]) for n, e, text in header["failed"][:100]
            ]
        except Died:
            raise
        except Exception:
            self.close()
            raise Died("malformed") from None
        self.failed_cells = failed

    def answer(
        self,
        function: str,
        arguments: Sequence[np.ndarray],
        keywords: dict[str, np.ndarray | float | str],
        gradient_of: Sequence[int] = (),
    ) -> Answer:
        """What the student's function of this name gives. A process that hangs is ended."""
        arrays = {name: v for name, v in keywords.items() if isinstance(v, np.ndarray)}
        call = {
            "function": function,
            "arguments": len(arguments),
            "arrays": {name: len(arguments) + i for i, name in enumerate(arrays)},
            "numbers": {name: v for name, v in keywords.items() if name not in arrays},
            "gradient_of": list(gradient_of),
        }
        # A little longer than the time inside, whose end keeps the process alive.
        seconds = self.limits.answer_seconds + 1
        try:
            return Answer.unpack(
                self._exchange(pack(call, [*arguments, *arrays.values()]), seconds)
            )
        except Died as death:
            return Answer(problem=str(death))
        except Exception:
            self.close()
            return Answer(problem="malformed")

    def close(self) -> None:
        """End the process and all that it started."""
        self.alive = False
        try:
            os.killpg(self._process.pid, signal.SIGKILL)
        except ProcessLookupError:
            pass
        self._process.wait()
        if self._group:
            self._group.close()
        self._process.stdout.close()
        try:
            self._process.stdin.close()
        except BrokenPipeError:
            pass

    def __enter__(self) -> "Sandbox":
        return self

    def __exit__(self, *_) -> None:
        self.close()

    def _exchange(self, message: bytes, seconds: float) -> bytes:
        """Send a message and wait for the reply, both until a deadline."""
        deadline = time.monotonic() + seconds
        try:
            self._send(message, deadline)
            (length,) = LENGTH.unpack(self._receive(LENGTH.size, deadline))
            if length > self.limits.reply_size:
                raise Died("malformed")
            return self._receive(length, deadline)
        except BrokenPipeError:
            self.close()
            raise Died("died") from None
        except BaseException:
            self.close()
            raise

    def _send(self, message: bytes, deadline: float) -> None:
        left = memoryview(message)
        while left:
            self._wait(self._process.stdin, selectors.EVENT_WRITE, deadline)
            left = left[os.write(self._process.stdin.fileno(), left) :]

    def _receive(self, length: int, deadline: float) -> bytes:
        content = bytearray()
        while len(content) < length:
            self._wait(self._process.stdout, selectors.EVENT_READ, deadline)
            part = os.read(self._process.stdout.fileno(), min(length - len(content), 2**20))
            if not part:
                raise Died("died")
            content += part
        return bytes(content)

    def _wait(self, pipe, event: int, deadline: float) -> None:
        with selectors.DefaultSelector() as selector:
            selector.register(pipe, event)
            if not selector.select(max(0.0, deadline - time.monotonic())):
                raise Died("too slow")


def check_walls() -> None:
    """Raises NoSandbox, with what bubblewrap says, if it cannot lock up anything here."""
    for program, package in PROGRAMS.items():
        if shutil.which(program) is None:
            raise NoSandbox(
                f"{program} is not installed, and student code is not run without it: "
                f"install {package} (apt-get install {package})"
            )
    # Before, the kernel counted the threads of all processes of a user against the limit of one.
    if tuple(map(int, re.findall(r"\d+", platform.release())[:2])) < (5, 14):
        raise NoSandbox(f"Linux 5.14 or newer is needed, this is {platform.release()}")
    trial = [PYTHON, "-I", "-c", ""]
    with behind_walls(trial, FILES, Limits.scratch) as (command, settings):
        trial = subprocess.run(
            command, **settings, capture_output=True, text=True, errors="replace", check=False
        )
    if trial.returncode:
        raise NoSandbox(f"bwrap does not work on this machine: {trial.stderr.strip()}")


_check_walls_once = functools.cache(check_walls)


def _control_group(limits: Limits) -> ControlGroup:
    """Room for what the process may use up, and for Python, PyTorch and the walls themselves."""
    _check_walls_once()
    return ControlGroup(limits.memory + limits.scratch + ROOM, (limits.threads or 0) + TASKS)


def _start(limits: Limits, group: ControlGroup | None) -> subprocess.Popen:
    """Start the worker; without a group, it has no walls either."""
    command = [PYTHON, "-s", "-m", WORKER]
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.DEVNULL}
    if group is None:
        environment = ENVIRONMENT | {"PYTHONPATH": str(COURSEWORK.parent)}
        return subprocess.Popen(command, env=environment, start_new_session=True, **pipes)
    with behind_walls(command, FILES, limits.scratch) as (command, settings):
        command = group.entering(command)
        return subprocess.Popen(command, **settings, start_new_session=True, **pipes)
