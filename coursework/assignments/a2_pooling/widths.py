"""An experiment: which error tells how wide a kernel should be."""

from collections.abc import Callable

import numpy as np
import torch

from coursework.assignments.a2_pooling.kernel import kernel_regression
from coursework.questions.cases import Case, Message, Mistake, Question


def measure_errors(keys, curve, widths, noise, samples):
    """Three mean squared errors of kernel regression for each width, shape (len(widths), 3).

    Values are seen at keys (m, 1): the curve (m,) plus normal noise, drawn anew in each of the
    samples. The errors are that of the estimate at the keys against the values seen, the same
    leave-one-out, and that of the estimate (nothing left out) against the curve.
    """
    truth = curve.unsqueeze(-1)
    seen = truth + noise * torch.randn(len(keys), samples)
    rows = []
    for width in widths:
        estimate = kernel_regression(keys, keys, seen, width)
        from_others = kernel_regression(keys, keys, seen, width, leave_one_out=True)
        pairs = (estimate, seen), (from_others, seen), (estimate, truth)
        rows.append(torch.stack([(a - b).square().mean() for a, b in pairs]))
    return torch.stack(rows)


def width_cases(rng: np.random.Generator) -> list[Case]:
    points = int(rng.integers(16, 21))
    keys = np.linspace(0, 5, points) + rng.uniform(-0.05, 0.05, points)
    curve = 2 * np.sin(keys + rng.random())
    # From far less than the distance of two points to more than the length of the curve.
    widths = np.array([0.02, 0.4, 1.0, 20.0]) * (1 + rng.random(4) / 4)

    def case(name, zh, en, curve, noise):
        arguments = keys[:, None], curve, widths
        return Case(
            Message(name, zh, en),
            1,
            tuple(array.astype(np.float32) for array in arguments),
            {"noise": noise, "samples": 2000},
            tolerance=0.002,
            # Six standard deviations and more, even where the average of all values is the
            # estimate: a sample gives but one square of a normal number there, and the mean of
            # the samples varies by √(2/2000) = 3 %.
            relative=0.19,
        )

    return [
        case("curve", "曲线加噪声", "A curve with noise", curve, 0.3 + 0.1 * rng.random()),
        case("noise", "只有噪声", "Noise alone", 0 * curve, 0.7 + 0.1 * rng.random()),
        case("no-noise", "没有噪声", "No noise", curve, 0.0),
    ]


def theory(keys, curve, widths, noise, samples):
    """Bias and variance, exactly: an estimate is a fixed matrix times the values seen."""
    keys, curve, one = keys.double(), curve.double(), torch.eye(len(keys)).double()
    squares = (keys - keys.T).square()
    rows = []
    for width in widths.double():
        scores = -squares / (2 * width**2)
        smooth = scores.softmax(-1)
        others = scores.masked_fill(one.bool(), -torch.inf).softmax(-1)
        rows.append(
            [
                (matrix @ curve).square().mean()
                + noise**2 * (matrix if seen else smooth).square().sum(-1).mean()
                for matrix, seen in (
                    (one - smooth, True),
                    (one - others, True),
                    (one - smooth, False),
                )
            ]
        )
    return torch.tensor(rows)


def measured_with(
    draw: Callable = lambda curve, noise, *size: curve[:, None] + noise * torch.randn(size),
    pairs: Callable = lambda fit, others, seen, truth: ((fit, seen), (others, seen), (fit, truth)),
    error: Callable = lambda a, b: (a - b).square().mean(),
    again: bool = False,
) -> Callable:
    """The same measurement, with one part of it done in another way."""

    def measure(keys, curve, widths, noise, samples):
        seen = draw(curve, noise, len(keys), samples)
        compared = draw(curve, noise, len(keys), samples) if again else seen
        rows = []
        for width in widths:
            estimates = (kernel_regression(keys, keys, seen, width, out) for out in (False, True))
            rows.append([error(a, b) for a, b in pairs(*estimates, compared, curve[:, None])])
        return torch.tensor(rows)

    return measure


