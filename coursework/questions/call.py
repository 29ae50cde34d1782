"""Calling a function with tensors: a student's in the sandbox or at home, and our own.

Both sides of the wire use it, so that an expected answer is made as a student's is.
"""

from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager

import numpy as np
import torch

from coursework.questions.errors import error_text, is_error, kind_of_error
from coursework.questions.wire import Answer

MOST_OUTPUTS = 16  # a million empty tensors would be no large output, but a large reply


class TooSlow(BaseException):
    """The time for a cell or a call is over. Not an Exception, which loops often catch."""


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
    try:
        with untouched_torch():
            return _answer(function, arguments, keywords, gradient_of, largest)
    except TooSlow:
        return Answer(problem="too slow")
    except (Exception, SystemExit) as error:
        return Answer(problem="raised", error=_kind(error))


@contextmanager
def untouched_torch() -> Iterator[None]:
    """PyTorch's switches as they are after its import, in the block.

    One that a cell has left turned, such as ``torch.set_grad_enabled(False)`` before a
    measurement, is no part of an answer, and may have been turned after it was practised.
    """
    dtype = torch.get_default_dtype()
    with ExitStack() as switches:
        switches.enter_context(torch.inference_mode(False))  # gradients are on with it
        if torch.get_default_device().type != "cpu":
            switches.enter_context(torch.device("cpu"))
        switches.callback(torch.set_default_dtype, dtype)
        torch.set_default_dtype(torch.float32)
        yield


def _answer(
    function: Callable,
    arguments: Sequence[np.ndarray],
    keywords: dict[str, np.ndarray | float | str],
    gradient_of: Sequence[int],
    largest: int,
) -> Answer:
    """The same as ``answer``, but raises what the function raises."""
    tensors = [_tensor(value) for value in arguments]
    wanted = [tensors[position].requires_grad_() for position in gradient_of]
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


def _tensor(value: np.ndarray | float) -> torch.Tensor | float:
    return torch.tensor(value) if isinstance(value, np.ndarray) else value


def _is_real(output: object) -> bool:
    return isinstance(output, torch.Tensor) and not output.is_complex()


def _array(tensor: torch.Tensor) -> np.ndarray:
    return tensor.detach().to("cpu", torch.float64).numpy()


def _kind(error: BaseException) -> str:
    """A name that tells what kind of error it is; its text could hold the inputs of the case."""
    if is_error(error, RuntimeError) and "in-place" in error_text(error):
        return "in-place"
    return kind_of_error(error)
