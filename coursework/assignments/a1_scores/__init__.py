"""Assignment 1: the masked softmax, and scaled dot-product attention built on it."""

import math

import numpy as np
import torch
import torch.nn.functional as F

from coursework.assignments.reasons import (
    ADDED,
    AFTER,
    EMPTY_ROW,
    FINITE,
    HEADS_MIXED,
    IGNORED,
    INVERTED,
    LAST_AXIS,
    LOGARITHM,
    NO_SCALE,
    NO_SOFTMAX,
    NO_VALUES,
    NOT_NORMALISED,
    OVERFLOW,
    ROLES,
    SCALE_D,
    SCALE_LATE,
    SCALE_LENGTH,
    SCALE_UP,
    TRANSPOSED,
    WRONG_AXIS,
    ZERO_SCORE,
)
from coursework.cases import Assignment, Case, Message, Mistake, Question

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


def sdpa(q, k, v, mask=None):
    """Attend from q (..., n, d) to k (..., m, d) and v (..., m, d_v).

    The mask broadcasts to (..., n, m), True = may attend.
    """
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    if mask is None:
        mask = torch.ones_like(scores, dtype=torch.bool)
    return masked_softmax(scores, mask.expand_as(scores), dim=-1) @ v


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
    large = 1000 * (1 + rng.random((2, 1))) + scores(2, 4)
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


def sdpa_cases(rng: np.random.Generator) -> list[Case]:
    def normal(*shape):
        return rng.standard_normal(shape).astype(np.float32)

    equal_keys = (normal(2, 4, 8), np.zeros((2, 6, 8), dtype=np.float32), normal(2, 6, 3))
    # As many heads as queries and keys would hide a mix-up of the axes.
    q, k, v = normal(2, 3, 5, 16), normal(2, 3, 5, 16), normal(2, 3, 5, 16)
    causal = np.tril(np.ones((5, 5), dtype=bool))
    return [
        Case(
            Message("equal-keys", "键都相同时，输出是值的平均", "Equal keys average the values"),
            1,
            equal_keys,
        ),
        Case(
            Message("inputs", "输入保持不变", "The inputs stay as they were"),
            1,
            equal_keys,
            keeps_inputs=True,
        ),
        Case(
            Message("heads", "四维批量，无掩码", "Batches of heads, without a mask"), 1, (q, k, v)
        ),
        Case(
            Message("causal", "可广播的因果掩码", "A causal mask that broadcasts"),
            1,
            (q, k, v),
            {"mask": causal},
        ),
        Case(
            Message("gradient", "对查询、键、值的梯度", "Gradients of queries, keys and values"),
            1,
            (q, k, v),
            {"mask": causal},
            gradient_of=(0, 1, 2),
        ),
    ]


# --- What is expected, computed in another way --------------------------------------------------


def weights_oracle(scores, mask, dim=-1):
    exponentials = torch.exp(scores.double() - scores.double().amax(dim, keepdim=True)) * mask
    return exponentials / exponentials.sum(dim, keepdim=True).clamp_min(1e-300)


def attention_oracle(q, k, v, mask=None):
    return F.scaled_dot_product_attention(q.double(), k.double(), v.double(), attn_mask=mask)


# --- Mistakes that are often made ---------------------------------------------------------------


def attend_with(weigh=lambda scores, mask: hide(scores, mask).softmax(-1), scale=None):
    """Attention with another way from scores to weights, or another scale."""

    def attend(q, k, v, mask=None):
        scores = q @ k.transpose(-2, -1)
        scores = scores * (q.shape[-1] ** -0.5 if scale is None else scale(q, k))
        if mask is None:
            mask = torch.ones_like(scores, dtype=torch.bool)
        return weigh(scores, mask) @ v

    return attend


def hide(scores, mask):
    return scores.masked_fill(~mask, -math.inf)


