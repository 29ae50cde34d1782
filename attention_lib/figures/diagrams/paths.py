"""The longest path through a convolution, a recurrence and self-attention, from end to end."""

from collections.abc import Sequence

from attention_lib.figures.diagrams.letters import text_width
from attention_lib.figures.diagrams.picture import Picture
from attention_lib.figures.diagrams.words import term

TEXTS = {
    "title": {
        "zh": "从第一个词元到最后一个输出的最大路径",
        "en": "The longest path, from the first token to the last output",
    },
    "description": {
        "zh": "卷积一层一层地走，循环网络一步一步地走，自注意力一步就到。",
        "en": "A convolution goes layer by layer, a recurrent network step by step, and "
        "self-attention gets there at once.",
    },
    "convolution": {"zh": "卷积，k = 3", "en": "convolution, k = 3"},
    "recurrence": {"zh": "循环", "en": "recurrence"},
    "steps": {"zh": "{steps} 次运算", "en": "operations: {steps}"},
    "step": {"zh": "第 {step} 次运算", "en": "operation {step}"},
}
PITCH, ROW, SIZE = 42, 38, (28, 22)


def paths(
    picture: Picture, language: str, narrow: bool, *, tokens: Sequence[str], steps: Sequence[int]
) -> tuple[str, str]:
    """Draw the picture; its parts are convolution, recurrence and attention, each with its steps.

    Args:
        tokens: ``n`` texts; a kernel of width 3 sees one neighbour on either side.
        steps: the longest paths of the three, as ``layer_costs`` gives them.

    Returns:
        The title and the description.
    """
    text = {name: words[language] for name, words in TEXTS.items()}
    text["attention"] = term("self_attention", language)
    last = len(tokens) - 1
    # Where the path is after each operation: the column, and the row above the input.
    walks = {
        "convolution": [(place, place) for place in range(last + 1)],
        "recurrence": [(0, 0), *((place, 1) for place in range(last + 1))],
        "attention": [(0, 0), (last, 1)],
    }
    width, left, top = PITCH * last + SIZE[0], 0, 0
    for (kind, walk), count in zip(walks.items(), steps, strict=True):
        rows = max(row for _, row in walk)
        base = top + 30 + ROW * (rows if narrow else last)

        def place(column, row, left=left, base=base):
            return left + PITCH * column, base - ROW * row

        picture.text(left, top, text[kind], of=kind, anchor="start", name=True)
        nodes = {(column, row) for column in range(last + 1) for row in range(rows + 1)}
        for column, row in sorted(nodes - set(walk)):
            picture.faint(*place(column, row), *SIZE)
        for number, (column, row) in enumerate(walk):
            says = text["step"].format(step=number) if number else tokens[0]
            shown = str(number) if number else ""
            role = "weight" if number else "plain"
            picture.box(
                f"{kind}:{number}",
                *place(column, row),
                *SIZE,
                shown,
                role,
                says=f"{text[kind]}: {says}",
            )
            if number:
                before = walk[number - 1]
                sideways = before[1] == row
                sides = {} if sideways else {"leave": "top", "enter": "bottom"}
                picture.arrow(f"{kind}:{number - 1}", f"{kind}:{number}", bend=0, **sides)
        y = base + SIZE[1] + 14
        for column, token in enumerate(tokens):
            if column in (0, last):
                picture.text(place(column, 0)[0] + SIZE[0] / 2, y, token, of=kind, silent=True)
        picture.text(left + width / 2, y, text["steps"].format(steps=count), "weight", of=kind)
        if narrow:
            top = y + 40
        else:
            left += max(width, text_width(text[kind])) + 56
    return text["title"], text["description"]
