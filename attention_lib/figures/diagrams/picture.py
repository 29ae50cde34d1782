"""A diagram in the making: parts with names, arrows between them, and the SVG that they give.

Parts are added in the order of the data flow. That is the order in which a screen reader meets
them, each with a sentence of its own; arrows are for the eye.
"""

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from html import escape

from attention_lib.figures.diagrams.letters import (
    FONT_SIZE,
    Number,
    decimal,
    lines_of,
    one_line,
    text_width,
)
from attention_lib.figures.diagrams.parts import Part, arrow_between, within

MARGIN = 8


@dataclass
class Picture:
    """Parts and arrows of one layout.

    Args:
        lit: the parts that the moment is about; all others step back. None lights them all.
    """

    lit: Collection[str] = ()
    parts: dict[str, Part] = field(default_factory=dict)
    arrows: list[tuple[str, str]] = field(default_factory=list)
    spoken: list[str] = field(default_factory=list)
    _drawn: list[tuple[tuple[str, ...], str]] = field(default_factory=list)
    _edges: list[tuple[Number, Number, Number, Number]] = field(default_factory=list)

    def strip(
        self,
        key: str,
        x: Number,
        y: Number,
        numbers: Sequence[Number],
        role: str,
        *,
        says: str,
        digits: int = 1,
        box: tuple[Number, Number] = (36, 24),
        upright: bool = False,
    ) -> Part:
        """A vector: a box for each number, side by side, or one upon the other.

        Args:
            key: the name by which arrows and ``lit`` find the part.
            x, y: the upper left corner.
            numbers: the components.
            role: what gives the colour, see roles.py.
            says: what it is, for a screen reader, which reads the numbers after it.
            digits: behind the decimal point.
            box: width and height of one box.
            upright: one box upon the other.
        """
        width, height = box
        shapes = []
        for index, number in enumerate(numbers):
            left, top = (x, y + index * height) if upright else (x + index * width, y)
            shapes += [
                f'<rect class="box" x="{left:g}" y="{top:g}" width="{width:g}" '
                f'height="{height:g}" rx="3"/>',
                one_line(left + width / 2, top + height / 2, decimal(number, digits), "num"),
            ]
        count = len(numbers)
        part = Part(x, y, width * (1 if upright else count), height * (count if upright else 1))
        read = ", ".join(decimal(number, digits) for number in numbers)
        return self._add(key, part, "".join(shapes), role, f"{says}: {read}")

    def bar(
        self,
        key: str,
        x: Number,
        y: Number,
        share: Number,
        role: str,
        *,
        says: str,
        digits: int = 2,
        size: tuple[Number, Number] = (110, 20),
    ) -> Part:
        """A number between 0 and 1: a bar filled to that share, the number behind it."""
        width, height = size
        room = width - text_width(decimal(0, digits)) - 6
        shapes = (
            f'<rect class="box" x="{x:g}" y="{y:g}" width="{room:g}" height="{height:g}" rx="3"/>'
            f'<rect class="full" x="{x:g}" y="{y:g}" width="{room * share:.1f}" '
            f'height="{height:g}" rx="3"/>'
            + one_line(x + width, y + height / 2, decimal(share, digits), "num", "end")
        )
        return self._add(
            key, Part(x, y, width, height), shapes, role, f"{says}: {decimal(share, digits)}"
        )

    def cell(
        self,
        key: str,
        x: Number,
        y: Number,
        share: Number | None,
        role: str,
        *,
        says: str,
        digits: int = 2,
        size: tuple[Number, Number] = (44, 24),
    ) -> Part:
        """A cell of a heatmap: the larger the share, the fuller its colour. None is crossed out.

        Args:
            share: between 0 and 1.
        """
        width, height = size
        place = f'x="{x:g}" y="{y:g}" width="{width:g}" height="{height:g}"'
        if share is None:
            cross = f"M{x:g} {y:g}l{width:g} {height:g}m0 {-height:g}l{-width:g} {height:g}"
            shapes = f'<rect class="none" {place}/><path class="cross" d="{cross}"/>'
        else:
            shown = decimal(share, digits)
            ink = f'<rect class="ink" {place} fill-opacity="{0.75 * min(1, max(0, share)):.2f}"/>'
            shapes = ink + one_line(x + width / 2, y + height / 2, shown, "num")
            says = f"{says}: {shown}"
        return self._add(key, Part(x, y, width, height), shapes, role, says)

    def box(
        self,
        key: str,
        x: Number,
        y: Number,
        width: Number,
        height: Number,
        text: str,
        role: str = "plain",
        *,
        says: str = "",
        link: str = "",
    ) -> Part:
        """A step of the computation with its name, on several lines if there are line breaks.

        Args:
            says: what a screen reader reads; the text when left out.
            link: where the box leads to on the website, an address.
        """
        part = Part(x, y, width, height)
        rect = (
            f'<rect class="box" x="{x:g}" y="{y:g}" width="{width:g}" height="{height:g}" rx="5"/>'
        )
        shapes = rect + lines_of(*part.centre, text, "middle")
        return self._add(key, part, shapes, role, says or text.replace("\n", " "), link)

    def text(
        self,
        x: Number,
        y: Number,
        text: str,
        role: str = "plain",
        *,
        anchor: str = "middle",
        of: str | Sequence[str] = (),
        name: bool = False,
        silent: bool = False,
    ) -> None:
        """Words beside the parts.

        Args:
            x, y: where they start, end or have their middle, and their height's middle.
            anchor: start, middle or end.
            of: the part or the parts that they belong to: they are lit with any of them.
            name: the name of a strip: written in its colour, and bold.
            silent: a screen reader leaves it out, as the part that it names says it already.
        """
        if not silent:
            self.spoken.append(text.replace("\n", " "))
        style = "name" if name else "words"
        hidden = ' aria-hidden="true"' if silent else ""
        drawn = f'<g class="{role} {style}"{hidden}>{lines_of(x, y, text, anchor)}</g>'
        self._drawn.append(((of,) if isinstance(of, str) else tuple(of), drawn))
        lines = text.split("\n")
        width, half = text_width(text), 0.6 * FONT_SIZE * len(lines)
        left = x - {"start": 0, "middle": width / 2, "end": width}[anchor]
        self._edges.append((left, y - half, left + width, y + half))

    def faint(self, x: Number, y: Number, width: Number, height: Number) -> None:
        """A box that is there, but of no concern: nobody reads it out."""
        drawn = (
            f'<rect class="faint" x="{x:g}" y="{y:g}" width="{width:g}" height="{height:g}" '
            'rx="5" aria-hidden="true"/>'
        )
        self._drawn.append(((), drawn))
        self._edges.append((x, y, x + width, y + height))

    def frame(self, x: Number, y: Number, width: Number, height: Number, text: str = "") -> None:
        """A thin line around parts that belong together, with a name at its upper left corner."""
        drawn = (
            f'<rect class="frame" x="{x:g}" y="{y:g}" width="{width:g}" height="{height:g}" '
            'rx="8" aria-hidden="true"/>'
        )
        self._drawn.append(((), drawn))
        self._edges.append((x, y, x + width, y + height))
        if text:
            self.text(x + 8, y + 12, text, anchor="start")

    def arrow(
        self,
        start: str,
        end: str,
        *,
        leave: str = "right",
        enter: str = "left",
        bend: Number = 0.5,
        at: Number = 0.5,
        via: Number | None = None,
    ) -> None:
        """From one part to another that comes later in the data flow.

        Args:
            leave, enter: the sides of the two parts: left, right, top or bottom.
            bend: how far the curve keeps to the directions of the sides, 0 for a straight line.
            at: where it meets the sides, from 0, their left or upper end, to 1.
            via: for an arrow around what is between, which leaves and enters on the same side: the
                line along which it goes, an x on the left or right, a y at the top or bottom.
        """
        self.arrows.append((start, end))
        path = arrow_between(self.parts[start], self.parts[end], leave, enter, bend, at, via)
        drawn = f'<path class="line" d="{path.line}"/><path class="head" d="{path.head}"/>'
        both = f'<g class="arrow{self._dim(start, end)}" aria-hidden="true">{drawn}</g>'
        self._drawn.append(((), both))
        self._edges.append(path.edges)

    def svg(
        self,
        title: str,
        description: str,
        style: str = "",
        layout: str = "",
        *,
        links: bool = False,
    ) -> str:
        """The drawing as an element, as large as what is in it; with its links, if wanted."""
        left, top, right, bottom = self.edges()
        width, height = right - left, bottom - top
        body = "".join(
            f'<g class="dim">{drawn}</g>' if of and self._dim(*of, some=True) else drawn
            for of, drawn in self._drawn
        )
        if not links:
            body = re.sub("<a [^>]*>|</a>", "", body)
        return (
            f'<svg xmlns="http://www.w3.org/2000/svg" class="{layout}" role="group" '
            f'viewBox="{left:.0f} {top:.0f} {width:.0f} {height:.0f}" '
            f'style="max-width:{width:.0f}px">'
            f"<title>{escape(title)}</title><desc>{escape(description)}</desc>{style}{body}</svg>"
        )

    def edges(self) -> tuple[Number, Number, Number, Number]:
        """Left, top, right and bottom of the whole, with a margin."""
        lefts, tops, rights, bottoms = zip(*self._edges, strict=True)
        return min(lefts) - MARGIN, min(tops) - MARGIN, max(rights) + MARGIN, max(bottoms) + MARGIN

    def _add(self, key, part, shapes, role, says, link="") -> Part:
        if key in self.parts:
            raise ValueError(f"a second part named {key!r}")
        says = says.replace("\n", " ")
        self.parts[key] = part
        self.spoken.append(says)
        self._edges.append((part.x, part.y, part.x + part.width, part.y + part.height))
        label = escape(says)
        drawn = f'<g class="{role}{self._dim(key)}" role="img" aria-label="{label}">{shapes}</g>'
        if link:
            drawn = f'<a href="{escape(link)}" aria-label="{label}">{drawn}</a>'
        self._drawn.append(((), drawn))
        return part

    def _dim(self, *keys: str, some: bool = False) -> str:
        """Whether a drawing steps back: all of its parts have to be lit, or some."""
        if not self.lit:
            return ""
        lit = [any(within(key, name) or within(name, key) for name in self.lit) for key in keys]
        return "" if (any(lit) if some else all(lit)) else " dim"
