"""Assignment 1: the masked softmax, and scaled dot-product attention built on it."""

import math

import numpy as np
import torch
import torch.nn.functional as F

from coursework.cases import Assignment, Case, Mistake, Question, Reason

# --- What a good student writes -----------------------------------------------------------------


def masked_softmax(scores, mask, dim=-1):
    """Softmax of scores over dim; where mask is False, the weight is 0.

    A row in which nothing is allowed gets zeros.
    """
    scores = scores.masked_fill(~mask, -math.inf)
    largest = scores.amax(dim, keepdim=True)
    largest = largest.masked_fill(largest == -math.inf, 0.0)
    exponentials = torch.exp(scores - largest)
    total = exponentials.sum(dim, keepdim=True)
    return exponentials / total.masked_fill(total == 0, 1.0)


def sdpa(q, k, v, mask=None):
    """Attend from q (..., n, d) to k (..., m, d) and v (..., m, d_v).

    The mask broadcasts to (..., n, m), True = may attend.
    """
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    if mask is None:
        mask = torch.ones_like(scores, dtype=torch.bool)
    return masked_softmax(scores, mask.expand_as(scores), dim=-1) @ v


# --- Cases --------------------------------------------------------------------------------------


def masked_softmax_cases(rng: np.random.Generator) -> list[Case]:
    def scores(*shape):
        return rng.standard_normal(shape).astype(np.float32)

    def mask(*shape):
        """About a third is hidden, but never a whole row or column, and never nothing."""
        while True:
            drawn = rng.random(shape) > 0.35
            some = [drawn.any(axis).all() and not drawn.all(axis).all() for axis in (0, 1)]
            if all(some):
                return drawn

    one_row_empty = np.ones((3, 5), dtype=bool)
    one_row_empty[rng.integers(3)] = False
    large = 1000 * (1 + rng.random((2, 1))) + scores(2, 4)
    small, small_mask = scores(3, 4), mask(3, 4)
    return [
        Case(
            Reason("small", "小例子：每行的权重", "A small example: the weights of each row"),
            1,
            (small, small_mask),
        ),
        Case(
            Reason("inputs", "输入保持不变", "The inputs stay as they were"),
            1,
            (small, small_mask),
            keeps_inputs=True,
        ),
        Case(
            Reason("large", "分数很大时不溢出", "Large scores do not overflow"),
            1,
            (large.astype(np.float32), np.ones((2, 4), dtype=bool)),
            tolerance=1e-4,
        ),
        Case(
            Reason("empty", "全部被掩蔽的行得到 0", "A row with nothing allowed gets zeros"),
            1,
            (scores(3, 5), one_row_empty),
        ),
        Case(
            Reason("dim", "遵守参数 dim", "The argument dim is respected"),
            1,
            (scores(4, 5), mask(4, 5)),
            {"dim": 0},
        ),
    ]


def sdpa_cases(rng: np.random.Generator) -> list[Case]:
    def normal(*shape):
        return rng.standard_normal(shape).astype(np.float32)

    equal_keys = (normal(2, 4, 8), np.zeros((2, 6, 8), dtype=np.float32), normal(2, 6, 3))
    # As many heads as queries and keys would hide a mix-up of the axes.
    q, k, v = normal(2, 3, 5, 16), normal(2, 3, 5, 16), normal(2, 3, 5, 16)
    causal = np.tril(np.ones((5, 5), dtype=bool))
    return [
        Case(
            Reason("equal-keys", "键都相同时，输出是值的平均", "Equal keys average the values"),
            1,
            equal_keys,
        ),
        Case(
            Reason("inputs", "输入保持不变", "The inputs stay as they were"),
            1,
            equal_keys,
            keeps_inputs=True,
        ),
        Case(Reason("heads", "四维批量，无掩码", "Batches of heads, without a mask"), 1, (q, k, v)),
        Case(
            Reason("causal", "可广播的因果掩码", "A causal mask that broadcasts"),
            1,
            (q, k, v),
            {"mask": causal},
        ),
        Case(
            Reason("gradient", "对查询、键、值的梯度", "Gradients of queries, keys and values"),
            1,
            (q, k, v),
            {"mask": causal},
            gradient_of=(0, 1, 2),
        ),
    ]


