"""Scaled dot-product attention."""

import math

import numpy as np
import torch
import torch.nn.functional as F

from coursework.assignments.a1_scores.softmax import hide, masked_softmax
from coursework.assignments.reasons import (
    ADDED,
    AFTER,
    HEADS_MIXED,
    IGNORED,
    INVERTED,
    MASK_TRANSPOSED,
    NO_SCALE,
    NO_SOFTMAX,
    NO_VALUES,
    NOT_NORMALISED,
    ROLES,
    SCALE_D,
    SCALE_LATE,
    SCALE_LENGTH,
    SCALE_MODEL,
    SCALE_UP,
    SCALE_VALUES,
    TIMES_INFINITY,
    TRANSPOSED,
    WEIGHTS_TRANSPOSED,
    WRONG_AXIS,
    ZERO_SCORE,
)
from coursework.questions.cases import Case, Message, Mistake, Question

# --- What a good student writes -----------------------------------------------------------------


def sdpa(q, k, v, mask=None):
    """Attend from q (..., n, d) to k (..., m, d) and v (..., m, d_v).

    The mask broadcasts to (..., n, m), True = may attend.
    """
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    if mask is None:
        mask = torch.ones_like(scores, dtype=torch.bool)
    return masked_softmax(scores, mask.expand_as(scores), dim=-1) @ v


# --- Cases --------------------------------------------------------------------------------------


def sdpa_cases(rng: np.random.Generator) -> list[Case]:
    def normal(*shape):
        return rng.standard_normal(shape).astype(np.float32)

    equal_keys = (normal(2, 4, 8), np.zeros((2, 6, 8), dtype=np.float32), normal(2, 6, 3))
    # As many heads as queries and keys would hide a mix-up of the axes.
    q, k, v = normal(2, 3, 5, 16), normal(2, 3, 5, 16), normal(2, 3, 5, 7)
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


def mix_heads(q, k, v, mask=None):
    """Attend between the heads of one position, instead of the positions of one head."""
    if q.ndim == 4:
        q, k, v = (x.transpose(1, 2) for x in (q, k, v))
    output = attend_with()(q, k, v, mask)
    return output.transpose(1, 2) if q.ndim == 4 else output


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
        Mistake(SCALE_MODEL, attend_with(scale=lambda q, k: (q.shape[1] * q.shape[-1]) ** -0.5)),
        Mistake(
            SCALE_VALUES,
            lambda q, k, v, mask=None: attend_with(scale=lambda q, k: v.shape[-1] ** -0.5)(
                q, k, v, mask
            ),
        ),
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
        Mistake(WRONG_AXIS, attend_with(lambda s, m: hide(s, m).softmax(1))),
        Mistake(WRONG_AXIS, attend_with(lambda s, m: hide(s, m).softmax(0))),
        Mistake(TIMES_INFINITY, attend_with(lambda s, m: (s + ~m * -math.inf).softmax(-1))),
        Mistake(MASK_TRANSPOSED, attend_with(lambda s, m: hide(s, m.mT).softmax(-1))),
        Mistake(WEIGHTS_TRANSPOSED, attend_with(lambda s, m: hide(s, m).softmax(-1).mT)),
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
