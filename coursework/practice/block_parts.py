"""The small blocks of section 7: feed-forward network, norm, residual connection, embedding."""

import math

import torch
import torch.nn.functional as F
from torch import Tensor, nn

import attention_lib as lib
from coursework.practice.block_cases import (
    BATCH,
    D_FF,
    D_MODEL,
    SENTENCES,
    Asked,
    Block,
    embedded,
)
from coursework.questions.cases import Message

TOKENS = 1000  # in the vocabulary: enough to judge how large new numbers are


# Feed-forward network


def feed_forward(m: nn.Module, x: Tensor) -> Tensor:
    return m(x)


FEED_FORWARD = Block(
    library=lambda: lib.FeedForward(D_MODEL, D_FF),
    own=lambda block: block(D_MODEL, D_FF),
    asked=(Asked(BATCH, {"x": SENTENCES}, feed_forward, feed_forward),),
    mistakes=(
        (
            Message("no-relu", "两层之间没有 ReLU", "there is no ReLU between the two layers"),
            lambda m, x: m.to_output(m.to_hidden(x)),
        ),
        (
            Message("relu-last", "ReLU 在第二层之后", "the ReLU comes after the second layer"),
            lambda m, x: torch.relu(m.to_output(m.to_hidden(x))),
        ),
        (
            Message("relu-twice", "第二层之后不该再有 ReLU", "no ReLU after the second layer"),
            lambda m, x: torch.relu(m(x)),
        ),
        (
            Message(
                "residual-too",
                "这里还不加残差，残差由 Residual 负责",
                "it adds x itself, which is the work of Residual",
            ),
            lambda m, x: x + m(x),
        ),
    ),
)


# Layer normalisation


def normed(m: nn.Module, x: Tensor, axes=-1, correction=0, centre=True, inside=True) -> Tensor:
    """Layer normalisation, along other axes or with one of its parts otherwise."""
    centred = x - x.mean(axes, keepdim=True) if centre else x
    if correction:
        variance = x.var(axes, keepdim=True, correction=correction)
    else:
        variance = centred.square().mean(axes, keepdim=True)
    deviation = (variance + m.eps).sqrt() if inside else variance.sqrt() + m.eps
    return m.weight * centred / deviation + m.bias


LAYER_NORM = Block(
    library=lambda: nn.LayerNorm(D_MODEL),
    own=lambda block: block(D_MODEL),
    asked=(Asked(BATCH, {"x": 3 * SENTENCES + 1}, feed_forward, feed_forward),),
    mistakes=(
        (
            Message(
                "over-tokens",
                "求平均的轴不对：应当对每个词元的特征（dim=-1）",
                "averages over the wrong axis: over the features of each token (dim=-1)",
            ),
            lambda m, x: normed(m, x, axes=-2),
        ),
        (
            Message(
                "over-sentence",
                "整个句子一起规范化了：每个词元要单独算（dim=-1）",
                "a sentence is normalised as a whole: each token by itself (dim=-1)",
            ),
            lambda m, x: normed(m, x, axes=(-2, -1)),
        ),
        (
            Message(
                "unbiased",
                "方差除以了 d − 1，这里要除以 d（correction=0）",
                "the variance is divided by d − 1, and here it is d (correction=0)",
            ),
            lambda m, x: normed(m, x, correction=1),
        ),
        (
            Message("no-mean", "没有减去均值", "the mean is not subtracted"),
            lambda m, x: normed(m, x, centre=False),
        ),
        (
            Message(
                "no-root", "除的是方差，要除以它的平方根", "divides by the variance, not its root"
            ),
            lambda m, x: (
                m.weight
                * (x - x.mean(-1, keepdim=True))
                / (x.var(-1, keepdim=True, correction=0) + m.eps)
                + m.bias
            ),
        ),
        (
            Message("eps-outside", "ε 应当加在根号里面", "ε belongs under the root"),
            lambda m, x: normed(m, x, inside=False),
        ),
        (
            Message(
                "no-gain",
                "没有乘 weight、加 bias",
                "it is not multiplied by weight, and bias is not added",
            ),
            lambda m, x: F.layer_norm(x, x.shape[-1:]),
        ),
    ),
)


# Residual connection


def residual(pair: nn.ModuleList, x: Tensor, number: int) -> Tensor:
    return pair[number](x, torch.sin)


