"""Attention pooling: a query, keys and values. All other diagrams are made of it."""

from collections.abc import Sequence

from attention_lib.figures.diagrams.picture import Number, Picture
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
SCORE_WIDTH = 44  # a sign and three digits
ROW = 52


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
    asks: str = "",
    digits: int = 1,
) -> tuple[str, str]:
    """Draw the picture; its parts are query, key, score, weight, value, output.

    Args:
        labels: what each key and value belongs to, ``count`` texts.
        query: shape ``(d_query,)``.
        keys, values: shapes ``(count, d_key)`` and ``(count, d_value)``.
        scores, weights: shape ``(count,)``.
        output: shape ``(d_value,)``.
        rule: how a score comes about, in letters.
        asks: what the query stands for.
        digits: behind the decimal points of the vectors.

    Returns:
        The title and the description.
    """
    text = {name: words[language] for name, words in TEXTS.items()}
    names = {name: term(name, language) for name in ("query", "key", "score", "value")}
    names |= {"weight": text["weight"], "output": text["output"]}
    roles = {"score": "weight"}
    box = (44 if digits > 1 else 40, 24)
    query_width, key_width, value_width, output_width = (
        box[0] * len(numbers) for numbers in (query, keys[0], values[0], output)
    )

    def strip(key, x, y, numbers, says, digits=digits):
        part = key.split(":")[0]
        role = roles.get(part, part)
        return picture.strip(key, x, y, numbers, role, says=says, digits=digits, box=box)

    def name(part, x, y, anchor="middle"):
        role = roles.get(part, part)
        picture.text(x, y, names[part], role, of=part, name=True, silent=True, anchor=anchor)

    # A row for each key. Narrow, the query stands above the rows and the output below.
    first = 112 if narrow else 62
    last = first + ROW * (len(keys) - 1)
    gap, bar = (12, 78) if narrow else (28, 130)
    key_x = 0 if narrow else query_width + 68
    score_x = key_x + key_width + gap
    weight_x = score_x + SCORE_WIDTH + gap
    value_x = weight_x + bar + gap

    query_x, query_y = ((key_width - query_width) / 2, 20) if narrow else (0, (first + last) / 2)
    name("query", query_x + query_width / 2, query_y - 16)
    strip("query", query_x, query_y, query, names["query"])
    if asks:
        x, y = (query_x + query_width + 10, query_y + 12) if narrow else (0, query_y - 42)
        picture.text(x, y, asks, of="query", anchor="start")
    for part, x in (
        ("key", key_x + key_width / 2),
        ("score", score_x + SCORE_WIDTH / 2),
        ("weight", weight_x + bar / 2),
        ("value", value_x + value_width / 2),
    ):
        name(part, x, first - 34)

    for index, label in enumerate(labels):
        y = first + ROW * index
        key, score, weight, value = (
            f"{part}:{index}" for part in ("key", "score", "weight", "value")
        )
        picture.text(key_x + key_width / 2, y - 12, label, of="key", silent=True)
        strip(key, key_x, y, keys[index], f"{label}, {names['key']}")
        picture.strip(
            score,
            score_x,
            y,
            [scores[index]],
            "weight",
            says=f"{label}, {names['score']}",
            digits=2,
            box=(SCORE_WIDTH, box[1]),
        )
        picture.bar(
            weight,
            weight_x,
            y + 2,
            weights[index],
            "weight",
            says=f"{label}, {names['weight']}",
            size=(bar, 20),
        )
        strip(value, value_x, y, values[index], f"{label}, {names['value']}")
        picture.arrow(key, score, bend=0)
        picture.arrow(score, weight, bend=0)
        picture.arrow(weight, value, bend=0)
    foot = last + 42
    picture.text(score_x + SCORE_WIDTH / 2, foot, rule, of="score")
    picture.text(weight_x + bar / 2, foot, "softmax", of="weight")

    if narrow:
        output_x, output_y = value_x + value_width - output_width, last + 76
        name("output", output_x - 10, output_y + 12, "end")
        picture.text(output_x - 8, output_y - 12, text["sum"], of="output", anchor="end")
    else:
        output_x, output_y = value_x + value_width + 84, (first + last) / 2
        name("output", output_x + output_width / 2, output_y - 16)
        picture.text(value_x + value_width + 44, foot, text["sum"], of="output")
    strip("output", output_x, output_y, output, names["output"], digits=2)

    if narrow:
        picture.arrow("query", "key:0", leave="bottom", enter="top")
        picture.arrow(f"value:{len(values) - 1}", "output", leave="bottom", enter="top")
    else:
        for index in range(len(keys)):
            picture.arrow("query", f"key:{index}")
            picture.arrow(f"value:{index}", "output")
    return text["title"].format(count=len(keys)), text["description"]
