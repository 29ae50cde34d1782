"""Wrong and rewritten additive scores."""

from tests.coursework.solutions.wrong_solutions import Signature

additive = Signature("def additive_scores(queries, keys, W_q, W_k, w_v):")
CASES = ("small", "inputs", "square", "axes", "gradient")


def everywhere(reason):
    return dict.fromkeys(CASES, reason)


def except_square(error, reason):
    """Only where all widths are equal does a matrix fit where it does not belong."""
    return everywhere(error) | {"square": reason}


def lines(
    q="queries @ W_q.T",
    k="keys @ W_k.T",
    both="q[..., :, None, :] + k[..., None, :, :]",
    hidden="torch.tanh(both)",
    output="hidden @ w_v",
):
    """Additive scores in five lines, of which one is wrong."""
    return f"q = {q}\nk = {k}\nboth = {both}\nhidden = {hidden}\nreturn {output}"


WRONG = {
    "unanswered": additive("raise NotImplementedError", everywhere("unanswered")),
    "printed": additive(lines(output="print(hidden @ w_v)"), everywhere("not-a-tensor")),
    "nn missing": additive(lines(hidden="nn.Tanh()(both)"), everywhere("name-error")),
    "no tanh": additive(lines(hidden="both"), everywhere("no-tanh")),
    "no tanh, two terms": additive(
        "return (queries @ W_q.T @ w_v)[..., :, None] + (keys @ W_k.T @ w_v)[..., None, :]",
        everywhere("no-tanh"),
    ),
    "sigmoid": additive(lines(hidden="1 / (1 + torch.exp(-both))"), everywhere("not-tanh")),
    "relu": additive(lines(hidden="both.clamp(min=0)"), everywhere("not-tanh")),
    "tanh of each": additive(
        lines("torch.tanh(queries @ W_q.T)", "torch.tanh(keys @ W_k.T)", hidden="both"),
        everywhere("tanh-of-each"),
    ),
    "tanh of each, two terms": additive(
        """
of_queries = (queries @ W_q.T).tanh() @ w_v
of_keys = (keys @ W_k.T).tanh() @ w_v
return of_queries.unsqueeze(-1) + of_keys.unsqueeze(-2)
""",
        everywhere("tanh-of-each"),
    ),
    "tanh last": additive(
        lines(hidden="both", output="torch.tanh(hidden @ w_v)"), everywhere("tanh-last")
    ),
    "tanh twice": additive(lines(output="torch.tanh(hidden @ w_v)"), everywhere("tanh-last")),
    "multiplied": additive(
        lines(both="q.unsqueeze(-2) * k.unsqueeze(-3)"), everywhere("multiplied")
    ),
    "dot product of hidden": additive(
        "return (queries @ W_q.T * w_v) @ (keys @ W_k.T).mT", everywhere("multiplied")
    ),
    "subtracted": additive(
        lines(both="q.unsqueeze(-2) - k.unsqueeze(-3)"), everywhere("subtracted")
    ),
    "summed without w_v": additive(lines(output="hidden.sum(dim=-1)"), everywhere("no-vector")),
    "mean without w_v": additive(lines(output="hidden.mean(-1)"), everywhere("no-vector")),
    "over the root of hidden": additive(
        lines(output="hidden @ w_v / math.sqrt(w_v.numel())"), everywhere("additive-scaled")
    ),
    "mean of products": additive(
        lines(output="(hidden * w_v).mean(-1)"), everywhere("additive-scaled")
    ),
    "softmax": additive(
        lines(output="torch.softmax(hidden @ w_v, dim=-1)"), everywhere("weights-for-scores")
    ),
    "a row for each key": additive(
        lines(both="q[..., None, :, :] + k[..., :, None, :]"),
        everywhere("queries-and-keys-swapped"),
    ),
    "transposed at last": additive(
        lines(output="(hidden @ w_v).transpose(-1, -2)"), everywhere("queries-and-keys-swapped")
    ),
    "keys forgotten": additive(
        lines(both="q.unsqueeze(-2).expand(*q.shape[:-1], keys.shape[-2], -1)"),
        everywhere("one-side-only"),
    ),
    "queries forgotten": additive(
        lines(both="k.unsqueeze(-3) + torch.zeros_like(q).unsqueeze(-2)"),
        everywhere("one-side-only"),
    ),
    "hidden kept": additive(lines(output="hidden * w_v"), everywhere("hidden-kept")),
    "w_v forgotten": additive(lines(output="hidden"), everywhere("hidden-kept")),
    "column kept": additive(lines(output="hidden @ w_v[:, None]"), everywhere("shape")),
    "W not transposed": additive(
        lines("queries @ W_q", "keys @ W_k"), everywhere("matrix-transposed")
    ),
    "W by einsum": additive(
        lines(
            'torch.einsum("...d,dh->...h", queries, W_q)',
            'torch.einsum("...d,dh->...h", keys, W_k)',
        ),
        everywhere("matrix-transposed"),
    ),
    "W_q for keys": additive(
        lines("queries @ W_k.T", "keys @ W_q.T"), everywhere("matrices-swapped")
    ),
    "one matrix for both": additive(
        lines(k="keys @ W_q.T"), except_square("RuntimeError", "values")
    ),
    "joined without matrices": additive(
        lines("queries", "keys"), except_square("RuntimeError", "values")
    ),
    "pairs": additive(lines(both="q + k"), everywhere("RuntimeError") | {"axes": "shape"}),
    "fixed axes": additive(
        lines(both="q.unsqueeze(2) + k.unsqueeze(1)"),
        {"small": "RuntimeError", "inputs": "RuntimeError", "axes": "shape"},
    ),
    "one batch axis wanted": additive(
        "batch, n, d = queries.shape\n" + lines(),
        dict.fromkeys(("small", "inputs", "axes"), "ValueError"),
    ),
    "new matrices": additive(lines("torch.nn.Linear(*W_q.T.shape)(queries)"), everywhere("values")),
    "rounded": additive(lines(hidden="torch.tanh(both).half().float()"), everywhere("values")),
    "whole numbers": additive(lines(q="queries.int() @ W_q.T"), everywhere("RuntimeError")),
    "in place": additive(
        "queries *= 1.5\nqueries /= 1.5\n" + lines(), inputs="in-place", gradient="in-place"
    ),
    "w_v in place": additive(
        lines(output="(hidden * w_v.mul_(2)).sum(-1) / 2"), inputs="in-place", gradient="in-place"
    ),
    "detached": additive(lines(output="(hidden @ w_v).detach()"), gradient="no-gradient"),
    "keys detached": additive(lines(k="keys.detach() @ W_k.T"), gradient="no-gradient"),
    "matrices as constants": additive(
        lines(q="queries @ torch.tensor(W_q.tolist()).T"), gradient="no-gradient"
    ),
    "tanh detached": additive(
        lines(hidden="torch.tanh(both).detach() + 0 * both"), gradient="gradient"
    ),
}