AGAINST_CURVE = Message(
    "leave-one-out-against-curve",
    "留一的误差与真实曲线比较了：真实曲线通常是不知道的，应当与量到的值比较。",
    "The leave-one-out error is taken against the curve, which nobody knows in practice: compare "
    "with the values seen.",
)
NOT_LEFT_OUT = Message(
    "nothing-left-out",
    "第二列没有留一：与第一列是同一个误差。",
    "Nothing is left out in the second column: it is the same error as the first.",
)
AGAINST_VALUES = Message(
    "third-against-values",
    "第三列与量到的值比较了：应当与真实曲线比较。",
    "The third column is taken against the values seen: compare with the curve.",
)
THIRD_LEFT_OUT = Message(
    "third-left-out",
    "第三列用了留一的估计：应当用什么都不去掉的估计。",
    "The third column uses the leave-one-out estimate: use the one with nothing left out.",
)
FRESH = Message(
    "fresh-noise",
    "比较时又抽了一次噪声：估计和比较要用同样的值。",
    "The noise is drawn again for the comparison: estimate from and compare with the same values.",
)
ROOT = Message("root", "给出的是均方误差的平方根。", "The root of the mean squared error is given.")
ABSOLUTE = Message(
    "absolute-error", "误差没有平方，用了绝对值。", "The errors are absolute, not squared."
)
SUMMED = Message(
    "summed",
    "误差求了和：应当对所有点和样本求平均。",
    "The errors are added up: take their mean over all points and samples.",
)
VARIANCE = Message(
    "noise-is-a-deviation",
    "noise 是标准差：噪声是 noise 乘以标准正态的随机数。",
    "noise is a standard deviation: multiply it with standard normal numbers.",
)
UNIFORM = Message(
    "uniform-noise",
    "噪声不是正态的：rand 是 [0, 1) 上的均匀分布，应当用 randn。",
    "The noise is not normal: rand draws evenly from [0, 1); use randn.",
)
NOISELESS = Message("no-noise-added", "没有加上噪声。", "No noise is added.")
COLUMNS = Message(
    "columns",
    "列的次序不对：应当是样本内误差、留一误差、与真实曲线的误差。",
    "The columns are in another order: in-sample error, leave-one-out error, error against the "
    "curve.",
)
TABLE_TRANSPOSED = Message(
    "table-transposed",
    "行和列颠倒了：一行对应一个宽度，一列对应一种误差。",
    "Rows and columns have changed places: a row for each width, a column for each error.",
)

MEASURE_ERRORS = Question(
    name="3 measure_errors",
    solution=measure_errors,
    oracle=theory,
    make_cases=width_cases,
    mistakes=(
        Mistake(AGAINST_CURVE, measured_with(pairs=lambda f, o, y, t: ((f, y), (o, t), (f, t)))),
        Mistake(NOT_LEFT_OUT, measured_with(pairs=lambda f, o, y, t: ((f, y), (f, y), (f, t)))),
        Mistake(AGAINST_VALUES, measured_with(pairs=lambda f, o, y, t: ((f, y), (o, y), (f, y)))),
        Mistake(THIRD_LEFT_OUT, measured_with(pairs=lambda f, o, y, t: ((f, y), (o, y), (o, t)))),
        Mistake(COLUMNS, measured_with(pairs=lambda f, o, y, t: ((o, y), (f, y), (f, t)))),
        Mistake(COLUMNS, measured_with(pairs=lambda f, o, y, t: ((f, t), (o, y), (f, y)))),
        Mistake(FRESH, measured_with(again=True)),
        Mistake(ROOT, measured_with(error=lambda a, b: (a - b).square().mean().sqrt())),
        Mistake(ABSOLUTE, measured_with(error=lambda a, b: (a - b).abs().mean())),
        Mistake(SUMMED, measured_with(error=lambda a, b: (a - b).square().sum())),
        Mistake(SUMMED, measured_with(error=lambda a, b: (a - b).square().sum(0).mean())),
        Mistake(
            VARIANCE,
            measured_with(lambda c, noise, *size: c[:, None] + noise**2 * torch.randn(size)),
        ),
        Mistake(
            VARIANCE,
            measured_with(lambda c, noise, *size: c[:, None] + noise**0.5 * torch.randn(size)),
        ),
        Mistake(
            UNIFORM, measured_with(lambda c, noise, *size: c[:, None] + noise * torch.rand(size))
        ),
        Mistake(NOISELESS, measured_with(lambda c, noise, *size: c[:, None].expand(size))),
        Mistake(TABLE_TRANSPOSED, lambda *given, **more: measured_with()(*given, **more).T),
    ),
)
