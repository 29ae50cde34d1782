"""A step of a decoder that writes word by word: one new query, and keys and values kept."""

from collections.abc import Sequence

from attention_lib.figures.diagrams.letters import Number, box_width
from attention_lib.figures.diagrams.picture import Picture
from attention_lib.figures.diagrams.words import term

TEXTS = {
    "title": {
        "zh": "{cache}，第 {step} 步：读入 {token}",
        "en": "The {cache}, step {step}: {token} is read",
    },
    "description": {
        "zh": "这一步只有一个新词元，算出一个查询、一个键和一个值；框里的键和值是前面几步存下的。"
        "新的查询与所有的键比较，输出是所有的值的加权平均。",
        "en": "This step has one new token, which gives one query, one key and one value; the keys "
        "and values in the frames were computed in earlier steps and kept. The new query is "
        "compared with all keys, and the output is the weighted average of all values.",
    },
    "weight": {"zh": "权重", "en": "weight"},
    "output": {"zh": "输出", "en": "output"},
    "kept": {"zh": "已存", "en": "kept"},
    "new": {"zh": "新", "en": "new"},
}
HEIGHT, LINE = 24, 48
EDGE = 10  # from a strip to the frame around it
BAR = 84


def cache(
    picture: Picture,
    language: str,
    narrow: bool,
    *,
    labels: Sequence[str],
    query: Sequence[Number],
    keys: Sequence[Sequence[Number]],
    weights: Sequence[Number],
    values: Sequence[Sequence[Number]],
    output: Sequence[Number],
) -> tuple[str, str]:
    """Draw the picture; its parts are query, key, weight, value, output.

    Args:
        labels: the tokens read so far, ``count`` texts, the last of them in this step.
        query: of the last token, shape ``(d_key,)``.
        keys, values: shapes ``(count, d_key)`` and ``(count, d_value)``.
        weights: shape ``(count,)``.
        output: shape ``(d_value,)``.

    Returns:
        The title and the description.
    """
    text = {name: words[language] for name, words in TEXTS.items()}
    names = {name: term(name, language) for name in ("query", "key", "value")}
    names |= {name: text[name] for name in ("weight", "output")}
    given = {"query": [query], "key": keys, "value": values, "output": [output]}
    digits = {"query": 1, "key": 1, "value": 1, "output": 2}
    box = {part: box_width(vectors, digits[part]) for part, vectors in given.items()}
    width = {part: box[part] * len(vectors[0]) for part, vectors in given.items()} | {"weight": BAR}

    count = len(labels)
    gap = EDGE + (14 if narrow else 34)
    first = 126 if narrow else 56
    # The new row stands below the frames.
    rows = [first + LINE * index + (26 if index == count - 1 else 0) for index in range(count)]
    x = {"key": EDGE if narrow else width["query"] + 74}
    x["weight"] = x["key"] + width["key"] + gap
    x["value"] = x["weight"] + BAR + gap
    x["query"] = EDGE if narrow else 0
    x["output"] = x["value"] + (width["value"] - width["output"] if narrow else width["value"] + 70)
    y = {"query": 20, "output": rows[-1] + 76} if narrow else {"query": rows[-1]}
    y.setdefault("output", (rows[0] + rows[-1]) / 2)

    def strip(part, row, numbers):
        key, label = (part, labels[-1]) if row is None else (f"{part}:{row}", labels[row])
        says = names[part] if part == "output" else f"{label}, {names[part]}"
        place = (x[part], y[part] if row is None else rows[row])
        size = (box[part], HEIGHT)
        picture.strip(key, *place, numbers, part, says=says, digits=digits[part], box=size)

    def name(part, at, anchor="middle"):
        picture.text(*at, names[part], part, of=part, name=True, silent=True, anchor=anchor)

    if narrow:
        beside = x["query"] + width["query"] + 10
        name("query", (beside, y["query"] + 4), "start")
        picture.text(beside, y["query"] + 22, labels[-1], of="query", anchor="start", silent=True)
    else:
        name("query", (width["query"] / 2, y["query"] - 30))
        picture.text(width["query"] / 2, y["query"] - 12, labels[-1], of="query", silent=True)
    top = first - 46
    for part in ("key", "weight", "value"):
        if narrow and part == "key":  # out of the way of the arrow from above
            name(part, (x[part], top), "start")
        else:
            name(part, (x[part] + width[part] / 2, top))
    if count > 1:
        for part in ("key", "value"):
            place = (x[part] - EDGE, first - 34, width[part] + 2 * EDGE)
            picture.frame(*place, rows[count - 2] - first + HEIGHT + 44)
    strip("query", None, query)
    for row, label in enumerate(labels):
        state = text["new"] if row == count - 1 else text["kept"]
        line = rows[row]
        picture.text(x["key"], line - 12, label, of="key", anchor="start", silent=True)
        right = x["value"] + width["value"]
        picture.text(right, line - 12, state, of=f"value:{row}", anchor="end", silent=True)
        strip("key", row, keys[row])
        bar, says = f"weight:{row}", f"{label}, {names['weight']}"
        picture.bar(bar, x["weight"], line + 2, weights[row], "weight", says=says, size=(BAR, 20))
        strip("value", row, values[row])
        picture.arrow(f"key:{row}", bar, bend=0)
        picture.arrow(bar, f"value:{row}", bend=0)
    strip("output", None, output)
    if narrow:
        name("output", (x["output"] - 10, y["output"] + HEIGHT / 2), "end")
        picture.arrow("query", "key:0", leave="bottom", enter="top", at=0.85, bend=0)
        start = f"value:{count - 1}"
        picture.arrow(start, "output", leave="bottom", enter="top", at=0.5, bend=0)
    else:
        name("output", (x["output"] + width["output"] / 2, y["output"] - 16))
        for row in range(count):
            picture.arrow("query", f"key:{row}")
            picture.arrow(f"value:{row}", "output")
    title = text["title"].format(cache=term("cache", language), step=count, token=labels[-1])
    return title, text["description"]
