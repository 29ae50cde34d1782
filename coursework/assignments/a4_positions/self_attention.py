"""Causal self-attention as a function of arrays: one head, projected from one sequence."""

import math

import numpy as np
import torch
import torch.nn.functional as F

from coursework.assignments.reasons import (
    AFTER,
    INVERTED,
    NO_SCALE,
    NO_SOFTMAX,
    NO_VALUES,
    NOT_NORMALISED,
    ROLES,
    SCALE_D,
    SCALE_LATE,
    SCALE_LENGTH,
    SCALE_UP,
    WRONG_AXIS,
    ZERO_SCORE,
)
from coursework.questions.cases import Case, Message, Mistake, Question


def causal_self_attention(x, w_q, w_k, w_v):
    """Each position of x (..., n, d) attends to itself and to those before it.

    Queries and keys are x times w_q and w_k, of shape (d, d_k), values x times w_v (d, d_v);
    the result is of shape (..., n, d_v).
    """
    queries, keys, values = x @ w_q, x @ w_k, x @ w_v
    scores = queries @ keys.transpose(-2, -1) / math.sqrt(keys.shape[-1])
    n = x.shape[-2]
    allowed = torch.ones(n, n, dtype=torch.bool).tril()
    return scores.masked_fill(~allowed, -math.inf).softmax(-1) @ values


def self_attention_cases(rng: np.random.Generator) -> list[Case]:
    def inputs(shape, d_k, d_v):
        """Scores of about 1, so that a wrong scale is seen."""
        d = shape[-1]
        projections = [rng.standard_normal((d, width)) / d**0.5 for width in (d_k, d_k, d_v)]
        arrays = [rng.standard_normal(shape), *projections]
        return tuple(array.astype(np.float32) for array in arrays)

    square = inputs((6, 5), 5, 5)
    return [
        Case(
            Message("first", "第一个位置只看见自己", "The first position sees only itself"),
            1,
            inputs((1, 4), 4, 4),
        ),
        Case(Message("small", "小例子：一个序列", "A small example: one sequence"), 1, square),
        Case(
            Message("inputs", "输入保持不变", "The inputs stay as they were"),
            1,
            square,
            keeps_inputs=True,
        ),
        Case(
            Message("batch", "批量，三种不同的宽度", "A batch, and three different widths"),
            1,
            inputs((2, 3, 5, 8), 6, 3),
        ),
        Case(
            Message("gradient", "对输入和权重的梯度", "Gradients of the input and the weights"),
            1,
            inputs((2, 5, 4), 4, 4),
            gradient_of=(0, 1, 2, 3),
        ),
    ]


def self_attention_oracle(x, w_q, w_k, w_v):
    x = x.double()
    return F.scaled_dot_product_attention(
        x @ w_q.double(), x @ w_k.double(), x @ w_v.double(), is_causal=True
    )


def past(n, diagonal=0):
    return torch.ones(n, n, dtype=torch.bool).tril(diagonal)


def attention_with(
    project=lambda x, w_q, w_k, w_v: (x @ w_q, x @ w_k, x @ w_v),
    allowed=past,
    scale=lambda x, k: k.shape[-1] ** -0.5,
    weigh=lambda scores, allowed: scores.masked_fill(~allowed, -math.inf).softmax(-1),
    after=1.0,
):
    """Self-attention with another projection, mask, scale, or way from scores to weights."""

    def attend(x, w_q, w_k, w_v):
        q, k, v = project(x, w_q, w_k, w_v)
        scores = q @ k.mT * scale(x, k)
        return weigh(scores, allowed(x.shape[-2])) @ v * after

    return attend


def weights_only(x, w_q, w_k, w_v):
    return attention_with(lambda x, *w: (x @ w_q, x @ w_k, torch.eye(x.shape[-2])))(
        x, w_q, w_k, w_v
    )


NO_MASK = Message(
    "no-causal-mask",
    "没有因果掩码：每个位置都看见了后面的位置。",
    "There is no causal mask: every position sees those after it.",
)
STRICT = Message(
    "diagonal-hidden",
    "掩码太严：每个位置也应当看见自己，对角线上是 True。",
    "The mask is too strict: a position sees itself, too, so that the diagonal is True.",
)
ONE_AHEAD = Message(
    "one-ahead",
    "掩码偏了一格：每个位置还看见了下一个位置。",
    "The mask is off by one: every position sees the next one, too.",
)
FUTURE = Message(
    "future-for-past",
    "掩码转置了：每个位置看见的是后面的位置，而不是前面的。",
    "The mask is transposed: a position sees those after it instead of those before.",
)
NOT_PROJECTED = Message(
    "not-projected",
    "有的输入没有经过投影：查询、键和值各有自己的权重矩阵。",
    "Something is not projected: queries, keys and values each have a weight matrix.",
)
SAME_WEIGHTS = Message(
    "weights-mixed-up",
    "权重矩阵用错了：查询用 w_q，键用 w_k，值用 w_v。",
    "The weight matrices are mixed up: w_q is for queries, w_k for keys, w_v for values.",
)
TRANSPOSED_WEIGHTS = Message(
    "projection-transposed",
    "权重矩阵转置了：这里的约定是 x @ w，而不是 x @ w.T。",
    "The weight matrices are transposed: here it is x @ w, not x @ w.T.",
)
SCALE_INPUT = Message(
    "scale-by-input-width",
    "缩放用了输入的宽度 d：应当用查询和键的宽度 d_k。",
    "The scale is taken from the width d of the input: it is that of queries and keys, d_k.",
)

