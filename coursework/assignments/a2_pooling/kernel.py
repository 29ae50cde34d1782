"""Kernel regression as attention: the nearer a key, the more its value counts."""

import math
from collections.abc import Callable

import numpy as np
import torch

from coursework.assignments.reasons import NO_VALUES, NOT_NORMALISED, WRONG_AXIS
from coursework.questions.cases import Case, Message, Mistake, Question

# --- What a good student writes -----------------------------------------------------------------


def kernel_regression(queries, keys, values, width, leave_one_out=False):
    """Average values (m, d_v), seen at keys (m, d), near each query (n, d), giving (n, d_v).

    With leave_one_out the queries are the keys themselves, and none may attend to itself.
    """
    differences = queries.unsqueeze(1) - keys.unsqueeze(0)
    scores = -differences.square().sum(-1) / (2 * width**2)
    if leave_one_out:
        itself = torch.eye(len(keys), dtype=torch.bool)
        scores = scores.masked_fill(itself, -math.inf)
    return torch.softmax(scores, dim=-1) @ values


# --- Cases --------------------------------------------------------------------------------------


def kernel_cases(rng: np.random.Generator) -> list[Case]:
    def normal(*shape):
        return rng.standard_normal(shape).astype(np.float32)

    def a_width(low):
        return np.array(low * (1 + rng.random() / 4), dtype=np.float32)

    small = normal(4, 1), normal(6, 1), normal(6, 1), a_width(0.5)
    keys = normal(7, 2)
    # Every kernel of a far query is 0 in single precision. The keys are so close to each other
    # that several have a say, and the weights can be told from wrong ones.
    far = (13 + rng.random((3, 1))).astype(np.float32), 0.03 * normal(6, 1), normal(6, 1)
    return [
        Case(Message("small", "小例子：一个特征", "A small example with one feature"), 1, small),
        Case(
            Message("inputs", "输入保持不变", "The inputs stay as they were"),
            1,
            small,
            keeps_inputs=True,
        ),
        Case(
            Message("features", "多个特征，多个值", "Several features and several values"),
            1,
            (normal(5, 3), normal(8, 3), normal(8, 2), a_width(1.5)),
            tolerance=1e-4,  # a square may be multiplied out, which costs digits
        ),
        Case(
            Message("far", "很远的查询不得到 NaN", "A far query does not give NaN"),
            1,
            (*far, a_width(0.5)),
            tolerance=1e-3,  # scores of several hundreds have no more digits
        ),
        Case(
            Message("leave-one-out", "留一：不看自己", "Leave-one-out: none looks at itself"),
            1,
            (keys, keys, normal(7, 2), a_width(0.7)),
            {"leave_one_out": True},
            tolerance=1e-4,
        ),
        Case(
            Message("gradient", "对键、值和宽度的梯度", "Gradients of keys, values and width"),
            1,
            (normal(5, 2), normal(7, 2), normal(7, 2), a_width(0.7)),
            gradient_of=(1, 2, 3),
            tolerance=1e-4,
        ),
    ]


# --- What is expected, computed in another way --------------------------------------------------


def kernel_oracle(queries, keys, values, width, leave_one_out=False):
    """Ratios of sums of kernels, in double precision, which a far query does not exhaust."""
    queries, keys, values, width = (x.double() for x in (queries, keys, values, width))
    squares = sum((a[:, None] - b) ** 2 for a, b in zip(queries.T, keys.T, strict=True))
    kernels = torch.exp(-squares / (2 * width.pow(2)))
    if leave_one_out:
        kernels = kernels * (1 - torch.eye(len(keys)))
    return torch.stack([(kernels * column).sum(1) / kernels.sum(1) for column in values.T], dim=1)


# --- Mistakes that are often made ---------------------------------------------------------------


def regress_with(
    score: Callable = lambda d, h: -d.square().sum(-1) / (2 * h**2),
    weigh: Callable = lambda s: s.softmax(-1),
    leave_out: Callable = lambda s, itself: s.masked_fill(itself, -math.inf),
    after: Callable = lambda w, itself: w,
) -> Callable:
    """Kernel regression with one step done in another way."""

    def regress(queries, keys, values, width, leave_one_out=False):
        scores = score(queries[:, None] - keys, width)
        itself = torch.eye(len(keys), dtype=torch.bool)
        if leave_one_out:
            scores = leave_out(scores, itself)
        weights = weigh(scores)
        return (after(weights, itself) if leave_one_out else weights) @ values

    return regress


def divided(scores, least=0.0):
    kernels = scores.exp()
    return kernels / kernels.sum(-1, keepdim=True).clamp_min(least)


