"""Wrong and rewritten solutions of assignment 4: self-attention, and the measurement."""

from tests.coursework.solutions.wrong_solutions import Signature

attention = Signature("def causal_self_attention(x, w_q, w_k, w_v):")
PARTS = {
    "q": "x @ w_q",
    "k": "x @ w_k",
    "v": "x @ w_v",
    "scores": "q @ k.mT / math.sqrt(q.size(-1))",
    "allowed": "torch.arange(n)[:, None] >= torch.arange(n)",
    "weights": "torch.softmax(scores.masked_fill(~allowed, float('-inf')), -1)",
    "result": "weights @ v",
}


def lines(**wrong):
    """Self-attention step by step, with one line that is wrong."""
    parts = PARTS | wrong
    return f"""
n = x.size(-2)
q, k, v = {parts["q"]}, {parts["k"]}, {parts["v"]}
scores = {parts["scores"]}
allowed = {parts["allowed"]}
weights = {parts["weights"]}
return {parts["result"]}
"""


def one(**wrong):
    return attention(lines(**wrong))


def unless_alone(reason):
    """A single position has but one weight, which forgives much."""
    return dict.fromkeys(("small", "inputs", "batch", "gradient"), reason)


def always(reason):
    return {"first": reason, **unless_alone(reason)}


ATTENTION = {
    "unanswered": attention("raise NotImplementedError", always("unanswered")),
    "nothing returned": attention(lines(result="None"), always("not-a-tensor")),
    "output and weights": attention(lines(result="(weights @ v, weights)"), always("not-a-tensor")),
    "a name missing": attention(lines(q="query(x)"), always("name-error")),
    "no mask": attention(lines(weights="scores.softmax(-1)"), unless_alone("no-causal-mask")),
    "mask made, not used": attention(
        lines(weights="(scores.masked_fill(~allowed, -1e9), scores)[1].softmax(-1)"),
        unless_alone("no-causal-mask"),
    ),
    "strict": attention(lines(allowed="torch.ones(n, n).tril(-1) > 0"), always("diagonal-hidden")),
    "strict, zeros for NaN": attention(
        lines(
            allowed="torch.arange(n)[:, None] > torch.arange(n)",
            result="weights.nan_to_num(0.0) @ v",
        ),
        always("diagonal-hidden"),
    ),
    "strict, finite": attention(
        lines(
            allowed="torch.tril(torch.ones(n, n), -1).bool()",
            weights="torch.where(allowed, scores, -1e9).softmax(-1)",
        ),
        unless_alone("diagonal-hidden"),
    ),
    "one ahead": attention(
        lines(allowed="torch.ones(n, n).tril(1) == 1"), unless_alone("one-ahead")
    ),
    "the future": attention(
        lines(allowed="torch.ones(n, n).triu() == 1"), unless_alone("future-for-past")
    ),
    "rows and columns of the mask": attention(
        lines(allowed="torch.arange(n)[:, None] <= torch.arange(n)"),
        unless_alone("future-for-past"),
    ),
    "mask inverted": attention(
        lines(weights="scores.masked_fill(allowed, float('-inf')).softmax(-1)"),
        always("mask-inverted"),
    ),
    "mask inverted, finite": attention(
        lines(weights="scores.masked_fill(allowed, -1e9).softmax(-1)"),
        unless_alone("mask-inverted"),
    ),
    "mask after softmax": attention(
        lines(weights="scores.softmax(-1).tril()"), unless_alone("mask-after-softmax")
    ),
    "score zero": attention(
        lines(weights="scores.tril().softmax(-1)"), unless_alone("masked-to-zero")
    ),
    "exponentials": attention(lines(weights="scores.exp().tril()"), always("not-normalised")),
    "no softmax": attention(lines(weights="scores.tril()"), always("no-softmax")),
    "over the queries": attention(
        lines(weights="scores.masked_fill(~allowed, -math.inf).softmax(dim=-2)"),
        unless_alone("wrong-axis"),
    ),
    "over the first axis": attention(
        lines(weights="scores.masked_fill(~allowed, -math.inf).softmax(dim=0)"),
        small="wrong-axis",
        inputs="wrong-axis",
        batch="not-finite",
        gradient="not-finite",
    ),
    "no scale": attention(lines(scores="q @ k.mT"), unless_alone("no-scale")),
    "scale d": attention(lines(scores="q @ k.mT / q.size(-1)"), unless_alone("scale-by-d")),
    "times root d": attention(
        lines(scores="q @ k.mT * q.size(-1) ** 0.5"), unless_alone("scale-inverted")
    ),
    "root of the input's width": attention(
        lines(scores="q @ k.mT / x.size(-1) ** 0.5"), batch="scale-by-input-width"
    ),
    "root of length": attention(
        lines(scores="q @ k.mT / n ** 0.5"), unless_alone("scale-by-length")
    ),
    "scale after": attention(
        lines(scores="q @ k.mT", weights=PARTS["weights"] + " / math.sqrt(q.size(-1))"),
        always("scale-after-softmax"),
    ),
    "weights transposed": attention(
        lines(q="x @ w_q.T", k="x @ w_k.T", v="x @ w_v.T"), always("projection-transposed")
    ),
    "linear": attention(
        "linear = torch.nn.functional.linear\n"
        + lines(q="linear(x, w_q)", k="linear(x, w_k)", v="linear(x, w_v)"),
        always("projection-transposed"),
    ),
    "keys from w_q": attention(lines(k="x @ w_q"), unless_alone("weights-mixed-up")),
    "queries from w_k": attention(lines(q="x @ w_k"), unless_alone("weights-mixed-up")),
    "keys and values from each other's": attention(
        lines(k="x @ w_v", v="x @ w_k"), always("weights-mixed-up")
    ),
    "values from w_k": attention(lines(v="x @ w_k"), always("weights-mixed-up")),
    "queries for keys": attention(
        lines(q="x @ w_k", k="x @ w_q"), unless_alone("queries-and-keys-swapped")
    ),
    "scores transposed": attention(
        lines(scores="k @ q.mT / math.sqrt(q.size(-1))"), unless_alone("queries-and-keys-swapped")
    ),
    "values not projected": attention(lines(v="x"), always("not-projected")),
    "nothing projected": attention(lines(q="x", k="x", v="x"), always("not-projected")),
    "only values projected": attention(lines(q="x", k="x"), unless_alone("not-projected")),
    "weights": attention(lines(result="weights"), always("weights-returned")),
    "axes 0 and 1": attention(
        lines(scores="q @ k.transpose(0, 1) / math.sqrt(q.size(-1))"),
        batch="RuntimeError",
        gradient="RuntimeError",
    ),
    "k.T": attention(
        lines(scores="q @ k.T / math.sqrt(q.size(-1))"),
        batch="RuntimeError",
        gradient="RuntimeError",
    ),
    "detached": attention(lines(result="(weights @ v).detach()"), gradient="no-gradient"),
    "keys detached": attention(lines(k="(x @ w_k).detach()"), gradient="gradient"),
    "weights detached": attention(lines(result="weights.detach() @ v"), gradient="gradient"),
    "detached input of the values": attention(lines(v="x.detach() @ w_v"), gradient="gradient"),
    "in place": attention(
        "x -= 0.0\nw_q.div_(math.sqrt(w_q.size(-1)))" + lines(scores="q @ k.mT"),
        inputs="in-place",
        gradient="in-place",
    ),
    "half precision": attention(
        lines(weights=PARTS["weights"] + ".half().float()"), unless_alone("values")
    ),
}