SELF_ATTENTION = Question(
    name="3 causal_self_attention",
    solution=causal_self_attention,
    oracle=self_attention_oracle,
    make_cases=self_attention_cases,
    mistakes=(
        Mistake(NO_MASK, attention_with(allowed=lambda n: torch.ones(n, n).bool())),
        Mistake(STRICT, attention_with(allowed=lambda n: past(n, -1))),
        Mistake(
            STRICT,
            attention_with(
                allowed=lambda n: past(n, -1),
                weigh=lambda s, m: s.masked_fill(~m, -math.inf).softmax(-1).nan_to_num(),
            ),
        ),
        Mistake(
            STRICT,
            attention_with(
                allowed=lambda n: past(n, -1),
                weigh=lambda s, m: s.masked_fill(~m, -1e9).softmax(-1),
            ),
        ),
        Mistake(ONE_AHEAD, attention_with(allowed=lambda n: past(n, 1))),
        Mistake(FUTURE, attention_with(allowed=lambda n: past(n).T)),
        Mistake(INVERTED, attention_with(allowed=lambda n: ~past(n))),
        Mistake(
            INVERTED,
            attention_with(
                allowed=lambda n: ~past(n),
                weigh=lambda s, m: s.masked_fill(~m, -1e9).softmax(-1),
            ),
        ),
        Mistake(AFTER, attention_with(weigh=lambda s, m: s.softmax(-1) * m)),
        Mistake(ZERO_SCORE, attention_with(weigh=lambda s, m: (s * m).softmax(-1))),
        Mistake(NOT_NORMALISED, attention_with(weigh=lambda s, m: s.exp() * m)),
        Mistake(NO_SOFTMAX, attention_with(weigh=lambda s, m: s * m)),
        Mistake(
            WRONG_AXIS,
            attention_with(weigh=lambda s, m: s.masked_fill(~m, -math.inf).softmax(-2)),
        ),
        Mistake(NO_SCALE, attention_with(scale=lambda x, k: 1.0)),
        Mistake(SCALE_D, attention_with(scale=lambda x, k: 1 / k.shape[-1])),
        Mistake(SCALE_UP, attention_with(scale=lambda x, k: k.shape[-1] ** 0.5)),
        Mistake(SCALE_INPUT, attention_with(scale=lambda x, k: x.shape[-1] ** -0.5)),
        Mistake(SCALE_LENGTH, attention_with(scale=lambda x, k: x.shape[-2] ** -0.5)),
        Mistake(
            SCALE_LATE,
            lambda x, w_q, w_k, w_v: attention_with(
                scale=lambda x, k: 1.0, after=w_k.shape[-1] ** -0.5
            )(x, w_q, w_k, w_v),
        ),
        Mistake(TRANSPOSED_WEIGHTS, attention_with(lambda x, q, k, v: (x @ q.T, x @ k.T, x @ v.T))),
        Mistake(SAME_WEIGHTS, attention_with(lambda x, q, k, v: (x @ q, x @ q, x @ v))),
        Mistake(SAME_WEIGHTS, attention_with(lambda x, q, k, v: (x @ k, x @ k, x @ v))),
        Mistake(SAME_WEIGHTS, attention_with(lambda x, q, k, v: (x @ q, x @ v, x @ k))),
        Mistake(SAME_WEIGHTS, attention_with(lambda x, q, k, v: (x @ q, x @ k, x @ k))),
        Mistake(ROLES, attention_with(lambda x, q, k, v: (x @ k, x @ q, x @ v))),
        Mistake(NOT_PROJECTED, attention_with(lambda x, q, k, v: (x @ q, x @ k, x))),
        Mistake(NOT_PROJECTED, attention_with(lambda x, q, k, v: (x, x, x))),
        Mistake(NOT_PROJECTED, attention_with(lambda x, q, k, v: (x, x, x @ v))),
        Mistake(NO_VALUES, weights_only),
    ),
)
