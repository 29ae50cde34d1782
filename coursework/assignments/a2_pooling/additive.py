"""Additive scores, of queries and keys that need not be equally wide."""

from collections.abc import Callable

import numpy as np
import torch

from coursework.assignments.reasons import ROLES
from coursework.questions.cases import Case, Message, Mistake, Question

# --- What a good student writes -----------------------------------------------------------------


def additive_scores(queries, keys, W_q, W_k, w_v):
    """Score queries (..., n, d_q) against keys (..., m, d_k), giving (..., n, m).

    W_q is (hidden, d_q), W_k is (hidden, d_k), and w_v is (hidden,).
    """
    q = queries @ W_q.T
    k = keys @ W_k.T
    hidden = torch.tanh(q.unsqueeze(-2) + k.unsqueeze(-3))
    return hidden @ w_v


# --- Cases --------------------------------------------------------------------------------------


def additive_cases(rng: np.random.Generator) -> list[Case]:
    def arrays(queries, keys, hidden):
        shapes = queries, keys, (hidden, queries[-1]), (hidden, keys[-1]), (hidden,)
        return tuple(rng.standard_normal(shape).astype(np.float32) for shape in shapes)

    small = arrays((3, 4), (5, 2), hidden=6)
    return [
        Case(Message("small", "小例子：宽度不等", "A small example with unequal widths"), 1, small),
        Case(
            Message("inputs", "输入保持不变", "The inputs stay as they were"),
            1,
            small,
            keeps_inputs=True,
        ),
        Case(
            # Matrices that are square do not tell by an error that they are transposed.
            Message("square", "宽度都相等的批量", "A batch in which all widths are equal"),
            1,
            arrays((2, 3, 4), (2, 5, 4), hidden=4),
        ),
        Case(
            # As many queries as keys: what is paired up instead of compared goes through.
            Message("axes", "多个批量轴", "Several axes of batches"),
            1,
            arrays((2, 3, 5, 4), (2, 3, 5, 2), hidden=6),
        ),
        Case(
            Message("gradient", "对五个输入的梯度", "Gradients of all five inputs"),
            1,
            arrays((2, 3, 4), (2, 5, 3), hidden=6),
            gradient_of=(0, 1, 2, 3, 4),
        ),
    ]


# --- What is expected, computed in another way --------------------------------------------------


def additive_oracle(queries, keys, W_q, W_k, w_v):
    """One matrix, times each pair of query and key written one after the other."""
    queries, keys, W_q, W_k, w_v = (x.double() for x in (queries, keys, W_q, W_k, w_v))
    n, m = queries.shape[-2], keys.shape[-2]
    pairs = torch.cat(
        [queries.repeat_interleave(m, dim=-2), keys.repeat(*[1] * (keys.ndim - 2), n, 1)], dim=-1
    )
    hidden = torch.tanh(torch.einsum("...d,hd->...h", pairs, torch.cat([W_q, W_k], dim=1)))
    return torch.einsum("...h,h->...", hidden, w_v).unflatten(-1, (n, m))


# --- Mistakes that are often made ---------------------------------------------------------------


def scored_with(combine: Callable) -> Callable:
    """Scores of projected queries (..., n, 1, hidden) and keys (..., 1, m, hidden)."""

    def score(queries, keys, W_q, W_k, w_v):
        q, k = (queries @ W_q.T).unsqueeze(-2), (keys @ W_k.T).unsqueeze(-3)
        return combine(q, k, w_v)

    return score


def matrices_as_they_are(queries, keys, W_q, W_k, w_v):
    return additive_scores(queries, keys, W_q.T, W_k.T, w_v)