ATTENTION_REWRITES = {
    "attention step by step": one().code,
    "attention with a finite fill": one(
        weights="torch.where(allowed, scores, -1e9).softmax(-1)"
    ).code,
    "attention with a mask of minus infinity": one(
        allowed="torch.full((n, n), -math.inf).triu(1)", weights="(scores + allowed).softmax(-1)"
    ).code,
    "attention normalised by hand": one(
        weights="(scores - scores.amax(-1, True)).exp() * allowed",
        result="weights / weights.sum(-1, keepdim=True) @ v",
    ).code,
    "attention by einsum": """
def causal_self_attention(x, w_q, w_k, w_v):
    q = torch.einsum("...nd,dk->...nk", x, w_q) * w_q.shape[1] ** -0.5
    s = torch.einsum("...nk,...mk->...nm", q, torch.einsum("...nd,dk->...nk", x, w_k))
    hidden = torch.ones(s.shape[-2:]).triu(diagonal=1).bool()
    w = s.masked_fill(hidden, -torch.inf).softmax(-1)
    return torch.einsum("...nm,...mv->...nv", w, x @ w_v)
""",
    "attention one position at a time": """
def causal_self_attention(x, w_q, w_k, w_v):
    rows = []
    for t in range(x.shape[-2]):
        past = x[..., : t + 1, :]
        q = x[..., t : t + 1, :] @ w_q
        s = q @ (past @ w_k).transpose(-1, -2) / math.sqrt(w_k.shape[-1])
        rows.append(torch.softmax(s, -1) @ (past @ w_v))
    return torch.cat(rows, dim=-2)
""",
    "attention with the two matrices as one": """
def causal_self_attention(x, w_q, w_k, w_v):
    s = x @ (w_q @ w_k.T) @ x.transpose(-2, -1) / math.sqrt(w_q.shape[1])
    future = torch.ones_like(s).triu(1) == 1
    return (s.masked_fill(future, -math.inf).softmax(-1) @ x) @ w_v
""",
}

