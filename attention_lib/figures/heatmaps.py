"""Attention weights as pictures: one panel per matrix, one colour scale for all."""

from collections.abc import Sequence
from itertools import pairwise
from unicodedata import east_asian_width

import matplotlib.pyplot as plt
import numpy as np
from jaxtyping import Shaped
from matplotlib.colors import LinearSegmentedColormap, to_rgba
from matplotlib.figure import Figure
from matplotlib.transforms import Bbox
from torch import Tensor

from attention_lib.figures import fonts
from attention_lib.figures.once import FigureShownOnce
from attention_lib.figures.roles import ROLES

# From nothing to full ink: a weight of zero is the page itself, light or dark.
INK = LinearSegmentedColormap.from_list(
    "attention", [to_rgba(ROLES["weight"], 0), to_rgba(ROLES["weight"], 1)]
)
AS_IT_IS = {"parse_math": False, "usetex": False}  # a text, and no formula


def show_heatmaps(
    weights: Shaped[Tensor | np.ndarray, "*panels q_len k_len"] | Sequence,
    *,
    query_labels: Sequence[str] | None = None,
    key_labels: Sequence[str] | None = None,
    titles: Sequence[str] | None = None,
    xlabel: str = "keys",
    ylabel: str = "queries",
    scale_label: str = "weight",
    columns: int | None = None,
    largest: float | None = None,
    panel_size: tuple[float, float] = (3.2, 3.0),
) -> Figure:
    """Draw attention weights as heatmaps, queries in rows and keys in columns.

    All panels share one colour scale from zero to ``largest``, so that the same colour is the
    same weight everywhere.

    Args:
        weights: shape ``(q_len, k_len)``, or ``(panels, q_len, k_len)``: a tensor on any device,
            with a gradient or without, an array, or nested lists of numbers, arrays or tensors.
        query_labels, key_labels: one text per row, one per column; positions without them. A
            label in a script that no installed font has is drawn as its position, too; Chinese
            travels with the library.
        titles: one text per panel. Labels and titles are shown as they are: ``$`` is a token
            like any other, and starts no formula.
        xlabel, ylabel, scale_label: what the columns, the rows and the colours are.
        columns: how many panels stand side by side; at most four when left out.
        largest: the weight of the full colour; the largest weight given when left out. Set it
            to compare one figure with another.
        panel_size: width and height of a panel in inches.

    Returns:
        The matplotlib figure. A notebook shows it once, whether the call ends its cell or not.

    Raises:
        TypeError: ``weights`` are no real numbers.
        ValueError: the number of labels or titles differs from that of rows, columns or panels,
            or ``weights`` has another number of axes, no weight at all, or rows of unequal length.

    >>> import torch
    >>> figure = show_heatmaps(torch.eye(2), key_labels=["go", "."], query_labels=["va", "."])
    >>> [label.get_text() for label in figure.axes[0].get_xticklabels()]
    ['go', '.']
    """
    panels = _as_panels(weights)
    count, q_len, k_len = panels.shape
    _check_count("query_labels", query_labels, q_len, "rows")
    _check_count("key_labels", key_labels, k_len, "columns")
    _check_count("titles", titles, count, "panels")
    columns = min(count, columns or 4)
    rows = -(-count // columns)
    if largest is None:
        largest = float(panels.max(initial=0, where=np.isfinite(panels)))

    with fonts.in_any_script():
        figure, axes = plt.subplots(
            rows,
            columns,
            figsize=(columns * panel_size[0], rows * panel_size[1]),
            squeeze=False,
            layout="constrained",
            FigureClass=FigureShownOnce,
        )
        for axis in axes.flat[count:]:
            axis.set_axis_off()
        query_texts, key_texts = _drawable(query_labels), _drawable(key_labels)
        for index, (axis, panel) in enumerate(zip(axes.flat, panels, strict=False)):
            # Not pcolormesh: as SVG its cells weigh half a megabyte, an image a few kilobytes.
            image = axis.imshow(
                panel, cmap=INK, vmin=0, vmax=largest or 1, aspect="auto", interpolation="none"
            )
            axis.set(xlabel=xlabel, ylabel=ylabel)
            if titles is not None:
                # Left to find its height, a title measures every label of its panel.
                axis.set_title(titles[index], y=1, **AS_IT_IS)
            _label(axis.xaxis, key_texts, rotation=90 if _collide(key_texts, panel_size[0]) else 0)
            _label(axis.yaxis, query_texts)
        scale = figure.colorbar(image, ax=axes, label=scale_label, shrink=0.8)
        texts = (
            *(query_labels, key_labels, titles, xlabel, ylabel, scale_label),
            [tick.get_text() for tick in scale.ax.get_yticklabels()],
        )
        _arrange(
            figure, repr((panels.shape, columns, panel_size, plt.rcParams["font.size"], texts))
        )
    return figure


def _as_panels(weights) -> np.ndarray:
    """The weights as float32, shape ``(panels, q_len, k_len)``."""
    try:
        numbers = _as_array(weights)
    except ValueError as error:
        raise ValueError(f"weights must have rows of equal length: {error}") from error
    if numbers.dtype.kind not in "biuf":  # Booleans, integers, floats
        raise TypeError(
            "weights must be real numbers, in a tensor, an array or nested lists, got "
            f"{type(weights).__name__} of {numbers.dtype}"
        )
    if numbers.ndim not in (2, 3) or not numbers.size:
        raise ValueError(
            f"weights must have shape (q_len, k_len) or (panels, q_len, k_len), got {numbers.shape}"
        )
    return numbers.astype(np.float32).reshape(-1, *numbers.shape[-2:])


def _as_array(weights) -> np.ndarray:
    if isinstance(weights, Tensor):
        if weights.is_meta:
            raise TypeError("weights on the meta device have a shape and no numbers")
        # NumPy has no bfloat16.
        dense = weights.detach().cpu().to_dense()
        return (dense.float() if dense.is_floating_point() else dense).numpy()
    if isinstance(weights, list | tuple) and weights:
        return np.stack([_as_array(each) for each in weights])
    return np.asarray(weights)


_arrangements: dict[str, list[Bbox]] = {}


def _arrange(figure: Figure, kind: str) -> None:
    # To compute the margins takes as long as to draw the figure, and for all figures of a kind,
    # such as those of one slider, they are the same.
    if kind not in _arrangements:
        figure.get_layout_engine().execute(figure)
        _arrangements[kind] = [axis.get_position() for axis in figure.axes]
    # Not "none": that is an engine, too, and with an engine a figure is drawn twice to be saved.
    with plt.rc_context({"figure.autolayout": False, "figure.constrained_layout.use": False}):
        figure.set_layout_engine(None)
    for axis, position in zip(figure.axes, _arrangements[kind], strict=True):
        axis.set_position(position)


def _drawable(labels: Sequence[str] | None) -> list[str] | None:
    if labels is None:
        return None
    return [text if fonts.can_draw(text) else str(i) for i, text in enumerate(labels)]


def _label(axis, texts: list[str] | None, **style) -> None:
    if texts is not None:
        style |= AS_IT_IS
        # Positions first: labels alone would land on whichever ticks matplotlib chose.
        axis.set_ticks(np.arange(len(texts)), texts, **style)
    else:
        axis.get_major_locator().set_params(integer=True)


def _collide(texts: list[str] | None, panel_width: float) -> bool:
    """Whether labels under the columns would run into each other, if they were written across."""
    if texts is None:
        return False
    # The axes take some three quarters of their panel; an inch has 72 points.
    column = 0.75 * 72 * panel_width / len(texts)
    widths = [plt.rcParams["font.size"] * _ems(text) for text in texts]
    return any((one + other) / 2 > column for one, other in pairwise(widths))


def _ems(text: str) -> float:
    """The width of the longest line, in units of the size of its letters."""
    return max(
        sum(1.0 if east_asian_width(letter) in "WF" else 0.62 for letter in line)
        for line in text.split("\n")
    )


def _check_count(name: str, texts: Sequence[str] | None, count: int, what: str) -> None:
    if texts is not None and len(texts) != count:
        raise ValueError(f"{len(texts)} {name} for {count} {what}: {list(texts)}")
