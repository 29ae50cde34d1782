"""What often goes wrong in multi-head attention."""

import math
from collections.abc import Callable

import torch

from coursework.assignments.a3_multi_head.split import INTERLEAVED, VIEW, split_heads
from coursework.assignments.reasons import (
    ADDED,
    AFTER,
    EMPTY_ROW,
    FINITE,
    IGNORED,
    INVERTED,
    NO_SCALE,
    NO_SOFTMAX,
    NOT_NORMALISED,
    SCALE_D,
    SCALE_LENGTH,
    SCALE_MODEL,
    TIMES_INFINITY,
    WRONG_AXIS,
    ZERO_SCORE,
)
from coursework.questions.cases import Message, Mistake


def hide(scores, mask):
    return scores if mask is None else scores.masked_fill(~mask, -math.inf)


def everything(scores, mask):
    return torch.ones_like(scores, dtype=torch.bool) if mask is None else mask


def softmax(scores, dim=-1):
    """With zeros where nothing is allowed, so that other mistakes stand out."""
    return scores.softmax(dim).nan_to_num()


def merge(x):
    return x.transpose(1, 2).flatten(2)


def linear(x, W):
    return x @ W.T


def attend_with(
    split: Callable = split_heads,
    scale: Callable = lambda q, k, heads: q.shape[-1] ** -0.5,
    weigh: Callable = lambda s, m: softmax(hide(s, m)),
    merge: Callable = merge,
    per_head: Callable = lambda m: m.unsqueeze(1) if m.ndim == 3 else m,
    project: Callable = linear,
    project_values: Callable = linear,
    output: Callable = linear,
) -> Callable:
    """Multi-head attention with one step done in another way."""

    def attend(queries, keys, values, W_q, W_k, W_v, W_o, heads, mask=None):
        q, k = split(project(queries, W_q), heads), split(project(keys, W_k), heads)
        v = split(project_values(values, W_v), heads)
        scores = q @ k.transpose(-2, -1) * scale(q, k, heads)
        weights = weigh(scores, None if mask is None else per_head(mask))
        return output(merge(weights @ v), W_o)

    return attend


def weigh_with(weigh: Callable) -> Callable:
    """Attention whose weights come from the scores and a mask that is always there."""
    return attend_with(weigh=lambda s, m: weigh(s, everything(s, m)))


def with_arguments(change: Callable) -> Callable:
    """Attention to other arguments than those that were given."""

    def attend(queries, keys, values, W_q, W_k, W_v, W_o, heads, mask=None):
        changed = change(queries, keys, values, W_q, W_k, W_v, W_o)
        return attend_with()(*changed, heads, mask)

    return attend


MASK_ON_HEADS = Message(
    "mask-on-heads",
    "三维掩码的第一个轴是批量，这里却对上了头：先插入头的轴，mask.unsqueeze(1)。",
    "The first axis of a mask with three axes is the batch, but here it meets the heads: insert an "
    "axis for them, mask.unsqueeze(1).",
)
MERGE_VIEW = Message(
    "merge-without-swap",
    "合并各头时没有先把轴换回来：不同位置的数混在了一起。",
    "The heads are merged without swapping the axes back: numbers of several positions are mixed.",
)
NO_OUTPUT = Message(
    "no-output-matrix",
    "没有用 W_o：各头的结果只是拼接了起来。",
    "W_o is not used: what the heads found is only concatenated.",
)
NOT_PROJECTED = Message(
    "values-not-projected", "值没有乘以 W_v。", "The values are not multiplied with W_v."
)
MATRIX_TRANSPOSED = Message(
    "matrix-transposed",
    "矩阵乘的方向不对：应当是 x @ W.T。",
    "A matrix is multiplied the wrong way round: it is x @ W.T.",
)
MATRICES_SWAPPED = Message(
    "matrices-swapped",
    "W_q 和 W_k 用反了：W_q 属于查询，W_k 属于键。",
    "W_q and W_k have changed places: W_q belongs to the queries, W_k to the keys.",
)
ONE_HEAD = Message(
    "one-head",
    "参数 heads 没有起作用：整个宽度只算了一个头。",
    "The argument heads has no effect: there is one head of the whole width.",
)
KEYS_FOR_VALUES = Message(
    "keys-for-values",
    "被加权平均的是键而不是值。",
    "The keys are averaged instead of the values.",
)
HEADS_AVERAGED = Message(
    "weights-averaged",
    "所有头用了同样的权重（各头的平均）：每个头应当用自己的权重。",
    "All heads use the same weights, the mean over the heads: each head should use its own.",
)

