"""The sliders of ``explore`` on the website: frames drawn in advance, no kernel.

Every combination of the sliders is drawn as SVG when the book is built. The page holds each
distinct line of all frames once, and ``player.js`` puts a frame's lines together when a slider
moves. Frames of one figure share most of their lines, so that forty of them weigh little more
than one.

What this file writes, ``player.js`` reads and ``player.css`` lays out::

    <div class="explore" data-alt="what the picture shows">
      <div class="explore-picture" role="img" aria-label="alt: settings">SVG</div>
      <p class="explore-note" role="status">the sentence under the picture</p>
      <label>                                        one for each slider
        <span>label</span>
        <input type="range" name="…" min="0" max="…" value="position" data-choices='["0.1", …]'>
        <output>choice</output>
      </label>
      <details class="explore-numbers">              only with a heading for the tables
        <summary>heading</summary>
        <div class="explore-table">tables</div>
      </details>
      <script type="application/json">
        {"pictures": [[0, 1, 2], [0, 3, 2], …],      for each frame the numbers of its lines
         "tables": [[…], …],                         the same
         "notes": ["…", …],                          for each frame its sentence
         "lines": ["<svg …>", …]}                    each distinct line of pictures and tables
      </script>
    </div>

Frames stand in the order of the grid of all positions, in which the last slider changes fastest.
What is visible is the frame of the starting positions, so that a page without scripts shows it.
"""

import json
import re
from collections.abc import Sequence
from html import escape
from itertools import count

from attention_lib.figures.sliders import Frame, Slider, describe
from attention_lib.figures.tables import tables_html

# The picture takes the page's ink and stands on the page's ground, in light and in dark.
PAGE_STYLE = {
    "svg.fonttype": "path",  # glyphs travel with the picture: no font needs to exist
    "svg.hashsalt": "explore",  # the same drawing gives the same bytes
    "axes.facecolor": "none",
    "figure.facecolor": "none",
    "savefig.facecolor": "none",
    "legend.frameon": False,
}

_serial = count(1)


def html(
    sliders: Sequence[Slider], frames: Sequence[Frame], *, alt: str = "", table: str = ""
) -> str:
    """The player of these frames, in the format above.

    Args:
        sliders: from top to bottom.
        frames: an SVG for every combination of positions; the last slider changes fastest.
        alt: what the picture shows, for readers who cannot see it.
        table: the heading of the tables; no tables when empty.
    """
    prefix = f"explore-{next(_serial)}-"
    pictures = [tidy(frame.picture.decode(), prefix) for frame in frames]
    tables = [tables_html(frame.tables) for frame in frames]
    start = [slider.start for slider in sliders]
    first = 0
    for slider in sliders:
        first = first * len(slider.choices) + slider.start

    line_numbers: dict[str, int] = {}

    def pack(text: str) -> list[int]:
        return [line_numbers.setdefault(line, len(line_numbers)) for line in text.split("\n")]

    packed = {
        "pictures": [pack(picture) for picture in pictures],
        "tables": [pack(each) for each in tables],
        "notes": [frame.note for frame in frames],
        "lines": list(line_numbers),  # last: packing fills it
    }
    # "</" would end the script element.
    data = json.dumps(packed, separators=(",", ":"), ensure_ascii=False).replace("</", "<\\/")
    name = f"{alt}: {describe(sliders, start)}".removeprefix(": ")
    numbers = (
        f'<details class="explore-numbers"><summary>{escape(table)}</summary>'
        f'<div class="explore-table">{tables[first]}</div></details>'
        if table
        else ""
    )
    return (
        f'<div class="explore" data-alt="{escape(alt)}">'
        f'<div class="explore-picture" role="img" aria-label="{escape(name)}">'
        f"{pictures[first]}</div>"
        f'<p class="explore-note" role="status">{escape(frames[first].note)}</p>'
        f"{''.join(map(_slider, sliders))}{numbers}"
        f'<script type="application/json">{data}</script></div>'
    )


def _slider(slider: Slider) -> str:
    choices = escape(json.dumps(slider.choices, ensure_ascii=False))
    # Disabled until the script runs: a slider that moves nothing would be worse than none.
    return (
        f"<label><span>{escape(slider.label)}</span>"
        f'<input type="range" name="{escape(slider.name)}" min="0" '
        f'max="{len(slider.choices) - 1}" '
        f'value="{slider.start}" data-choices="{choices}" autocomplete="off" disabled>'
        f"<output>{escape(slider.choices[slider.start])}</output></label>"
    )


def tidy(svg: str, prefix: str = "") -> str:
    """Cut a matplotlib SVG down to what the page needs, in the page's own ink.

    Ids that something refers to get ``prefix``: two figures of a page must not share any.
    """
    svg = svg[svg.index("<svg") :]
    # Matplotlib's <style> would hold for the whole page: player.css sets the same for players.
    svg = re.sub(r"<metadata>.*?</metadata>|<style.*?</style>|<!--.*?-->", "", svg, flags=re.DOTALL)
    used = set(re.findall(r'(?:url\(#|href="#)([^)"]+)', svg))
    svg = re.sub(
        r' id="([^"]*)"',
        lambda match: f' id="{prefix}{match[1]}"' if match[1] in used else "",
        svg,
    )
    svg = re.sub(r'(url\(#|href="#)', rf"\g<1>{prefix}", svg)
    svg = svg.replace("#000000", "currentColor")
    return re.sub(r"\s*\n\s*", "\n", svg).strip()
