"""``diagram(name, ...)``: a picture of the course, drawn with the numbers that it is given."""

import inspect
from collections.abc import Callable, Collection, Mapping
from typing import Any

import numpy as np
from torch import Tensor

from attention_lib.figures.diagrams import theme
from attention_lib.figures.diagrams.cache import cache
from attention_lib.figures.diagrams.causal import causal_mask
from attention_lib.figures.diagrams.gru import gru
from attention_lib.figures.diagrams.multi_head import multi_head
from attention_lib.figures.diagrams.parts import within
from attention_lib.figures.diagrams.paths import paths
from attention_lib.figures.diagrams.picture import Picture
from attention_lib.figures.diagrams.pooling import attention_pooling
from attention_lib.figures.diagrams.sequence_to_sequence import sequence_to_sequence
from attention_lib.figures.diagrams.sequence_with_attention import sequence_with_attention
from attention_lib.figures.diagrams.token_vectors import token_vectors
from attention_lib.figures.diagrams.transformer import transformer
from attention_lib.figures.diagrams.transformer_layers import decoder_layer, encoder_layer
from attention_lib.figures.mode import mode

LANGUAGES = ("zh", "en")
DRAWINGS: dict[str, Callable[..., tuple[str, str]]] = {
    "attention_pooling": attention_pooling,
    "token_vectors": token_vectors,
    "sequence_to_sequence": sequence_to_sequence,
    "sequence_with_attention": sequence_with_attention,
    "multi_head": multi_head,
    "causal_mask": causal_mask,
    "paths": paths,
    "gru": gru,
    "encoder_layer": encoder_layer,
    "decoder_layer": decoder_layer,
    "cache": cache,
    "transformer": transformer,
}


def diagram(
    name: str, *, language: str, lit: str | Collection[str] = (), **content: Any
) -> "Diagram":
    """Draw a diagram of the course, for any theme and for a wide and a narrow column.

    Args:
        name: which, for instance ``attention_pooling``.
        language: of the words in it, ``zh`` or ``en``.
        lit: the part or the parts that the moment is about; the others step back. A part such as
            ``key`` stands for all that are ``key:0``, ``key:1`` and so on. All when left out.
        **content: the numbers and labels that it shows: tensors, arrays or lists. The function
            that draws the diagram names them.

    Returns:
        An object that displays itself.

    Raises:
        ValueError: an unknown name, language or part.
        TypeError: content that the diagram has no place for, or lacks.

    >>> numbers = dict(keys=[[1.0], [0.0]], scores=[2.0, 0.0], weights=[0.9, 0.1])
    >>> diagram("attention_pooling", language="en", labels=["red", "car"], query=[2.0],
    ...         values=[[1.0], [3.0]], output=[1.2], lit="key", **numbers)
    Attention pooling: one query, 2 keys and 2 values
    query: 2.0
    red, key: 1.0
    red, score: 2.00
    red, weight: 0.90
    red, value: 1.0
    car, key: 0.0
    car, score: 0.00
    car, weight: 0.10
    car, value: 3.0
    q·k / √d
    softmax
    weighted sum
    output: 1.20
    """
    if name not in DRAWINGS:
        raise ValueError(f"no diagram is named {name!r}; there are: {', '.join(DRAWINGS)}")
    if language not in LANGUAGES:
        raise ValueError(f"language={language!r} must be one of {', '.join(LANGUAGES)}")
    draw = DRAWINGS[name]
    content = {key: _plain(given) for key, given in content.items()}
    try:
        inspect.signature(draw).bind(Picture(), language, False, **content)
    except TypeError as error:
        raise TypeError(f"diagram({name!r}): {error}") from error
    lit = {lit} if isinstance(lit, str) else set(lit)
    wide, narrow = Picture(lit), Picture(lit)
    title, description = draw(wide, language, False, **content)
    draw(narrow, language, True, **content)
    unknown = {name for name in lit if not any(within(key, name) for key in wide.parts)}
    if unknown:
        known = dict.fromkeys(key.split(":")[0] for key in wide.parts)
        raise ValueError(
            f"{name} has no part {', '.join(sorted(unknown))}; it has: {', '.join(known)}"
        )
    return Diagram(title, description, wide, narrow)


class Diagram:
    """What ``diagram`` returns: one drawing in two layouts. Made by ``diagram`` only.

    Attributes:
        title, description: what it shows, in a line and in a sentence or two.
        wide, narrow: the two layouts, with the same parts.
    """

    def __init__(self, title: str, description: str, wide: Picture, narrow: Picture):
        self.title, self.description = title, description
        self.wide, self.narrow = wide, narrow

    def __repr__(self):
        return "\n".join([self.title, *self.wide.spoken])

    def html(self) -> str:
        """For a page: both layouts, of which the page shows the one that fits."""
        layouts = (
            picture.svg(self.title, self.description, layout=layout, links=mode() == "player")
            for layout, picture in (("wide", self.wide), ("narrow", self.narrow))
        )
        left, _, right, _ = self.wide.edges()
        rules = theme.style(theme.on_page(right - left))
        # The container is the outer element: what asks for its width has to be within it.
        inner = f'<div class="from-{theme.least_width(right - left)}">{"".join(layouts)}</div>'
        return f'<div class="diagram">{rules}{inner}</div>'

    def svg(self) -> str:
        """A file of its own, in the wide layout."""
        style = theme.style(theme.ALONE)
        return self.wide.svg(self.title, self.description, style, layout="diagram")

    def _repr_mimebundle_(self, **_):
        bundle = {"text/plain": repr(self), "image/svg+xml": self.svg()}
        # JupyterLab does not trust a stored page, and would show its words in a heap.
        if mode() != "still":
            bundle["text/html"] = self.html()
        return bundle


def _plain(given: Any) -> Any:
    """Tensors and arrays, also those in a mapping, as lists of numbers; all else as it is."""
    if isinstance(given, Mapping):
        return {key: _plain(each) for key, each in given.items()}
    if isinstance(given, Tensor):
        return given.detach().cpu().tolist()
    if isinstance(given, np.ndarray):
        return given.tolist()
    return given
