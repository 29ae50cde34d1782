"""Wrong and rewritten solutions of assignment 1."""

from tests.coursework.solutions.wrong_solutions import Signature


def everywhere(reason):
    return dict.fromkeys(("small", "inputs", "large", "empty", "dim"), reason)


masked_softmax = Signature("def masked_softmax(scores, mask, dim=-1):")

MASKED_SOFTMAX = {
    "unanswered": masked_softmax("raise NotImplementedError", **everywhere("unanswered")),
    "no return": masked_softmax("scores.softmax(dim)", **everywhere("not-a-tensor")),
    "a list": masked_softmax(
        "return scores.masked_fill(~mask, -math.inf).softmax(dim).tolist()",
        **everywhere("not-a-tensor"),
    ),
    "import missing": masked_softmax(
        "return functional.softmax(scores.masked_fill(~mask, -math.inf), dim)",
        **everywhere("name-error"),
    ),
    "mask ignored": masked_softmax(
        "return torch.nn.functional.softmax(scores, dim=dim)",
        small="mask-ignored",
        inputs="mask-ignored",
        empty="mask-ignored",
        dim="mask-ignored",
    ),
    "mask made, not kept": masked_softmax(
        """
scores.masked_fill(~mask, -math.inf)
return scores.softmax(dim)
""",
        small="mask-ignored",
        inputs="mask-ignored",
        empty="mask-ignored",
        dim="mask-ignored",
    ),
    "mask inverted": masked_softmax(
        """
s = scores.clone()
s[mask] = -math.inf
e = torch.exp(s - s.max())
return e / e.sum(dim, keepdim=True)
""",
        small="mask-inverted",
        inputs="mask-inverted",
        large="mask-inverted",
        empty="mask-inverted",
        dim="mask-inverted",
    ),
    "mask after softmax": masked_softmax(
        """
weights = torch.softmax(scores, dim)
return torch.where(mask, weights, torch.zeros_like(weights))
""",
        small="mask-after-softmax",
        inputs="mask-after-softmax",
        dim="mask-after-softmax",
    ),
    "score zero": masked_softmax(
        "return torch.softmax(scores.masked_fill(~mask, 0), dim)",
        small="masked-to-zero",
        inputs="masked-to-zero",
        empty="masked-to-zero",
        dim="masked-to-zero",
    ),
    "fill of -1e9": masked_softmax(
        "return torch.softmax(torch.where(mask, scores, -1e9), dim)", empty="finite-fill"
    ),
    "fill of -1e4": masked_softmax(
        "return torch.softmax(scores.masked_fill(mask == 0, -1e4), dim)", empty="finite-fill"
    ),
    "adds -1e9": masked_softmax(
        "return torch.softmax(scores + (1 - mask.float()) * -1e9, dim)", empty="finite-fill"
    ),
    "adds -1e4": masked_softmax(
        "return torch.softmax(scores + (1 - mask.float()) * -1e4, dim)", empty="finite-fill"
    ),
    "smallest float": masked_softmax(
        "return scores.masked_fill(~mask, torch.finfo(scores.dtype).min).softmax(dim)",
        empty="finite-fill",
    ),
    "NaN on an empty row": masked_softmax(
        """
s = scores.masked_fill(mask.logical_not(), float("-inf"))
e = torch.exp(s - s.max(dim, keepdim=True).values)
return e / e.sum(dim, keepdim=True)
""",
        empty="nan-on-empty-row",
    ),
    "last axis": masked_softmax(
        """
weights = torch.softmax(scores.masked_fill(~mask, -math.inf), dim=-1)
return torch.nan_to_num(weights)
""",
        dim="dim-ignored",
    ),
    "last axis and NaN": masked_softmax(
        "return torch.softmax(scores.masked_fill(~mask, -math.inf), dim=-1)",
        empty="nan-on-empty-row",
        dim="dim-ignored",
    ),
    "axis 0 for -1": masked_softmax(
        """
weights = torch.softmax(scores.masked_fill(~mask, -math.inf), 0 if dim == -1 else -1)
return weights.nan_to_num()
""",
        small="wrong-axis",
        inputs="wrong-axis",
        large="wrong-axis",
        empty="wrong-axis",
        dim="wrong-axis",
    ),
    "overflow": masked_softmax(
        """
e = scores.exp() * mask
return e / e.sum(dim, keepdim=True).clamp(min=1e-9)
""",
        large="overflow",
    ),
    "overflow made zero": masked_softmax(
        """
e = torch.exp(scores).masked_fill(~mask, 0)
return torch.nan_to_num(e / e.sum(dim, keepdim=True))
""",
        large="overflow",
    ),
    "overflow and NaN": masked_softmax(
        """
e = torch.exp(scores).masked_fill(~mask, 0)
return e / e.sum(dim, keepdim=True)
""",
        large="overflow",
        empty="nan-on-empty-row",
    ),
    "not normalised": masked_softmax(
        "return torch.exp(scores) * mask",
        **everywhere("not-normalised"),
    ),
    "logarithm": masked_softmax(
        """
s = scores.masked_fill(~mask, -math.inf)
return s - s.logsumexp(dim, keepdim=True)
""",
        **everywhere("log-softmax"),
    ),
    "in place": masked_softmax(
        """
scores[~mask] = -math.inf
return torch.softmax(scores, dim).nan_to_num(0.0)
""",
        inputs="in-place",
    ),
    "flattened": masked_softmax(
        """
s = scores.masked_fill(~mask, -math.inf)
return torch.softmax(s, dim).nan_to_num().flatten()
""",
        **everywhere("shape"),
    ),
    "zero times infinity": masked_softmax(
        "return torch.softmax(scores + mask.logical_not().float() * float('-inf'), dim)",
        **everywhere("zero-times-infinity"),
    ),
    "logarithm of the mask": masked_softmax(
        "return torch.softmax(scores + mask.log(), dim)", empty="nan-on-empty-row"
    ),
    "fill of -100": masked_softmax(
        "return scores.masked_fill(~mask, -100).softmax(dim)", empty="finite-fill"
    ),
    "fill of 1e-9": masked_softmax(
        "return torch.softmax(scores.masked_fill(~mask, 1e-9), dim)",
        small="masked-to-zero",
        inputs="masked-to-zero",
        empty="masked-to-zero",
        dim="masked-to-zero",
    ),
    "small weights after softmax": masked_softmax(
        "return scores.softmax(dim).masked_fill(~mask, 1e-9)",
        small="mask-after-softmax",
        inputs="mask-after-softmax",
        dim="mask-after-softmax",
    ),
    "last axis of two": masked_softmax(
        """
w = torch.softmax(scores.masked_fill(~mask, -math.inf), 1)
return w.masked_fill(w.isnan(), 0)
""",
        dim="dim-ignored",
    ),
    "around the largest of all": masked_softmax(
        """
s = torch.where(mask, scores, -math.inf)
e = (s - torch.max(s)).exp()
return e / e.sum(dim=dim, keepdim=True)
""",
        large="underflow",
        empty="nan-on-empty-row",
    ),
    "around the largest of all, no NaN": masked_softmax(
        """
e = torch.exp(scores - scores.max()) * mask
total = e.sum(dim, keepdim=True)
return torch.where(total > 0, e / total, 0.0)
""",
        large="underflow",
    ),
    "over the whole matrix": masked_softmax(
        """
e = torch.exp(scores - scores.max()).masked_fill(~mask, 0)
return e / e.sum()
""",
        **everywhere("normalised-over-all"),
    ),
    "in place by masked_fill_": masked_softmax(
        "return scores.masked_fill_(~mask, -math.inf).softmax(dim).nan_to_num()",
        inputs="in-place",
    ),
    "mask inverted in place": masked_softmax(
        """
hidden = mask.logical_not_()
return scores.masked_fill(hidden, -math.inf).softmax(dim).nan_to_num()
""",
        inputs="in-place",
    ),
    "numpy": masked_softmax(
        "return scores.masked_fill(~mask, -math.inf).softmax(dim).nan_to_num().numpy()",
        **everywhere("not-a-tensor"),
    ),
    "whole numbers": masked_softmax(
        "return scores.int().float().masked_fill(~mask, -math.inf).softmax(dim).nan_to_num()",
        **everywhere("values"),
    ),
    "half precision": masked_softmax(
        "return scores.half().masked_fill(~mask, -math.inf).softmax(dim).nan_to_num().float()",
        **everywhere("values"),
    ),
    "an axis too many": masked_softmax(
        "return scores.masked_fill(~mask, -math.inf).softmax(dim).nan_to_num()[None]",
        **everywhere("shape"),
    ),
    "asks a tensor": masked_softmax(
        """
if mask:
    return scores.softmax(dim)
return torch.zeros_like(scores)
""",
        **everywhere("RuntimeError"),
    ),
    "mask by minus": masked_softmax(
        "return torch.softmax(scores.masked_fill(-mask, -math.inf), dim).nan_to_num()",
        **everywhere("RuntimeError"),
    ),
    "calls itself": masked_softmax(
        "return masked_softmax(scores.masked_fill(~mask, -math.inf), mask, dim)",
        **everywhere("raised"),
    ),
    "no argument dim": Signature("def masked_softmax(scores, mask):")(
        "return torch.softmax(scores.masked_fill(~mask, -math.inf), -1).nan_to_num()",
        dim="TypeError",
    ),
}


