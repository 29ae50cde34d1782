"""A layer of the Transformer's encoder or decoder, and what becomes of one token in it."""

from collections.abc import Mapping, Sequence

from attention_lib.figures.diagrams.letters import Number, box_width, text_width
from attention_lib.figures.diagrams.picture import Picture
from attention_lib.figures.diagrams.words import term

TEXTS = {
    "encoder_layer": {"zh": "编码器的一层：“{token}”", "en": "A layer of the encoder: “{token}”"},
    "decoder_layer": {"zh": "解码器的一层：“{token}”", "en": "A layer of the decoder: “{token}”"},
    "encoder_layer_description": {
        "zh": "先是多头自注意力，后是前馈网络。每个子层先做层规范化，它的结果加到残差连接上。",
        "en": "Multi-head self-attention, then the feed-forward network. Each sublayer starts with "
        "a layer normalisation, and what it gives is added to the residual connection.",
    },
    "decoder_layer_description": {
        "zh": "先是掩蔽多头自注意力，然后是编码器–解码器注意力，它的键和值来自编码器的输出，"
        "最后是前馈网络。每个子层先做层规范化，它的结果加到残差连接上。",
        "en": "Masked multi-head self-attention; then encoder–decoder attention, whose keys and "
        "values come from the output of the encoder; then the feed-forward network. Each sublayer "
        "starts with a layer normalisation, and what it gives is added to the residual connection.",
    },
    "self_attention": {"zh": "规范化，\n多头\n自注意力", "en": "norm,\nmulti-head\nself-attention"},
    "masked": {
        "zh": "规范化，\n掩蔽多头\n自注意力",
        "en": "norm,\nmasked\nmulti-head\nself-attention",
    },
    "cross_attention": {
        "zh": "规范化，\n编码器–解码器\n注意力",
        "en": "norm,\nencoder–\ndecoder\nattention",
    },
    "feed_forward": {"zh": "规范化，\n前馈网络", "en": "norm,\nfeed-forward\nnetwork"},
    "memory": {"zh": "编码器的输出", "en": "output of the\nencoder"},
    "from": {"zh": "子层的结果", "en": "what the sublayer gives"},
}
SUBLAYERS = {
    "encoder_layer": ("self_attention", "feed_forward"),
    "decoder_layer": ("masked", "cross_attention", "feed_forward"),
}
ATTENTIONS = ("self_attention", "masked", "cross_attention")
HEIGHT, STEP = 22, 14  # of a box of numbers; of an arrow


def encoder_layer(picture: Picture, language: str, narrow: bool, **content) -> tuple[str, str]:
    """Draw a layer of the encoder; ``_layer`` says what it shows."""
    return _layer(picture, language, narrow, "encoder_layer", **content)


def decoder_layer(picture: Picture, language: str, narrow: bool, **content) -> tuple[str, str]:
    """Draw a layer of the decoder; ``_layer`` says what it shows."""
    return _layer(picture, language, narrow, "decoder_layer", **content)


def _layer(
    picture: Picture,
    language: str,
    narrow: bool,
    kind: str,
    *,
    token: str,
    x: Sequence[Number],
    given: Mapping[str, Sequence[Number]],
    sums: Mapping[str, Sequence[Number]],
    digits: int = 1,
) -> tuple[str, str]:
    """Draw the picture; its parts are x, and for each sublayer its name, ``given`` and ``sum``.

    Args:
        token: whose vectors are shown.
        x: what the layer is given, shape ``(d_model,)``.
        given: what each sublayer gives, by its name: ``self_attention`` (``masked`` and
            ``cross_attention`` in the decoder) and ``feed_forward``.
        sums: what is on the residual connection after it.
        digits: behind the decimal point.

    Returns:
        The title and the description.
    """
    text = {name: words[language] for name, words in TEXTS.items()}
    sublayers = SUBLAYERS[kind]
    box = (box_width([x, *given.values(), *sums.values()], digits), HEIGHT)
    long = len(x) * (box[0] if narrow else HEIGHT)  # of a strip, across the flow
    place = 0

    def strip(key, numbers, role, says):
        nonlocal place
        if narrow:
            picture.strip(key, 0, place, numbers, role, says=says, digits=digits, box=box)
        else:
            picture.strip(
                key, place, 0, numbers, role, says=says, digits=digits, box=box, upright=True
            )
        place += (HEIGHT if narrow else box[0]) + STEP

    def step(key, words, across, along):
        nonlocal place
        role = "weight" if key in ATTENTIONS else "plain"
        if narrow:
            picture.box(key, (long - across) / 2, place, across, along, words, role)
        else:
            picture.box(key, place, (long - along) / 2, across, along, words, role)
        place += (along if narrow else across) + STEP

    onwards = {"leave": "bottom", "enter": "top"} if narrow else {}
    if narrow:
        around = {"leave": "left", "enter": "left", "via": -14}
    else:
        around = {"leave": "top", "enter": "top", "via": -14}
    picture.text(
        *((-20, HEIGHT / 2) if narrow else (box[0] / 2, long + 14)),
        token,
        of="x",
        anchor="end" if narrow else "middle",
        silent=True,
    )
    strip("x", x, "plain", f"{token}, x")
    before = "x"
    for name in sublayers:
        words = text[name]
        if name == "cross_attention":
            width = text_width(text["memory"]) + 16
            if narrow:
                picture.box("memory", long + 40, place + 10, width, 40, text["memory"], "value")
            else:
                x0 = place + (text_width(words) + 16 - width) / 2
                picture.box("memory", x0, long + 44, width, 42, text["memory"], "value")
        step(name, words, text_width(words) + 16, 17 * (words.count("\n") + 1) + 10)
        says = f"{term(name, language)}, {text['from']}"
        strip(f"given:{name}", given[name], "output", says)
        step(f"plus:{name}", "+", 24, 24)
        strip(f"sum:{name}", sums[name], "plain", f"{term('residual', language)}, x + …")
        picture.arrow(before, name, bend=0, **onwards)
        if name == "cross_attention":
            side = (
                {"leave": "left", "enter": "right"}
                if narrow
                else {"leave": "top", "enter": "bottom"}
            )
            picture.arrow("memory", name, bend=0, **side)
        picture.arrow(name, f"given:{name}", bend=0, **onwards)
        picture.arrow(f"given:{name}", f"plus:{name}", bend=0, **onwards)
        picture.arrow(before, f"plus:{name}", **around)
        picture.arrow(f"plus:{name}", f"sum:{name}", bend=0, **onwards)
        before = f"sum:{name}"
    return text[kind].format(token=token), text[f"{kind}_description"]
