"""One step of decoding: a token in, its output and a longer cache out."""

import math

import numpy as np
import torch
import torch.nn.functional as F

from coursework.assignments.a5_decoding.given import position_encoding
from coursework.assignments.a5_decoding.mistakes import STEP_MISTAKES
from coursework.questions.cases import Case, Message, Question


def decode_step(x, keys, values, w_q, w_k, w_v):
    """Attend from the newest token x (batch, d) to itself and to the t tokens in the cache.

    The cache is keys (batch, t, d_k) and values (batch, t, d_v), empty at first; t is the
    position of x. Gives the output (batch, d_v), and the cache with the newest token at its end.
    """
    x = x + position_encoding(keys.shape[1], x.shape[-1])
    keys = torch.cat([keys, (x @ w_k).unsqueeze(1)], dim=1)
    values = torch.cat([values, (x @ w_v).unsqueeze(1)], dim=1)
    scores = keys @ (x @ w_q).unsqueeze(-1) / math.sqrt(keys.shape[-1])
    output = (scores.softmax(dim=1) * values).sum(dim=1)
    return output, keys, values


def step_cases(rng: np.random.Generator) -> list[Case]:
    def inputs(batch, past, d, d_k, d_v):
        shapes = [(batch, d), (batch, past, d_k), (batch, past, d_v), (d, d_k), (d, d_k), (d, d_v)]
        scales = [1, 1, 1, d**-0.5, d**-0.5, d**-0.5]
        pairs = zip(shapes, scales, strict=True)
        return tuple((scale * rng.standard_normal(s)).astype(np.float32) for s, scale in pairs)

    square = inputs(2, int(rng.integers(5, 9)), 5, 5, 5)
    return [
        Case(
            Message("first", "第一步：缓存是空的", "The first step: an empty cache"),
            1,
            inputs(2, 0, 6, 6, 6),
        ),
        Case(Message("later", "后面的一步", "A later step"), 1, square),
        Case(
            Message("widths", "更长的缓存，三种宽度", "A longer cache, and three widths"),
            1,
            inputs(3, int(rng.integers(8, 12)), 8, 6, 4),
        ),
        Case(
            Message("inputs", "缓存和输入保持不变", "The cache and the input stay as they were"),
            1,
            square,
            keeps_inputs=True,
        ),
        Case(
            Message("gradient", "对输入、缓存和权重的梯度", "Gradients of all six inputs"),
            1,
            inputs(3, 4, 6, 6, 6),
            gradient_of=(0, 1, 2, 3, 4, 5),
        ),
    ]


def step_oracle(x, keys, values, w_q, w_k, w_v):
    position = torch.full((1,), keys.shape[1], dtype=torch.float64)
    rates = 10000 ** (-torch.arange(0, x.shape[-1], 2, dtype=torch.float64) / x.shape[-1])
    encoding = torch.stack([(position * rates).sin(), (position * rates).cos()], -1).flatten()
    x = (x.double() + encoding[: x.shape[-1]]).unsqueeze(1)
    keys = torch.hstack([keys.double(), x @ w_k.double()])
    values = torch.hstack([values.double(), x @ w_v.double()])
    output = F.scaled_dot_product_attention(x @ w_q.double(), keys, values)
    return output.squeeze(1), keys, values


STEP = Question(
    name="1 decode_step",
    solution=decode_step,
    oracle=step_oracle,
    make_cases=step_cases,
    mistakes=STEP_MISTAKES,
)
