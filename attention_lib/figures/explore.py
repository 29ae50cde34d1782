"""Sliders over a figure: ``explore(draw, name=choices, ...)``.

The same call is live wherever a kernel runs, a player of frames drawn in advance on the
website, and a still picture everywhere else; mode.py says which.
"""

import base64
import inspect
import io
import itertools
from collections.abc import Callable, Iterable, Mapping
from typing import Any

import matplotlib.pyplot as plt
from matplotlib.figure import Figure

from attention_lib.figures import fonts, live, player
from attention_lib.figures.choices import find, labelled
from attention_lib.figures.mode import mode
from attention_lib.figures.sliders import Frame, Slider, describe
from attention_lib.figures.tables import read_tables

PNG_DPI = 144  # twice the 72 points of an inch: sharp on a screen of two pixels a point

# Margins that fit the labels of an ordinary figure. To compute them for each frame
# (layout="constrained") takes longer than to draw it, and lets the axes jump while a slider moves.
STYLE = {
    "figure.subplot.left": 0.12,
    "figure.subplot.right": 0.97,
    "figure.subplot.bottom": 0.16,
    "figure.subplot.top": 0.9,  # room for a title
}


def explore(
    draw: Callable[..., Figure | tuple[Figure, str]],
    *,
    labels: Mapping[str, str] | None = None,
    alt: str = "",
    table: str = "",
    **choices: Iterable[Any] | Mapping[str, Any],
) -> "Explorer":
    """Put one slider per keyword under one figure.

    Args:
        draw: takes the sliders' values by name and returns a matplotlib figure, or a pair of a
            figure and a sentence that says what it shows for these values. The sentence stands
            under the picture and is read out. The defaults of ``draw`` are the values that the
            sliders start from.
        labels: what a slider is called for the reader, by name; the name itself when left out.
        alt: what the picture shows, for readers who cannot see it.
        table: the heading of a table of the numbers in the figure's heatmaps, which unfolds
            under the picture; no table when left out.
        **choices: for each slider the values that it can take, in order, or a mapping of what
            the reader sees to the value. Keep the product of all sliders under 150: the website
            draws every combination in advance.

    Returns:
        An object that displays itself.

    Raises:
        ValueError: no slider, a slider without choices or with two that read the same, a name
            that ``draw`` has no default for, a default that is not among the choices, an
            unknown name in ``labels``, an unknown mode in ``EXPLORE``.
        TypeError: ``draw`` returns no figure.
        RuntimeError: ``draw`` raised an exception; the message names the values.

    >>> def draw(width=2):
    ...     figure, axis = plt.subplots()
    ...     axis.plot([0, width])
    ...     return figure, f"The line rises to {width}."
    >>> explore(draw, labels={"width": "kernel width"}, width=[1, 2, 3])
    kernel width = 2
    The line rises to 2.
    """
    return Explorer(draw, choices, labels or {}, alt, table)


class Explorer:
    """What ``explore`` returns: a figure with its sliders. Made by ``explore`` only."""

    def __init__(self, draw, choices, labels, alt, table):
        self.draw, self.alt, self.table = draw, alt, table
        self.choices = {name: labelled(name, given) for name, given in choices.items()}
        if unknown := set(labels) - set(choices):
            raise ValueError(f"labels for no slider: {', '.join(sorted(unknown))}")
        starts = _starting_positions(draw, self.choices)
        self.sliders = [
            Slider(name, labels.get(name, name), tuple(self.choices[name]), start)
            for name, start in starts.items()
        ]
        self.start = self.values(starts.values())
        self.mode = mode()
        self._first = self.frame(self.start, "png")
        # The display machinery of Jupyter swallows exceptions. Every frame is drawn here, where
        # an exception stops the notebook, and with it the build.
        self._player = self._draw_player() if self.mode == "player" else None
        self._widget = None

    def __repr__(self):
        return "\n".join(filter(None, [self._settings(self.start), self._first.note]))

    def values(self, positions: Iterable[int]) -> dict[str, Any]:
        """The values that ``draw`` takes, by name, at these positions of the sliders."""
        return {
            name: list(by_label.values())[position]
            for (name, by_label), position in zip(self.choices.items(), positions, strict=True)
        }

    def grid(self) -> list[dict[str, Any]]:
        """Every combination of the sliders' values; the last slider changes fastest."""
        ranges = (range(len(by_label)) for by_label in self.choices.values())
        return [self.values(positions) for positions in itertools.product(*ranges)]

    def frame(self, values: Mapping[str, Any], format: str, style: Mapping | None = None) -> Frame:
        """Draw the figure for these values as the bytes of a ``png`` or ``svg`` file."""
        before = set(plt.get_fignums())
        try:
            with fonts.in_any_script(), plt.rc_context(STYLE | dict(style or {})):
                returned = self.draw(**values)
                figure, note = returned if isinstance(returned, tuple) else (returned, "")
                if isinstance(figure, Figure):
                    file = io.BytesIO()
                    metadata = {"Date": None} if format == "svg" else None
                    figure.savefig(file, format=format, dpi=PNG_DPI, metadata=metadata)
        except Exception as error:
            raise RuntimeError(
                f"{type(error).__name__}: {error} [{self._settings(values)}]"
            ) from error
        finally:
            # A figure left open would be shown a second time by the notebook.
            for number in set(plt.get_fignums()) - before:
                plt.close(number)
        if not isinstance(figure, Figure):
            raise TypeError(f"draw must return a matplotlib figure, got {type(figure).__name__}")
        return Frame(file.getvalue(), note, read_tables(figure) if self.table else [])

    def _settings(self, values: Mapping[str, Any]) -> str:
        positions = [
            find(values[name], list(by_label.values())) for name, by_label in self.choices.items()
        ]
        return describe(self.sliders, positions)

    def _draw_player(self) -> str:
        frames = [self.frame(values, "svg", player.PAGE_STYLE) for values in self.grid()]
        return player.html(self.sliders, frames, alt=self.alt, table=self.table)

    def widget(self):
        """The sliders and their picture as a widget, which needs a kernel."""

        def draw(positions):
            return self.frame(self.values(positions), "png")

        return live.widget(self.sliders, self._first, draw, table=self.table)

    def _repr_mimebundle_(self, **_):
        bundle = {
            "text/plain": repr(self),
            "image/png": base64.b64encode(self._first.picture).decode(),
        }
        if self.mode == "player":
            bundle["text/html"] = self._player
        elif self.mode == "live":
            self._widget = self._widget or self.widget()
            bundle["application/vnd.jupyter.widget-view+json"] = {
                "version_major": 2,
                "version_minor": 0,
                "model_id": self._widget.model_id,
            }
        return bundle


def _starting_positions(draw: Callable, choices: Mapping[str, Mapping[str, Any]]) -> dict[str, int]:
    if not choices:
        raise ValueError("explore needs at least one slider, as in explore(draw, width=[1, 2, 3])")
    parameters = inspect.signature(draw).parameters
    starts = {}
    for name, by_label in choices.items():
        if name not in parameters or parameters[name].default is inspect.Parameter.empty:
            raise ValueError(f"draw needs a parameter {name!r} with a default, where to start from")
        default = parameters[name].default
        starts[name] = find(default, list(by_label.values()))
        if starts[name] is None:
            raise ValueError(f"{name} starts at {default!r}, not one of {list(by_label)}")
    return starts