sdpa = Signature("def sdpa(q, k, v, mask=None):")


def ending(scores, weigh="masked_softmax(s, mask.expand_as(s))", output="w @ v"):
    """Attention in four lines, one of which is wrong."""
    return f"""
s = {scores}
mask = torch.ones_like(s, dtype=torch.bool) if mask is None else mask
w = {weigh}
return {output}
"""


RIGHT = "torch.einsum('...nd,...md->...nm', q, k) / math.sqrt(q.size(-1))"


def unless_equal(reason):
    """Keys that are all the same forgive what is wrong with the scores."""
    return dict.fromkeys(("heads", "causal", "gradient"), reason)


def always(reason):
    return {"equal-keys": reason, "inputs": reason, **unless_equal(reason)}


SDPA = {
    "no scale": sdpa(
        ending("torch.einsum('...nd,...md->...nm', q, k)"), **unless_equal("no-scale")
    ),
    "scale d": sdpa(ending("q @ k.mT / q.size(-1)"), **unless_equal("scale-by-d")),
    "times root d": sdpa(
        ending("q @ k.mT * math.sqrt(q.size(-1))"), **unless_equal("scale-inverted")
    ),
    "root of length": sdpa(
        ending("q @ k.mT / math.sqrt(k.size(-2))"), **unless_equal("scale-by-length")
    ),
    "root of queries": sdpa(
        ending("q @ k.mT / math.sqrt(q.shape[2])"), **unless_equal("scale-by-length")
    ),
    "scale after": sdpa(
        ending("q @ k.mT", output="(w / math.sqrt(k.size(-1))) @ v"),
        **always("scale-after-softmax"),
    ),
    "mask ignored": sdpa(
        ending(RIGHT, "s.softmax(-1)"), causal="mask-ignored", gradient="mask-ignored"
    ),
    "mask inverted": sdpa(
        ending(RIGHT, "masked_softmax(s, ~mask.expand_as(s))"), **always("mask-inverted")
    ),
    "mask inverted if given": sdpa(
        """
s = q @ k.mT / math.sqrt(q.size(-1))
if mask is not None:
    s = s.masked_fill(mask, -math.inf)
return torch.softmax(s, -1).nan_to_num() @ v
""",
        causal="mask-inverted",
        gradient="mask-inverted",
    ),
    "mask after softmax": sdpa(
        ending(RIGHT, "torch.softmax(s, -1).masked_fill(~mask, 0)"),
        causal="mask-after-softmax",
        gradient="mask-after-softmax",
    ),
    "score zero": sdpa(
        ending(RIGHT, "torch.softmax(s.where(mask, 0.0), -1)"),
        causal="masked-to-zero",
        gradient="masked-to-zero",
    ),
    "mask added": sdpa(
        ending(RIGHT, "torch.softmax(s + mask.float(), -1)"),
        causal="mask-added",
        gradient="mask-added",
    ),
    "over the queries": sdpa(
        ending(RIGHT, "masked_softmax(s, mask.expand_as(s), dim=-2)"), **always("wrong-axis")
    ),
    "no softmax": sdpa(ending(RIGHT, "s.masked_fill(~mask, 0)"), **always("no-softmax")),
    "exponentials": sdpa(ending(RIGHT, "s.exp() * mask"), **always("not-normalised")),
    "weights": sdpa(ending(RIGHT, output="w"), **always("weights-returned")),
    "output and weights": sdpa(ending(RIGHT, output="(w @ v, w)"), **always("not-a-tensor")),
    "keys reshaped": sdpa(
        ending("q @ k.reshape(*k.shape[:-2], k.shape[-1], -1) / math.sqrt(q.size(-1))"),
        **unless_equal("view-for-transpose"),
    ),
    "keys viewed": sdpa(
        ending("q @ k.view(*k.shape[:-2], k.size(-1), k.size(-2)) / q.size(-1) ** 0.5"),
        **unless_equal("view-for-transpose"),
    ),
    "axes 1 and 2": sdpa(
        ending("q @ k.transpose(1, 2) / math.sqrt(q.size(-1))"), **unless_equal("heads-mixed")
    ),
    "heads and positions": sdpa(
        """
if q.ndim == 4:
    q, k, v = (x.permute(0, 2, 1, 3) for x in (q, k, v))
s = q @ k.mT / math.sqrt(q.size(-1))
mask = torch.ones_like(s, dtype=torch.bool) if mask is None else mask.expand_as(s)
out = masked_softmax(s, mask) @ v
return out.permute(0, 2, 1, 3) if out.ndim == 4 else out
""",
        **unless_equal("heads-mixed"),
    ),
    "queries for keys": sdpa(
        ending("k @ q.mT / math.sqrt(q.size(-1))"), **always("queries-and-keys-swapped")
    ),
    "in place": sdpa(
        "q /= math.sqrt(q.size(-1))" + ending("q @ k.mT"), inputs="in-place", gradient="in-place"
    ),
    "in place, same values": sdpa("q = q.mul_(1.0)" + ending(RIGHT), gradient="in-place"),
    "detached": sdpa(ending(RIGHT, output="(w @ v).detach()"), gradient="no-gradient"),
    "no_grad": sdpa(
        "with torch.no_grad():" + ending(RIGHT).replace("\n", "\n    "), gradient="no-gradient"
    ),
    "weights detached": sdpa(ending(RIGHT, output="w.detach() @ v"), gradient="no-gradient"),
    "keys detached": sdpa("k = k.clone().data" + ending(RIGHT), gradient="no-gradient"),
    "largest score not detached from values": sdpa(
        ending(RIGHT, output="w @ v.detach() + 0 * v.sum()"), gradient="gradient"
    ),
    "half precision": sdpa(
        "q, k = q.half().float(), k.half().float()" + ending(RIGHT), **unless_equal("values")
    ),
    "other types": sdpa(ending(RIGHT, output="w @ v.double()"), **always("RuntimeError")),
    "width of all heads": sdpa(
        ending("q @ k.mT / math.sqrt(q.shape[-1] * q.shape[1])"),
        **unless_equal("scale-by-model-width"),
    ),
    "width of values": sdpa(
        ending("q @ k.mT / math.sqrt(v.size(-1))"), **unless_equal("scale-by-value-width")
    ),
    "both divided by root d": sdpa(
        ending("(q / math.sqrt(q.size(-1))) @ (k / math.sqrt(k.size(-1))).mT"),
        **unless_equal("scale-by-d"),
    ),
    "values divided": sdpa(
        ending("q @ k.mT", output="w @ (v / math.sqrt(k.size(-1)))"),
        **always("scale-after-softmax"),
    ),
    "axis 1": sdpa(
        ending(RIGHT, "s.masked_fill(~mask, -math.inf).softmax(1)"), **always("wrong-axis")
    ),
    "axis 0": sdpa(
        ending(RIGHT, "s.masked_fill(~mask, -math.inf).softmax(0)"), **always("wrong-axis")
    ),
    "zero times infinity": sdpa(
        ending(RIGHT, "torch.softmax(s + (~mask).float() * -math.inf, -1)"),
        **always("zero-times-infinity"),
    ),
    "mask transposed": sdpa(
        """
s = q @ k.mT / math.sqrt(q.size(-1))
if mask is not None:
    s = s.masked_fill(~mask.T, -math.inf)
return s.softmax(-1) @ v
""",
        causal="mask-transposed",
        gradient="mask-transposed",
    ),
    "weights transposed": sdpa(ending(RIGHT, output="w.mT @ v"), **always("weights-transposed")),
    "weights from the right": sdpa(
        ending(RIGHT, output="(v.mT @ w).mT"), **always("weights-transposed")
    ),
    "lengths of one": sdpa(
        "q, k = torch.nn.functional.normalize(q, dim=-1), k" + ending(RIGHT),
        **unless_equal("values"),
    ),
    "no mask given": Signature("def sdpa(q, k, v, mask):")(
        ending(RIGHT),
        {"equal-keys": "TypeError", "inputs": "TypeError", "heads": "TypeError"},
    ),
    "no default": sdpa(
        "return masked_softmax(q @ k.mT / math.sqrt(q.size(-1)), mask) @ v",
        {"equal-keys": "TypeError", "inputs": "TypeError", "heads": "TypeError"},
    ),
}

