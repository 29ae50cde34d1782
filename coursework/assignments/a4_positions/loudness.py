"""A measurement: how loud the embeddings are beside the positions that are added to them."""

import math

import numpy as np
import torch

from coursework.assignments.a4_positions.table import positions_oracle
from coursework.questions.cases import Case, Message, Mistake, Question


def measure_loudness(tokens, d_model):
    """The root mean square of random embeddings over that of the positions, measured.

    The embeddings, of shape (tokens, d_model), are drawn with mean 0 and standard deviation
    1/sqrt(d_model). Gives two numbers: without scaling, and after multiplying by sqrt(d_model).
    """
    embeddings = torch.randn(tokens, d_model) / math.sqrt(d_model)
    positions = sinusoidal_positions(tokens, d_model)  # noqa: F821, the student's own

    def loudness(x):
        return x.square().mean().sqrt()

    unscaled = loudness(embeddings) / loudness(positions)
    scaled = loudness(math.sqrt(d_model) * embeddings) / loudness(positions)
    return torch.stack([unscaled, scaled])


def loudness_cases(rng: np.random.Generator) -> list[Case]:
    # With n numbers drawn, chance moves a root mean square by 1/sqrt(2n), 0.4 % at the most here.
    sizes = [
        {"tokens": int(rng.integers(600, 800)), "d_model": 2 * int(rng.integers(25, 40))},
        {"tokens": int(rng.integers(600, 800)), "d_model": 2 * int(rng.integers(100, 130))},
    ]
    titles = [
        Message("narrow", "较窄的嵌入", "Narrow embeddings"),
        Message("wide", "较宽的嵌入", "Wide embeddings"),
    ]
    return [
        Case(title, 1, (), size, relative=0.04) for title, size in zip(titles, sizes, strict=True)
    ]


def theory(unscaled, scaled):
    """The two ratios as functions of the width, whatever the number of tokens."""

    def ratios(tokens, d_model):
        return torch.tensor([unscaled(d_model), scaled(d_model)], dtype=torch.float64)

    return ratios


# The mean square of embeddings is 1/d, that of positions 1/2, since sin² + cos² = 1.
def right(d):
    return math.sqrt(2 / d)


def right_scaled(d):
    return math.sqrt(2)


NOT_SCALED = Message(
    "not-scaled",
    "两个数相同：第二个数之前，应当把嵌入乘以 √d_model。",
    "Both numbers are the same: before the second, the embeddings are multiplied by √d_model.",
)
UNIT = Message(
    "unit-embeddings",
    "嵌入的标准差是 1：应当是 1/√d_model。",
    "The embeddings have standard deviation 1 instead of 1/√d_model.",
)
VARIANCE = Message(
    "variance-for-deviation",
    "标准差和方差弄混了：1/√d_model 是标准差。",
    "Standard deviation and variance are mixed up: 1/√d_model is the standard deviation.",
)
TIMES_D = Message(
    "scale-by-d",
    "缩放用了 d_model 而不是 √d_model。",
    "The embeddings are multiplied by d_model instead of √d_model.",
)
DIVIDED = Message(
    "scale-inverted",
    "缩放用反了：嵌入应当乘以 √d_model，而不是除以它。",
    "The scale is inverted: the embeddings are multiplied by √d_model, not divided.",
)
UPSIDE_DOWN = Message(
    "ratio-inverted",
    "比值倒过来了：是嵌入除以位置编码。",
    "The ratio is upside down: it is embeddings over positions.",
)
SQUARES = Message(
    "no-root",
    "少了开方：比的是均方根，不是均方。",
    "The root is missing: root mean squares are compared, not mean squares.",
)
ALONE = Message(
    "positions-left-out",
    "没有除以位置编码的均方根。",
    "The division by the root mean square of the positions is missing.",
)
ORDER = Message(
    "order",
    "两个数的顺序反了：先不缩放，后缩放。",
    "The two numbers are in the wrong order: without scaling comes first.",
)
ABSOLUTE = Message(
    "mean-absolute",
    "用了绝对值的平均：要的是均方根。",
    "The mean of absolute values is taken: the root of the mean square is asked for.",
)
ADDED_FIRST = Message(
    "sum-for-embeddings",
    "分子是嵌入与位置编码之和：应当只是嵌入。",
    "The numerator is the sum of embeddings and positions: it should be the embeddings alone.",
)


def absolute(tokens, d_model):
    """With means of absolute values, of which a normal number of deviation 1 has √(2/π)."""
    size = math.sqrt(2 / math.pi) / positions_oracle(tokens, d_model).abs().mean()
    return torch.stack([size / math.sqrt(d_model), size])


LOUDNESS = Question(
    name="4 measure_loudness",
    solution=measure_loudness,
    oracle=theory(right, right_scaled),
    make_cases=loudness_cases,
    mistakes=(
        Mistake(NOT_SCALED, theory(right, right)),
        Mistake(UNIT, theory(lambda d: math.sqrt(2), lambda d: math.sqrt(2 * d))),
        Mistake(VARIANCE, theory(lambda d: math.sqrt(2) / d, lambda d: math.sqrt(2 / d))),
        Mistake(VARIANCE, theory(lambda d: math.sqrt(2) * d**-0.25, lambda d: 2**0.5 * d**0.25)),
        Mistake(TIMES_D, theory(right, lambda d: math.sqrt(2 * d))),
        Mistake(DIVIDED, theory(right, lambda d: math.sqrt(2) / d)),
        Mistake(UPSIDE_DOWN, theory(lambda d: 1 / right(d), lambda d: 1 / right_scaled(d))),
        Mistake(SQUARES, theory(lambda d: 2 / d, lambda d: 2)),
        Mistake(ALONE, theory(lambda d: d**-0.5, lambda d: 1)),
        Mistake(ORDER, theory(right_scaled, right)),
        Mistake(ABSOLUTE, absolute),
        Mistake(
            ADDED_FIRST,
            theory(lambda d: math.sqrt(1 + 2 / d), lambda d: math.sqrt(3)),
        ),
    ),
)
