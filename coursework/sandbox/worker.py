"""The process in the sandbox: runs a student's cells, then calls functions by name.

It knows neither the expected values nor the marks. A student's code can do to it what it likes:
the worst that comes of it is a wrong answer.
"""

import ast
import os
import re
import signal
import sys
from collections.abc import Sequence
from contextlib import ExitStack, contextmanager
from importlib.machinery import ModuleSpec
from types import ModuleType

import torch

from coursework.questions.call import TooSlow, answer
from coursework.questions.forbidden import forbidden
from coursework.questions.wire import LENGTH, Answer, pack, unpack


@contextmanager
def time_limit(seconds: float):
    """Raise TooSlow in the block after so many seconds. Who catches it is stopped from outside."""

    def stop(*_):
        raise TooSlow

    signal.signal(signal.SIGALRM, stop)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)


def run_cells(cells: Sequence[str], seconds: float) -> tuple[dict, list[tuple[int, str, str]]]:
    """What the cells define, and the number, error and message of each cell that failed."""
    defined, failed = {"__name__": "__main__"}, []
    for number, source in enumerate(cells, start=1):
        try:
            with time_limit(seconds):
                exec(compile(without_magics(source), f"<cell {number}>", "exec"), defined)
        except TooSlow:
            failed.append((number, "TooSlow", f"stopped after {seconds:g} s"))
        except BaseException as error:
            failed.append((number, type(error).__name__, str(error)[:300]))
    return defined, failed


def without_magics(source: str) -> str:
    """A cell as plain Python: lines of the notebook's own language, such as !pip, do nothing.

    >>> print(without_magics("!pip install einops\\nx = 1"))
    pass
    x = 1
    """
    try:
        ast.parse(source)
    except SyntaxError:
        return re.sub(r"(?m)^(\s*)[!%].*$", r"\1pass", source)
    return source


def stand_in(name: str, **content) -> None:
    """Make a module that students' notebooks look for, where marking has no use for the real one.

    Otherwise the first cell would try to install the book, and every practice check would fail.
    """
    module = ModuleType(name)
    module.__spec__ = ModuleSpec(name, loader=None)
    vars(module).update(content)
    sys.modules[name] = module


def limit(limits: dict) -> None:
    """Limits that this process cannot raise again."""
    import resource  # not on Windows, where students have only the practice checks

    with open("/proc/self/statm") as statm:  # torch alone takes gigabytes of addresses
        occupied = int(statm.read().split()[0]) * resource.getpagesize()
    for kind, most in (
        (resource.RLIMIT_AS, occupied + limits["memory"]),
        (resource.RLIMIT_CPU, limits["cpu_seconds"]),
        (resource.RLIMIT_FSIZE, limits["file_size"]),
        (resource.RLIMIT_NOFILE, 256),
        (resource.RLIMIT_CORE, 0),
    ):
        resource.setrlimit(kind, (most, most))
    if limits["threads"]:
        resource.setrlimit(resource.RLIMIT_NPROC, (limits["threads"], limits["threads"]))


def main() -> None:
    # The pipes of the marker move out of the way of print and input.
    requests, replies = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    nowhere = os.open(os.devnull, os.O_RDWR)
    for standard in (0, 1, 2):
        os.dup2(nowhere, standard)
    torch.set_num_threads(1)

    def receive():
        (length,) = LENGTH.unpack(requests.read(LENGTH.size) or sys.exit())
        return unpack(requests.read(length))

    def send(message: bytes):
        replies.write(message)
        replies.flush()

    send(pack({"ready": True}))
    task, _ = receive()
    limits = task["limits"]
    forever = ExitStack()
    forever.enter_context(forbidden(task["forbidden"]))
    stand_in("attention_lib")
    stand_in("coursework.practice", check=lambda *_, **__: None)
    limit(limits)
    defined, failed = run_cells(task["cells"], limits["cell_seconds"])
    send(pack({"failed": failed}))

    while True:
        call, arrays = receive()
        values = {name: arrays[i] for name, i in call["arrays"].items()} | call["numbers"]
        arguments = arrays[: call["arguments"]]
        function = defined.get(call["function"])
        if function is None:
            reply = Answer(problem="missing")
        else:
            with time_limit(limits["answer_seconds"]):
                reply = answer(
                    function, arguments, values, call["gradient_of"], limits["reply_size"] // 4
                )
        send(reply.pack())


if __name__ == "__main__":
    main()
