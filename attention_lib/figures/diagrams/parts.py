"""The parts of a diagram, and the arrows between them."""

from dataclasses import dataclass
from typing import NamedTuple

from attention_lib.figures.diagrams.letters import Number

HEAD = 7  # of an arrow
DIRECTIONS = {"left": (-1, 0), "right": (1, 0), "top": (0, -1), "bottom": (0, 1)}


@dataclass(frozen=True)
class Part:
    """A rectangle of the diagram, and where arrows meet it."""

    x: Number
    y: Number
    width: Number
    height: Number

    @property
    def centre(self) -> tuple[Number, Number]:
        return self.x + self.width / 2, self.y + self.height / 2

    def side(self, name: str, at: Number = 0.5) -> tuple[Number, Number]:
        """A point of a side (left, right, top or bottom), the middle as a rule."""
        x, y = self.x + at * self.width, self.y + at * self.height
        return {
            "left": (self.x, y),
            "right": (self.x + self.width, y),
            "top": (x, self.y),
            "bottom": (x, self.y + self.height),
        }[name]


def within(key: str, name: str) -> bool:
    """Whether a part has this name, or belongs to it: ``key:2`` is one of ``key``.

    >>> within("key:2", "key"), within("key:2", "key:2"), within("keys:2", "key")
    (True, True, False)
    """
    return key == name or key.startswith(f"{name}:")


class Arrow(NamedTuple):
    """The paths of a line and of its head, and left, top, right and bottom of what they need."""

    line: str
    head: str
    edges: tuple[Number, Number, Number, Number]


def arrow_between(
    start: Part,
    end: Part,
    leave: str,
    enter: str,
    bend: Number,
    at: Number,
    via: Number | None,
) -> Arrow:
    """A curve, or with ``via`` a line around what is between; see ``Picture.arrow``."""
    x, y = start.side(leave, at)
    to_x, to_y = end.side(enter, at)
    out, into = DIRECTIONS[leave], DIRECTIONS[enter]
    # The line stops short of its head, which ends two units before the part.
    tip = (to_x + 2 * into[0], to_y + 2 * into[1])
    foot = (tip[0] + HEAD * into[0], tip[1] + HEAD * into[1])
    begin = f"M{x + 2 * out[0]:.1f} {y + 2 * out[1]:.1f}"
    if via is None:
        reach = bend * max(abs(foot[0] - x), abs(foot[1] - y))
        line = (
            f"{begin}C{x + reach * out[0]:.1f} {y + reach * out[1]:.1f} "
            f"{foot[0] + reach * into[0]:.1f} {foot[1] + reach * into[1]:.1f} "
            f"{foot[0]:.1f} {foot[1]:.1f}"
        )
        # A curve stays within three quarters of the way to the points that bend it.
        across = (x + 0.75 * reach * out[0], to_x + 0.75 * reach * into[0])
        along = (y + 0.75 * reach * out[1], to_y + 0.75 * reach * into[1])
    elif out[0]:
        line = f"{begin}H{via:.1f}V{foot[1]:.1f}H{foot[0]:.1f}"
        across, along = (via, via), (y, to_y)
    else:
        line = f"{begin}V{via:.1f}H{foot[0]:.1f}V{foot[1]:.1f}"
        across, along = (x, to_x), (via, via)
    aside = (into[1] * HEAD / 2, into[0] * HEAD / 2)
    head = (
        f"M{tip[0]:.1f} {tip[1]:.1f}L{foot[0] + aside[0]:.1f} {foot[1] + aside[1]:.1f} "
        f"{foot[0] - aside[0]:.1f} {foot[1] - aside[1]:.1f}z"
    )
    edges = (
        min(x, to_x, *across),
        min(y, to_y, *along),
        max(x, to_x, *across),
        max(y, to_y, *along),
    )
    return Arrow(line, head, edges)
