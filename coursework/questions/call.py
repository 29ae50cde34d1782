"""Calling a function with tensors: a student's in the sandbox or at home, and our own.

Both sides of the wire use it, so that an expected answer is made as a student's is.
"""

import builtins
from collections.abc import Callable, Sequence

import numpy as np
import torch

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
