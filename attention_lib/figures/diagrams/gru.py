"""One step of a gated recurrent unit: what is kept of the state, and what is new."""

from collections.abc import Sequence

from attention_lib.figures.diagrams.letters import Number, box_width
from attention_lib.figures.diagrams.picture import Picture

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
# The column and the row of each part; narrow, the columns go down. Nothing stands between input
# and candidate, nor between old and new state.
PLACES = {
    "input": (0, 0),
    "state": (0, 2),
    "reset": (1, 1),
    "update": (1, 3),
    "candidate": (2, 0),
    "new": (3, 2),
}
# What each part is computed from: sides and bend of the arrow, wide and narrow.
ACROSS, DOWN = ("right", "left", 0.5), ("bottom", "top", 0.5)
ARROWS = {
    ("input", "reset"): (ACROSS, DOWN),
    ("state", "reset"): (ACROSS, DOWN),
    ("input", "update"): (("right", "left", 0.2), ("bottom", "top", 0.2)),
    ("state", "update"): (ACROSS, DOWN),
    ("input", "candidate"): (ACROSS, DOWN),
    ("reset", "candidate"): (ACROSS, ("left", "top", 0.5)),
    ("state", "candidate"): (("right", "bottom", 0.28), ("bottom", "right", 0.5)),
    ("candidate", "new"): (ACROSS, ("bottom", "left", 0.5)),
    ("update", "new"): (ACROSS, ("left", "top", 0.4)),
    ("state", "new"): (ACROSS, DOWN),
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
        x, y = (row * 72, 24 + column * 72) if narrow else (column * 150, 24 + row * 48)
        span = width * len(numbers)
        at, anchor = _name_place(name, span, narrow)
        picture.text(
            x + at[0],
            y + at[1],
            text[name],
            ROLES[name],
            of=name,
            name=True,
            silent=True,
            anchor=anchor,
        )
        picture.strip(
            name, x, y, numbers, ROLES[name], says=text[name], digits=2, box=(width, HEIGHT)
        )
        if name == "new":
            picture.text(x + span / 2, y + HEIGHT + 18, text["mix"], of="new")
    for (start, end), (wide, down) in ARROWS.items():
        leave, enter, bend = down if narrow else wide
        picture.arrow(start, end, leave=leave, enter=enter, bend=bend)
    return text["title"], text["description"]


def _name_place(name: str, span: Number, narrow: bool) -> tuple[tuple[Number, Number], str]:
    """Where the name of a strip stands, from its corner: out of the way of the arrows."""
    if not narrow or name in ("input", "state"):
        return (span / 2, -14), "middle"
    if name == "new":
        return (span + 8, HEIGHT / 2), "start"
    if name == "candidate":  # beside the arrow that leaves below
        return (span / 2 + 8, HEIGHT + 14), "start"
    return (span / 2, HEIGHT + 14), "middle"