# --- What is expected, computed in another way --------------------------------------------------


def weights_oracle(scores, mask, dim=-1):
    exponentials = torch.exp(scores.double() - scores.double().amax(dim, keepdim=True)) * mask
    return exponentials / exponentials.sum(dim, keepdim=True).clamp_min(1e-300)


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


def hide(scores, mask):
    return scores.masked_fill(~mask, -math.inf)


def naive(scores, mask, dim=-1):
    exponentials = torch.exp(hide(scores, mask))
    return exponentials / exponentials.sum(dim, keepdim=True).clamp_min(1e-30)


def mix_heads(q, k, v, mask=None):
    """Attend between the heads of one position, instead of the positions of one head."""
    if q.ndim == 4:
        q, k, v = (x.transpose(1, 2) for x in (q, k, v))
    output = attend_with()(q, k, v, mask)
    return output.transpose(1, 2) if q.ndim == 4 else output


IGNORED = Reason(
    "mask-ignored",
    "掩码没有起作用：被掩蔽的位置仍有权重。",
    "The mask has no effect: hidden positions still get weight.",
)
INVERTED = Reason(
    "mask-inverted",
    "掩码用反了：True 表示可以关注，这里却被当作要掩蔽的位置。",
    "The mask is inverted: True means may attend, but here it hides.",
)
AFTER = Reason(
    "mask-after-softmax",
    "掩码加在 softmax 之后：剩下的权重之和不再是 1。应当先掩蔽分数，再做 softmax。",
    "The mask comes after the softmax: the weights that remain no longer sum to 1. "
    "Mask the scores first.",
)
ZERO_SCORE = Reason(
    "masked-to-zero",
    "被掩蔽的分数设成了 0，但 exp(0) = 1，仍然有权重。应当设为负无穷。",
    "Hidden scores are set to 0, but exp(0) = 1 still has weight. Set them to minus infinity.",
)
FINITE = Reason(
    "finite-fill",
    "掩蔽时用了有限的数（如 −1e9）：全部被掩蔽的行得到均匀的权重，而不是 0。",
    "Hidden scores are filled with a finite number (such as −1e9): a row with nothing allowed "
    "gets even weights instead of zeros.",
)
EMPTY_ROW = Reason(
    "nan-on-empty-row",
    "全部被掩蔽的行得到 NaN：负无穷的 softmax 是 0/0。这样的行应当是 0。",
    "A row with nothing allowed gives NaN: the softmax of minus infinity alone is 0/0. "
    "Such a row should be zeros.",
)
OVERFLOW = Reason(
    "overflow",
    "分数很大时 exp 溢出，得到 NaN。先减去每行的最大值。",
    "With large scores exp overflows, and NaN results. Subtract the largest score first.",
)
LAST_AXIS = Reason(
    "dim-ignored",
    "参数 dim 没有起作用：softmax 总是沿最后一个轴。",
    "The argument dim has no effect: the softmax always runs over the last axis.",
)
WRONG_AXIS = Reason(
    "wrong-axis",
    "softmax 沿错误的轴：应当对每个查询，在所有键上归一化。",
    "The softmax runs over the wrong axis: normalise over the keys, for each query.",
)
NOT_NORMALISED = Reason(
    "not-normalised",
    "权重没有归一化：少了除以总和这一步。",
    "The weights are not normalised: the division by their sum is missing.",
)
LOGARITHM = Reason(
    "log-softmax",
    "返回的是权重的对数，而不是权重。",
    "The logarithms of the weights are returned, not the weights.",
)
NO_SCALE = Reason(
    "no-scale",
    "分数没有缩放：点积应当除以 √d。",
    "The scores are not scaled: divide the dot products by √d.",
)
SCALE_D = Reason(
    "scale-by-d",
    "缩放用了 d 而不是 √d。",
    "The scores are divided by d instead of √d.",
)
SCALE_UP = Reason(
    "scale-inverted",
    "缩放用反了：点积应当除以 √d，而不是乘以 √d。",
    "The scale is inverted: divide the dot products by √d, do not multiply.",
)
SCALE_LENGTH = Reason(
    "scale-by-length",
    "缩放用了序列长度：d 是查询和键的维度，即最后一个轴。",
    "The scale is taken from the sequence length: d is the width of queries and keys, "
    "their last axis.",
)
SCALE_LATE = Reason(
    "scale-after-softmax",
    "缩放放在了 softmax 之后：应当缩放的是分数，不是权重。",
    "The scale comes after the softmax: scale the scores, not the weights.",
)
ADDED = Reason(
    "mask-added",
    "布尔掩码被当作 0 和 1 加到分数上：被掩蔽的位置仍有权重。",
    "The Boolean mask is added to the scores as 0 and 1: hidden positions still get weight.",
)
NO_SOFTMAX = Reason(
    "no-softmax",
    "分数没有经过 softmax 就乘以了值。",
    "The scores are multiplied with the values without a softmax.",
)
NO_VALUES = Reason(
    "weights-returned",
    "返回的是注意力权重：还要乘以值。",
    "The attention weights are returned: they still have to be multiplied with the values.",
)
TRANSPOSED = Reason(
    "view-for-transpose",
    "转置键用了 view 或 reshape：那样会打乱元素。应当交换最后两个轴。",
    "The keys are transposed with view or reshape, which shuffles them. Swap the last two axes.",
)
HEADS_MIXED = Reason(
    "heads-mixed",
    "交换轴时用了 (1, 2)：有头的轴时，这会把头和位置混在一起。应当用 (-2, -1)。",
    "Axes 1 and 2 are swapped: with an axis of heads, this mixes heads and positions. "
    "Swap -2 and -1.",
)
ROLES = Reason(
    "queries-and-keys-swapped",
    "查询和键的角色颠倒了：分数的行应当对应查询。",
    "Queries and keys have changed places: a row of scores belongs to a query.",
)

