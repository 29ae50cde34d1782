"""Section 3: scaled dot-product attention, masked by the valid lengths."""

import math
from collections.abc import Iterator
from itertools import product

import numpy as np
import torch
import torch.nn.functional as F

from coursework.assignments.reasons import (
    AFTER,
    EMPTY_ROW,
    FINITE,
    IGNORED,
    INVERTED,
    NO_SCALE,
    NO_VALUES,
    SCALE_D,
    SCALE_LENGTH,
    SCALE_UP,
    WRONG_AXIS,
    ZERO_SCORE,
)
from coursework.exercises.joined import joined
from coursework.questions.cases import Case, Message, Mistake, Question


def my_attention(queries, keys, values, lengths):
    scores = queries @ keys.mT / queries.shape[-1] ** 0.5
    mask = torch.arange(keys.shape[1]) < lengths[:, None, None]
    weights = scores.masked_fill(~mask, -math.inf).softmax(dim=-1)
    return weights.masked_fill(~mask, 0.0) @ values


def make_cases(rng: np.random.Generator) -> list[Case]:
    def case(name, zh, en, q_len, lengths, k_len, **looked_at):
        # No root of a width is a width, and neither is the number of keys.
        d, d_value = rng.choice([[3, 4], [4, 3], [9, 4]])
        widths = (q_len, d), (k_len, d), (k_len, d_value)
        arrays = [rng.standard_normal((2, *shape)).astype(np.float32) for shape in widths]
        return Case(Message(name, zh, en), 1, (*arrays, np.array(lengths)), **looked_at)

    # With one key alone the weights are 1, whatever the scores are.
    k_len, shorter = int(rng.integers(5, 8)), int(rng.integers(2, 4))
    return [
        case("full", "没有填充", "No padding", 3, [k_len, k_len], k_len),
        case("padding", "有填充", "With padding", k_len, [shorter, k_len], k_len),
        case(
            "few",
            "查询比键少，有填充",
            "Fewer queries than keys, with padding",
            3,
            [shorter + 1, shorter],
            k_len,
        ),
        case(
            "empty",
            "有效长度为 0 的句子输出 0",
            "A sentence of valid length 0 gives zeros",
            k_len,
            [shorter, 0],
            k_len,
        ),
        case(
            "inputs",
            "输入保持不变",
            "The inputs stay as they were",
            2,
            [2, 3],
            3,
            keeps_inputs=True,
        ),
    ]


def oracle(queries, keys, values, lengths):
    """Each sentence by itself, with the keys that it really has, and without any mask."""
    q, k, v = queries.double(), keys.double(), values.double()
    output = torch.zeros(*queries.shape[:2], values.shape[-1], dtype=torch.float64)
    for i, n in enumerate(lengths):
        if n:
            output[i] = F.scaled_dot_product_attention(q[i], k[i, :n], v[i, :n])
    return output


HIDES_QUERIES = Message(
    "queries-hidden",
    "掩码掩蔽的是查询，而不是键：它应当沿键的轴变化，也就是最后一个轴。",
    "The mask hides queries, not keys: it should vary along the axis of the keys, the last one.",
)
OFF_BY_ONE = Message(
    "one-key-too-many",
    "每个句子多看了一个键：位置从 0 数起，有效的是 0 到长度减 1。",
    "Each sentence sees one key too many: counted from 0, the last valid one is length - 1.",
)


def before(count, lengths):
    return torch.arange(count) < lengths[:, None, None]


SCALES = (
    (None, lambda q, k: q.shape[-1] ** -0.5),
    (NO_SCALE, lambda q, k: 1.0),
    (SCALE_D, lambda q, k: 1 / q.shape[-1]),
)
MASKS = (
    (None, lambda q, k, n: before(k.shape[1], n)),
    (IGNORED, lambda q, k, n: before(k.shape[1], n + k.shape[1])),
    (INVERTED, lambda q, k, n: ~before(k.shape[1], n)),
    (HIDES_QUERIES, lambda q, k, n: before(k.shape[1], n).mT),
    (HIDES_QUERIES, lambda q, k, n: before(q.shape[1], n).mT),
)
AXES = ((None, -1), (WRONG_AXIS, -2))
# What becomes of rows where all is hidden: it is a mistake of its own only if all else is right.
ENDS = (
    (None, lambda s, m, axis: s.masked_fill(~m, -math.inf).softmax(axis).nan_to_num() * m),
    (EMPTY_ROW, lambda s, m, axis: s.masked_fill(~m, -math.inf).softmax(axis)),
    (FINITE, lambda s, m, axis: s.masked_fill(~m, -1e6).softmax(axis)),
)


def attention_with(scale, mask, axis, end):
    """Attention with each of these steps done in one way or another."""

    def attend(queries, keys, values, lengths):
        scores = queries @ keys.mT * scale(queries, keys)
        return end(scores, mask(queries, keys, lengths), axis) @ values

    return attend


def combinations() -> Iterator[Mistake]:
    for (scale, by), (hidden, mask), (wrong, axis), (empty, end) in product(
        SCALES, MASKS, AXES, ENDS
    ):
        reason = joined(scale, hidden, wrong) or empty
        if reason and not (hidden is IGNORED and empty):  # where nothing is hidden, no row is empty
            yield Mistake(reason, attention_with(by, mask, axis, end))


SCALE, MASK = SCALES[0][1], MASKS[0][1]
END = ENDS[0][1]

SCALED_DOT_PRODUCT = Question(
    name="03 my_attention",
    solution=my_attention,
    oracle=oracle,
    make_cases=make_cases,
    mistakes=(
        *combinations(),
        Mistake(SCALE_UP, attention_with(lambda q, k: q.shape[-1] ** 0.5, MASK, -1, END)),
        Mistake(SCALE_LENGTH, attention_with(lambda q, k: k.shape[1] ** -0.5, MASK, -1, END)),
        Mistake(
            OFF_BY_ONE,
            attention_with(SCALE, lambda q, k, n: before(k.shape[1], n + 1), -1, END),
        ),
        Mistake(AFTER, attention_with(SCALE, MASK, -1, lambda s, m, axis: s.softmax(axis) * m)),
        Mistake(
            ZERO_SCORE, attention_with(SCALE, MASK, -1, lambda s, m, axis: (s * m).softmax(axis))
        ),
        Mistake(NO_VALUES, lambda q, k, v, n: my_attention(q, k, torch.eye(k.shape[1]), n)),
    ),
)
