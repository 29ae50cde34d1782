"""Wrong and rewritten kernel regressions."""

from tests.coursework.solutions.wrong_solutions import Signature

kernel = Signature("def kernel_regression(queries, keys, values, width, leave_one_out=False):")
CASES = ("small", "inputs", "features", "far", "leave-one-out", "gradient")


def everywhere(reason):
    return dict.fromkeys(CASES, reason)


def but(reason, *exceptions):
    return {case: reason for case in CASES if case not in exceptions}


def lines(
    squares="(queries[:, None] - keys).pow(2).sum(-1)",
    scores="-squares / (2 * width**2)",
    out="scores.masked_fill(torch.eye(len(keys)).bool(), -math.inf)",
    weights="torch.softmax(scores, -1)",
    output="weights @ values",
):
    """Kernel regression in a few lines, of which one is wrong."""
    return f"""
squares = {squares}
scores = {scores}
if leave_one_out:
    scores = {out}
weights = {weights}
return {output}
"""


def kernels(weights, out="kernels * (1 - torch.eye(len(keys)))", output="weights @ values"):
    """The same by exponentials."""
    return f"""
kernels = torch.exp(-(queries[:, None] - keys).pow(2).sum(-1) / (2 * width**2))
if leave_one_out:
    kernels = {out}
weights = {weights}
return {output}
"""


WRONG = {
    "unanswered": kernel("raise NotImplementedError", everywhere("unanswered")),
    "no return": kernel("queries - keys[0]", everywhere("not-a-tensor")),
    "numpy missing": kernel(
        lines(scores="-squares / (2 * np.square(width))"), everywhere("name-error")
    ),
    "distance": kernel(
        lines("(queries[:, None] - keys).norm(dim=-1)"), everywhere("distance-not-squared")
    ),
    "distance over width": kernel(
        lines("torch.cdist(queries, keys)", "-squares / width"), everywhere("distance-not-squared")
    ),
    "width not squared": kernel(
        lines(scores="-squares / (2 * width)"), everywhere("width-not-squared")
    ),
    "over width": kernel(lines(scores="-squares / width"), everywhere("width-not-squared")),
    "two missing": kernel(
        lines(scores="-((squares**0.5 / width) ** 2)"), everywhere("two-missing")
    ),
    "times width": kernel(lines(scores="-squares * width**2 / 2"), everywhere("width-inverted")),
    "width forgotten": kernel(lines(scores="-squares / 2"), everywhere("width-ignored")),
    "no minus": kernel(lines(scores="squares / (2 * width**2)"), everywhere("sign")),
    "over the queries": kernel(lines(weights="scores.softmax(dim=0)"), everywhere("wrong-axis")),
    "queries by exponentials": kernel(
        kernels("kernels / kernels.sum(0)"),
        but("wrong-axis", "far") | {"far": "far-query"},
    ),
    "not normalised": kernel(kernels("kernels"), everywhere("not-normalised")),
    "mean of weighted values": kernel(kernels("kernels / len(keys)"), everywhere("sum-for-mean")),
    "far NaN": kernel(kernels("kernels / kernels.sum(1, keepdim=True)"), far="far-query"),
    "far zero": kernel(
        kernels("kernels / (kernels.sum(1, keepdim=True) + 1e-12)"), far="far-query"
    ),
    "far NaN made zero": kernel(
        kernels("(kernels / kernels.sum(-1, True)).nan_to_num()"), far="far-query"
    ),
    "leave-one-out ignored": kernel(lines(out="scores"), {"leave-one-out": "itself-included"}),
    "masked, not kept": kernel(
        "scores = -torch.cdist(queries, keys) ** 2 / (2 * width**2)\n"
        "scores.masked_fill(torch.eye(*scores.shape).bool() & leave_one_out, -math.inf)\n"
        "return scores.softmax(-1) @ values",
        {"leave-one-out": "itself-included"},
    ),
    "score zero for itself": kernel(
        lines(out="scores * (1 - torch.eye(len(keys)))"), {"leave-one-out": "itself-included"}
    ),
    "out of the sum of values only": kernel(
        kernels("kernels / total", "kernels - torch.eye(len(keys))").replace(
            "if leave", "total = kernels.sum(1, keepdim=True)\nif leave"
        ),
        {"leave-one-out": "itself-in-total", "far": "far-query"},
    ),
    "out after the softmax": kernel(
        lines(
            out="scores",
            weights="scores.softmax(-1)",
            output="(weights - weights.diag().diag() if leave_one_out else weights) @ values",
        ),
        {"leave-one-out": "itself-in-total"},
    ),
    "only itself": kernel(
        lines(out="scores.masked_fill(~torch.eye(len(keys)).bool(), -math.inf)"),
        {"leave-one-out": "leave-one-out-inverted"},
    ),
    "the value itself": kernel(
        "if leave_one_out:\n    return values\n" + lines(),
        {"leave-one-out": "leave-one-out-inverted"},
    ),
    "always left out": kernel(
        lines().replace("if leave_one_out", "if True"),
        dict.fromkeys(("small", "inputs", "features", "far", "gradient"), "RuntimeError"),
    ),
    "the next one left out": kernel(
        lines(out="scores.masked_fill(torch.eye(len(keys)).roll(1, 0).bool(), -math.inf)"),
        {"leave-one-out": "values"},
    ),
    "one key too few": kernel(
        "keys, values = keys[:-1], values[:-1]\n" + lines(),
        but("values", "far", "leave-one-out") | {"far": "values", "leave-one-out": "RuntimeError"},
    ),
    "mean of features": kernel(
        lines("(queries[:, None] - keys).square().mean(-1)"),
        but("distance-of-features", "small", "inputs", "far"),
    ),
    "sum of absolute values": kernel(
        lines("torch.cdist(queries, keys, p=1) ** 2"),
        but("distance-of-features", "small", "inputs", "far"),
    ),
    "square of the sum": kernel(
        lines("(queries.sum(1)[:, None] - keys.sum(1)) ** 2"),
        but("distance-of-features", "small", "inputs", "far"),
    ),
    "first feature": kernel(
        lines("(queries[:, :1] - keys[:, 0]) ** 2"),
        dict.fromkeys(("features", "leave-one-out"), "values") | {"gradient": "values"},
    ),
    "average pooling": kernel(
        "return values.mean(0).expand(len(queries), -1)",
        but("average-pooling", "leave-one-out") | {"leave-one-out": "values"},
    ),
    "weights": kernel(lines(output="weights"), everywhere("weights-returned")),
    "a pair": kernel(lines(output="weights @ values, weights"), everywhere("not-a-tensor")),
    "keys and queries swapped": kernel(
        lines("(keys[:, None] - queries).pow(2).sum(-1)"),
        everywhere("RuntimeError") | {"leave-one-out": None},
    ),
    "flat": kernel(
        lines("(queries - keys.T) ** 2"),
        dict.fromkeys(("features", "leave-one-out", "gradient"), "RuntimeError"),
    ),
    "squeezed": kernel(
        lines(output="(weights @ values).squeeze(-1)"),
        dict.fromkeys(("small", "inputs", "far"), "shape"),
    ),
    "in place": kernel(
        "keys -= queries.mean(0)\nqueries -= queries.mean(0).clone()\n" + lines(),
        {"inputs": "in-place", "leave-one-out": None, "gradient": "in-place"},
    ),
    "width in place": kernel(
        "width *= math.sqrt(2)\n" + lines(scores="-squares / width**2"),
        inputs="in-place",
        gradient="in-place",
    ),
    "width a number": kernel(
        lines(scores="-squares / (2 * width.item() ** 2)"), gradient="no-gradient"
    ),
    "keys detached": kernel("keys = keys.detach()\n" + lines(), gradient="no-gradient"),
    "weights detached": kernel(lines(output="weights.detach() @ values"), gradient="no-gradient"),
    "detached values kept in the sum": kernel(
        lines(output="weights @ values.detach() + 0 * values.sum()"), gradient="gradient"
    ),
}
for solution in WRONG.values():  # a case without a reason is right
    for case in [case for case, reason in solution.reasons.items() if reason is None]:
        del solution.reasons[case]

