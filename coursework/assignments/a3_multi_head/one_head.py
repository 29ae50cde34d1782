"""An experiment: what a head has to do with, when there are many."""

from collections.abc import Callable

import numpy as np
import torch

from coursework.assignments.reasons import NO_SCALE, SCALE_D, SCALE_MODEL
from coursework.questions.cases import Case, Message, Mistake, Question


def measure_head(d_model, heads, length, samples):
    """Three numbers about attention whose width is shared among the heads.

    The number of parameters of all matrices together (no biases); the rank of one head's scores
    in the first sample; and the variance of its scaled scores over all samples. In each sample,
    length queries and as many keys are standard normal, and W_q and W_k of the head are normal
    with variance 1 / d_model.
    """
    d_head = d_model // heads
    parameters = 3 * heads * d_head * d_model + d_model * d_model
    W_q, W_k = torch.randn(2, samples, d_model, d_head) / d_model**0.5
    queries, keys = torch.randn(2, samples, length, d_model)
    scores = (queries @ W_q) @ (keys @ W_k).transpose(-2, -1) / d_head**0.5
    return torch.tensor([parameters, torch.linalg.matrix_rank(scores[0]), scores.var()])


def head_cases(rng: np.random.Generator) -> list[Case]:
    def case(name, zh, en, heads, samples):
        numbers = {"d_model": 24, "heads": heads, "length": int(rng.integers(9, 12))}
        return Case(
            Message(name, zh, en),
            1,
            (),
            numbers | {"samples": samples},
            # More than six standard deviations of the variance that so many samples give.
            relative=0.2,
        )

    return [
        case("one", "一个头", "One head", 1, 200),
        case("some", "几个头", "A few heads", int(rng.choice([4, 6])), 600),
        case("many", "许多个头", "Many heads", int(rng.choice([8, 12])), 600),
    ]


def theory(d_model, heads, length, samples):
    """Neither the size nor the variance depends on the number of heads, but the rank does."""
    return torch.tensor([4.0 * d_model**2, min(length, d_model // heads), 1.0])


def measured_with(
    width: Callable = lambda d_model, heads: d_model // heads,
    scale: Callable = lambda d_model, d_head: d_head**-0.5,
    parameters: Callable = lambda d_model, heads: 4 * d_model**2,
    draw_matrix: Callable = lambda *size: torch.randn(size) / size[1] ** 0.5,
) -> Callable:
    """The same measurement, with one part of it done in another way."""

    def measure(d_model, heads, length, samples):
        d_head = width(d_model, heads)
        q, k = (
            torch.randn(samples, length, d_model) @ draw_matrix(samples, d_model, d_head)
            for _ in range(2)
        )
        scores = q @ k.mT * scale(d_model, d_head)
        rank = torch.linalg.matrix_rank(scores[0])
        return torch.tensor([parameters(d_model, heads), rank, scores.var()])

    return measure


RANK = Message(
    "rank-too-large",
    "秩太大：一个头的宽度是 d_model / heads，不是 d_model；"
    "而且要的是分数的秩，不是 softmax 之后权重的秩。",
    "The rank is too large: a head is d_model / heads wide, not d_model, and the rank is that of "
    "the scores, not of the weights after the softmax.",
)
ONE_HEADS_SHARE = Message(
    "parameters-of-one-head",
    "只数了一个头的参数：应当数所有头的，外加 W_o。",
    "Only one head's parameters are counted: count those of all heads, and W_o.",
)
NO_OUTPUT_MATRIX = Message(
    "output-not-counted",
    "参数里少数了 W_o。",
    "W_o is missing from the count of parameters.",
)
TIMES_HEADS = Message(
    "parameters-times-heads",
    "参数数成了 heads 倍：每个头的矩阵只有 d_model / heads 行。",
    "The parameters are counted heads times too often: a head's matrices have only "
    "d_model / heads rows.",
)
UNSCALED_MATRICES = Message(
    "matrices-too-large",
    "W_q 和 W_k 的方差应当是 1 / d_model，这里是 1。",
    "The variance of W_q and W_k should be 1 / d_model; here it is 1.",
)
ORDER = Message(
    "order", "三个数的次序不对：参数个数、秩、方差。", "The order is: parameters, rank, variance."
)

MEASURE_HEAD = Question(
    name="3 measure_head",
    solution=measure_head,
    oracle=theory,
    make_cases=head_cases,
    mistakes=(
        Mistake(NO_SCALE, measured_with(scale=lambda d_model, d_head: 1)),
        Mistake(SCALE_D, measured_with(scale=lambda d_model, d_head: 1 / d_head)),
        Mistake(SCALE_MODEL, measured_with(scale=lambda d_model, d_head: d_model**-0.5)),
        Mistake(RANK, measured_with(width=lambda d_model, heads: d_model)),
        Mistake(
            ONE_HEADS_SHARE,
            measured_with(parameters=lambda d_model, heads: 4 * d_model**2 // heads),
        ),
        Mistake(
            ONE_HEADS_SHARE,
            measured_with(parameters=lambda d_model, heads: 3 * d_model**2 // heads),
        ),
        Mistake(
            ONE_HEADS_SHARE,
            measured_with(parameters=lambda d_model, h: 3 * d_model**2 // h + d_model**2),
        ),
        Mistake(NO_OUTPUT_MATRIX, measured_with(parameters=lambda d_model, heads: 3 * d_model**2)),
        Mistake(
            TIMES_HEADS, measured_with(parameters=lambda d_model, heads: 4 * d_model**2 * heads)
        ),
        Mistake(
            TIMES_HEADS,
            measured_with(parameters=lambda d_model, h: (3 * h + 1) * d_model**2),
        ),
        Mistake(UNSCALED_MATRICES, measured_with(draw_matrix=torch.randn)),
        Mistake(ORDER, lambda **numbers: measured_with()(**numbers)[[1, 0, 2]]),
        Mistake(ORDER, lambda **numbers: measured_with()(**numbers)[[0, 2, 1]]),
        Mistake(ORDER, lambda **numbers: measured_with()(**numbers).flip(0)),
    ),
)
