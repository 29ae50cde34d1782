"""The process in the sandbox: runs a student's cells, then calls functions by name.

It knows neither the expected values nor the marks. A student's code can do to it what it likes:
the worst that comes of it is a wrong answer.
"""

import ast
import builtins
import importlib
import os
import re
import signal
import sys
from collections.abc import Callable, Sequence
from contextlib import contextmanager
from importlib.machinery import ModuleSpec
from types import ModuleType

import numpy as np
import torch

from coursework.wire import LENGTH, Answer, pack, unpack

MOST_OUTPUTS = 16  # a million empty tensors would be no large output, but a large reply


def answer(
    function: Callable,
    arguments: Sequence[np.ndarray],
    keywords: dict[str, np.ndarray | float | str],
    gradient_of: Sequence[int] = (),
    largest: int = 2**24,
) -> Answer:
    """Call a function with tensors; its output and gradients as arrays, or what went wrong.

    Gradients are those of the sum of the squared outputs. A list of tensors is as good as a tuple.

    >>> double = answer(lambda x: 2 * x, [np.array([3.0])], {}, gradient_of=[0])
    >>> double.output, double.gradients
    (array([6.]), (array([24.]),))
    """
    tensors = [_tensor(value) for value in arguments]
    wanted = [tensors[position].requires_grad_() for position in gradient_of]
    try:
        output = function(*tensors, **{name: _tensor(v) for name, v in keywords.items()})
        several = isinstance(output, tuple | list)
        outputs = tuple(output) if several else (output,)
        if len(outputs) > MOST_OUTPUTS or not all(map(_is_real, outputs)):
            return Answer(problem="not a tensor")
        if 8 * sum(one.numel() for one in outputs) > largest:
            return Answer(problem="too large")
        gradients = (None,) * len(wanted)
        squares = [one.square().sum() for one in outputs if one.requires_grad]
        if wanted and squares:
            gradients = torch.autograd.grad(sum(squares), wanted, allow_unused=True)
        arrays = tuple(map(_array, outputs))
        return Answer(
            output=arrays if several else arrays[0],
            gradients=tuple(None if g is None else _array(g) for g in gradients),
            inputs=tuple(_array(tensor) for tensor in tensors),
        )
    except TooSlow:
        return Answer(problem="too slow")
    except (Exception, SystemExit) as error:
        return Answer(problem="raised", error=_name(error))


def _tensor(value: np.ndarray | float) -> torch.Tensor | float:
    return torch.tensor(value) if isinstance(value, np.ndarray) else value


def _is_real(output: object) -> bool:
    return isinstance(output, torch.Tensor) and not output.is_complex()


def _array(tensor: torch.Tensor) -> np.ndarray:
    return tensor.detach().to("cpu", torch.float64).numpy()


def _name(error: BaseException) -> str:
    """A name that tells what kind of error it is; its text could hold the inputs of the case."""
    if isinstance(error, RuntimeError) and "in-place" in str(error):
        return "in-place"
    return next(c.__name__ for c in type(error).__mro__ if getattr(builtins, c.__name__, 0) is c)


class TooSlow(BaseException):
    """The time for a cell or a call is over. Not an Exception, which loops often catch."""


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


def forbid(name: str) -> None:
    """Replace a function of a library by one that refuses."""
    module, _, function = name.rpartition(".")

    def refuse(*_, **__):
        raise PermissionError(f"{name} is the whole answer, and not allowed here")

    setattr(importlib.import_module(module), function, refuse)


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
    for name in task["forbidden"]:
        forbid(name)
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
