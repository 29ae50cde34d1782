"""A measurement: how many positions are projected while tokens are generated."""

import math

import numpy as np
import torch

from coursework.questions.cases import Case, Message, Mistake, Question


def count_projections(table, w_q, w_k, w_v, first, most):
    """Generate greedily, without a cache and with one, and count the positions projected to keys.

    The row of a token in table (vocabulary, d) is its embedding. After the token first, the next
    one is always the one whose row has the largest dot product with the output. It ends after
    token 0, or after most tokens. Gives two counts: without a cache, and with one.
    """
    counts = []
    for cached in (False, True):
        projected, tokens = 0, [first]
        keys, values = torch.zeros(0, w_k.shape[1]), torch.zeros(0, w_v.shape[1])
        while len(tokens) <= most and tokens[-1] != 0:
            if not cached:
                keys, values = keys[:0], values[:0]
            start = len(keys)
            positions = [position_encoding(p, table.shape[1]) for p in range(start, len(tokens))]  # noqa: F821
            rows = table[tokens[start:]] + torch.stack(positions)
            projected += len(rows)
            keys, values = torch.cat([keys, rows @ w_k]), torch.cat([values, rows @ w_v])
            weights = torch.softmax(keys @ (rows[-1] @ w_q) / math.sqrt(w_k.shape[1]), dim=0)
            tokens.append(int((table @ (weights @ values)).argmax()))
        counts.append(projected)
    return torch.tensor(counts)


def generate(table, w_q, w_k, w_v, first, most):
    """The tokens after the first, and by how much each of them won at least."""
    table, w_q, w_k, w_v = (np.asarray(one, dtype=np.float64) for one in (table, w_q, w_k, w_v))
    columns = np.arange(table.shape[1])
    rates = 10000.0 ** (-2 * (columns // 2) / table.shape[1])
    tokens, margin = [first], np.inf
    while len(tokens) <= most and tokens[-1] != 0:
        angles = np.arange(len(tokens))[:, None] * rates
        x = table[tokens] + np.where(columns % 2 == 0, np.sin(angles), np.cos(angles))
        weights = np.exp(x @ w_k @ (x[-1] @ w_q) / math.sqrt(w_k.shape[1]))
        products = table @ (weights @ (x @ w_v) / weights.sum())
        second, best = np.sort(products)[-2:]
        margin = min(margin, best - second)
        tokens.append(int(products.argmax()))
    return tokens[1:], margin


def count_cases(rng: np.random.Generator) -> list[Case]:
    def drawn(wanted, most):
        """A vocabulary with which generation ends as wanted, and no token wins by a hair."""
        while True:
            table = 1.5 * rng.standard_normal((7, 6))
            weights = [rng.standard_normal((6, 6)) / 6**0.5 for _ in range(3)]
            arrays = tuple(array.astype(np.float32) for array in (table, *weights))
            first = int(rng.integers(1, 7))
            tokens, margin = generate(*arrays, first, most)
            if margin > 0.02 and wanted(tokens):
                return arrays, {"first": first, "most": most}

    ends, sizes = drawn(lambda tokens: 3 <= len(tokens) < 10 and tokens[-1] == 0, 12)
    cut, cut_sizes = drawn(lambda tokens: 0 not in tokens, int(rng.integers(8, 12)))
    return [
        Case(
            Message("ends", "生成到结束词元为止", "Generation that ends with the end token"),
            1,
            ends,
            sizes,
        ),
        Case(
            Message("cut", "生成到最大长度为止", "Generation that is cut at the greatest length"),
            1,
            cut,
            cut_sizes,
        ),
    ]


def theory(without, cached):
    """The counts as functions of the number n of steps."""

    def count(table, w_q, w_k, w_v, first, most):
        n = len(generate(table, w_q, w_k, w_v, first, most)[0])
        return torch.tensor([float(without(n)), float(cached(n))])

    return count


def endless(table, w_q, w_k, w_v, first, most):
    return torch.tensor([most * (most + 1) / 2, most])


def triangle(n):
    return n * (n + 1) / 2


MATRICES = Message(
    "matrices-counted",
    "把查询、键、值的投影分别数了：一个位置只数一次。",
    "Projections to queries, keys or values are counted one by one: a position counts once.",
)
ORDER = Message(
    "order",
    "两个数的顺序反了：先是没有缓存的。",
    "The two counts are in the wrong order: the one without a cache comes first.",
)
SAME = Message(
    "cache-without-effect",
    "两个数相同：用缓存时，每一步只投影新的那个位置。",
    "Both counts are the same: with a cache, a step projects only the newest position.",
)
NEVER_ENDS = Message(
    "end-token-ignored",
    "遇到词元 0 没有停下来。",
    "Generation does not end after token 0.",
)
SQUARE = Message(
    "square",
    "没有缓存的数是 n²：第 t 步只有 t 个位置，而不是 n 个。",
    "The count without a cache is n²: step t has only t positions, not n.",
)
NOT_NEWEST = Message(
    "newest-not-counted",
    "没有缓存时，最新的位置没有数进去。",
    "Without a cache, the newest position is not counted.",
)
ONE_FEWER = Message(
    "a-step-fewer",
    "少数了一步：产生词元 0 的那一步也要算。",
    "A step is missing: the one that gives token 0 counts, too.",
)
ONE_MORE = Message(
    "a-step-more",
    "多数了一步：词元 0 产生之后，或到最大长度之后，不再投影任何位置。",
    "There is a step too many: after token 0, or the greatest length, nothing is projected.",
)

COUNT = Question(
    name="3 count_projections",
    solution=count_projections,
    oracle=theory(triangle, lambda n: n),
    make_cases=count_cases,
    mistakes=(
        Mistake(MATRICES, theory(lambda n: 2 * triangle(n), lambda n: 2 * n)),
        Mistake(MATRICES, theory(lambda n: 3 * triangle(n), lambda n: 3 * n)),
        Mistake(ORDER, theory(lambda n: n, triangle)),
        Mistake(SAME, theory(triangle, triangle)),
        Mistake(SAME, theory(lambda n: n, lambda n: n)),
        Mistake(NEVER_ENDS, endless),
        Mistake(SQUARE, theory(lambda n: n * n, lambda n: n)),
        Mistake(NOT_NEWEST, theory(lambda n: triangle(n - 1), lambda n: n)),
        Mistake(ONE_FEWER, theory(lambda n: triangle(n - 1), lambda n: n - 1)),
        Mistake(ONE_MORE, theory(lambda n: triangle(n + 1), lambda n: n + 1)),
    ),
)