MASKED_SOFTMAX = Question(
    name="1 masked_softmax",
    solution=masked_softmax,
    oracle=weights_oracle,
    make_cases=masked_softmax_cases,
    mistakes=(
        Mistake(EMPTY_ROW, lambda s, m, dim=-1: hide(s, m).softmax(dim)),
        Mistake(OVERFLOW, naive),
        Mistake(OVERFLOW, lambda s, m, dim=-1: naive(s, m, dim).nan_to_num()),
        Mistake(LAST_AXIS, lambda s, m, dim=-1: hide(s, m).softmax(-1).nan_to_num()),
        Mistake(WRONG_AXIS, lambda s, m, dim=-1: hide(s, m).softmax(-1 - dim).nan_to_num()),
        Mistake(FINITE, lambda s, m, dim=-1: s.masked_fill(~m, -1e9).softmax(dim)),
        Mistake(FINITE, lambda s, m, dim=-1: (s + ~m * -1e4).softmax(dim)),
        Mistake(IGNORED, lambda s, m, dim=-1: s.softmax(dim)),
        Mistake(INVERTED, lambda s, m, dim=-1: hide(s, ~m).softmax(dim)),
        Mistake(AFTER, lambda s, m, dim=-1: s.softmax(dim) * m),
        Mistake(ZERO_SCORE, lambda s, m, dim=-1: (s * m).softmax(dim)),
        Mistake(NOT_NORMALISED, lambda s, m, dim=-1: hide(s, m).exp()),
        Mistake(LOGARITHM, lambda s, m, dim=-1: hide(s, m).log_softmax(dim)),
    ),
)

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

ASSIGNMENT = Assignment(
    name="a1_scores",
    imports="import math\n\nimport torch",
    questions=(MASKED_SOFTMAX, SDPA),
    forbidden=(
        "torch.nn.functional.scaled_dot_product_attention",
        "torch._C._nn.scaled_dot_product_attention",
    ),
)