NOT_SQUARED = Message(
    "distance-not-squared",
    "距离没有平方：高斯核是 exp(−‖q−k‖² / 2h²)。",
    "The distance is not squared: the Gaussian kernel is exp(−‖q−k‖² / 2h²).",
)
WIDTH_NOT_SQUARED = Message(
    "width-not-squared",
    "宽度没有平方：距离的平方应当除以 2h²。",
    "The width is not squared: divide the squared distance by 2h².",
)
NO_TWO = Message(
    "two-missing",
    "分母里少了 2：高斯核是 exp(−‖q−k‖² / 2h²)。",
    "The 2 is missing: the Gaussian kernel is exp(−‖q−k‖² / 2h²).",
)
WIDTH_INVERTED = Message(
    "width-inverted",
    "宽度用反了：核越宽，远处的键权重越大；应当除以 h²，而不是乘。",
    "The width is inverted: in a wide kernel far keys get more weight, so divide by h², do not "
    "multiply.",
)
WIDTH_IGNORED = Message(
    "width-ignored", "参数 width 没有起作用。", "The argument width has no effect."
)
SIGN = Message(
    "sign",
    "符号错了：这样越远的键权重越大。",
    "The sign is wrong: this way, the farther a key, the more weight it gets.",
)
FAR = Message(
    "far-query",
    "查询离所有键都很远时，每个 exp 都成了 0，归一化得到 0/0。用 softmax，或先减去最大的分数。",
    "For a query far from all keys each exp is 0, and normalising gives 0/0. Use softmax, or "
    "subtract the largest score first.",
)
ITSELF = Message(
    "itself-included",
    "留一没有起作用：每个键仍然看到自己的值。",
    "Leave-one-out has no effect: each key still sees its own value.",
)
IN_TOTAL = Message(
    "itself-in-total",
    "自己的值去掉了，但自己的核还留在分母里：其余权重之和不再是 1。应当先掩蔽分数，再做 softmax。",
    "Its own value is left out, but its own kernel stays in the denominator: the other weights no "
    "longer sum to 1. Mask the scores before the softmax.",
)
ONLY_ITSELF = Message(
    "leave-one-out-inverted",
    "留一用反了：每个键只看自己，而应当只看其余的键。",
    "Leave-one-out is inverted: each key sees only itself, instead of only the others.",
)
FEATURES = Message(
    "distance-of-features",
    "多个特征时距离不对：应当是各特征之差的平方之和。",
    "The distance is wrong where there are several features: add up the squares of their "
    "differences.",
)
AVERAGE = Message(
    "average-pooling",
    "所有值的权重都一样：查询没有起作用。",
    "All values get the same weight: the query has no effect.",
)
VALUES_WEIGHED = Message(
    "sum-for-mean",
    "得到的是加权和除以键的个数：应当除以权重之和。",
    "The weighted sum is divided by the number of keys: divide by the sum of the weights.",
)

KERNEL_REGRESSION = Question(
    name="2 kernel_regression",
    solution=kernel_regression,
    oracle=kernel_oracle,
    make_cases=kernel_cases,
    mistakes=(
        Mistake(FAR, regress_with(weigh=divided)),
        Mistake(FAR, regress_with(weigh=lambda s: divided(s, least=1e-9))),
        Mistake(NOT_SQUARED, regress_with(lambda d, h: -d.norm(dim=-1) / (2 * h**2))),
        Mistake(NOT_SQUARED, regress_with(lambda d, h: -d.norm(dim=-1) / h)),
        Mistake(WIDTH_NOT_SQUARED, regress_with(lambda d, h: -d.square().sum(-1) / (2 * h))),
        Mistake(WIDTH_NOT_SQUARED, regress_with(lambda d, h: -d.square().sum(-1) / h)),
        Mistake(NO_TWO, regress_with(lambda d, h: -d.square().sum(-1) / h**2)),
        Mistake(WIDTH_INVERTED, regress_with(lambda d, h: -d.square().sum(-1) * h**2 / 2)),
        Mistake(WIDTH_IGNORED, regress_with(lambda d, h: -d.square().sum(-1) / 2)),
        Mistake(SIGN, regress_with(lambda d, h: d.square().sum(-1) / (2 * h**2))),
        Mistake(WRONG_AXIS, regress_with(weigh=lambda s: s.softmax(0))),
        Mistake(NOT_NORMALISED, regress_with(weigh=torch.exp)),
        Mistake(VALUES_WEIGHED, regress_with(weigh=lambda s: s.exp() / s.shape[-1])),
        Mistake(ITSELF, regress_with(leave_out=lambda s, itself: s)),
        Mistake(
            IN_TOTAL,
            regress_with(leave_out=lambda s, itself: s, after=lambda w, itself: w * ~itself),
        ),
        Mistake(ONLY_ITSELF, regress_with(leave_out=lambda s, itself: s.where(itself, -math.inf))),
        Mistake(FEATURES, regress_with(lambda d, h: -d.square().mean(-1) / (2 * h**2))),
        Mistake(FEATURES, regress_with(lambda d, h: -d.abs().sum(-1).square() / (2 * h**2))),
        Mistake(FEATURES, regress_with(lambda d, h: -d.sum(-1).square() / (2 * h**2))),
        Mistake(AVERAGE, regress_with(lambda d, h: 0 * d.sum(-1))),
        Mistake(
            NO_VALUES,
            lambda q, k, v, h, leave_one_out=False: regress_with()(
                q, k, torch.eye(len(k)), h, leave_one_out
            ),
        ),
    ),
)