def naive(scores, mask, dim=-1):
    exponentials = torch.exp(hide(scores, mask))
    return exponentials / exponentials.sum(dim, keepdim=True).clamp_min(1e-30)


def mix_heads(q, k, v, mask=None):
    """Attend between the heads of one position, instead of the positions of one head."""
    if q.ndim == 4:
        q, k, v = (x.transpose(1, 2) for x in (q, k, v))
    output = attend_with()(q, k, v, mask)
    return output.transpose(1, 2) if q.ndim == 4 else output


MASKED_SOFTMAX = Question(
    name="1 masked_softmax",
    solution=masked_softmax,
    oracle=weights_oracle,
    make_cases=masked_softmax_cases,
    mistakes=(
        Mistake(EMPTY_ROW, lambda s, m, dim=-1: hide(s, m).softmax(dim)),
        Mistake(OVERFLOW, naive),
        Mistake(OVERFLOW, lambda s, m, dim=-1: naive(s, m, dim).nan_to_num()),
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

SDPA = Question(
    name="2 sdpa",
    solution=sdpa,
    oracle=attention_oracle,
    make_cases=sdpa_cases,
    mistakes=(
        Mistake(NO_SCALE, attend_with(scale=lambda q, k: 1.0)),
        Mistake(SCALE_D, attend_with(scale=lambda q, k: 1 / q.shape[-1])),
        Mistake(SCALE_UP, attend_with(scale=lambda q, k: q.shape[-1] ** 0.5)),
        Mistake(SCALE_LENGTH, attend_with(scale=lambda q, k: k.shape[-2] ** -0.5)),
        Mistake(
            SCALE_LATE,
            lambda q, k, v, mask=None: (
                attend_with(scale=lambda q, k: 1.0)(q, k, v, mask) / q.shape[-1] ** 0.5
            ),
        ),
        Mistake(IGNORED, attend_with(lambda s, m: s.softmax(-1))),
        Mistake(INVERTED, attend_with(lambda s, m: hide(s, ~m).softmax(-1))),
        Mistake(INVERTED, attend_with(lambda s, m: hide(s, ~m).softmax(-1).nan_to_num())),
        Mistake(AFTER, attend_with(lambda s, m: s.softmax(-1) * m)),
        Mistake(ZERO_SCORE, attend_with(lambda s, m: (s * m).softmax(-1))),
        Mistake(ADDED, attend_with(lambda s, m: (s + m).softmax(-1))),
        Mistake(WRONG_AXIS, attend_with(lambda s, m: hide(s, m).softmax(-2))),
        Mistake(NO_SOFTMAX, attend_with(lambda s, m: s * m)),
        Mistake(NOT_NORMALISED, attend_with(lambda s, m: hide(s, m).exp())),
        Mistake(
            NO_VALUES,
            lambda q, k, v, mask=None: attend_with()(
                q, k, torch.eye(k.shape[-2]).expand(*k.shape[:-2], -1, -1), mask
            ),
        ),
        Mistake(
            TRANSPOSED,
            lambda q, k, v, mask=None: attend_with()(
                q, k.reshape(*k.shape[:-2], k.shape[-1], k.shape[-2]).transpose(-2, -1), v, mask
            ),
        ),
        Mistake(HEADS_MIXED, mix_heads),
        Mistake(
            HEADS_MIXED,
            lambda q, k, v, mask=None: attend_with()(
                q, k.transpose(1, 2).transpose(-2, -1), v, mask
            ),
        ),
        Mistake(
            ROLES,
            lambda q, k, v, mask=None: attend_with()(k, q, v, mask),
        ),
    ),
)

ASSIGNMENT = Assignment(
    name="a1_scores",
    imports="import math\n\nimport torch",
    questions=(MASKED_SOFTMAX, SDPA),
    forbidden=(
        "torch.nn.functional.scaled_dot_product_attention",
        "torch._C._nn.scaled_dot_product_attention",
    ),
)
