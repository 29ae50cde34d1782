"""Sequence to sequence: an encoder, a decoder unrolled over its steps, and what passes between."""

from collections.abc import Sequence

from attention_lib.figures.diagrams.picture import Number, Picture, box_width, text_width
from attention_lib.figures.diagrams.words import term

TEXTS = {
    "title": {
        "zh": "没有注意力的序列到序列模型：{source} → {target}",
        "en": "Sequence to sequence without attention: {source} → {target}",
    },
    "title_attention": {
        "zh": "有注意力的序列到序列模型：{source} → {target}",
        "en": "Sequence to sequence with attention: {source} → {target}",
    },
    "description": {
        "zh": "编码器从左到右读完源句，最后的状态是上下文；解码器写每个词时用的都是它。",
        "en": "The encoder reads the source from left to right, and its last state is the context; "
        "the decoder is given the same one for every word that it writes.",
    },
    "description_attention": {
        "zh": "编码器的每个状态都保留下来。写每个词时，解码器的状态是查询，与各个状态比较得到权重，"
        "状态按权重的平均就是这一步的上下文。",
        "en": "All states of the encoder are kept. For every word, the state of the decoder is the "
        "query; compared with the states, it gives weights, and the average of the states by these "
        "weights is the context of this step.",
    },
    "reads": {"zh": "读入", "en": "reads"},
    "writes": {"zh": "写出", "en": "writes"},
    "context": {"zh": "上下文 c", "en": "context c"},
    "state": {"zh": "状态 h", "en": "state h"},
    "query": {"zh": "查询 z", "en": "query z"},
    "weight": {"zh": "权重 α", "en": "weight α"},
}
HEIGHT = 22  # of a box
TOP = 30  # where the states begin, under the words of the source


def sequence_to_sequence(
    picture: Picture,
    language: str,
    narrow: bool,
    *,
    source: Sequence[str],
    target: Sequence[str],
    states: Sequence[Sequence[Number]],
    contexts: Sequence[Sequence[Number]],
    queries: Sequence[Sequence[Number]] = (),
    weights: Sequence[Sequence[Number]] = (),
    digits: int = 1,
) -> tuple[str, str]:
    """Draw the picture; its parts are state, query, weight, context, and word, the words written.

    Args:
        source: ``s_len`` words.
        target: ``t_len`` words; each step reads the one before.
        states: of the encoder, shape ``(s_len, d)``.
        contexts: of each step, shape ``(t_len, d)``.
        queries, weights: with attention, the decoder's states before each step, shape
            ``(t_len, d)``, and the weights, ``(t_len, s_len)``.
        digits: behind the decimal point.

    Returns:
        The title and the description.
    """
    text = {name: words[language] for name, words in TEXTS.items()}
    roles = {"state": "value", "context": "output"}
    attention = bool(len(weights))
    box = (box_width([*states, *contexts, *queries], digits), HEIGHT)
    strip_width = box[0] * len(contexts[0])
    reads = max(map(text_width, ["<bos>", *target, text["reads"]])) + 8
    # With attention the columns are those of the weights, and a query stands before each row; on
    # a phone, above it.
    query_width = len(queries) and strip_width
    columns = reads + (query_width + 26 if attention and not narrow else 0)
    pitch = 46 if narrow else 72
    first = TOP + box[1] * len(states[0]) + 58
    row = 96 if narrow and attention else 66 if narrow else 46
    context_x = columns + pitch * len(source) + (8 if narrow else 34)

    def name(part, x, y, anchor="middle"):
        role = roles.get(part, part)
        picture.text(x, y, text[part], role, of=part, name=True, silent=True, anchor=anchor)

    name("state", columns - 12, TOP + 2 * box[1], "end")
    for s, (word, state) in enumerate(zip(source, states, strict=True)):
        x = columns + pitch * s + (pitch - box[0]) / 2
        picture.text(x + box[0] / 2, TOP - 14, word, of=f"state:{s}", silent=True)
        picture.strip(
            f"state:{s}",
            x,
            TOP,
            state,
            "value",
            says=f"{word}, {text['state']}",
            digits=digits,
            box=box,
            upright=True,
        )
        if s:
            picture.arrow(f"state:{s - 1}", f"state:{s}", bend=0)

    names = first - 22
    picture.text(0, names, text["reads"], of="word", anchor="start", silent=True)
    middle = context_x + strip_width / 2
    if attention:
        query_x = context_x if narrow else reads
        name("query", query_x + strip_width / 2, names)
        if not narrow:  # between two arrows
            name("weight", columns + pitch * (len(source) - 1), names)
    if narrow and attention:  # beside the first word that is written
        name("context", context_x, first + 28 + HEIGHT + 20, "start")
        name("weight", columns, first + 28 + HEIGHT + 20, "start")
    else:  # without attention, an arrow comes in on the left
        name("context", middle + (0 if attention else 22), names)

    for t, (word, context) in enumerate(zip(target, contexts, strict=True)):
        y = first + row * t
        before = target[t - 1] if t else "<bos>"
        picture.text(0, y + HEIGHT / 2, before, of=f"word:{t}", anchor="start", silent=True)
        if attention:
            step = f"{term('query', language)} {t + 1}"
            picture.strip(
                f"query:{t}",
                query_x,
                y,
                queries[t],
                "query",
                says=f"{before}, {step}",
                digits=digits,
                box=box,
            )
            y += 28 if narrow else 0
            for s, weight in enumerate(weights[t]):
                key = f"weight:{t}:{s}"
                picture.cell(
                    key,
                    columns + pitch * s,
                    y,
                    weight,
                    "weight",
                    says=f"{source[s]}, {text['weight']}",
                    size=(pitch, HEIGHT),
                )
        picture.strip(
            f"context:{t}",
            context_x,
            y,
            context,
            "output",
            says=text["context"],
            digits=digits,
            box=box,
        )
        ends = context_x + strip_width
        if narrow:
            picture.box(
                f"word:{t}",
                ends - text_width(word) - 16,
                y + HEIGHT + 9,
                text_width(word) + 16,
                HEIGHT,
                word,
                says=f"{text['writes']}: {word}",
            )
        else:
            picture.box(
                f"word:{t}",
                ends + 30,
                y,
                text_width(word) + 16,
                HEIGHT,
                word,
                says=f"{text['writes']}: {word}",
            )
    _arrows(picture, len(source), len(target), attention, narrow)
    kind = "_attention" if attention else ""
    title = text["title" + kind].format(source=" ".join(source), target=" ".join(target))
    return title, text["description" + kind]


def _arrows(picture, s_len, t_len, attention, narrow):
    down = {"leave": "bottom", "enter": "top"}
    last = s_len - 1
    if attention:
        for s in range(s_len):
            picture.arrow(f"state:{s}", f"weight:0:{s}", bend=0, **down)
    else:
        picture.arrow(f"state:{last}", "context:0", **down, at=0.2)
    for t in range(t_len):
        if attention:
            first, side = (last, {"leave": "left", "enter": "top"}) if narrow else (0, {})
            picture.arrow(f"query:{t}", f"weight:{t}:{first}", **side)
            picture.arrow(f"weight:{t}:{last}", f"context:{t}", bend=0)
        elif t:
            picture.arrow(f"context:{t - 1}", f"context:{t}", bend=0, **down, at=0.2)
        onwards = down | {"at": 0.92} if narrow else {}
        picture.arrow(f"context:{t}", f"word:{t}", bend=0, **onwards)