REWRITES = {
    "einsum": """
def additive_scores(queries, keys, W_q, W_k, w_v):
    q = torch.einsum("...nd,hd->...nh", queries, W_q)
    k = torch.einsum("...md,hd->...mh", keys, W_k)
    return torch.einsum("...nmh,h->...nm", torch.tanh(q[..., None, :] + k[..., None, :, :]), w_v)
""",
    "linear": """
def additive_scores(queries, keys, W_q, W_k, w_v):
    q = torch.nn.functional.linear(queries, W_q)
    k = torch.nn.functional.linear(keys, W_k)
    return torch.tanh(q.unsqueeze(-2) + k.unsqueeze(-3)).mul(w_v).sum(-1)
""",
    "joined": """
def additive_scores(queries, keys, W_q, W_k, w_v):
    n, m = queries.shape[-2], keys.shape[-2]
    leading = queries.shape[:-2]
    q = queries.unsqueeze(-2).expand(*leading, n, m, -1)
    k = keys.unsqueeze(-3).expand(*leading, n, m, -1)
    return torch.tanh(torch.cat([q, k], -1) @ torch.cat([W_q, W_k], 1).T) @ w_v
""",
    "tanh by exponentials": """
def additive_scores(queries, keys, W_q, W_k, w_v):
    s = (queries @ W_q.mT)[..., :, None, :] + (keys @ W_k.mT)[..., None, :, :]
    return (2 / (1 + torch.exp(-2 * s)) - 1) @ w_v
""",
    "query by query": """
def additive_scores(queries, keys, W_q, W_k, w_v):
    k = keys @ W_k.T
    rows = [torch.tanh(k + (query @ W_q.T).unsqueeze(-2)) @ w_v for query in queries.unbind(-2)]
    return torch.stack(rows, dim=-2)
""",
    "in double precision": """
def additive_scores(queries, keys, W_q, W_k, w_v):
    queries, keys, W_q, W_k, w_v = (x.double() for x in (queries, keys, W_q, W_k, w_v))
    hidden = torch.tanh((queries @ W_q.T).unsqueeze(-2) + (keys @ W_k.T).unsqueeze(-3))
    return (hidden * w_v).sum(dim=-1)
""",
}
