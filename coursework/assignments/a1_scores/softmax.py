"""The softmax of scores of which some are hidden."""

import math

import numpy as np
import torch

from coursework.assignments.reasons import (
    AFTER,
    EMPTY_ROW,
    FINITE,
    IGNORED,
    INVERTED,
    LAST_AXIS,
    LOGARITHM,
    NOT_NORMALISED,
    OVERFLOW,
    TIMES_INFINITY,
    WRONG_AXIS,
    ZERO_SCORE,
)
from coursework.questions.cases import Case, Message, Mistake, Question

# --- What a good student writes -----------------------------------------------------------------


def masked_softmax(scores, mask, dim=-1):
    """Softmax of scores over dim; where mask is False, the weight is 0.

    A row in which nothing is allowed gets zeros.
    """
    scores = scores.masked_fill(~mask, -math.inf)
    largest = scores.amax(dim, keepdim=True)
    largest = largest.masked_fill(largest == -math.inf, 0.0)
    exponentials = torch.exp(scores - largest)
    total = exponentials.sum(dim, keepdim=True)
    return exponentials / total.masked_fill(total == 0, 1.0)


# --- Cases --------------------------------------------------------------------------------------


def masked_softmax_cases(rng: np.random.Generator) -> list[Case]:
    def scores(*shape):
        return rng.standard_normal(shape).astype(np.float32)

    def mask(*shape):
        """About a third is hidden, but never a whole row or column, and never nothing."""
        while True:
            drawn = rng.random(shape) > 0.35
            some = [drawn.any(axis).all() and not drawn.all(axis).all() for axis in (0, 1)]
            if all(some):
                return drawn

    one_row_empty = np.ones((3, 5), dtype=bool)
    one_row_empty[rng.integers(3)] = False
    # Both rows overflow, and one is so far above the other that its largest score is no help.
    large = rng.permutation([[500.0], [1000.0]]) * (1 + rng.random((2, 1)) / 2) + scores(2, 4)
    small, small_mask = scores(3, 4), mask(3, 4)
    return [
        Case(
            Message("small", "小例子：每行的权重", "A small example: the weights of each row"),
            1,
            (small, small_mask),
        ),
        Case(
            Message("inputs", "输入保持不变", "The inputs stay as they were"),
            1,
            (small, small_mask),
            keeps_inputs=True,
        ),
        Case(
            Message("large", "分数很大时不溢出", "Large scores do not overflow"),
            1,
            (large.astype(np.float32), np.ones((2, 4), dtype=bool)),
            tolerance=1e-4,
        ),
        Case(
            Message("empty", "全部被掩蔽的行得到 0", "A row with nothing allowed gets zeros"),
            1,
            (scores(3, 5), one_row_empty),
        ),
        Case(
            Message("dim", "遵守参数 dim", "The argument dim is respected"),
            1,
            (scores(4, 5), mask(4, 5)),
            {"dim": 0},
        ),
    ]


# --- What is expected, computed in another way --------------------------------------------------


def weights_oracle(scores, mask, dim=-1):
    exponentials = torch.exp(scores.double() - scores.double().amax(dim, keepdim=True)) * mask
    return exponentials / exponentials.sum(dim, keepdim=True).clamp_min(1e-300)


# --- Mistakes that are often made ---------------------------------------------------------------


def hide(scores, mask):
    return scores.masked_fill(~mask, -math.inf)


def naive(scores, mask, dim=-1):
    exponentials = torch.exp(hide(scores, mask))
    return exponentials / exponentials.sum(dim, keepdim=True).clamp_min(1e-30)


def around_the_largest(scores, mask, dim=-1):
    exponentials = torch.exp(hide(scores, mask) - hide(scores, mask).max())
    return exponentials / exponentials.sum(dim, keepdim=True)


UNDERFLOW = Message(
    "underflow",
    "减去的是所有分数中最大的：远小于它的行下溢为 0/0。应当减去每行自己的最大值。",
    "The largest of all scores is subtracted: a row far below it underflows to 0/0. "
    "Subtract the largest score of each row.",
)
WHOLE = Message(
    "normalised-over-all",
    "权重在整个矩阵上归一化：应当每行各自的和为 1。",
    "The weights are normalised over the whole matrix: each row by itself should sum to 1.",
)

MASKED_SOFTMAX = Question(
    name="1 masked_softmax",
    solution=masked_softmax,
    oracle=weights_oracle,
    make_cases=masked_softmax_cases,
    mistakes=(
        Mistake(EMPTY_ROW, lambda s, m, dim=-1: hide(s, m).softmax(dim)),
        Mistake(OVERFLOW, naive),
        Mistake(OVERFLOW, lambda s, m, dim=-1: naive(s, m, dim).nan_to_num()),
        Mistake(
            UNDERFLOW,
            # Zeros in an empty row: who gets NaN there is told of that separately.
            lambda s, m, dim=-1: around_the_largest(s, m, dim).where(m.any(dim, keepdim=True), 0.0),
        ),
        Mistake(UNDERFLOW, lambda s, m, dim=-1: around_the_largest(s, m, dim).nan_to_num()),
        Mistake(WHOLE, lambda s, m, dim=-1: hide(s, m).flatten().softmax(0).view_as(s)),
        Mistake(TIMES_INFINITY, lambda s, m, dim=-1: (s + ~m * -math.inf).softmax(dim)),
        Mistake(LAST_AXIS, lambda s, m, dim=-1: hide(s, m).softmax(-1).nan_to_num()),
        Mistake(WRONG_AXIS, lambda s, m, dim=-1: hide(s, m).softmax(-1 - dim).nan_to_num()),
        Mistake(FINITE, lambda s, m, dim=-1: s.masked_fill(~m, -1e9).softmax(dim)),
        Mistake(FINITE, lambda s, m, dim=-1: (s + ~m * -1e4).softmax(dim)),
        Mistake(IGNORED, lambda s, m, dim=-1: s.softmax(dim)),
        Mistake(INVERTED, lambda s, m, dim=-1: hide(s, ~m).softmax(dim)),
        Mistake(AFTER, lambda s, m, dim=-1: s.softmax(dim) * m),
        Mistake(ZERO_SCORE, lambda s, m, dim=-1: (s * m).softmax(dim)),
        Mistake(NOT_NORMALISED, lambda s, m, dim=-1: hide(s, m).exp()),
        Mistake(LOGARITHM, lambda s, m, dim=-1: hide(s, m).log_softmax(dim)),
    ),
)
