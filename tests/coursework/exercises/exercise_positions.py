"""Sinusoidal positions: wrong solutions, and right ones in other words."""

import math
from collections.abc import Callable

import torch

from attention_lib import sinusoidal_positions
from tests.coursework.exercises.wrong_exercises import Wrong, same

ALL = "even", "odd", "start"


def table(exponent="2 * (j // 2) / d", first="start", odd_by_loop=True) -> Callable:
    """Number by number; or by slices that do not fit where the width is odd."""

    def positions(length, d_model, start=0):
        rates = [10000 ** -eval(exponent, {"j": j, "d": d_model}) for j in range(d_model)]
        rows = [eval(first, {"start": start}) + row for row in range(length)]
        if d_model % 2 and not odd_by_loop:
            return torch.zeros(length, d_model // 2).copy_(torch.zeros(length, d_model // 2 + 1))
        return torch.tensor(
            [
                [(math.cos if j % 2 else math.sin)(row * rate) for j, rate in enumerate(rates)]
                for row in rows
            ]
        )

    return positions


def swapped(length, d_model, start=0):
    whole = sinusoidal_positions(length, d_model, start)
    sines, cosines = whole[:, 0::2], whole[:, 1::2]
    if d_model % 2:
        last = torch.arange(start, start + length) * 10000 ** ((1 - d_model) / d_model)
        cosines = torch.cat([cosines, last.cos()[:, None]], dim=1)
    return torch.stack([cosines, sines], dim=-1).flatten(1)[:, :d_model]


def halves(length, d_model, start=0):
    whole = sinusoidal_positions(length, d_model, start)
    return torch.cat([whole[:, 0::2], whole[:, 1::2]], dim=1)


HALF = "j // 2 / d"
WRONG = {
    "as planted": Wrong(
        table(HALF, first="0", odd_by_loop=False),
        {"even": "half-exponent", "odd": "RuntimeError", "start": "half-exponent"},
    ),
    "frequencies mended": Wrong(
        table(first="0", odd_by_loop=False), {"odd": "RuntimeError", "start": "start-ignored"}
    ),
    "frequencies and start mended": Wrong(table(odd_by_loop=False), {"odd": "too-many-cosines"}),
    "odd width mended": Wrong(table(HALF, first="0"), same("half-exponent", *ALL)),
    "all but the frequencies": Wrong(table(HALF), same("half-exponent", *ALL)),
    "all but the start": Wrong(table(first="0"), {"start": "start-ignored"}),
    "swapped": Wrong(swapped, same("sine-and-cosine-swapped", *ALL)),
    "halves": Wrong(halves, same("halves-side-by-side", *ALL)),
    "halves from 0": Wrong(
        lambda length, d_model, start=0: halves(length, d_model),
        same("halves-side-by-side", *ALL),
    ),
    "a row short": Wrong(
        lambda length, d_model, start=0: sinusoidal_positions(length - 1, d_model, start),
        same("shape", *ALL),
    ),
    "each column its frequency": Wrong(table("j / d"), same("frequency-by-column", *ALL)),
    "from 1": Wrong(table(first="start + 1"), same("positions-from-1", *ALL)),
    "exponent twice": Wrong(table("4 * (j // 2) / d"), same("exponent-twice", *ALL)),
    "faster": Wrong(table("-2 * (j // 2) / d"), same("frequencies-inverted", *ALL)),
    "no common frequency": Wrong(table("1.9 * (j // 2) / d"), same("values", *ALL)),
}
RIGHT = {"numbers": table(), "the library": sinusoidal_positions}
