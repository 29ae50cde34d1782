"""Letters and numbers in a diagram: how they are written, and how wide they are."""

from collections.abc import Sequence
from html import escape
from unicodedata import east_asian_width

Number = float | int
FONT_SIZE = 14  # a unit is a pixel, unless the picture has to shrink; see theme.py


def decimal(number: Number, digits: int) -> str:
    """A number for the eye: a true minus, no minus before zero, and a sign for infinity.

    >>> decimal(-0.04, 1), decimal(-1.25, 2), decimal(3, 0), decimal(float("-inf"), 2)
    ('0.0', '−1.25', '3', '−∞')
    """
    text = f"{float(number):.{digits}f}".replace("inf", "∞")
    return text.replace("-", "−") if text.strip("-0.") else text.removeprefix("-")


def subscript(number: int) -> str:
    """The index of a symbol.

    >>> subscript(12)
    '₁₂'
    """
    return str(number).translate(str.maketrans("0123456789", "₀₁₂₃₄₅₆₇₈₉"))


def text_width(text: str) -> Number:
    """About how wide a text is drawn, its longest line; fonts differ."""
    return FONT_SIZE * max(
        sum(1.0 if east_asian_width(letter) in "WF" else 0.56 for letter in line)
        for line in text.split("\n")
    )


def box_width(vectors: Sequence[Sequence[Number]], digits: int) -> Number:
    """The width of a box that has room for each of the numbers."""
    longest = max(len(decimal(number, digits)) for vector in vectors for number in vector)
    return max(28, text_width("0" * longest) + 9)


def one_line(x: Number, y: Number, text: str, style: str, anchor: str = "middle") -> str:
    """An element with these words, at the middle of their height."""
    return (
        f'<text class="{style}" x="{x:.4g}" y="{y:.4g}" dy=".35em" text-anchor="{anchor}">'
        f"{escape(text)}</text>"
    )


def lines_of(x: Number, y: Number, text: str, anchor: str) -> str:
    """An element for each line of a text, with their middle at this place."""
    lines = text.split("\n")
    first = y - 0.6 * FONT_SIZE * (len(lines) - 1)
    return "".join(
        one_line(x, first + 1.2 * FONT_SIZE * index, line, "", anchor)
        for index, line in enumerate(lines)
    ).replace(' class=""', "")
