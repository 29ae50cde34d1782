"""Attention pooling: a query, keys and values. All other diagrams are made of it."""

from collections.abc import Sequence

from attention_lib.figures.diagrams.letters import Number, box_width, text_width
from attention_lib.figures.diagrams.picture import Picture
from attention_lib.figures.diagrams.words import term

TEXTS = {
    "title": {
        "zh": "注意力汇聚：一个查询，{count} 个键和 {count} 个值",
        "en": "Attention pooling: one query, {count} keys and {count} values",
    },
    "description": {
        "zh": "查询与每个键比较，得到分数；softmax 把分数变成权重；输出是值按权重的平均。",
        "en": "The query is compared with each key, which gives the scores; the softmax turns the "
        "scores into weights; the output is the average of the values by these weights.",
    },
    "sum": {"zh": "加权求和", "en": "weighted sum"},
    "output": {"zh": "输出", "en": "output"},
    "weight": {"zh": "权重", "en": "weight"},
}
HEIGHT, SCORE = 24, 44  # of a box; the width of a score: a sign and three digits
LINE = 52  # from a key to the next: a box, and a label above it
SECOND_LINE = 46  # from a key to its score, where they do not fit side by side
PHONE = 312


def attention_pooling(
    picture: Picture,
    language: str,
    narrow: bool,
    *,
    labels: Sequence[str],
    query: Sequence[Number],
    keys: Sequence[Sequence[Number]],
    scores: Sequence[Number],
    weights: Sequence[Number],
    values: Sequence[Sequence[Number]],
    output: Sequence[Number],
    rule: str = "q·k / √d",
    pooled: str = "softmax",
    asks: str = "",
    digits: int = 1,
    value_digits: int = 1,
    output_digits: int = 2,
) -> tuple[str, str]:
    """Draw the picture; its parts are query, key, score, weight, value, output.

    Args:
        labels: what each key and value belongs to, ``count`` texts.
        query: shape ``(d_query,)``.
        keys, values: shapes ``(count, d_key)`` and ``(count, d_value)``.
        scores, weights: shape ``(count,)``.
        output: shape ``(d_value,)``.
        rule, pooled: how a score and how a weight come about, in letters.
        asks: what the query stands for; line breaks are kept.
        digits, value_digits, output_digits: behind the decimal points of query and keys, of the
            values, and of the output.

    Returns:
        The title and the description.
    """
    text = {name: words[language] for name, words in TEXTS.items()}
    names = {name: term(name, language) for name in ("query", "key", "score", "value")}
    names |= {"weight": text["weight"], "output": text["output"]}
    roles = {"score": "weight"}
    box = {
        "query": box_width([query], digits),
        "key": box_width(keys, digits),
        "score": SCORE,
        "value": box_width(values, value_digits),
        "output": box_width([output], output_digits),
    }
    query_width, key_width = box["query"] * len(query), box["key"] * len(keys[0])
    value_width, output_width = box["value"] * len(values[0]), box["output"] * len(output)

    def strip(key, x, y, numbers, says="", digits=digits):
        part = key.split(":")[0]
        role, says = roles.get(part, part), f"{says}, {names[part]}".removeprefix(", ")
        size = (box[part], HEIGHT)
        return picture.strip(key, x, y, numbers, role, says=says, digits=digits, box=size)

    def name(part, x, y, anchor="middle"):
        role = roles.get(part, part)
        picture.text(x, y, names[part], role, of=part, name=True, silent=True, anchor=anchor)

    # Narrow, the query stands above the rows and the output below them; and what a phone has no
    # room for beside the key stands under it.
    gap, bar = (12, 78) if narrow else (22, 100)
    two_lines = narrow and key_width + SCORE + bar + value_width + 3 * gap > PHONE
    below = SECOND_LINE if two_lines else 0
    first = 112 if narrow else 62
    rows = [first + (LINE + below) * index for index in range(len(keys))]
    last, middle = rows[-1] + below, (first + rows[-1]) / 2
    key_x = 0 if narrow else max(query_width + 52, text_width(asks) + 24)
    score_x = 0 if two_lines else key_x + key_width + gap
    weight_x = score_x + SCORE + gap
    value_x = weight_x + bar + gap

    query_x, query_y = (max(0, (key_width - query_width) / 2), 20) if narrow else (0, middle)
    name("query", query_x + query_width / 2, query_y - 16)
    strip("query", query_x, query_y, query)
    if asks:
        beside = narrow and query_x + query_width + text_width(asks) < PHONE
        x, y = query_x + query_width + 10, query_y + 12
        if not beside:
            x, y = (query_x + query_width / 2 + 14, 58) if narrow else (0, query_y - 42)
            y -= 0 if narrow else 8 * asks.count("\n")
        picture.text(x, y, asks, of="query", anchor="start")
    # Arrows from above come in on the right, where no label is.
    side = "start" if narrow else "middle"
    name("key", key_x + (0 if narrow else key_width / 2), first - 34, side)
    foot = last + 42
    for part, x in (
        ("score", score_x + SCORE / 2),
        ("weight", weight_x + bar / 2),
        ("value", value_x + value_width / 2),
    ):
        name(part, x, foot if two_lines else first - 34)

    for index, (label, y) in enumerate(zip(labels, rows, strict=True)):
        key, score, weight, value = (
            f"{part}:{index}" for part in ("key", "score", "weight", "value")
        )
        at_weight = f"{label}, {names['weight']}"
        x = key_x + (0 if narrow else key_width / 2)
        picture.text(x, y - 12, label, of="key", silent=True, anchor=side)
        strip(key, key_x, y, keys[index], label)
        y += below
        strip(score, score_x, y, [scores[index]], label, digits=2)
        picture.bar(
            weight, weight_x, y + 2, weights[index], "weight", says=at_weight, size=(bar, 20)
        )
        strip(value, value_x, y, values[index], label, digits=value_digits)
        down = {"leave": "bottom", "enter": "top", "at": 0.2} if two_lines else {}
        picture.arrow(key, score, bend=0, **down)
        picture.arrow(score, weight, bend=0)
        picture.arrow(weight, value, bend=0)
    foot += 18 if two_lines else 0
    picture.text(score_x + SCORE / 2, foot, rule, of="score")
    picture.text(weight_x + bar / 2, foot, pooled, of="weight")

    if narrow:
        output_x, output_y = value_x + value_width - output_width, foot + 34
        name("output", output_x - 10, output_y + 12, "end")
        picture.text(output_x - 8, output_y - 12, text["sum"], of="output", anchor="end")
    else:
        output_x, output_y = value_x + value_width + 64, middle
        name("output", output_x + output_width / 2, output_y - 16)
        picture.text(value_x + value_width + 36, foot, text["sum"], of="output")
    strip("output", output_x, output_y, output, digits=output_digits)

    if narrow:
        picture.arrow("query", "key:0", leave="bottom", enter="top", at=0.9)
        picture.arrow(f"value:{len(values) - 1}", "output", leave="bottom", enter="top", at=0.9)
    else:
        for index in range(len(keys)):
            picture.arrow("query", f"key:{index}")
            picture.arrow(f"value:{index}", "output")
    return text["title"].format(count=len(keys)), text["description"]