EXPERIMENT = Signature("def measure_scaling(d, keys, samples):")


def measured(
    draw="torch.randn",
    scale="/ d**0.5",
    variance="s.var()",
    axis="-1",
    slope="(1 - (w**2).sum(-1)).mean()",
    table="torch.tensor(table)",
):
    return f"""
q, k = {draw}(samples, d), {draw}(samples, keys, d)
dots = torch.einsum("nd,nkd->nk", q, k)
table = []
for s in (dots, dots {scale}):
    w = s.softmax({axis})
    table.append([{variance}, {slope}])
return {table}
"""


def in_all(reason):
    return {"narrow": reason, "wide": reason, "one-key": reason}


def with_slope(reason):
    """A single key has no slope, and forgives what is wrong with it."""
    return {"narrow": reason, "wide": reason}


MEASURE_SCALING = {
    "unanswered": EXPERIMENT("raise NotImplementedError", in_all("unanswered")),
    "no scale": EXPERIMENT(measured(scale="* 1"), in_all("no-scale")),
    "scale d": EXPERIMENT(measured(scale="/ d"), in_all("scale-by-d")),
    "times root d": EXPERIMENT(measured(scale="* d ** 0.5"), in_all("scale-inverted")),
    "deviation": EXPERIMENT(measured(variance="s.std()"), in_all("standard-deviation")),
    "uniform numbers": EXPERIMENT(measured("torch.rand"), in_all("uniform-numbers")),
    "over the samples": EXPERIMENT(measured(axis="0"), in_all("wrong-axis")),
    "sum of squares": EXPERIMENT(
        measured(slope="w.square().sum(1).mean()"), in_all("sum-of-squares")
    ),
    "all added up": EXPERIMENT(
        measured(slope="(w - w**2).sum()"), with_slope("summed-over-samples")
    ),
    "mean over all": EXPERIMENT(measured(slope="(w - w**2).mean()"), with_slope("mean-over-keys")),
    "scaled first": EXPERIMENT(measured(table="torch.tensor(table[::-1])"), in_all("rows-swapped")),
    "a column for each": EXPERIMENT(
        measured(table="torch.tensor(table).T"), in_all("table-transposed")
    ),
    "lists": EXPERIMENT(measured(table="table"), in_all("not-a-tensor")),
    "one row": EXPERIMENT(measured(table="torch.tensor(table[1])"), in_all("shape")),
    "four in a row": EXPERIMENT(measured(table="torch.tensor(table).flatten()"), in_all("shape")),
}