REWRITES = {
    "largest score subtracted": """
def kernel_regression(queries, keys, values, width, leave_one_out=False):
    s = -(queries[:, None] - keys[None]).pow(2).sum(2) / (2 * width * width)
    if leave_one_out:
        s = torch.where(torch.eye(len(s)) == 1, -torch.inf, s)
    e = torch.exp(s - s.max(1, keepdim=True).values)
    return (e / e.sum(1, keepdim=True)) @ values
""",
    "distances of the library": """
def kernel_regression(queries, keys, values, width, leave_one_out=False):
    s = -0.5 * (torch.cdist(queries, keys) / width).square()
    if leave_one_out:
        s = s.fill_diagonal_(-math.inf)
    return s.softmax(1) @ values
""",
    "square multiplied out": """
def kernel_regression(queries, keys, values, width, leave_one_out=False):
    # The square of the query is the same for all keys, and cancels.
    s = (queries @ keys.T - keys.square().sum(1) / 2) / width**2
    if leave_one_out:
        s = s - torch.diag(torch.full((len(keys),), math.inf)).nan_to_num(0.0, posinf=math.inf)
    return torch.softmax(s, dim=1) @ values
""",
    "one query after the other": """
def kernel_regression(queries, keys, values, width, leave_one_out=False):
    rows = []
    for i, query in enumerate(queries):
        keep = torch.arange(len(keys)) != i if leave_one_out else slice(None)
        s = ((keys[keep] - query) / width).square().sum(1) / -2
        rows.append(s.softmax(0) @ values[keep])
    return torch.stack(rows)
""",
    "fill of -1e9": """
def kernel_regression(queries, keys, values, width, leave_one_out=False):
    s = -((queries.unsqueeze(1) - keys) ** 2).sum(-1) / (2 * width**2)
    if leave_one_out:
        s = s - 1e9 * torch.eye(len(keys))
    return torch.einsum("nm,mv->nv", torch.softmax(s, -1), values)
""",
    "log-sum-exp in double precision": """
def kernel_regression(queries, keys, values, width, leave_one_out=False):
    s = -(queries[:, None].double() - keys.double()).norm(dim=-1) ** 2 / (2 * width.double() ** 2)
    if leave_one_out:
        s[range(len(s)), range(len(s))] = -math.inf
    return torch.exp(s - s.logsumexp(-1, keepdim=True)) @ values.double()
""",
}
