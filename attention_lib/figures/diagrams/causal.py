"""The causal mask as a grid, beside the weights that it leaves."""

from collections.abc import Sequence
from itertools import product

from attention_lib.figures.diagrams.letters import Number, decimal, text_width
from attention_lib.figures.diagrams.picture import Picture

TEXTS = {
    "title": {
        "zh": "因果掩码：{tokens}",
        "en": "The causal mask: {tokens}",
    },
    "description": {
        "zh": "一行一个查询，一列一个键。掩码只留下自己和前面的词元；划掉的分数不参加 softmax，"
        "权重在其余的键上加起来等于 1。",
        "en": "A row for each query, a column for each key. The mask leaves each token itself and "
        "the tokens before it; scores that are crossed out take no part in the softmax, and the "
        "weights of the others add up to 1.",
    },
    "scores": {"zh": "分数", "en": "scores"},
    "weights": {"zh": "权重", "en": "weights"},
    "hidden": {"zh": "不可见", "en": "hidden"},
}
SIZE = (48, 28)


def causal_mask(
    picture: Picture,
    language: str,
    narrow: bool,
    *,
    labels: Sequence[str],
    scores: Sequence[Sequence[Number]],
    mask: Sequence[Sequence[bool]],
    weights: Sequence[Sequence[Number]],
) -> tuple[str, str]:
    """Draw the picture; its parts are score and weight, each with its row and its column.

    Args:
        labels: the tokens, ``n`` texts.
        scores, weights: shape ``(n, n)``.
        mask: shape ``(n, n)``, True = may attend.

    Returns:
        The title and the description.
    """
    text = {name: words[language] for name, words in TEXTS.items()}
    margin = max(map(text_width, labels)) + 10
    side = SIZE[0] * len(labels)
    # The second grid has its rows, or narrow its columns, where the first has named them.
    grids = {"score": (margin, 0), "weight": (margin + side + 76, 0)}
    if narrow:
        grids["weight"] = (margin, SIZE[1] * len(labels) + 66)
    for part, (left, top) in grids.items():
        heading = text["scores"] if part == "score" else text["weights"]
        below = narrow and part == "weight"
        x, y = (left - margin, top + 24) if below else (left + side / 2, top)
        anchor = "start" if below else "middle"
        picture.text(x, y, heading, "weight", of=part, name=True, silent=True, anchor=anchor)
        for index, label in enumerate(labels):
            x, y = left + SIZE[0] * (index + 0.5), top + 38 + SIZE[1] * (index + 0.5)
            if not below:
                picture.text(x, top + 24, label, of=part, silent=True)
            if part == "score" or narrow:
                picture.text(left - 8, y, label, of=part, anchor="end", silent=True)
        for row, column in product(range(len(labels)), repeat=2):
            key, says = f"{part}:{row}:{column}", f"{heading}, {labels[row]} → {labels[column]}"
            x, y = left + SIZE[0] * column, top + 38 + SIZE[1] * row
            if part == "score" and mask[row][column]:
                shown = decimal(scores[row][column], 2)
                picture.box(key, x, y, *SIZE, shown, "weight", says=f"{says}: {shown}")
            elif mask[row][column]:
                picture.cell(key, x, y, weights[row][column], "weight", says=says, size=SIZE)
            else:
                says = f"{says}: {text['hidden']}"
                picture.cell(key, x, y, None, "weight", says=says, size=SIZE)
    last = len(labels) - 1
    if narrow:
        start, end = f"score:{last}:{last}", f"weight:0:{last}"
        picture.arrow(start, end, leave="bottom", enter="top")
        x, y = margin + side - 0.5 * SIZE[0] - 8, SIZE[1] * len(labels) + 70
        picture.text(x, y, "softmax", anchor="end", of="weight")
    else:
        middle = len(labels) // 2
        picture.arrow(f"score:{middle}:{last}", f"weight:{middle}:0", bend=0)
        y = 38 + SIZE[1] * (middle + 0.5) - 14
        picture.text(margin + side + 38, y, "softmax", of="weight")
    return text["title"].format(tokens=" ".join(labels)), text["description"]
