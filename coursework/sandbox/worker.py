"""The process in the sandbox: runs a student's cells, then calls functions by name.

It knows neither the expected values nor the marks. A student's code can do to it what it likes:
the worst that comes of it is a wrong answer.
"""

import os
import sys
from contextlib import ExitStack
from types import ModuleType

import torch

from coursework.questions.call import TooSlow, answer
from coursework.questions.forbidden import forbidden
from coursework.questions.wire import LENGTH, Answer, pack, unpack
from coursework.sandbox import stand_ins
from coursework.sandbox.cells import Notebook
from coursework.sandbox.time_limit import time_limit

SHARE_FOR_CELLS = 0.75  # of the time that is waited for them outside


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
    # Where pickle, dataclasses and others look for what is defined in a notebook.
    sys.modules["__main__"] = ModuleType("__main__")
    notebook = Notebook(
        limits["cell_seconds"],
        SHARE_FOR_CELLS * limits["cells_seconds"],
        vars(sys.modules["__main__"]),
    )
    stand_ins.install(lambda: notebook.shell)
    limit(limits)
    notebook.run(task["cells"])
    send(pack({"failed": notebook.failed}))

    while True:
        call, arrays = receive()
        values = {name: arrays[i] for name, i in call["arrays"].items()} | call["numbers"]
        arguments = arrays[: call["arguments"]]
        function = notebook.names.get(call["function"])
        if function is None:
            reply = Answer(problem="missing")
        else:
            try:
                with time_limit(limits["answer_seconds"]):
                    reply = answer(
                        function, arguments, values, call["gradient_of"], limits["reply_size"] // 4
                    )
            except TooSlow:  # in the moment after the call
                reply = Answer(problem="too slow")
        send(reply.pack())


if __name__ == "__main__":
    main()
