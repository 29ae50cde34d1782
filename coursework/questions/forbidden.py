"""Functions of PyTorch that would be a whole answer: refused under whatever name they are called.

Another name for a function, a copy that was made before, a layer built on it: in the end all of
them run the same operators of PyTorch's core, or the same code in Python. It is there that they
are refused. What goes unnoticed is a copy of the library's source, which is code like any other.
"""

import warnings
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack, contextmanager
from itertools import groupby
from pkgutil import resolve_name
from types import FunctionType
from typing import NamedTuple

import torch


class Ways(NamedTuple):
    """What computes a function of PyTorch, of which not every release has everything."""

    operators: str  # a part of their names; whatever is built on them is refused with them
    functions: tuple[str, ...]  # which only use operators that everybody may use


WAYS = {
    "torch.nn.functional.scaled_dot_product_attention": Ways(
        "attention",
        (
            "torch.nn.attention.flex_attention:flex_attention",
            "torch._higher_order_ops.flex_attention:math_attention",
        ),
    ),
    "torch.nn.MultiheadAttention": Ways(
        "transformer_encoder",
        (
            "torch.nn:MultiheadAttention.forward",
            "torch.nn.functional:multi_head_attention_forward",
            "torch.ao.nn.quantizable:MultiheadAttention.forward",
        ),
    ),
}
ATTENTION = tuple(WAYS)
MORE_OPERATORS = "torch.onnx.ops"  # has to be imported before its operators exist
# Who may answer a call of an operator: a map over a batch first, then gradients, then the device.
KEYS = (
    "FuncTorchDynamicLayerFrontMode",
    *("AutogradCPU", "AutogradCUDA", "AutogradNestedTensor"),
    *("CPU", "CUDA"),
)


@contextmanager
def forbidden(names: Iterable[str]) -> Iterator[None]:
    """In the block, these functions raise PermissionError, and so does what else leads to them.

    Args:
        names: some of ``ATTENTION``.

    Raises:
        KeyError: it is not known how one of them is computed.
    """
    with ExitStack() as afterwards:
        for name in names:
            refuse = _refusal(name)
            for path in WAYS[name].functions:
                if function := _find(path):
                    afterwards.callback(setattr, function, "__code__", function.__code__)
                    function.__code__ = refuse.__code__  # of all copies and under all names
            afterwards.enter_context(_without_operators(WAYS[name].operators, refuse))
        yield


def _refusal(name: str) -> FunctionType:
    """A function that needs nothing from where it stands, so that others can have its code."""
    text = f"{name} is the whole answer, and not allowed here"
    found = {}
    exec(f"def refuse(*_, **__):\n    raise PermissionError({text!r})\n", found)
    return found["refuse"]


@contextmanager
def _without_operators(part: str, refuse: Callable) -> Iterator[None]:
    """PyTorch's core asks the refusal in the place of operators with such a name."""
    _find(MORE_OPERATORS)
    every = sorted(torch._C._dispatch_get_all_op_names())
    named = [name for name in every if part in name.lower() and "backward" not in name]
    with ExitStack() as libraries, warnings.catch_warnings():
        warnings.simplefilter("ignore")  # that a kernel is replaced is what is meant
        for space, operators in groupby(named, lambda name: name.partition("::")[0]):
            library = torch.library._scoped_library(space, "IMPL")
            library = libraries.enter_context(library)
            for operator in operators:
                for key in KEYS:
                    library.impl(operator.partition("::")[2], refuse, key)
        yield


def _find(path: str) -> object | None:
    try:
        return resolve_name(path)
    except (ImportError, AttributeError):
        return None
