"""Section 4: one step of additive attention, which returns its weights, too."""

import math
from collections.abc import Callable, Iterator
from itertools import product

import numpy as np
import torch

from coursework.assignments.reasons import EMPTY_ROW, FINITE, IGNORED, INVERTED
from coursework.exercises.joined import joined
from coursework.questions.cases import Case, Message, Mistake, Question


def my_attention(state, values, mask, W_q, W_k, w):
    hidden = torch.tanh((state @ W_q)[:, None] + values @ W_k)
    scores = (hidden @ w).masked_fill(~mask, -math.inf)
    weights = scores.softmax(dim=-1).masked_fill(~mask, 0.0)
    return (weights[:, None] @ values)[:, 0], weights


def make_cases(rng: np.random.Generator) -> list[Case]:
    def case(name, zh, en, batch, s_len, seen, **looked_at):
        def normal(*shape):
            return rng.standard_normal(shape).astype(np.float32)

        d_decoder, d_value, d_hidden = 3, 5, int(rng.integers(6, 9))
        arrays = normal(batch, d_decoder), normal(batch, s_len, d_value)
        matrices = normal(d_decoder, d_hidden), normal(d_value, d_hidden), normal(d_hidden)
        mask = np.arange(s_len) < np.array(seen)[:, None]
        return Case(Message(name, zh, en), 1, (*arrays, mask, *matrices), **looked_at)

    shorter = int(rng.integers(2, 4))
    return [
        case("full", "没有填充", "No padding", 2, 4, [4, 4], keeps_inputs=True),
        case("padding", "有填充", "With padding", 3, 4, [shorter, 4, 3], keeps_inputs=True),
        case(
            "empty",
            "一个源词也不许看：权重和上下文都是 0",
            "Nothing to look at: weights and context are zeros",
            2,
            4,
            [0, shorter],
        ),
    ]


def oracle(state, values, mask, W_q, W_k, w):
    """One source word after the other."""
    state, values, W_q, W_k, w = (x.double().numpy() for x in (state, values, W_q, W_k, w))
    weights = np.zeros(mask.shape)
    for row, s in np.argwhere(mask.numpy()):
        weights[row, s] = np.exp(w @ np.tanh(state[row] @ W_q + values[row, s] @ W_k))
    weights /= np.maximum(weights.sum(axis=1, keepdims=True), 1e-300)
    context = np.einsum("bs,bsd->bd", weights, values)
    return torch.tensor(context), torch.tensor(weights)


NO_TANH = Message("no-tanh", "漏了 tanh。", "The tanh is missing.")
LATE_TANH = Message(
    "tanh-late",
    "tanh 的位置不对：应当先对隐藏向量做 tanh，再与 w 相乘。",
    "The tanh comes too late: it is taken of the hidden vectors, before they meet w.",
)
NO_QUERY = Message(
    "query-unused",
    "查询没有用上：分数里只有键。",
    "The query is not used: keys alone make the scores.",
)
NO_KEYS = Message(
    "keys-unused",
    "键没有用上：每个源词的分数都一样。",
    "The keys are not used: every source word has the same score.",
)
OVER_BATCH = Message(
    "softmax-over-batch",
    "softmax 的轴不对：应当对源词归一化，不是对批量。",
    "Wrong axis: the softmax should run over the source words, not over the batch.",
)
CONTEXT = Message(
    "wrong-context",
    "权重对了，上下文不对：它是值的加权和，权重就是这一组。",
    "The weights are right, the context is not: it sums the values, each times its weight.",
)


def hidden(state, values, W_q, W_k):
    return (state @ W_q)[:, None] + values @ W_k


SCORES = (
    (None, lambda state, values, W_q, W_k, w: hidden(state, values, W_q, W_k).tanh() @ w),
    (NO_TANH, lambda state, values, W_q, W_k, w: hidden(state, values, W_q, W_k) @ w),
    (LATE_TANH, lambda state, values, W_q, W_k, w: (hidden(state, values, W_q, W_k) @ w).tanh()),
    (NO_QUERY, lambda state, values, W_q, W_k, w: (values @ W_k).tanh() @ w),
    (NO_KEYS, lambda state, values, W_q, W_k, w: hidden(state, 0 * values, W_q, W_k).tanh() @ w),
)
MASKS = ((None, lambda mask: mask), (IGNORED, torch.ones_like), (INVERTED, torch.logical_not))
AXES = ((None, -1), (OVER_BATCH, 0))
# What becomes of rows where all is hidden: it is a mistake of its own only if all else is right.
ENDS = (
    (None, lambda s, m, axis: s.masked_fill(~m, -math.inf).softmax(axis).nan_to_num() * m),
    (EMPTY_ROW, lambda s, m, axis: s.masked_fill(~m, -math.inf).softmax(axis)),
    (FINITE, lambda s, m, axis: s.masked_fill(~m, -1e6).softmax(axis)),
)


def combinations() -> Iterator[Mistake]:
    """Each way to the weights but the right one, with the context that follows from them."""
    for (step, scores), (seen, change), (wrong, axis), (empty, end) in product(
        SCORES, MASKS, AXES, ENDS
    ):
        reason = joined(step, seen, wrong) or empty
        if reason and not (seen is IGNORED and empty):  # where nothing is hidden, no row is empty
            yield Mistake(reason, attention_with(scores, change, axis, end))


def attention_with(scores: Callable, change: Callable, axis: int, end: Callable) -> Callable:
    def attend(state, values, mask, W_q, W_k, w):
        weights = end(scores(state, values, W_q, W_k, w), change(mask), axis)
        return (weights[:, None] @ values)[:, 0], weights

    return attend


def other_context(context: Callable) -> Callable:
    """The right weights with another context."""

    def attend(state, values, mask, W_q, W_k, w):
        _, weights = my_attention(state, values, mask, W_q, W_k, w)
        return context(values, weights, mask), weights

    return attend


ADDITIVE_ATTENTION = Question(
    name="04 my_attention",
    solution=my_attention,
    oracle=oracle,
    make_cases=make_cases,
    mistakes=(
        *combinations(),
        Mistake(CONTEXT, other_context(lambda v, weights, mask: v.mean(dim=1))),
        Mistake(CONTEXT, other_context(lambda v, weights, mask: v.sum(dim=1))),
        Mistake(CONTEXT, other_context(lambda v, weights, mask: (v * mask[..., None]).sum(dim=1))),
        Mistake(CONTEXT, other_context(lambda v, weights, mask: (weights[..., None] * v).mean(1))),
        Mistake(
            CONTEXT,
            other_context(lambda v, weights, mask: v[range(len(v)), weights.argmax(dim=1)]),
        ),
    ),
)
