"""Tokens and their vectors: a row for each token, a strip for each vector that it has."""

from collections.abc import Mapping, Sequence

from attention_lib.figures.diagrams.letters import Number, box_width
from attention_lib.figures.diagrams.picture import Picture

TEXTS = {
    "title": {"zh": "{tokens}：每个词元的向量", "en": "{tokens}: the vectors of each token"},
    "description": {
        "zh": "一行一个词元，一列一种向量：{columns}。",
        "en": "One row for each token, one column for each kind of vector: {columns}.",
    },
}
ROW = 32


def token_vectors(
    picture: Picture,
    language: str,
    narrow: bool,
    *,
    labels: Sequence[str],
    columns: Mapping[str, Sequence[Sequence[Number]]],
    roles: Sequence[str] = (),
    steps: Sequence[str] = (),
    digits: int = 1,
) -> tuple[str, str]:
    """Draw the picture; its parts are named like the columns, ``x`` or, for one row, ``x:0``.

    Args:
        labels: the tokens, ``count`` texts.
        columns: by its heading, each kind of vector: shape ``(count, d)``. What is computed from
            another column stands after it.
        roles: of each column, what gives its colour, see roles.py; ``plain`` when left out.
        steps: for each column but the first, how it comes from the one before it; "" for a column
            that does not.
        digits: behind the decimal point.

    Returns:
        The title and the description.
    """
    roles = [*roles, *["plain"] * (len(columns) - len(roles))]
    steps = [*steps, *[""] * (len(columns) - 1 - len(steps))]
    margin = max(map(len, labels)) * 9 + 14  # for the tokens, on the left
    x, y = margin, 20
    before, width_before = "", 0
    for (heading, vectors), role, step in zip(columns.items(), roles, ["", *steps], strict=True):
        box = (box_width(vectors, digits), 24)
        width = box[0] * len(vectors[0])
        middle, anchor = x + width / 2, "middle"
        if step and narrow:  # beside the arrow that comes from above
            middle, anchor = x + max(width, width_before) / 2 + 12, "start"
            picture.text(middle, y - 40, step, of=heading, anchor=anchor)
        elif step:
            x, middle = x + 44, middle + 44
            picture.text(x - 36, y - 18, step, of=heading)
        picture.text(
            middle, y - 18, heading, role, of=heading, name=True, silent=True, anchor=anchor
        )
        for row, (label, vector) in enumerate(zip(labels, vectors, strict=True)):
            top = y + ROW * row
            if narrow or not before:
                picture.text(x - 12, top + box[1] / 2, label, of=heading, anchor="end", silent=True)
            picture.strip(
                f"{heading}:{row}",
                x,
                top,
                vector,
                role,
                says=f"{label}, {heading}",
                digits=digits,
                box=box,
            )
            if step and not narrow:
                picture.arrow(f"{before}:{row}", f"{heading}:{row}", bend=0)
        if step and narrow:
            last = len(labels) - 1
            picture.arrow(f"{before}:{last}", f"{heading}:0", leave="bottom", enter="top", bend=0)
        before, width_before = heading, width
        if narrow:
            y += ROW * len(labels) + 52
        else:
            x += width + 28
    text = {name: words[language] for name, words in TEXTS.items()}
    comma = "、" if language == "zh" else ", "
    return (
        text["title"].format(tokens=" ".join(labels)),
        text["description"].format(columns=comma.join(columns)),
    )
