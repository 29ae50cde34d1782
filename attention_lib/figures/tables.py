"""The numbers in a figure's heatmaps, for readers who cannot see them."""

from collections.abc import Iterable
from html import escape
from typing import NamedTuple

import numpy as np
from matplotlib.figure import Figure


class Table(NamedTuple):
    """The numbers of one heatmap, with the labels of its rows and columns."""

    rows: list[str]
    columns: list[str]
    numbers: np.ndarray  # shape (rows, columns)


def read_tables(figure: Figure) -> list[Table]:
    """The tables of a drawn figure, in the order of its panels."""
    return [
        Table(
            _labels(axes.yaxis, image.get_array().shape[0]),
            _labels(axes.xaxis, image.get_array().shape[1]),
            np.asarray(image.get_array()),
        )
        for axes in figure.axes
        for image in axes.images
    ]


def _labels(axis, count: int) -> list[str]:
    shown = [tick.get_text() for tick in axis.get_majorticklabels()]
    return shown if len(shown) == count else [str(position) for position in range(count)]


def tables_html(tables: Iterable[Table]) -> str:
    """Tables as HTML, one line per row.

    >>> print(tables_html([Table(["il"], ["<s>"], np.array([[0.75]]))]))
    <table><thead><tr><td></td><th scope="col">&lt;s&gt;</th></tr></thead><tbody>
    <tr><th scope="row">il</th><td>0.75</td></tr>
    </tbody></table>
    """
    lines = []
    for table in tables:
        heads = "".join(f'<th scope="col">{escape(label)}</th>' for label in table.columns)
        lines.append(f"<table><thead><tr><td></td>{heads}</tr></thead><tbody>")
        for label, row in zip(table.rows, table.numbers, strict=True):
            cells = "".join(f"<td>{number:.2f}</td>" for number in row)
            lines.append(f'<tr><th scope="row">{escape(label)}</th>{cells}</tr>')
        lines.append("</tbody></table>")
    return "\n".join(lines)
