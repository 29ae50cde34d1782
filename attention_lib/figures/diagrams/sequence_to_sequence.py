"""Sequence to sequence, unrolled: one context for all words of the target."""

from collections.abc import Sequence

from attention_lib.figures.diagrams.letters import Number, box_width, subscript
from attention_lib.figures.diagrams.picture import Picture

TEXTS = {
    "title": {
        "zh": "序列到序列：{source} → {target}，整句一个上下文",
        "en": "Sequence to sequence: {source} → {target}, one context for the whole sentence",
    },
    "description": {
        "zh": "编码器把各个状态压成一个上下文，解码器的每一步拿到的都是它。",
        "en": "The encoder squeezes its states into one context, and each step of the decoder is "
        "given that same one.",
    },
    "states": {"zh": "编码器的状态", "en": "states of the encoder"},
    "context": {"zh": "上下文 c", "en": "context c"},
    "steps": {"zh": "解码器，一步一个词", "en": "decoder, a word in each step"},
}
HEIGHT, WORD = 24, 66
LINE = 52  # from a step to the next: a box, and a label above it


def sequence_to_sequence(
    picture: Picture,
    language: str,
    narrow: bool,
    *,
    source: Sequence[str],
    target: Sequence[str],
    states: Sequence[Sequence[Number]],
    context: Sequence[Number],
    digits: int = 1,
    context_digits: int = 2,
) -> tuple[str, str]:
    """Draw it without attention; the parts are state, context, step, word.

    Args:
        source, target: the words.
        states: of the encoder, shape ``(len(source), d)``.
        context: what is made of them, shape ``(d,)``.
        digits, context_digits: behind the decimal points.

    Returns:
        The title and the description.
    """
    text = {name: words[language] for name, words in TEXTS.items()}
    size, context_size = box_width(states, digits), box_width([context], context_digits)
    width, context_width = size * len(states[0]), context_size * len(context)
    last = max(len(source), len(target)) - 1
    # Narrow, the words stand side by side, and the data flow down; wide, one below the other.
    column, foot = 104, 40 + HEIGHT * len(states[0])
    after = "bottom" if narrow else "right"
    before = "top" if narrow else "left"
    across = {"leave": "right", "enter": "left"} if narrow else {"leave": "bottom", "enter": "top"}

    x, y, side = (0, 0, "start") if narrow else (64 + width / 2, -40, "middle")
    picture.text(x, y, text["states"], "value", anchor=side, of="state", name=True)
    for index, (word, state) in enumerate(zip(source, states, strict=True)):
        x, y = (34 + column * index, 40) if narrow else (64, LINE * index)
        at = (x + size / 2, y - 14, "middle") if narrow else (x - 12, y + HEIGHT / 2, "end")
        name = f"{word}, h{subscript(index + 1)}"
        picture.text(*at[:2], name, anchor=at[2], of="state", silent=True)
        picture.strip(
            f"state:{index}",
            x,
            y,
            state,
            "value",
            says=name,
            digits=digits,
            box=(size, HEIGHT),
            upright=narrow,
        )
        if index:
            picture.arrow(f"state:{index - 1}", f"state:{index}", bend=0, **across)

    x, y = (156 - context_width / 2, foot + 66) if narrow else (64 + width + 64, LINE * last / 2)
    name_x, name_y = (x - 8, y + HEIGHT / 2) if narrow else (x + context_width / 2, y - 16)
    picture.text(
        name_x,
        name_y,
        text["context"],
        "output",
        anchor="end" if narrow else "middle",
        of="context",
        name=True,
        silent=True,
    )
    picture.strip(
        "context",
        x,
        y,
        context,
        "output",
        says=text["context"],
        digits=context_digits,
        box=(context_size, HEIGHT),
    )
    for index in range(len(source)):
        picture.arrow(f"state:{index}", "context", leave=after, enter=before)

    top = foot + 150
    step_x = 64 + width + context_width + 128
    x, y, side = (0, top + 98, "start") if narrow else (step_x, -40, "start")
    picture.text(x, y, text["steps"], anchor=side, of="step")
    for index, word in enumerate(target):
        step, said = f"step:{index}", f"word:{index}"
        x, y = (column * index + 18, top) if narrow else (step_x, LINE * index)
        picture.box(step, x, y, 54, HEIGHT, "GRU", says=f"GRU {index + 1}")
        picture.arrow("context", step, leave=after, enter=before)
        if index:
            picture.arrow(f"step:{index - 1}", step, bend=0, **across)
            back = {"leave": "right", "enter": "bottom"} if narrow else across
            picture.arrow(f"word:{index - 1}", step, at=0.2 if narrow else 0.85, **back)
        x, y = (x - 6, y + HEIGHT + 34) if narrow else (x + 86, y)
        picture.box(said, x, y, WORD, HEIGHT, word)
        picture.arrow(step, said, bend=0, leave=after, enter=before)
    names = {"source": " ".join(source), "target": " ".join(target)}
    return text["title"].format(**names), text["description"]