WRONG = {"masked_softmax": MASKED_SOFTMAX, "sdpa": SDPA, "measure_scaling": MEASURE_SCALING}

REWRITES = {
    "softmax, then zeros for NaN": """
def masked_softmax(scores, mask, dim=-1):
    return torch.softmax(scores.masked_fill(~mask, float("-inf")), dim).nan_to_num(nan=0.0)
""",
    "logarithms": """
def masked_softmax(scores, mask, dim=-1):
    s = torch.where(mask, scores, -math.inf)
    return torch.exp(s - torch.logsumexp(s, dim, keepdim=True)).nan_to_num(0.0)
""",
    "finite fill, then zeros": """
def masked_softmax(scores, mask, dim=-1):
    return torch.softmax(scores.masked_fill(~mask, -1e9), dim) * mask
""",
    "softmax of what is allowed, normalised again": """
def masked_softmax(scores, mask, dim=-1):
    w = torch.softmax(scores.masked_fill(~mask, scores.min() - 50), dim) * mask
    return w / w.sum(dim, keepdim=True).clamp_min(1e-12)
""",
    "in double precision": """
def masked_softmax(scores, mask, dim=-1):
    return scores.double().masked_fill(~mask, -math.inf).softmax(dim).nan_to_num().float()
""",
    "einsum": """
def sdpa(q, k, v, mask=None):
    s = torch.einsum("...nd,...md->...nm", q, k) * q.shape[-1] ** -0.5
    mask = torch.ones_like(s).bool() if mask is None else torch.broadcast_to(mask, s.shape)
    return torch.einsum("...nm,...mv->...nv", masked_softmax(s, mask), v)
""",
    "queries scaled first, other names": """
def sdpa(queries, keys, values, mask=None):
    scaled = queries / math.sqrt(queries.shape[-1])
    s = scaled.matmul(keys.transpose(-1, -2))
    if mask is not None:
        s = s.masked_fill(mask.logical_not(), -math.inf)
    return torch.softmax(s, dim=-1).matmul(values)
""",
    "scores the other way round": """
def sdpa(q, k, v, mask=None):
    s = (k @ q.mT).mT / math.sqrt(k.shape[-1])
    return masked_softmax(s, torch.ones_like(s).bool() if mask is None else mask) @ v
""",
    "a loop": """
def sdpa(q, k, v, mask=None):
    rows = []
    for i in range(q.shape[-2]):
        s = (q[..., i : i + 1, :] * k).sum(-1) / math.sqrt(q.shape[-1])
        allowed = torch.ones_like(s).bool() if mask is None else mask[i].expand_as(s)
        rows.append((masked_softmax(s, allowed).unsqueeze(-1) * v).sum(-2))
    return torch.stack(rows, dim=-2)
""",
    "both scaled by the fourth root": """
def sdpa(q, k, v, mask=None):
    root = k.size(-1) ** 0.25
    s = (q / root) @ (k / root).mT
    if mask is not None:
        s = torch.where(mask, s, -1e9)
    return s.softmax(-1) @ v
""",
    "heads folded into the batch": """
def sdpa(q, k, v, mask=None):
    leading = q.shape[:-2]
    q, k, v = (x.reshape(-1, *x.shape[-2:]) for x in (q, k, v))
    s = torch.bmm(q, k.transpose(1, 2)) / math.sqrt(q.size(2))
    if mask is not None:
        s = s + torch.zeros_like(s).masked_fill(~mask, -math.inf)
    return torch.bmm(s.softmax(2), v).reshape(*leading, q.size(1), -1)
""",
    "normal numbers of torch.normal": """
def measure_scaling(d, keys, samples):
    q, k = torch.normal(0, 1, (samples, 1, d)), torch.normal(0, 1, (samples, keys, d))
    raw = (q * k).sum(-1)
    both = torch.stack([raw, raw / d**0.5])
    w = both.softmax(-1)
    return torch.stack([both.var((1, 2)), 1 - w.pow(2).sum(-1).mean(-1)], dim=1)
""",
    "a loop over the samples": """
def measure_scaling(d, keys, samples):
    rows = [[], []]
    slopes = [0.0, 0.0]
    for _ in range(samples):
        dots = torch.randn(keys, d) @ torch.randn(d)
        for i, s in enumerate((dots, dots / math.sqrt(d))):
            w = s.softmax(0)
            rows[i].append(s)
            slopes[i] += float(w @ (1 - w)) / samples
    return torch.tensor([[torch.cat(rows[i]).var(), slopes[i]] for i in (0, 1)])
""",
    "numpy's numbers, trace of the Jacobian": """
def measure_scaling(d, keys, samples):
    import numpy
    rng = numpy.random.default_rng()
    q, k = rng.normal(size=(samples, d, 1)), rng.normal(size=(samples, keys, d))
    dots = torch.from_numpy(k @ q)[..., 0]
    table = torch.zeros(2, 2)
    for row, s in zip(table, (dots, dots / math.sqrt(d))):
        w = s.softmax(-1)
        jacobian = torch.diag_embed(w) - w[:, :, None] * w[:, None]
        row[0] = (s - s.mean()).square().mean()
        row[1] = jacobian.diagonal(dim1=1, dim2=2).sum(-1).mean()
    return table
""",
}
