"""The layers of section 7: encoder layer and decoder layer, and what goes wrong in them."""

from collections.abc import Callable

from torch import Tensor, nn

import attention_lib as lib
from coursework.practice.block_cases import (
    BATCH,
    D_FF,
    D_MODEL,
    HEADS,
    PADDED,
    PADDING,
    SENTENCES,
    SOURCE_PADDING,
    SOURCES,
    Asked,
    Block,
    decoder_layer,
)
from coursework.questions.cases import Message

# Encoder layer


def encoder_layer(m: nn.Module, x: Tensor, mask: Tensor | None = None) -> Tensor:
    return m(x, mask)


def encoder_parts(m: nn.Module, x: Tensor, mask: Tensor | None = None, wrong: str = "") -> Tensor:
    """The encoder layer, part by part, with one thing wrong."""
    attention, forward = m.self_attention_residual, m.feed_forward_residual
    unnormed = x

    def attend(h: Tensor) -> Tensor:
        keys = unnormed if wrong == "unnormed keys" else h
        return m.self_attention(h, keys, keys, mask)

    if wrong == "feed-forward first":
        return attention(forward(x, m.feed_forward), attend)
    x = attend(x) if wrong == "attention alone" else attention(x, attend)
    if wrong == "no feed-forward":
        return x
    return m.feed_forward(x) if wrong == "feed-forward alone" else forward(x, m.feed_forward)


UNNORMED = Message(
    "unnormed-keys",
    "查询规范化了，键和值却没有：传给子层的函数里，三个参数应当是同一个张量",
    "queries are normed, keys and values are not: inside the sublayer, all three are the same",
)
NO_FEED_FORWARD = Message("no-feed-forward", "没有前馈网络", "the feed-forward network is missing")

ENCODER_LAYER = Block(
    library=lambda: lib.EncoderLayer(D_MODEL, HEADS, D_FF),
    own=lambda block: block(D_MODEL, HEADS, D_FF),
    asked=(
        Asked(BATCH, {"x": SENTENCES}, lambda m, x: m(x), encoder_layer),
        Asked(PADDED, {"x": SENTENCES, "mask": PADDING}, encoder_layer, encoder_layer),
    ),
    mistakes=(
        (
            Message("mask-ignored", "没有用掩码", "the mask is not used"),
            lambda m, x, mask=None: m(x),
        ),
        (NO_FEED_FORWARD, lambda m, **given: encoder_parts(m, **given, wrong="no feed-forward")),
        (
            Message(
                "feed-forward-first",
                "前馈网络在注意力之前：应当先看，再处理",
                "the feed-forward network comes before attention: look first, then process",
            ),
            lambda m, **given: encoder_parts(m, **given, wrong="feed-forward first"),
        ),
        (
            Message(
                "attention-alone",
                "自注意力没有经过残差连接",
                "self-attention has no residual connection",
            ),
            lambda m, **given: encoder_parts(m, **given, wrong="attention alone"),
        ),
        (
            Message(
                "feed-forward-alone",
                "前馈网络没有经过残差连接",
                "the feed-forward network has no residual connection",
            ),
            lambda m, **given: encoder_parts(m, **given, wrong="feed-forward alone"),
        ),
        (UNNORMED, lambda m, **given: encoder_parts(m, **given, wrong="unnormed keys")),
    ),
)


# Decoder layer


def decoder_parts(
    m: nn.Module, y: Tensor, memory: Tensor, memory_mask: Tensor | None = None, wrong: str = ""
) -> Tensor:
    """The decoder layer, part by part, with one thing wrong."""
    past = lib.causal_mask(y.shape[1])
    masks = {"no mask": None, "not itself": past.tril(-1), "future alone": past.T}
    mask, unnormed = masks.get(wrong, past), y

    def look(h: Tensor) -> Tensor:
        keys = unnormed if wrong == "unnormed keys" else h
        return m.self_attention(h, keys, keys, mask)

    def consult(h: Tensor) -> Tensor:
        if wrong == "consults itself":
            return m.cross_attention(h, h, h)
        return m.cross_attention(h, memory, memory, memory_mask)

    if wrong == "consults first":
        y = m.cross_attention_residual(y, consult)
    y = m.self_attention_residual(y, look)
    if wrong not in ("consults first", "never consults"):
        y = m.cross_attention_residual(y, consult)
    return y if wrong == "no feed-forward" else m.feed_forward_residual(y, m.feed_forward)


def decoder_mistake(name: str, zh: str, en: str, wrong: str) -> tuple[Message, Callable]:
    return Message(name, zh, en), lambda m, **given: decoder_parts(m, **given, wrong=wrong)


TARGET_AND_SOURCE = {"y": SENTENCES, "memory": SOURCES}

DECODER_LAYER = Block(
    library=lambda: lib.DecoderLayer(D_MODEL, HEADS, D_FF),
    own=lambda block: block(D_MODEL, HEADS, D_FF),
    asked=(
        Asked(BATCH, TARGET_AND_SOURCE, lambda m, y, memory: m(y, memory), decoder_layer),
        Asked(
            Message("padded", "源句带掩码", "with a mask of the source"),
            TARGET_AND_SOURCE | {"memory_mask": SOURCE_PADDING},
            lambda m, y, memory, memory_mask: m(y, memory, memory_mask),
            decoder_layer,
        ),
    ),
    mistakes=(
        decoder_mistake(
            "no-causal-mask",
            "看得到后面的词：自注意力没有因果掩码",
            "later words can be seen: self-attention has no causal mask",
            "no mask",
        ),
        decoder_mistake(
            "not-itself",
            "因果掩码多挡了一格：每个词元可以看自己",
            "the causal mask hides one too many: a token may see itself",
            "not itself",
        ),
        decoder_mistake(
            "upside-down",
            "因果掩码反了：看得到的是后面的词",
            "the causal mask is the wrong way round: later words are seen, earlier ones are not",
            "future alone",
        ),
        (
            Message(
                "memory-mask-ignored",
                "编码器–解码器注意力没有用源句的掩码",
                "encoder–decoder attention does not use the mask of the source",
            ),
            lambda m, y, memory, memory_mask=None: decoder_parts(m, y, memory),
        ),
        decoder_mistake(
            "consults-itself",
            "编码器–解码器注意力的键和值应当来自 memory",
            "keys and values of encoder–decoder attention come from memory",
            "consults itself",
        ),
        decoder_mistake(
            "consults-first",
            "次序不对：先是自注意力，然后才查阅 memory",
            "the order is wrong: self-attention first, then memory is consulted",
            "consults first",
        ),
        decoder_mistake(
            "never-consults",
            "没有编码器–解码器注意力：memory 没有用到",
            "there is no encoder–decoder attention: memory is not used",
            "never consults",
        ),
        (NO_FEED_FORWARD, lambda m, **given: decoder_parts(m, **given, wrong="no feed-forward")),
        (UNNORMED, lambda m, **given: decoder_parts(m, **given, wrong="unnormed keys")),
    ),
)
