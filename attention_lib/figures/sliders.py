"""What the two surfaces with sliders, ``live`` and ``player``, are told: plain data."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from attention_lib.figures.tables import Table


@dataclass(frozen=True)
class Slider:
    """A slider as its reader sees it. The values behind the choices stay with ``explore``."""

    name: str  # the parameter of the drawing function
    label: str  # what stands beside the slider
    choices: tuple[str, ...]  # what the reader sees of each value, in order
    start: int  # the position of the choice that the slider starts from


class Frame(NamedTuple):
    """One picture, with what is said and tabled beside it."""

    picture: bytes  # a PNG or SVG file
    note: str
    tables: list[Table]


def describe(sliders: Sequence[Slider], positions: Sequence[int]) -> str:
    """The sliders' settings in words.

    >>> describe([Slider("h", "kernel width", ("0.2", "0.5"), start=0)], [1])
    'kernel width = 0.5'
    """
    return ", ".join(
        f"{slider.label} = {slider.choices[position]}"
        for slider, position in zip(sliders, positions, strict=True)
    )
