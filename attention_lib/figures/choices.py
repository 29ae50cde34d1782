"""The choices of a slider: how each reads, and which of them a value is."""

import math
from collections.abc import Iterable, Mapping, Sequence
from numbers import Integral, Real
from typing import Any

import numpy as np
from torch import Tensor

CLOSE = 1e-6  # float32 keeps seven digits
SEQUENCES = (list, tuple, np.ndarray, Tensor)


def labelled(name: str, given: Iterable[Any] | Mapping[str, Any]) -> dict[str, Any]:
    """The choices of the slider ``name``, under what the reader sees of them.

    Raises:
        ValueError: there are none, or two read the same.

    >>> labelled("width", [0.1, 0.1 + 0.2, 3])
    {'0.1': 0.1, '0.3': 0.30000000000000004, '3': 3}
    """
    pairs = list(given.items()) if isinstance(given, Mapping) else [(_label(v), v) for v in given]
    if not pairs:
        raise ValueError(f"no choices for the slider {name!r}")
    by_label = dict(pairs)
    if len(by_label) < len(pairs):
        raise ValueError(f"two choices of {name!r} read the same: {[label for label, _ in pairs]}")
    return by_label


def find(value: Any, choices: Sequence[Any]) -> int | None:
    """The position of ``value`` among the choices, None where it is not one of them.

    Floats are compared by closeness, since 0.3 is not in ``numpy.linspace(0.1, 1, 10)`` to the
    last bit. Zero is close to nothing by its own size: there the gap to the next choice counts.

    >>> find(0.3, [0.1, 0.1 + 0.2, 0.5]), find(0.0, [-0.1, 1e-17, 0.1]), find(0.4, [0.1, 0.5])
    (1, 1, None)
    """
    for position, choice in enumerate(choices):
        if _equal(value, choice):
            return position
    number = _number(value)
    if number is None:
        return None
    numbers = {position: _number(choice) for position, choice in enumerate(choices)}
    for position, choice in list(numbers.items()):
        # Whole numbers are exact: a million and one is another seed than a million.
        if choice is None or (isinstance(choice, Integral) and isinstance(number, Integral)):
            del numbers[position]
    if not numbers:
        return None
    nearest = min(numbers, key=lambda position: abs(numbers[position] - number))
    found = numbers.pop(nearest)
    gap = min((abs(other - found) for other in numbers.values()), default=0)
    return nearest if math.isclose(number, found, rel_tol=CLOSE, abs_tol=CLOSE * gap) else None


def _equal(one: Any, other: Any) -> bool:
    if one is other:
        return True
    try:
        return bool(one == other)
    except (RuntimeError, TypeError, ValueError):  # arrays answer for each of their elements
        sequences = isinstance(one, SEQUENCES) and isinstance(other, SEQUENCES)
        return sequences and len(one) == len(other) and all(map(_equal, one, other))


def _number(value: Any) -> Real | None:
    """The value as a number, also out of an array without axes; None where it is none."""
    if isinstance(value, np.ndarray | Tensor) and value.ndim == 0:
        value = value.item()
    return value if isinstance(value, Real) and not isinstance(value, bool) else None


def _label(value: Any) -> str:
    number = _number(value)
    return f"{number:.3g}" if isinstance(number, float | np.floating) else str(value)