MISTAKES = (
    Mistake(EMPTY_ROW, attend_with(weigh=lambda s, m: hide(s, m).softmax(-1))),
    Mistake(NO_SCALE, attend_with(scale=lambda q, k, heads: 1.0)),
    Mistake(SCALE_D, attend_with(scale=lambda q, k, heads: 1 / q.shape[-1])),
    Mistake(SCALE_MODEL, attend_with(scale=lambda q, k, h: (h * q.shape[-1]) ** -0.5)),
    Mistake(SCALE_LENGTH, attend_with(scale=lambda q, k, heads: k.shape[-2] ** -0.5)),
    Mistake(FINITE, weigh_with(lambda s, m: s.masked_fill(~m, -1e9).softmax(-1))),
    Mistake(IGNORED, weigh_with(lambda s, m: s.softmax(-1))),
    Mistake(INVERTED, attend_with(weigh=lambda s, m: softmax(hide(s, m if m is None else ~m)))),
    Mistake(AFTER, weigh_with(lambda s, m: s.softmax(-1) * m)),
    Mistake(ZERO_SCORE, weigh_with(lambda s, m: (s * m).softmax(-1))),
    Mistake(ADDED, attend_with(weigh=lambda s, m: (s if m is None else s + m).softmax(-1))),
    Mistake(
        TIMES_INFINITY,
        attend_with(weigh=lambda s, m: (s if m is None else s + ~m * -math.inf).softmax(-1)),
    ),
    Mistake(WRONG_AXIS, attend_with(weigh=lambda s, m: softmax(hide(s, m), -2))),
    Mistake(WRONG_AXIS, attend_with(weigh=lambda s, m: softmax(hide(s, m), 1))),
    Mistake(NO_SOFTMAX, weigh_with(lambda s, m: s * m)),
    Mistake(NOT_NORMALISED, weigh_with(lambda s, m: s.exp() * m)),
    Mistake(
        HEADS_AVERAGED,
        attend_with(weigh=lambda s, m: softmax(hide(s, m)).mean(1, keepdim=True)),
    ),
    Mistake(MASK_ON_HEADS, attend_with(per_head=lambda m: m)),
    Mistake(VIEW, attend_with(split=lambda x, h: x.reshape(len(x), h, x.shape[1], -1))),
    Mistake(
        INTERLEAVED,
        attend_with(split=lambda x, h: x.unflatten(-1, (-1, h)).permute(0, 3, 1, 2)),
    ),
    Mistake(
        INTERLEAVED,
        attend_with(
            split=lambda x, h: x.unflatten(-1, (-1, h)).permute(0, 3, 1, 2),
            merge=lambda x: x.permute(0, 2, 3, 1).flatten(2),
        ),
    ),
    Mistake(MERGE_VIEW, attend_with(merge=lambda x: x.reshape(len(x), x.shape[2], -1))),
    Mistake(NO_OUTPUT, attend_with(output=lambda x, W: x)),
    Mistake(NOT_PROJECTED, attend_with(project_values=lambda x, W: x)),
    Mistake(
        MATRIX_TRANSPOSED,
        with_arguments(lambda q, k, v, a, b, c, d: (q, k, v, a.T, b.T, c.T, d.T)),
    ),
    Mistake(MATRIX_TRANSPOSED, attend_with(output=lambda x, W: x @ W)),
    Mistake(MATRICES_SWAPPED, with_arguments(lambda q, k, v, a, b, c, d: (q, k, v, b, a, c, d))),
    Mistake(KEYS_FOR_VALUES, with_arguments(lambda q, k, v, a, b, c, d: (q, k, k, a, b, c, d))),
    Mistake(KEYS_FOR_VALUES, with_arguments(lambda q, k, v, a, b, c, d: (q, k, k, a, b, b, d))),
    Mistake(
        ONE_HEAD,
        lambda *arrays, heads, mask=None: attend_with()(
            *arrays, 1, mask if mask is None or mask.ndim == 3 else mask[:, :1]
        ),
    ),
)