measure = Signature("def measure_loudness(tokens, d_model):")
MEASURED = {
    "drawn": "torch.randn(tokens, d_model) / d_model**0.5",
    "louder": "x * d_model**0.5",
    "size": "torch.sqrt((y**2).mean())",
    "result": "torch.tensor([size(x) / size(p), size(louder) / size(p)])",
}


def measured(**wrong):
    """The measurement, with one line that is wrong."""
    parts = MEASURED | wrong
    return f"""
def size(y):
    return {parts["size"]}
x = {parts["drawn"]}
louder = {parts["louder"]}
p = sinusoidal_positions(tokens, d_model)
return {parts["result"]}
"""


def both(reason):
    return dict.fromkeys(("narrow", "wide"), reason)


LOUDNESS = {
    "unanswered": measure("raise NotImplementedError", both("unanswered")),
    "a list": measure(
        measured(result="[float(size(x) / size(p)), float(size(louder) / size(p))]"),
        both("not-a-tensor"),
    ),
    "one number": measure(measured(result="size(x) / size(p)"), both("shape")),
    "not scaled": measure(measured(louder="x"), both("not-scaled")),
    "standard deviation 1": measure(
        measured(drawn="torch.randn(tokens, d_model)"), both("unit-embeddings")
    ),
    "variance for deviation": measure(
        measured(drawn="torch.randn(tokens, d_model) / d_model"), both("variance-for-deviation")
    ),
    "deviation for variance": measure(
        measured(drawn="torch.randn(tokens, d_model) * (d_model**-0.5) ** 0.5"),
        both("variance-for-deviation"),
    ),
    "times d": measure(measured(louder="d_model * x"), both("scale-by-d")),
    "divided by root d": measure(measured(louder="x / math.sqrt(d_model)"), both("scale-inverted")),
    "upside down": measure(
        measured(result="size(p) / torch.stack([size(x), size(louder)])"), both("ratio-inverted")
    ),
    "mean squares": measure(measured(size="(y**2).mean()"), both("no-root")),
    "variances": measure(measured(size="y.square().mean()"), both("no-root")),
    "positions left out": measure(
        measured(result="torch.stack([size(x), size(louder)])"), both("positions-left-out")
    ),
    "order": measure(
        measured(result="torch.stack([size(louder), size(x)]) / size(p)"), both("order")
    ),
    "mean of absolute values": measure(measured(size="y.abs().mean()"), both("mean-absolute")),
    "the sum": measure(
        measured(result="torch.stack([size(x + p), size(louder + p)]) / size(p)"),
        both("sum-for-embeddings"),
    ),
    "evenly drawn": measure(
        measured(drawn="torch.rand(tokens, d_model) / d_model**0.5"), both("values")
    ),
    "only sines": measure(
        measured(result="torch.stack([size(x), size(louder)]) / size(p[:, ::2])"), both("values")
    ),
    "standard deviations": measure(measured(size="y.std()"), both("values")),
}

LOUDNESS_REWRITES = {
    "loudness step by step": measure(measured()).code,
    "loudness by norms": measure(measured(size="y.norm()")).code,
    "loudness by norms of rows": measure(
        measured(size="y.norm(dim=-1).square().mean().sqrt()")
    ).code,
    "loudness of an embedding layer": """
def measure_loudness(tokens, d_model):
    table = torch.nn.Embedding(1000, d_model)
    torch.nn.init.normal_(table.weight, std=1 / math.sqrt(d_model))
    x = table(torch.randint(1000, (tokens,))).detach()
    p = sinusoidal_positions(tokens, d_model)
    ratio = torch.linalg.matrix_norm(x) / torch.linalg.matrix_norm(p)
    return torch.tensor([1.0, math.sqrt(d_model)]) * ratio
""",
}
