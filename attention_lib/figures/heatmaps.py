"""Attention weights as pictures: one panel per matrix, one colour scale for all."""

from collections.abc import Sequence

import matplotlib.pyplot as plt
import numpy as np
from jaxtyping import Float
from matplotlib.colors import LinearSegmentedColormap
from matplotlib.figure import Figure
from matplotlib.transforms import Bbox
from torch import Tensor

from attention_lib.figures import fonts

# From nothing to full ink: a weight of zero is the page itself, light or dark.
INK = LinearSegmentedColormap.from_list("attention", [(0.85, 0.33, 0.1, 0), (0.85, 0.33, 0.1, 1)])


def show_heatmaps(
    weights: Float[Tensor, "*panels q_len k_len"],
    *,
    query_labels: Sequence[str] | None = None,
    key_labels: Sequence[str] | None = None,
    titles: Sequence[str] | None = None,
    xlabel: str = "keys",
    ylabel: str = "queries",
    columns: int | None = None,
    largest: float | None = None,
    panel_size: tuple[float, float] = (3.2, 3.0),
) -> Figure:
    """Draw attention weights as heatmaps, queries in rows and keys in columns.

    All panels share one colour scale from zero to ``largest``, so that the same colour is the
    same weight everywhere.

    Args:
        weights: shape ``(q_len, k_len)``, or ``(panels, q_len, k_len)``.
        query_labels, key_labels: one text per row, one per column; positions without them. A
            label in a script that no installed font has is drawn as its position, too.
        titles: one text per panel.
        xlabel, ylabel: what the columns and the rows are.
        columns: how many panels stand side by side; at most four when left out.
        largest: the weight of the full colour; the largest weight given when left out. Set it
            to compare one figure with another.
        panel_size: width and height of a panel in inches.

    Returns:
        The matplotlib figure.

    Raises:
        ValueError: the number of labels or titles differs from that of rows, columns or panels,
            or ``weights`` has another number of axes.

    >>> import torch
    >>> figure = show_heatmaps(torch.eye(2), key_labels=["go", "."], query_labels=["va", "."])
    >>> [label.get_text() for label in figure.axes[0].get_xticklabels()]
    ['go', '.']
    """
    if weights.ndim not in (2, 3):
        raise ValueError(
            "weights must have shape (q_len, k_len) or (panels, q_len, k_len), got "
            f"{tuple(weights.shape)}"
        )
    panels = weights.detach().float().cpu().numpy().reshape(-1, *weights.shape[-2:])
    count, q_len, k_len = panels.shape
    _check_count("query_labels", query_labels, q_len, "rows")
    _check_count("key_labels", key_labels, k_len, "columns")
    _check_count("titles", titles, count, "panels")
    columns = min(count, columns or 4)
    rows = -(-count // columns)
    largest = float(panels.max()) if largest is None else largest

    figure, axes = plt.subplots(
        rows,
        columns,
        figsize=(columns * panel_size[0], rows * panel_size[1]),
        squeeze=False,
        layout="constrained",
    )
    for axis in axes.flat[count:]:
        axis.set_axis_off()
    for index, (axis, panel) in enumerate(zip(axes.flat, panels, strict=False)):
        # Not pcolormesh: as SVG its cells weigh half a megabyte, an image a few kilobytes.
        image = axis.imshow(
            panel, cmap=INK, vmin=0, vmax=largest or 1, aspect="auto", interpolation="none"
        )
        axis.set(xlabel=xlabel, ylabel=ylabel, title=titles[index] if titles else None)
        _label(axis.xaxis, key_labels, rotation=90 if _are_long(key_labels) else 0)
        _label(axis.yaxis, query_labels)
    figure.colorbar(image, ax=axes, label="weight", shrink=0.8)
    texts = (query_labels, key_labels, titles, xlabel, ylabel, plt.rcParams["font.size"])
    _arrange(figure, repr((panels.shape, columns, panel_size, texts)))
    return figure


_arrangements: dict[str, list[Bbox]] = {}


def _arrange(figure: Figure, kind: str) -> None:
    # To compute the margins takes longer than to draw the figure, and for all figures of a kind,
    # such as those of one slider, they are the same.
    if kind not in _arrangements:
        figure.draw_without_rendering()
        _arrangements[kind] = [axis.get_position() for axis in figure.axes]
    figure.set_layout_engine("none")
    for axis, position in zip(figure.axes, _arrangements[kind], strict=True):
        axis.set_position(position)


def _label(axis, labels: Sequence[str] | None, **style) -> None:
    if labels is not None:
        drawn = [text if fonts.can_draw(text) else str(i) for i, text in enumerate(labels)]
        # Positions first: labels alone would land on whichever ticks matplotlib chose.
        axis.set_ticks(np.arange(len(drawn)), drawn, fontfamily=fonts.families(), **style)
    else:
        axis.get_major_locator().set_params(integer=True)


def _are_long(labels: Sequence[str] | None) -> bool:
    return labels is not None and sum(map(len, labels)) > 24


def _check_count(name: str, texts: Sequence[str] | None, count: int, what: str) -> None:
    if texts is not None and len(texts) != count:
        raise ValueError(f"{len(texts)} {name} for {count} {what}: {list(texts)}")
