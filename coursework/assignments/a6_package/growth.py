"""A measurement: how the numbers grow in a deep stack, with and without normalisation."""

import math

import numpy as np
import torch

from coursework.questions.cases import Case, Message, Mistake, Question


def run_growth(depth, d_model, tokens):
    """The mean square of x after depth random sublayers, with normalisation first and without.

    x is standard normal, of shape (tokens, d_model). Each sublayer multiplies by a new random
    matrix with entries of mean 0 and variance 1/d_model, and adds the result to x: first for
    x + normalise(x) @ w, then, from a new x, for x + x @ w. Gives two numbers.
    """
    results = []
    for normalise in (True, False):
        x = torch.randn(tokens, d_model)
        for _ in range(depth):
            w = torch.randn(d_model, d_model) / math.sqrt(d_model)
            h = torch.nn.functional.layer_norm(x, (d_model,)) if normalise else x
            x = x + h @ w
        results.append(x.square().mean())
    return torch.stack(results)


def growth_cases(rng: np.random.Generator) -> list[Case]:
    # By chance, the numbers of 40 runs had a standard deviation of 3 %.
    shallow = {"depth": 3, "d_model": int(rng.integers(150, 180)), "tokens": 300}
    deep = {"depth": int(rng.integers(6, 9)), "d_model": int(rng.integers(180, 220)), "tokens": 300}
    return [
        Case(Message("shallow", "三个子层", "Three sublayers"), 1, (), shallow, relative=0.25),
        Case(Message("deep", "更多子层", "More sublayers"), 1, (), deep, relative=0.25),
    ]


def theory(normalised, bare):
    """The two mean squares as functions of the depth."""

    def growth(depth, d_model, tokens):
        return torch.tensor([normalised(depth), bare(depth)], dtype=torch.float64)

    return growth


ORDER = Message(
    "order",
    "两个数的顺序反了：先是有规范化的。",
    "The two numbers are in the wrong order: the one with normalisation comes first.",
)
ROOT = Message(
    "root-taken",
    "返回的是均方根：要的是均方，不要开方。",
    "Root mean squares are returned: the mean squares are asked for.",
)
NEVER = Message(
    "never-normalised",
    "两次都没有规范化。",
    "Neither of the two stacks is normalised.",
)
ALWAYS = Message(
    "always-normalised",
    "两次都有规范化：第二次应当没有。",
    "Both stacks are normalised: the second one should not be.",
)
NO_RESIDUAL = Message(
    "no-residual",
    "没有残差连接：每个子层的结果要加到 x 上。",
    "There is no residual connection: what a sublayer gives is added to x.",
)
NORM_LAST = Message(
    "post-norm",
    "规范化放在了相加之后：均方总是 1，增长看不见了。",
    "The normalisation comes after the sum, so that the mean square is always 1.",
)
ONE_FEWER = Message("depth-off-by-one", "层数差了一。", "The number of sublayers is off by one.")
WEIGHTS = Message(
    "weights-not-scaled",
    "随机矩阵的方差不对：应当是 1/d_model，标准差是 1/√d_model。",
    "The random matrices have the wrong variance: it is 1/d_model, the deviation 1/√d_model.",
)


def unscaled(depth, d_model, tokens):
    """Entries of variance 1 multiply the mean square by d_model."""
    numbers = [1 + depth * d_model, (1.0 + d_model) ** depth]
    return torch.tensor(numbers, dtype=torch.float64)


GROWTH = Question(
    name="4 run_growth",
    solution=run_growth,
    oracle=theory(lambda n: 1 + n, lambda n: 2**n),
    make_cases=growth_cases,
    mistakes=(
        Mistake(ORDER, theory(lambda n: 2**n, lambda n: 1 + n)),
        Mistake(ROOT, theory(lambda n: math.sqrt(1 + n), lambda n: 2 ** (n / 2))),
        Mistake(NEVER, theory(lambda n: 2**n, lambda n: 2**n)),
        Mistake(ALWAYS, theory(lambda n: 1 + n, lambda n: 1 + n)),
        Mistake(NO_RESIDUAL, theory(lambda n: 1, lambda n: 1)),
        Mistake(NORM_LAST, theory(lambda n: 1, lambda n: 2**n)),
        Mistake(ONE_FEWER, theory(lambda n: n, lambda n: 2 ** (n - 1))),
        Mistake(ONE_FEWER, theory(lambda n: n + 2, lambda n: 2 ** (n + 1))),
        Mistake(WEIGHTS, unscaled),
    ),
)
