"""Multi-head attention as a function of its matrices."""

import math

import numpy as np
import torch
import torch.nn.functional as F

from coursework.assignments.a3_multi_head.mistakes import MISTAKES
from coursework.assignments.a3_multi_head.split import split_heads
from coursework.questions.cases import Case, Message, Question

# --- What a good student writes -----------------------------------------------------------------


def multi_head_attention(queries, keys, values, W_q, W_k, W_v, W_o, heads, mask=None):
    """Attend from queries (batch, n, d_model) to keys and values (batch, m, d_model).

    Each matrix is (d_model, d_model) and is applied as x @ W.T. The mask, True = may attend,
    is (batch, n, m) or (batch, heads, n, m). A query that may attend to nothing gets zeros.
    """
    q = split_heads(queries @ W_q.T, heads)
    k = split_heads(keys @ W_k.T, heads)
    v = split_heads(values @ W_v.T, heads)
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    if mask is None:
        weights = torch.softmax(scores, dim=-1)
    else:
        hidden = ~(mask.unsqueeze(1) if mask.ndim == 3 else mask)
        nothing = hidden.all(-1, keepdim=True)
        # A row of minus infinity alone would give NaN, and so would its gradient.
        scores = scores.masked_fill(hidden & ~nothing, -math.inf)
        weights = torch.softmax(scores, dim=-1).masked_fill(nothing, 0.0)
    return (weights @ v).transpose(1, 2).flatten(2) @ W_o.T


# --- Cases --------------------------------------------------------------------------------------


def attention_cases(rng: np.random.Generator) -> list[Case]:
    def normal(*shape, scale=1.0):
        return (scale * rng.standard_normal(shape)).astype(np.float32)

    def arrays(batch, n, m, d_model):
        # Matrices of this size keep the scores near 1, where no softmax is saturated.
        matrices = [normal(d_model, d_model, scale=1.5 / math.sqrt(d_model)) for _ in range(4)]
        tokens = normal(batch, n, d_model), normal(batch, m, d_model), normal(batch, m, d_model)
        return (*tokens, *matrices)

    def mask(*shape):
        """About a third is hidden, but in every row something and never everything."""
        drawn = rng.random(shape).argsort(-1)
        return drawn < rng.integers(1, shape[-1], (*shape[:-1], 1))

    def case(name, zh, en, arguments, heads, mask=None, **looked_at):
        keywords = {"heads": heads} | ({} if mask is None else {"mask": mask})
        return Case(Message(name, zh, en), 1, arguments, keywords, tolerance=3e-5, **looked_at)

    cross = arrays(2, 3, 5, 12)
    empty = mask(2, 4, 5)
    empty[rng.integers(2), rng.integers(4)] = False
    return [
        case("self", "长度相等，无掩码", "Equal lengths, no mask", arrays(2, 5, 5, 8), 2),
        case("cross", "查询和键的长度不等", "Queries and keys differ in number", cross, 3),
        case("inputs", "输入保持不变", "The inputs stay as they were", cross, 3, keeps_inputs=True),
        case(
            # As many heads as examples: a mask on the wrong axis goes through.
            "mask",
            "所有头共用的掩码",
            "A mask that all heads share",
            arrays(2, 4, 5, 8),
            2,
            mask(2, 4, 5),
        ),
        case(
            "head-mask",
            "每个头各有掩码",
            "A mask for each head",
            arrays(2, 3, 5, 12),
            3,
            mask(2, 3, 3, 5),
        ),
        case(
            "empty",
            "全部被掩蔽的查询得到 0",
            "A query with nothing allowed gets zeros",
            arrays(2, 4, 5, 8),
            2,
            empty,
        ),
        case(
            "gradient",
            "对所有输入和矩阵的梯度",
            "Gradients of all inputs and matrices",
            arrays(2, 3, 5, 8),
            2,
            mask(2, 3, 5),
            gradient_of=(0, 1, 2, 3, 4, 5, 6),
        ),
    ]


# --- What is expected, computed in another way --------------------------------------------------


def attention_oracle(q, k, v, to_q, to_k, to_v, to_o, heads, mask=None):
    """Each head by itself, with its rows of the matrices and its columns of the last one."""
    q, k, v, to_q, to_k, to_v, to_o = (x.double() for x in (q, k, v, to_q, to_k, to_v, to_o))
    output = 0
    for i, rows in enumerate(torch.arange(len(to_q)).chunk(heads)):
        allowed = mask if mask is None or mask.ndim == 3 else mask[:, i]
        nothing = torch.zeros(1, 1, 1) if allowed is None else ~allowed.any(-1, keepdim=True)
        found = F.scaled_dot_product_attention(
            *(x @ W[rows].T for x, W in ((q, to_q), (k, to_k), (v, to_v))),
            attn_mask=None if allowed is None else allowed | nothing,
        )
        output = output + found.masked_fill(nothing.bool(), 0.0) @ to_o[:, rows].T
    return output


MULTI_HEAD_ATTENTION = Question(
    name="2 multi_head_attention",
    solution=multi_head_attention,
    oracle=attention_oracle,
    make_cases=attention_cases,
    mistakes=MISTAKES,
)
