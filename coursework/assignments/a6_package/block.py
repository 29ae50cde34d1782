"""A decoder block with normalisation first: causal attention in heads, then feed-forward."""

import math

import numpy as np
import torch
import torch.nn.functional as F

from coursework.assignments.a6_package.mistakes import BLOCK_MISTAKES
from coursework.questions.cases import Case, Message, Question


def run_decoder_block(x, gain_1, w_q, w_k, w_v, w_o, gain_2, w_in, w_out, heads):
    """A pre-norm decoder block on x (batch, n, d): causal attention in heads, then two layers.

    x + attention(normalise(x) * gain_1) comes first; its result y gives
    y + relu((normalise(y) * gain_2) @ w_in) @ w_out. normalise takes away the mean over the last
    axis and divides by the root of the variance plus 1e-5. The weights w_q, w_k, w_v, w_o are
    (d, d), w_in is (d, d_ff), w_out (d_ff, d); head h has columns h * d/heads to (h + 1) * d/heads.
    """

    def normalise(y):
        centred = y - y.mean(-1, keepdim=True)
        return centred / torch.sqrt(centred.square().mean(-1, keepdim=True) + 1e-5)

    def split(y):
        return y.unflatten(-1, (heads, -1)).transpose(1, 2)

    h = normalise(x) * gain_1
    queries, keys, values = split(h @ w_q), split(h @ w_k), split(h @ w_v)
    scores = queries @ keys.transpose(-2, -1) / math.sqrt(queries.shape[-1])
    future = torch.ones(x.shape[1], x.shape[1], dtype=torch.bool).triu(1)
    attended = scores.masked_fill(future, -math.inf).softmax(-1) @ values
    x = x + attended.transpose(1, 2).flatten(-2) @ w_o
    return x + torch.relu((normalise(x) * gain_2) @ w_in) @ w_out


def block_cases(rng: np.random.Generator) -> list[Case]:
    def inputs(batch, n, d, d_ff):
        def weights(*shape):
            return 1.5 * rng.standard_normal(shape) / shape[0] ** 0.5

        x = 1 + 2 * rng.standard_normal((batch, n, d))
        gain_1, gain_2 = 1 + rng.random(d), 1 + rng.random(d)
        square = [weights(d, d) for _ in range(4)]
        arrays = [x, gain_1, *square, gain_2, weights(d, d_ff), weights(d_ff, d)]
        return tuple(array.astype(np.float32) for array in arrays)

    small = inputs(1, int(rng.integers(3, 6)), 6, 10)
    return [
        Case(
            Message("one-head", "一个序列，一个头", "One sequence, one head"),
            1,
            small,
            {"heads": 1},
            tolerance=1e-4,
        ),
        Case(
            Message("heads", "批量，两个头", "A batch, two heads"),
            1,
            inputs(3, 5, 8, 12),
            {"heads": 2},
            tolerance=1e-4,
        ),
        Case(
            Message("single", "只有一个词元", "A single token"),
            1,
            inputs(2, 1, 12, 8),
            {"heads": 3},
            tolerance=1e-4,
        ),
        Case(
            Message("inputs", "输入保持不变", "The inputs stay as they were"),
            1,
            small,
            {"heads": 2},
            keeps_inputs=True,
            tolerance=1e-4,
        ),
        Case(
            Message("gradient", "对输入和全部权重的梯度", "Gradients of the input and all weights"),
            1,
            inputs(2, 4, 8, 6),
            {"heads": 4},
            gradient_of=tuple(range(9)),
            tolerance=1e-4,
            relative=1e-3,
        ),
    ]


def block_oracle(x, *weights, heads):
    """With the layer normalisation and the attention of PyTorch, one head after the other."""
    x = x.double()
    before, *of_heads, last, gain, up, down = (one.double() for one in weights)
    h = F.layer_norm(x, x.shape[-1:], before)
    outputs = [
        F.scaled_dot_product_attention(h @ q, h @ k, h @ v, is_causal=True)
        for q, k, v in zip(*(w.chunk(heads, dim=1) for w in of_heads), strict=True)
    ]
    y = x + torch.cat(outputs, dim=-1) @ last
    return y + F.layer_norm(y, x.shape[-1:], gain).matmul(up).relu() @ down


BLOCK = Question(
    name="3 run_decoder_block",
    solution=run_decoder_block,
    oracle=block_oracle,
    make_cases=block_cases,
    mistakes=BLOCK_MISTAKES,
)
