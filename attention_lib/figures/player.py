"""The sliders of ``explore`` on the website: frames drawn in advance, no kernel.

Every combination of the sliders is drawn as SVG when the book is built. The page holds each
distinct line of all frames once, and ``explore.js`` puts a frame's lines together when a
slider moves. Frames of one figure share most of their lines, so that forty of them weigh
little more than one.
"""

import html as markup
import itertools
import json
import re

# The picture takes the page's ink and stands on the page's ground, in light and in dark.
PAGE_STYLE = {
    "svg.fonttype": "path",  # glyphs travel with the picture: no font needs to exist
    "svg.hashsalt": "explore",  # the same drawing gives the same bytes
    "axes.facecolor": "none",
    "figure.facecolor": "none",
    "savefig.facecolor": "none",
    "legend.frameon": False,
}

_serial = itertools.count(1)


def html(explorer) -> str:
    """The player of an ``Explorer``: its first frame, its sliders and all frames, packed."""
    grid = explorer.grid()
    frames = [explorer.frame(values, "svg", PAGE_STYLE) for values in grid]
    prefix = f"explore-{next(_serial)}-"
    pictures = [tidy(frame.picture.decode(), prefix) for frame in frames]
    tables = [tables_html(frame.tables) for frame in frames]
    first = grid.index(explorer.start)

    line_numbers: dict[str, int] = {}

    def pack(text: str) -> list[int]:
        return [line_numbers.setdefault(line, len(line_numbers)) for line in text.split("\n")]

    packed = {
        "pictures": [pack(picture) for picture in pictures],
        "tables": [pack(table) for table in tables],
        "notes": [frame.note for frame in frames],
        "lines": list(line_numbers),  # last: packing fills it
    }
    # "</" would end the script element.
    data = json.dumps(packed, separators=(",", ":"), ensure_ascii=False).replace("</", "<\\/")
    name = f"{explorer.alt}: {explorer.describe(explorer.start)}".removeprefix(": ")
    table = (
        f'<details class="explore-numbers"><summary>{markup.escape(explorer.table)}</summary>'
        f'<div class="explore-table">{tables[first]}</div></details>'
        if explorer.table
        else ""
    )
    return (
        f'<div class="explore" data-alt="{markup.escape(explorer.alt)}">'
        f'<div class="explore-picture" role="img" aria-label="{markup.escape(name)}">'
        f"{pictures[first]}</div>"
        f'<p class="explore-note" role="status">{markup.escape(frames[first].note)}</p>'
        f"{''.join(_slider(explorer, name) for name in explorer.choices)}{table}"
        f'<script type="application/json">{data}</script></div>'
    )


def _slider(explorer, name: str) -> str:
    by_label = explorer.choices[name]
    start = list(by_label.values()).index(explorer.start[name])
    choices = markup.escape(json.dumps(list(by_label), ensure_ascii=False))
    # Disabled until the script runs: a slider that moves nothing would be worse than none.
    return (
        f"<label><span>{markup.escape(explorer.labels[name])}</span>"
        f'<input type="range" name="{markup.escape(name)}" min="0" max="{len(by_label) - 1}" '
        f'value="{start}" data-choices="{choices}" autocomplete="off" disabled>'
        f"<output>{markup.escape(list(by_label)[start])}</output></label>"
    )


def tables_html(tables) -> str:
    """Heatmaps as HTML tables, one line per row."""
    lines = []
    for row_labels, column_labels, numbers in tables:
        heads = "".join(f'<th scope="col">{markup.escape(label)}</th>' for label in column_labels)
        lines.append(f"<table><thead><tr><td></td>{heads}</tr></thead><tbody>")
        for label, row in zip(row_labels, numbers, strict=True):
            cells = "".join(f"<td>{number:.2f}</td>" for number in row)
            lines.append(f'<tr><th scope="row">{markup.escape(label)}</th>{cells}</tr>')
        lines.append("</tbody></table>")
    return "\n".join(lines)


def tidy(svg: str, prefix: str = "") -> str:
    """Cut a matplotlib SVG down to what the page needs, in the page's own ink.

    Ids that something refers to get ``prefix``: two figures of a page must not share any.
    """
    svg = svg[svg.index("<svg") :]
    # Matplotlib's <style> would hold for the whole page: explore.css sets the same for players.
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
