"""A whole sequence, one step after the other: equal to causal attention all at once."""

import numpy as np
import torch
import torch.nn.functional as F

from coursework.assignments.a5_decoding.given import position_encoding
from coursework.assignments.a5_decoding.step import step_oracle
from coursework.questions.cases import Case, Message, Mistake, Question


def decode(xs, w_q, w_k, w_v):
    """The outputs (batch, n, d_v) for tokens xs (batch, n, d), one at a time, with a cache."""
    batch, n, _ = xs.shape
    keys = xs.new_zeros(batch, 0, w_k.shape[1])
    values = xs.new_zeros(batch, 0, w_v.shape[1])
    outputs = []
    for t in range(n):
        output, keys, values = decode_step(xs[:, t], keys, values, w_q, w_k, w_v)  # noqa: F821
        outputs.append(output)
    return torch.stack(outputs, dim=1)


def decode_cases(rng: np.random.Generator) -> list[Case]:
    def inputs(batch, n, d, d_k, d_v):
        shapes = [(batch, n, d), (d, d_k), (d, d_k), (d, d_v)]
        scales = [1, d**-0.5, d**-0.5, d**-0.5]
        pairs = zip(shapes, scales, strict=True)
        return tuple((scale * rng.standard_normal(s)).astype(np.float32) for s, scale in pairs)

    return [
        Case(
            Message("one", "一个序列", "One sequence"),
            1,
            inputs(1, int(rng.integers(4, 7)), 4, 4, 4),
        ),
        Case(
            Message("batch", "批量，三种宽度", "A batch, and three widths"),
            1,
            inputs(3, int(rng.integers(5, 8)), 8, 6, 4),
            keeps_inputs=True,
        ),
        Case(
            Message("gradient", "对输入和权重的梯度", "Gradients of the tokens and the weights"),
            1,
            inputs(2, 4, 6, 6, 6),
            gradient_of=(0, 1, 2, 3),
        ),
    ]


def with_positions(xs, first=0, step=1):
    positions = [position_encoding(first + step * t, xs.shape[-1]) for t in range(xs.shape[1])]
    return xs.double() + torch.stack(positions)


def attend(x, w_q, w_k, w_v, causal=True):
    q, k, v = x @ w_q.double(), x @ w_k.double(), x @ w_v.double()
    return F.scaled_dot_product_attention(q, k, v, is_causal=causal)


def decode_oracle(xs, w_q, w_k, w_v):
    """The whole causal pass."""
    return attend(with_positions(xs), w_q, w_k, w_v)


def stepwise(carry=lambda old, new: new, order=lambda n: range(n), outputs=torch.stack, axis=1):
    """Step by step, with something wrong in the loop."""

    def run(xs, w_q, w_k, w_v):
        cache = xs.new_zeros(len(xs), 0, w_k.shape[1]), xs.new_zeros(len(xs), 0, w_v.shape[1])
        given = []
        for t in order(xs.shape[1]):
            output, *new = step_oracle(xs[:, t], *cache, w_q, w_k, w_v)
            cache = carry(cache, new)
            given.append(output)
        return outputs(given, axis)

    return run


NO_CACHE = Message(
    "cache-not-carried",
    "缓存没有传给下一步：每一步都从空缓存开始。",
    "The cache is not carried on: every step begins with an empty one.",
)
LAST_ONLY = Message(
    "last-output-only",
    "只返回了最后一步的输出：每一步的输出都要。",
    "Only the output of the last step is returned: that of every step is wanted.",
)
STACKED = Message(
    "steps-on-wrong-axis",
    "各步的输出接在了错误的轴上：结果的形状是 (batch, n, d_v)。",
    "The outputs are put together along the wrong axis: the result is (batch, n, d_v).",
)
LOOK_AHEAD = Message(
    "no-causal-mask",
    "每个位置都看见了后面的词元：一次一步时，后面的还不存在。",
    "Every position sees the tokens after it: step by step, those do not exist yet.",
)
BACKWARDS = Message(
    "tokens-backwards",
    "词元的顺序反了：从第一个开始。",
    "The tokens are taken in the wrong order: begin with the first.",
)
POSITION_ZERO = Message(
    "position-zero",
    "每个词元都读了位置 0：位置是缓存的长度。",
    "Every token reads position 0: its position is the length of the cache.",
)
NO_POSITION = Message("no-position", "没有加上位置编码。", "No positions are added to the tokens.")
POSITION_TWICE = Message(
    "position-twice",
    "位置加了两次：decode_step 自己会加。",
    "The positions are added twice: decode_step adds them itself.",
)
FROM_ONE = Message(
    "position-off-by-one",
    "位置差了一：第一个词元的位置是 0。",
    "The positions are off by one: the first token is at position 0.",
)
WINDOW = Message(
    "cache-cut-off",
    "缓存只留下了最近的词元：所有以前的词元都要看见。",
    "The cache keeps only the latest token: all tokens before are to be seen.",
)
SHORT = Message(
    "a-step-missing",
    "少了一步：n 个词元有 n 个输出。",
    "A step is missing: n tokens have n outputs.",
)

DECODE = Question(
    name="2 decode",
    solution=decode,
    oracle=decode_oracle,
    make_cases=decode_cases,
    mistakes=(
        Mistake(NO_CACHE, stepwise(carry=lambda old, new: old)),
        Mistake(LAST_ONLY, stepwise(outputs=lambda given, axis: given[-1])),
        Mistake(STACKED, stepwise(axis=0)),
        Mistake(STACKED, stepwise(outputs=torch.cat)),
        Mistake(STACKED, stepwise(outputs=torch.cat, axis=0)),
        Mistake(STACKED, stepwise(axis=2)),
        Mistake(LOOK_AHEAD, lambda xs, *w: attend(with_positions(xs), *w, causal=False)),
        Mistake(BACKWARDS, stepwise(order=lambda n: range(n - 1, -1, -1))),
        Mistake(
            BACKWARDS, lambda xs, *w: stepwise(order=lambda n: range(n - 1, -1, -1))(xs, *w).flip(1)
        ),
        Mistake(POSITION_ZERO, lambda xs, *w: attend(with_positions(xs, step=0), *w)),
        Mistake(NO_POSITION, lambda xs, *w: attend(xs.double(), *w)),
        Mistake(POSITION_TWICE, lambda xs, *w: attend(with_positions(with_positions(xs)), *w)),
        Mistake(FROM_ONE, lambda xs, *w: attend(with_positions(xs, first=1), *w)),
        Mistake(WINDOW, stepwise(carry=lambda old, new: [cache[:, -1:] for cache in new])),
        Mistake(SHORT, stepwise(order=lambda n: range(n - 1))),
        Mistake(SHORT, stepwise(order=lambda n: range(1, n))),
    ),
)
