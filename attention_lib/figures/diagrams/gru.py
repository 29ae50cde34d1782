"""One step of a gated recurrent unit: what is kept of the state, and what is new."""

from collections.abc import Sequence

from attention_lib.figures.diagrams.picture import Number, Picture, box_width

TEXTS = {
    "title": {"zh": "GRU 的一步", "en": "One step of a GRU"},
    "description": {
        "zh": "重置门决定候选状态用多少旧状态，更新门决定新状态里留多少旧状态、放进多少候选状态。",
        "en": "The reset gate says how much of the old state the candidate may use; the update "
        "gate says how much of the new state is the old one, and how much is the candidate.",
    },
    "input": {"zh": "输入 x", "en": "input x"},
    "state": {"zh": "旧状态 h", "en": "old state h"},
    "reset": {"zh": "重置门 r", "en": "reset gate r"},
    "update": {"zh": "更新门 z", "en": "update gate z"},
    "candidate": {"zh": "候选状态 n", "en": "candidate n"},
    "new": {"zh": "新状态", "en": "new state"},
    "mix": {"zh": "(1 − z)·n + z·h", "en": "(1 − z)·n + z·h"},
}
ROLES = {"reset": "weight", "update": "weight", "candidate": "output", "new": "value"}
ROLES |= {"state": "value", "input": "plain"}
HEIGHT = 24
# The column and the row of each part; narrow, the columns go down.
PLACES = {
    "input": (0, 0),
    "state": (0, 2),
    "reset": (1, 0),
    "update": (1, 2),
    "candidate": (2, 0),
    "new": (3, 1),
}


def gru(
    picture: Picture,
    language: str,
    narrow: bool,
    *,
    input: Sequence[Number],
    state: Sequence[Number],
    reset: Sequence[Number],
    update: Sequence[Number],
    candidate: Sequence[Number],
    new: Sequence[Number],
) -> tuple[str, str]:
    """Draw the picture; its parts are named like the arguments.

    Args:
        input: what is read, shape ``(d_input,)``.
        state, reset, update, candidate, new: the old state, the gates, the candidate and the new
            state, shape ``(d_hidden,)``.

    Returns:
        The title and the description.
    """
    text = {name: words[language] for name, words in TEXTS.items()}
    given = {"input": input, "state": state, "reset": reset, "update": update}
    given |= {"candidate": candidate, "new": new}
    width = box_width(list(given.values()), 2)
    for name, numbers in given.items():
        column, row = PLACES[name]
        x, y = (row * 72, 24 + column * 64) if narrow else (column * 170, 24 + row * 48)
        span = width * len(numbers)
        label = {"role": ROLES[name], "of": name, "name": True, "silent": True}
        if not narrow:
            picture.text(x + span / 2, y - 14, text[name], **label)
        else:  # at the side, since arrows come in from above
            words, beside = text[name].replace(" ", "\n", 1), (-8, "end") if not row else None
            beside = beside or (span + 8, "start")
            picture.text(x + beside[0], y + HEIGHT / 2, words, anchor=beside[1], **label)
        picture.strip(
            name, x, y, numbers, ROLES[name], says=text[name], digits=2, box=(width, HEIGHT)
        )
    x, y = (72 + width, 24 + 3 * 64 + 42) if narrow else (3 * 170 + width, 24 + 48 + 44)
    picture.text(x, y, text["mix"], of="new")
    down = {"leave": "bottom", "enter": "top"} if narrow else {}
    arrows = [("input", "reset"), ("state", "reset"), ("input", "update"), ("state", "update")]
    for start, end in [*arrows, ("reset", "candidate"), ("candidate", "new"), ("update", "new")]:
        picture.arrow(start, end, **down)
    return text["title"], text["description"]
