"""Multi-head attention: one query, and every head pools with projections of its own."""

from collections.abc import Sequence
from itertools import chain

from attention_lib.figures.diagrams.letters import Number, box_width, text_width
from attention_lib.figures.diagrams.picture import Picture
from attention_lib.figures.diagrams.words import term

TEXTS = {
    "title": {
        "zh": "多头注意力：{heads} 个头，“{asks}”的查询",
        "en": "Multi-head attention: {heads} heads, the query of “{asks}”",
    },
    "description": {
        "zh": "每个头把查询 q 投影成自己的查询，把输入 X 投影成自己的键和值，各自汇聚；"
        "各头的输出拼接起来，再做一次线性变换。",
        "en": "Each head projects the query q to one of its own and the input X to keys and values "
        "of its own, and pools by itself; the outputs of the heads are concatenated and pass one "
        "more linear map.",
    },
    "joined": {"zh": "拼接", "en": "concatenated"},
}
HEIGHT, ROW = 22, 26
ROLE = {"asking": "query", "input": "plain", "joined": "output", "result": "output"}
LOW = "₀₁₂₃₄₅₆₇₈₉"


def multi_head(
    picture: Picture,
    language: str,
    narrow: bool,
    *,
    labels: Sequence[str],
    asks: str,
    query: Sequence[Number],
    inputs: Sequence[Sequence[Number]],
    queries: Sequence[Sequence[Number]],
    keys: Sequence[Sequence[Sequence[Number]]],
    weights: Sequence[Sequence[Number]],
    values: Sequence[Sequence[Sequence[Number]]],
    outputs: Sequence[Sequence[Number]],
    result: Sequence[Number],
    digits: int = 1,
) -> tuple[str, str]:
    """Draw the picture; its parts are asking, input, query, key, weight, value, output, joined,
    result.

    Args:
        labels: the tokens that are attended to, ``n`` texts.
        asks: the token that asks.
        query: its vector before the projections, shape ``(d_model,)``.
        inputs: what becomes keys and values, shape ``(n, d_model)``.
        queries, outputs: of the heads, shape ``(heads, d_head)``.
        keys, values: shape ``(heads, n, d_head)``.
        weights: shape ``(heads, n)``.
        result: what the layer gives, shape ``(d_model,)``.
        digits: behind the decimal point.

    Returns:
        The title and the description.
    """
    text = {name: words[language] for name, words in TEXTS.items()}
    count, heads, d_head = len(labels), len(queries), len(queries[0])
    everything = [query, *inputs, *queries, *outputs, result, *chain(*keys, *values)]
    box = (box_width(everything, digits), HEIGHT)
    margin = max(map(text_width, [asks, *labels])) + 10
    lane = ROW * count + 56
    gap = 6 if narrow else 20
    # From left to right; narrow, the input stands above the heads and the result below.
    query_x = 0 if narrow else margin + box[0] * len(inputs[0]) + 44
    key_x = query_x + box[0] * d_head + gap
    weight_x = key_x + box[0] * d_head + gap
    value_x = weight_x + 44 + gap
    output_x = value_x + box[0] * d_head + gap
    joined_x = output_x + box[0] * d_head + (-box[0] * len(result) if narrow else 34)
    first = ROW * count + 148 if narrow else 44
    # Wide, an arrow passes from the last input below the last query.
    input_y = 82 if narrow else first + lane * (heads - 1) - 6
    asking_y = input_y - 60

    def name(part, x, y, letter, rows, columns):
        role = ROLE.get(part, part)
        words = letter if narrow and part == "weight" else f"{letter} {rows}×{columns}"
        picture.text(x, y, words, role, of=part, name=True, silent=True, anchor="start")

    def strip(key, x, y, numbers, says):
        part = key.split(":")[0]
        role = ROLE.get(part, part)
        picture.strip(key, x, y, numbers, role, says=says, digits=digits, box=box)

    asking_x = 0 if narrow else margin
    name("asking", asking_x, asking_y - 16, "q", 1, len(query))
    strip("asking", asking_x, asking_y, query, f"q, {asks}")
    # Narrow, an arrow leaves on the left.
    x, anchor = (box[0] * len(query) + 8, "start") if narrow else (margin - 8, "end")
    picture.text(x, asking_y + HEIGHT / 2, asks, of="asking", anchor=anchor, silent=True)
    name("input", margin, input_y - 16, "X", count, len(inputs[0]))
    if narrow:  # no room for arrows
        into = ", ".join(f"K{LOW[h + 1]} V{LOW[h + 1]}" for h in range(heads))
        x = margin + box[0] * len(inputs[0]) + 8
        picture.text(x, input_y + ROW, f"→ {into}", of="input", silent=True, anchor="start")
    for i, label in enumerate(labels):
        y = input_y + ROW * i
        picture.text(margin - 8, y + HEIGHT / 2, label, of="input", anchor="end", silent=True)
        strip(f"input:{i}", margin, y, inputs[i], label)
    for h in range(heads):
        top, low = first + lane * h, LOW[h + 1]
        middle = top + ROW * (count - 1) / 2
        says = f"{term('head', language)} {h + 1}, "
        picture.text(output_x, top - 16, says[:-2], anchor="start", silent=True)
        names = (
            ("query", query_x, middle - 14, "q", 1, d_head),
            ("key", key_x, top - 16, "K", count, d_head),
            ("weight", weight_x, top - 16, "α", 1, count),
            ("value", value_x, top - 16, "V", count, d_head),
            ("output", output_x, middle - 14, "o", 1, d_head),
        )
        for part, x, y, letter, rows, columns in names:
            name(part, x, y, letter + low, rows, columns)
        strip(f"query:{h}", query_x, middle, queries[h], says + f"q, {asks}")
        for i, label in enumerate(labels):
            y = top + ROW * i
            strip(f"key:{h}:{i}", key_x, y, keys[h][i], says + f"k, {label}")
            key = f"weight:{h}:{i}"
            picture.cell(
                key, weight_x, y, weights[h][i], "weight", says=says + f"α, {label}", size=(44, 22)
            )
            strip(f"value:{h}:{i}", value_x, y, values[h][i], says + f"v, {label}")
        strip(f"output:{h}", output_x, middle, outputs[h], says + "o")
    end = first + lane * heads
    joined_y = end if narrow else first + (lane * heads - 56 - ROW) / 2 - 30
    result_y = joined_y + 60
    letters = "[o₁ … o" + LOW[heads] + "]" if heads > 2 else "[o₁ o₂]"
    joined = [number for output in outputs for number in output]
    name("joined", joined_x, joined_y - 14, letters, 1, len(joined))
    strip("joined", joined_x, joined_y, joined, text["joined"])
    name("result", joined_x, result_y + HEIGHT + 14, f"{letters} Wₒ", 1, len(result))
    strip("result", joined_x, result_y, result, f"{text['joined']}, Wₒ")
    _arrows(picture, count, heads, narrow)
    return text["title"].format(heads=heads, asks=asks), text["description"]


def _arrows(picture, count, heads, narrow):
    for h in range(heads):
        if narrow:
            around = {"leave": "right", "enter": "right", "bend": 0.12}
            picture.arrow(f"output:{h}", "joined", **around)
            picture.arrow("asking", f"query:{h}", leave="left", enter="left", via=-12)
        else:
            picture.arrow("asking", f"query:{h}")
            source = count - 1 if h == heads - 1 else 0
            picture.arrow(f"input:{source}", f"key:{h}:{count - 1}")
            picture.arrow(f"output:{h}", "joined")
        for i in range(count):
            picture.arrow(f"key:{h}:{i}", f"weight:{h}:{i}", bend=0)
            picture.arrow(f"weight:{h}:{i}", f"value:{h}:{i}", bend=0)
    picture.arrow("joined", "result", leave="bottom", enter="top", bend=0)