NO_TANH = Message(
    "no-tanh",
    "缺少 tanh：没有它，分数只是查询的一项加上键的一项，softmax 之后查询就不起作用了。",
    "The tanh is missing: without it a score is a part of the query plus a part of the key, and "
    "after the softmax the query has no say.",
)
OTHER_FUNCTION = Message(
    "not-tanh",
    "激活函数不是 tanh（用了 sigmoid 或 ReLU？）。",
    "The activation is not the tanh (but sigmoid or ReLU?).",
)
TANH_EACH = Message(
    "tanh-of-each",
    "对查询和键分别做了 tanh：应当先相加，再做 tanh，否则两者互不影响。",
    "The tanh is taken of query and key separately: add first, then take the tanh, or neither "
    "affects the other.",
)
TANH_LAST = Message(
    "tanh-last",
    "tanh 放在了最后：应当先做 tanh，再与 w_v 相乘求和。",
    "The tanh comes last: take the tanh first, then multiply with w_v and add up.",
)
MULTIPLIED = Message(
    "multiplied",
    "投影后的查询和键被相乘了：加性注意力把它们相加。",
    "The projected query and key are multiplied: additive attention adds them.",
)
SUBTRACTED = Message(
    "subtracted",
    "投影后的查询和键被相减了：加性注意力把它们相加。",
    "The projected query and key are subtracted: additive attention adds them.",
)
NO_VECTOR = Message(
    "no-vector",
    "没有用 w_v：隐藏单元只是求了和或平均。",
    "w_v is not used: the hidden units are only added up or averaged.",
)
SCALED = Message(
    "additive-scaled",
    "分数除以了宽度或宽度的平方根：加性注意力的分数不缩放。",
    "The scores are divided by a width or its root: additive scores are not scaled.",
)
SOFTMAXED = Message(
    "weights-for-scores",
    "返回的是 softmax 之后的权重：这里要的是分数。",
    "The weights after a softmax are returned: the scores are wanted here.",
)
MATRIX_TRANSPOSED = Message(
    "matrix-transposed",
    "W 乘的方向不对：W 的形状是 (hidden, d)，应当是 queries @ W_q.T。",
    "W is multiplied the wrong way round: its shape is (hidden, d), so it is queries @ W_q.T.",
)
MATRICES_SWAPPED = Message(
    "matrices-swapped",
    "W_q 和 W_k 用反了：W_q 属于查询，W_k 属于键。",
    "W_q and W_k have changed places: W_q belongs to the queries, W_k to the keys.",
)
NO_KEYS = Message(
    "one-side-only",
    "分数只取决于查询或只取决于键：两者都要进入 tanh。",
    "The score depends on the query only, or on the key only: both belong into the tanh.",
)
HIDDEN_KEPT = Message(
    "hidden-kept",
    "隐藏单元那个轴还在：应当与 w_v 相乘后求和，每对查询和键只得一个数。",
    "The axis of hidden units is still there: multiply with w_v and add up, so that each query "
    "and key get one number.",
)

ADDITIVE_SCORES = Question(
    name="1 additive_scores",
    solution=additive_scores,
    oracle=additive_oracle,
    make_cases=additive_cases,
    mistakes=(
        Mistake(NO_TANH, scored_with(lambda q, k, v: (q + k) @ v)),
        Mistake(OTHER_FUNCTION, scored_with(lambda q, k, v: (q + k).sigmoid() @ v)),
        Mistake(OTHER_FUNCTION, scored_with(lambda q, k, v: (q + k).relu() @ v)),
        Mistake(TANH_EACH, scored_with(lambda q, k, v: (q.tanh() + k.tanh()) @ v)),
        Mistake(TANH_LAST, scored_with(lambda q, k, v: ((q + k) @ v).tanh())),
        Mistake(TANH_LAST, scored_with(lambda q, k, v: ((q + k).tanh() @ v).tanh())),
        Mistake(MULTIPLIED, scored_with(lambda q, k, v: (q * k).tanh() @ v)),
        Mistake(MULTIPLIED, scored_with(lambda q, k, v: (q * k) @ v)),
        Mistake(SUBTRACTED, scored_with(lambda q, k, v: (q - k).tanh() @ v)),
        Mistake(NO_VECTOR, scored_with(lambda q, k, v: (q + k).tanh().sum(-1))),
        Mistake(NO_VECTOR, scored_with(lambda q, k, v: (q + k).tanh().mean(-1))),
        Mistake(SCALED, scored_with(lambda q, k, v: (q + k).tanh() @ v / len(v) ** 0.5)),
        Mistake(SCALED, scored_with(lambda q, k, v: (q + k).tanh() @ v / len(v))),
        Mistake(SOFTMAXED, scored_with(lambda q, k, v: ((q + k).tanh() @ v).softmax(-1))),
        Mistake(ROLES, scored_with(lambda q, k, v: ((q + k).tanh() @ v).mT)),
        Mistake(NO_KEYS, scored_with(lambda q, k, v: (q + 0 * k).tanh() @ v)),
        Mistake(NO_KEYS, scored_with(lambda q, k, v: (0 * q + k).tanh() @ v)),
        Mistake(HIDDEN_KEPT, scored_with(lambda q, k, v: (q + k).tanh() * v)),
        Mistake(HIDDEN_KEPT, scored_with(lambda q, k, v: (q + k).tanh())),
        Mistake(MATRIX_TRANSPOSED, matrices_as_they_are),
        Mistake(MATRICES_SWAPPED, lambda q, k, W_q, W_k, w_v: additive_scores(q, k, W_k, W_q, w_v)),
    ),
)
