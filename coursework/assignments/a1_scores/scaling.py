"""An experiment: what the factor 1/√d does to the scores and to the softmax."""

import math
from functools import lru_cache

import numpy as np
import torch

from coursework.assignments.reasons import NO_SCALE, SCALE_D, SCALE_UP, WRONG_AXIS
from coursework.questions.cases import Case, Message, Mistake, Question


def measure_scaling(d, keys, samples):
    """What scaling does to the dot products of one query with several keys, all standard normal.

    Two rows: without the factor 1/√d, and with it. Two columns: the variance of the scores, and
    the sum over the keys of w (1 − w), the slope of the softmax, on average over the samples.
    """
    q = torch.randn(samples, 1, d)
    k = torch.randn(samples, keys, d)
    dots = (q @ k.transpose(-2, -1)).squeeze(-2)
    rows = []
    for scores in (dots, dots / math.sqrt(d)):
        w = torch.softmax(scores, dim=-1)
        rows.append(torch.stack([scores.var(), (w * (1 - w)).sum(-1).mean()]))
    return torch.stack(rows)


def scaling_cases(rng: np.random.Generator) -> list[Case]:
    # The tolerance is six standard deviations or more of what is measured with so many samples:
    # of the variance about 2 %, of the slope at most 0.008.
    def case(name, zh, en, d, keys, samples):
        numbers = {"d": int(d), "keys": int(keys), "samples": samples}
        return Case(Message(name, zh, en), 1, (), numbers, tolerance=0.05, relative=0.15)

    return [
        case(
            "narrow",
            "维度较小：方差与斜率",
            "A small width: variance and slope",
            rng.integers(12, 20),
            rng.integers(7, 10),
            1000,
        ),
        case(
            "wide",
            "维度较大：方差与斜率",
            "A large width: variance and slope",
            rng.integers(44, 60),
            rng.integers(7, 10),
            1000,
        ),
        case(
            "one-key",
            "只有一个键：softmax 没有斜率",
            "A single key: the softmax has no slope",
            rng.integers(12, 20),
            1,
            4000,
        ),
    ]


@lru_cache
def theory(d: int, keys: int) -> torch.Tensor:
    """The variances are d and 1. The slope is averaged over scores of known distribution.

    Given its length, a query's dot products are normal with that length as standard deviation.
    """
    rng = np.random.default_rng(0)
    lengths = np.sqrt(rng.chisquare(d, (10_000, 1)))
    dots = torch.from_numpy(lengths * rng.standard_normal((10_000, keys)))
    slopes = [
        1 - scores.softmax(-1).square().sum(-1).mean() for scores in (dots, dots / math.sqrt(d))
    ]
    return torch.tensor([[d, slopes[0]], [1, slopes[1]]])


def measured_with(
    scale=lambda d: d**-0.5,
    draw=torch.randn,
    spread=torch.var,
    axis=-1,
    slope=lambda w: (w * (1 - w)).sum(-1).mean(),
):
    """The same measurement, with one part of it done in another way."""

    def measure(d, keys, samples):
        dots = (draw(samples, 1, d) * draw(samples, keys, d)).sum(-1)
        rows = [torch.stack([spread(s), slope(s.softmax(axis))]) for s in (dots, dots * scale(d))]
        return torch.stack(rows)

    return measure


DEVIATION = Message(
    "standard-deviation",
    "给出的是标准差，应当是方差。",
    "The standard deviation is given instead of the variance.",
)
UNIFORM = Message(
    "uniform-numbers",
    "随机数不是标准正态的：rand 是 [0, 1) 上的均匀分布，应当用 randn。",
    "The numbers are not standard normal: rand draws evenly from [0, 1); use randn.",
)
SQUARES = Message(
    "sum-of-squares",
    "第二列给出的是 Σw²，即权重有多集中；斜率是 Σw(1−w) = 1 − Σw²。",
    "The second column is Σw², how concentrated the weights are; the slope is Σw(1−w) = 1 − Σw².",
)
SUMMED = Message(
    "summed-over-samples",
    "斜率对所有样本求了和：应当求平均。",
    "The slopes of all samples are added up: take their mean.",
)
MEAN_OVER_KEYS = Message(
    "mean-over-keys",
    "w(1−w) 对键取了平均：应当对键求和，再对样本取平均。",
    "The mean of w(1−w) is taken over the keys, too: add up over the keys, then take the mean "
    "over the samples.",
)
ROWS_SWAPPED = Message(
    "rows-swapped",
    "两行的次序反了：第一行不缩放，第二行缩放。",
    "The rows have changed places: the first is without the factor, the second with it.",
)
TABLE_TRANSPOSED = Message(
    "table-transposed",
    "行和列颠倒了：一行对应一种缩放，一列对应一个量。",
    "Rows and columns have changed places: a row for each scaling, a column for each quantity.",
)

MEASURE_SCALING = Question(
    name="3 measure_scaling",
    solution=measure_scaling,
    oracle=lambda d, keys, samples: theory(d, keys),
    make_cases=scaling_cases,
    mistakes=(
        Mistake(NO_SCALE, measured_with(scale=lambda d: 1)),
        Mistake(SCALE_D, measured_with(scale=lambda d: 1 / d)),
        Mistake(SCALE_UP, measured_with(scale=lambda d: d**0.5)),
        Mistake(DEVIATION, measured_with(spread=torch.std)),
        Mistake(UNIFORM, measured_with(draw=torch.rand)),
        Mistake(WRONG_AXIS, measured_with(axis=0)),
        Mistake(WRONG_AXIS, measured_with(axis=0, slope=lambda w: 1 - w.square().sum(-1).mean())),
        Mistake(SQUARES, measured_with(slope=lambda w: w.square().sum(-1).mean())),
        Mistake(SUMMED, measured_with(slope=lambda w: (w * (1 - w)).sum())),
        Mistake(MEAN_OVER_KEYS, measured_with(slope=lambda w: (w * (1 - w)).mean())),
        Mistake(ROWS_SWAPPED, lambda **numbers: measured_with()(**numbers).flip(0)),
        Mistake(TABLE_TRANSPOSED, lambda **numbers: measured_with()(**numbers).T),
    ),
)
