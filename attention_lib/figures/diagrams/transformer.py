"""The whole Transformer: the encoder, the decoder, and the three attentions in them."""

from attention_lib.figures.diagrams.picture import Picture
from attention_lib.figures.diagrams.words import term

TEXTS = {
    "title": {"zh": "完整的 Transformer", "en": "The whole Transformer"},
    "description": {
        "zh": "编码器读源句，解码器根据已写出的词和编码器的输出写下一个词。三种注意力的查询、键和值"
        "各有来处，其余部分都逐个词元计算。",
        "en": "The encoder reads the source; the decoder writes the next word from those already "
        "written and from the output of the encoder. The three kinds of attention take queries, "
        "keys and values from different places; all other parts work on each token by itself.",
    },
    "source": {"zh": "源句的词元", "en": "source tokens"},
    "target": {"zh": "已写出的词元", "en": "tokens written"},
    "embedding": {"zh": "嵌入 · √d", "en": "embedding · √d"},
    "positions": {"zh": "+ 位置编码", "en": "+ position\nencoding"},
    "self_attention": {"zh": "规范化，\n多头自注意力", "en": "norm, multi-head\nself-attention"},
    "masked": {"zh": "规范化，掩蔽\n多头自注意力", "en": "norm, masked\nself-attention"},
    "cross_attention": {
        "zh": "规范化，编码器–\n解码器注意力",
        "en": "norm, encoder–\ndecoder attention",
    },
    "feed_forward": {"zh": "规范化，\n前馈网络", "en": "norm, feed-\nforward network"},
    "norm": {"zh": "规范化", "en": "norm"},
    "memory": {"zh": "编码器的输出", "en": "encoder output"},
    "scores": {"zh": "规范化，\n各词的分数", "en": "norm, scores\nof the words"},
    "softmax": {"zh": "softmax：\n下一个词", "en": "softmax:\nthe next word"},
    "layers": {"zh": "× {layers}", "en": "× {layers}"},
}
# On the site, a part leads to the section that teaches it.
TAUGHT = {
    "embedding": "00_before_you_start",
    "positions": "06_self_attention_and_position",
    "self_attention": "06_self_attention_and_position",
    "masked": "05_multi_head_attention",
    "cross_attention": "04_bahdanau_attention",
    "softmax": "03_scoring_functions",
}
ENCODER = ("source", "embedding", "positions", "self_attention", "plus", "feed_forward", "plus")
DECODER = ("target", "embedding", "positions", "masked", "plus", "cross_attention", "plus")
DECODER += ("feed_forward", "plus")
GAP = 18


def transformer(
    picture: Picture, language: str, narrow: bool, *, layers: int = 2
) -> tuple[str, str]:
    """Draw the picture; its parts are named like the texts, ``encoder:`` or ``decoder:`` before.

    Args:
        layers: of the encoder, and of the decoder.

    Returns:
        The title and the description.
    """
    text = {name: words[language] for name, words in TEXTS.items()}
    text["layers"] = text["layers"].format(layers=layers)
    width = 136 if narrow else 220
    left = {"encoder": 0, "decoder": width + (36 if narrow else 120)}
    ends = {}
    for side, names in (("encoder", (*ENCODER, "memory")), ("decoder", DECODER)):
        picture.text(left[side] + width / 2, -18, term(side, language), of=side, name=True)
        ends[side] = _column(picture, text, side, names, left[side], width)
    x, y = left["decoder"], ends["decoder"]
    for name in ("scores", "softmax"):
        _box(picture, text, f"decoder:{name}", x, y, width, 44)
        y += 44 + GAP
    down = {"leave": "bottom", "enter": "top", "bend": 0}
    picture.arrow("decoder:plus:3", "decoder:scores", **down)
    picture.arrow("decoder:scores", "decoder:softmax", **down)
    picture.arrow("encoder:memory", "decoder:cross_attention")
    return text["title"], text["description"]


def _column(picture, text, side, names, x, width):
    """One half, from top to bottom; returns where it ends."""
    y, count, before, last, begin = 0, 0, "", "", ""
    top = bottom = 0  # of the frame around a layer
    for name in names:
        if name == "plus":
            count += 1
            key = f"{side}:plus:{count}"
            picture.box(key, x + width / 2 - 14, y, 28, 22, "+", says=f"{text[before]}, +")
            # The residual connection: around the sublayer, from what it was given.
            picture.arrow(begin, key, leave="left", enter="left", via=x - 8)
            height = 22
            bottom = y + height + 9
        else:
            key, begin = f"{side}:{name}", last
            height = 44 if "\n" in text[name] else 30
            _box(picture, text, key, x, y, width, height)
            top = top or (y - 9 if name in ("self_attention", "masked") else 0)
        if y:
            picture.arrow(last, key, leave="bottom", enter="top", bend=0)
        before, last = name, key
        y += height + GAP
    picture.frame(x - 14, top, width + 22, bottom - top)
    picture.text(x + width, bottom - 20, text["layers"], anchor="end", of=side)
    return y


def _box(picture, text, key, x, y, width, height):
    name = key.split(":")[1]
    link = f"{TAUGHT[name]}.html" if name in TAUGHT else ""
    roles = {"self_attention": "weight", "masked": "weight", "cross_attention": "weight"}
    roles |= {"memory": "value"}
    picture.box(key, x, y, width, height, text[name], roles.get(name, "plain"), link=link)
