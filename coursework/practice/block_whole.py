"""The last block of section 7: the whole Transformer, and what goes wrong in it."""

from collections.abc import Callable

import torch
from torch import Tensor, nn

import attention_lib as lib
from coursework.practice.block_cases import (
    D_FF,
    D_MODEL,
    HEADS,
    LENGTHS,
    Asked,
    Block,
    decoder_layer,
    embedded,
)
from coursework.questions.cases import Message

WORDS = tuple("abcdefgh")
CONFIG = {"d_model": D_MODEL, "heads": HEADS, "d_ff": D_FF, "layers": 2}


def config() -> lib.TransformerConfig:
    source, target = lib.Vocabulary([WORDS]), lib.Vocabulary([WORDS[:5]])
    return lib.TransformerConfig(source, target, **CONFIG)


def whole(m: nn.Module, source: Tensor, source_lengths: Tensor, target: Tensor) -> Tensor:
    return m(source, source_lengths, target)


def whole_parts(
    m: nn.Module, source: Tensor, source_lengths: Tensor, target: Tensor, wrong: str = ""
) -> Tensor:
    """The forward pass, part by part, with one thing wrong."""
    s_len = source.shape[1]
    real = lib.padding_mask(source_lengths, s_len)
    words = lib.padding_mask(source_lengths - 1, s_len)
    words = {"end mark": real, "no mask": None}.get(wrong, words)
    x = embedded(m.source_embedding, source)
    for layer in m.encoder[: 1 if wrong == "one layer" else None]:
        x = layer(x, None if wrong == "encoder mask" else real)
    memory = x if wrong == "encoder norm" else m.encoder_norm(x)
    if wrong == "no encoder":
        memory = m.encoder_norm(embedded(m.source_embedding, source))
    y = embedded(m.target_embedding, target)
    for layer in m.decoder[: 1 if wrong == "one layer" else None]:
        y = decoder_layer(layer, y, memory, words)
    y = y if wrong == "decoder norm" else m.decoder_norm(y)
    return m.target_embedding.scores(y)


def whole_mistake(name: str, zh: str, en: str, wrong: str) -> tuple[Message, Callable]:
    return Message(name, zh, en), lambda m, **given: whole_parts(m, **given, wrong=wrong)


TARGET = torch.tensor([[1, 4, 6, 8], [1, 5, 7, 0]])

TRANSFORMER = Block(
    library=lambda: lib.Transformer(config()),
    own=lambda block: block(config()),
    asked=(
        Asked(
            Message("padding", "一个长源句，一个短源句", "a long source and a short one"),
            {
                "source": torch.tensor([[4, 5, 6, 7, 2], [9, 5, 2, 0, 0]]),
                "source_lengths": LENGTHS,
                "target": TARGET,
            },
            whole,
            whole,
        ),
        Asked(
            Message("one-length", "两个一样长的源句", "two sources of one length"),
            {
                "source": torch.tensor([[4, 5, 6, 7, 2], [9, 5, 8, 4, 2]]),
                "source_lengths": torch.tensor([5, 5]),
                "target": TARGET,
            },
            whole,
            whole,
        ),
        Asked(
            Message("in-two", "先 encode 再 decode", "encode, then decode"),
            {
                "source": torch.tensor([[4, 5, 6, 7, 2], [9, 5, 2, 0, 0]]),
                "source_lengths": LENGTHS,
                "target": TARGET,
            },
            lambda m, source, source_lengths, target: m.decode(
                target, m.encode(source, source_lengths), source_lengths
            ),
            whole,
        ),
    ),
    mistakes=(
        whole_mistake(
            "end-mark-seen",
            "解码器看得到源句的结束标记：编码器–解码器注意力只看词，掩码用 source_lengths − 1",
            "the decoder sees the end mark of the source: only words are looked up, so the mask "
            "of encoder–decoder attention takes source_lengths − 1",
            "end mark",
        ),
        whole_mistake(
            "memory-unmasked",
            "编码器–解码器注意力没有掩码：看得到结束标记和填充",
            "encoder–decoder attention has no mask: it sees the end mark and the padding",
            "no mask",
        ),
        whole_mistake(
            "encoder-unmasked",
            "编码器看得到填充",
            "the encoder sees the padding",
            "encoder mask",
        ),
        whole_mistake(
            "no-encoder-norm",
            "编码器最后少了 encoder_norm",
            "encoder_norm is missing behind the last layer of the encoder",
            "encoder norm",
        ),
        whole_mistake(
            "no-decoder-norm",
            "打分之前少了 decoder_norm",
            "decoder_norm is missing before the scores",
            "decoder norm",
        ),
        whole_mistake(
            "no-encoder",
            "解码器查阅的是源句的嵌入，不是编码器的输出",
            "the decoder looks up the embedded source, not the output of the encoder",
            "no encoder",
        ),
        whole_mistake(
            "one-layer",
            "每边只用了第一层",
            "only the first layer of each side is used",
            "one layer",
        ),
    ),
)
