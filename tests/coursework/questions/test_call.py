"""How a function is called: whatever a cell has left turned."""

import numpy as np
import pytest
import torch

from coursework.questions.call import answer
from coursework.questions.errors import error_name, error_text, is_error, kind_of_error

X = np.array([1.0, 2.0], dtype=np.float32)


def leave(name, value):
    """Turn a switch of PyTorch for the rest of a test, and say how to turn it back."""
    match name:
        case "dtype":
            torch.set_default_dtype(value)
        case "gradients":
            torch.set_grad_enabled(value)
        case "device":
            torch.set_default_device(value)


@pytest.fixture(
    params=[
        ("dtype", torch.float64, torch.float32),
        ("gradients", False, True),
        ("device", "meta", "cpu"),
    ],
    ids=lambda param: param[0],
)
def turned(request):
    name, other, usual = request.param
    leave(name, other)
    yield name
    leave(name, usual)


def state():
    return torch.get_default_dtype(), torch.is_grad_enabled(), torch.get_default_device()


def test_a_switch_left_turned_is_no_part_of_an_answer(turned):
    """The function finds single precision, gradients and the CPU; afterwards all is as it was."""
    seen = []

    def double(x):
        seen.append(torch.ones(2))
        return seen[0] * x * 2

    before = state()
    given = answer(double, [X], {}, gradient_of=[0])
    assert state() == before
    assert (seen[0].dtype, seen[0].device.type) == (torch.float32, "cpu")
    assert given.output.tolist() == [2, 4]
    assert given.gradients[0].tolist() == [8, 16]  # of the sum of (2x)², 8x


def test_inference_mode_is_left_for_a_call():
    """It cannot be turned off by the function itself."""
    with torch.inference_mode():
        given = answer(lambda x: 2 * x, [X], {}, gradient_of=[0])
        assert torch.is_inference_mode_enabled()
    assert given.gradients[0].tolist() == [8, 16]


class Meta(type):
    __name__ = __mro__ = property(lambda self: 1 / 0)


class Broken(RuntimeError, metaclass=Meta):
    def __str__(self):
        raise SystemExit

    __class__ = property(__str__)


def test_an_error_that_is_broken_is_told_by_its_kind():
    """By its real class, past whatever it says of itself."""
    error = Broken()
    assert (error_name(error), error_text(error), kind_of_error(error)) == (
        "Broken",
        "",
        "RuntimeError",
    )
    assert is_error(error, RuntimeError) and not is_error(error, ValueError)

    def fails(x):
        raise error

    given = answer(fails, [X], {})
    assert (given.problem, given.error) == ("raised", "RuntimeError")