RESIDUAL = Block(
    library=lambda: nn.ModuleList(
        lib.Residual(D_MODEL, norm_first=first) for first in (True, False)
    ),
    own=lambda block: nn.ModuleList(block(D_MODEL, norm_first=first) for first in (True, False)),
    asked=(
        Asked(
            Message("first", "norm_first=True", "norm_first=True"),
            {"x": SENTENCES, "number": 0},
            residual,
            residual,
        ),
        Asked(
            Message("last", "norm_first=False", "norm_first=False"),
            {"x": SENTENCES, "number": 1},
            residual,
            residual,
        ),
    ),
    mistakes=(
        (
            Message("no-residual", "没有把 x 加回来", "x is not added"),
            lambda m, x, number: m[number].norm(x).sin() if number == 0 else m[1].norm(x.sin()),
        ),
        (
            Message("no-norm", "没有规范化", "nothing is normalised"),
            lambda m, x, number: x + x.sin(),
        ),
        (
            Message(
                "wrong-order",
                "规范化的位置反了：先规范化是 x + f(norm(x))，后规范化是 norm(x + f(x))",
                "the norm is in the other place: x + f(norm(x)) is first, norm(x + f(x)) last",
            ),
            lambda m, x, number: x + m[1].norm(x).sin() if number else m[0].norm(x + x.sin()),
        ),
        (
            Message(
                "norm-on-the-path",
                "加的是规范化之后的 x：残差连接上应当是原来的 x",
                "what is added is the normed x: the residual connection carries x as it was",
            ),
            lambda m, x, number: m[number].norm(x) + m[number].norm(x).sin(),
        ),
        (
            Message(
                "norm-of-output",
                "只规范化了子层的输出",
                "only the output of the sublayer is normalised",
            ),
            lambda m, x, number: x + m[number].norm(x.sin()),
        ),
    ),
)


# Embedding


def root_too(m: nn.Module, tokens: Tensor, start: int = 0) -> Tensor:
    positions = lib.sinusoidal_positions(tokens.shape[1], D_MODEL, start)
    return m(tokens) + math.sqrt(D_MODEL) * positions


def small_numbers(own: nn.Module) -> Message | None:
    """New numbers should have a standard deviation of 1/√d."""
    wanted, found = 1 / math.sqrt(D_MODEL), own.weight.std().item()
    if abs(found / wanted - 1) < 0.1:
        return None
    return Message(
        "size-of-numbers",
        f"初值的标准差应当是 1/√d = {wanted:.2f}，现在是 {found:.2f}",
        f"new numbers should have a standard deviation of 1/√d = {wanted:.2f}, have {found:.2f}",
    )


SOME_TOKENS = torch.tensor([[4, 9, 2, 7, 9], [5, 3, 2, 0, 0]])

TOKEN_EMBEDDING = Block(
    library=lambda: lib.TokenEmbedding(TOKENS, D_MODEL),
    own=lambda block: block(TOKENS, D_MODEL),
    asked=(
        Asked(
            Message("start", "从位置 0 开始", "from position 0"),
            {"tokens": SOME_TOKENS},
            lambda m, tokens: m(tokens),
            embedded,
        ),
        Asked(
            Message("later", "从位置 3 开始（start=3）", "from position 3 (start=3)"),
            {"tokens": SOME_TOKENS, "start": 3},
            lambda m, tokens, start: m(tokens, start=start),
            embedded,
        ),
        Asked(
            Message("scores", "scores", "scores"),
            {"x": SENTENCES},
            lambda m, x: m.scores(x),
            lambda m, x: m.scores(x),
        ),
    ),
    mistakes=(
        (
            Message("no-root", "嵌入没有乘 √d", "the embedding is not multiplied by √d"),
            lambda m, tokens=None, start=0, x=None: (
                embedded(m, tokens, start) - (1 - 1 / math.sqrt(D_MODEL)) * m(tokens)
                if x is None
                else m.scores(x)
            ),
        ),
        (
            Message("no-positions", "没有加位置编码", "no positions are added"),
            lambda m, tokens=None, start=0, x=None: m(tokens) if x is None else m.scores(x),
        ),
        (
            Message(
                "root-of-both",
                "位置编码也乘了 √d：只有嵌入要乘",
                "positions are multiplied by √d, too: the embedding alone is",
            ),
            lambda m, tokens=None, start=0, x=None: (
                root_too(m, tokens, start) if x is None else m.scores(x)
            ),
        ),
        (
            Message(
                "start-ignored",
                "没有用 start：每次都从位置 0 开始",
                "start is not used: positions begin at 0 each time",
            ),
            lambda m, tokens=None, start=0, x=None: (
                embedded(m, tokens) if x is None else m.scores(x)
            ),
        ),
        (
            Message("scores-times-root", "分数不该乘 √d", "scores are not multiplied by √d"),
            lambda m, tokens=None, start=0, x=None: (
                embedded(m, tokens, start) if x is None else math.sqrt(D_MODEL) * m.scores(x)
            ),
        ),
    ),
    fresh=small_numbers,
)
