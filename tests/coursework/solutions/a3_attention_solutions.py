"""Wrong and rewritten multi-head attentions."""

from tests.coursework.solutions.wrong_solutions import Signature

FIRST_LINE = (
    "def multi_head_attention(queries, keys, values, W_q, W_k, W_v, W_o, heads, mask=None):"
)
multi_head = Signature(FIRST_LINE)
CASES = ("self", "cross", "inputs", "mask", "head-mask", "empty", "gradient")
MASKED = ("mask", "head-mask", "empty", "gradient")
SHARED = ("mask", "empty", "gradient")


def everywhere(reason):
    return dict.fromkeys(CASES, reason)


def masked(reason):
    return dict.fromkeys(MASKED, reason)


def lines(
    q="split_heads(queries @ W_q.T, heads)",
    k="split_heads(keys @ W_k.T, heads)",
    v="split_heads(values @ W_v.T, heads)",
    scores="q @ k.mT / q.size(-1) ** 0.5",
    mask="mask[:, None] if mask.ndim == 3 else mask",
    s="scores.masked_fill(~mask, -math.inf)",
    w="s.softmax(-1).masked_fill((~mask).all(-1, keepdim=True), 0)",
    found="w @ v",
    merged="found.transpose(1, 2).reshape(*queries.shape)",
    output="merged @ W_o.T",
):
    """Multi-head attention in ten lines, of which one is wrong."""
    return f"""
q = {q}
k = {k}
v = {v}
scores = {scores}
if mask is None:
    mask = torch.ones(len(queries), queries.shape[1], keys.shape[1], dtype=torch.bool)
mask = {mask}
s = {s}
w = {w}
found = {found}
merged = {merged}
return {output}
"""


NO_ROW_EMPTY = "s.softmax(-1)"
ZEROS_FOR_NAN = "s.softmax(-1).nan_to_num()"

WRONG = {
    "unanswered": multi_head("raise NotImplementedError", everywhere("unanswered")),
    "weights, too": multi_head(lines(output="merged @ W_o.T, w"), everywhere("not-a-tensor")),
    "einsum missing": multi_head(
        lines(scores="einsum('bhnd,bhmd->bhnm', q, k)"), everywhere("name-error")
    ),
    "no scale": multi_head(lines(scores="q @ k.mT"), everywhere("no-scale")),
    "scale d_head": multi_head(lines(scores="q @ k.mT / q.size(-1)"), everywhere("scale-by-d")),
    "scale d_model": multi_head(
        lines(scores="q @ k.mT / math.sqrt(queries.size(-1))"), everywhere("scale-by-model-width")
    ),
    "scaled before the split": multi_head(
        lines("split_heads(queries @ W_q.T / len(W_q) ** 0.5, heads)", scores="q @ k.mT"),
        everywhere("scale-by-model-width"),
    ),
    "scale length": multi_head(
        lines(scores="q @ k.mT / math.sqrt(keys.size(1))"), everywhere("scale-by-length")
    ),
    "mask ignored": multi_head(lines(w="scores.softmax(-1)"), masked("mask-ignored")),
    "mask made, not kept": multi_head(
        lines(s="scores", w="(s.masked_fill(~mask, -math.inf), s.softmax(-1))[1]"),
        masked("mask-ignored"),
    ),
    "mask inverted if given": multi_head(
        """
q, k, v = (split_heads(x @ W.T, heads) for x, W in ((queries, W_q), (keys, W_k), (values, W_v)))
s = q @ k.mT / q.size(-1) ** 0.5
if mask is not None:
    s = s.masked_fill(mask[:, None] if mask.ndim == 3 else mask, -math.inf)
return (s.softmax(-1).nan_to_num() @ v).transpose(1, 2).flatten(2) @ W_o.T
""",
        masked("mask-inverted"),
    ),
    "mask after softmax": multi_head(
        lines(w="torch.softmax(scores, -1) * mask"),
        dict.fromkeys(("mask", "head-mask", "empty", "gradient"), "mask-after-softmax"),
    ),
    "score zero": multi_head(
        lines(s="scores.masked_fill(~mask, 0)", w=NO_ROW_EMPTY), masked("masked-to-zero")
    ),
    "mask added": multi_head(
        """
q, k, v = (split_heads(x @ W.T, heads) for x, W in ((queries, W_q), (keys, W_k), (values, W_v)))
s = q @ k.mT / q.size(-1) ** 0.5
if mask is not None:
    s = s + (mask[:, None] if mask.ndim == 3 else mask)
return (s.softmax(-1) @ v).transpose(1, 2).flatten(2) @ W_o.T
""",
        masked("mask-added"),
    ),
    "zero times infinity": multi_head(
        """
q, k, v = (split_heads(x @ W.T, heads) for x, W in ((queries, W_q), (keys, W_k), (values, W_v)))
s = q @ k.mT / q.size(-1) ** 0.5
if mask is not None:
    s = s + (1 - (mask[:, None] if mask.ndim == 3 else mask).float()) * -math.inf
return (s.softmax(-1) @ v).transpose(1, 2).flatten(2) @ W_o.T
""",
        masked("zero-times-infinity"),
    ),
    "fill of -1e9": multi_head(
        lines(s="scores.masked_fill(~mask, -1e9)", w=NO_ROW_EMPTY), empty="finite-fill"
    ),
    "fill of -1e4": multi_head(
        lines(s="torch.where(mask, scores, -1e4)", w=NO_ROW_EMPTY), empty="finite-fill"
    ),
    "adds -1e9": multi_head(lines(s="scores - 1e9 * ~mask", w=NO_ROW_EMPTY), empty="finite-fill"),
    "NaN on an empty row": multi_head(lines(w=NO_ROW_EMPTY), empty="nan-on-empty-row"),
    "over the queries": multi_head(lines(w="s.softmax(-2).nan_to_num()"), everywhere("wrong-axis")),
    "over the heads": multi_head(lines(w="s.softmax(1).nan_to_num()"), everywhere("wrong-axis")),
    "no softmax": multi_head(lines(w="scores * mask"), everywhere("no-softmax")),
    "exponentials": multi_head(lines(w="s.exp()"), everywhere("not-normalised")),
    "mean of the heads": multi_head(
        lines(found="w.mean(1, keepdim=True).expand_as(w) @ v"), everywhere("weights-averaged")
    ),
    "mask on the heads": multi_head(
        lines(mask="mask", w=ZEROS_FOR_NAN)
        .replace("if mask is None", "if mask is None and 0")
        .replace("s = scores", "s = scores if mask is None else scores"),
        {"mask": "mask-on-heads", "empty": "mask-on-heads", "gradient": "mask-on-heads"},
    ),
    "split by view": multi_head(
        lines(
            *(
                f"({x} @ {W}.T).view(len({x}), heads, {x}.shape[1], -1)"
                for x, W in (("queries", "W_q"), ("keys", "W_k"), ("values", "W_v"))
            )
        ),
        everywhere("view-for-split"),
    ),
    "interleaved": multi_head(
        lines(
            *(
                f"({x} @ {W}.T).unflatten(-1, (-1, heads)).permute(0, 3, 1, 2)"
                for x, W in (("queries", "W_q"), ("keys", "W_k"), ("values", "W_v"))
            )
        ),
        everywhere("heads-interleaved"),
    ),
    "interleaved and back": multi_head(
        lines(
            *(
                f"torch.stack([({x} @ {W}.T)[..., h::heads] for h in range(heads)], 1)"
                for x, W in (("queries", "W_q"), ("keys", "W_k"), ("values", "W_v"))
            ),
            merged="found.permute(0, 2, 3, 1).reshape(queries.shape)",
        ),
        everywhere("heads-interleaved"),
    ),
    "merged by view": multi_head(
        lines(merged="found.reshape(queries.shape)"), everywhere("merge-without-swap")
    ),
    "heads left apart": multi_head(lines(output="found"), everywhere("shape")),
    "heads added up": multi_head(
        lines(merged="found.sum(1)", output="merged @ W_o[:, : merged.shape[-1]].T"),
        everywhere("values"),
    ),
    "W_o forgotten": multi_head(lines(output="merged"), everywhere("no-output-matrix")),
    "W_v forgotten": multi_head(
        lines(v="split_heads(values, heads)"), everywhere("values-not-projected")
    ),
    "nothing projected": multi_head(
        lines(*(f"split_heads({x}, heads)" for x in ("queries", "keys", "values"))),
        everywhere("values"),
    ),
    "W not transposed": multi_head(
        lines(
            "split_heads(queries @ W_q, heads)",
            "split_heads(keys @ W_k, heads)",
            "split_heads(values @ W_v, heads)",
            output="merged @ W_o",
        ),
        everywhere("matrix-transposed"),
    ),
    "W_o not transposed": multi_head(
        lines(output="merged.matmul(W_o)"), everywhere("matrix-transposed")
    ),
    "W_q for keys": multi_head("W_q, W_k = W_k, W_q\n" + lines(), everywhere("matrices-swapped")),
    "keys as values": multi_head(
        lines(v="split_heads(keys @ W_v.T, heads)"), everywhere("keys-for-values")
    ),
    "projected keys as values": multi_head(lines(v="k"), everywhere("keys-for-values")),
    "one head": multi_head(
        "heads = 1\n" + lines(mask="mask[:, None] if mask.ndim == 3 else mask[:, :1]"),
        everywhere("one-head"),
    ),
    "in place": multi_head(
        "queries *= 2.0\nqueries /= 2.0\n" + lines(scores="q.mul_(1) @ k.mT / q.size(-1) ** 0.5"),
        gradient="in-place",
    ),
    "mask in place": multi_head(
        lines().replace("mask = mask[", "queries += 1\nmask = mask["),
        {"inputs": "in-place", "gradient": "in-place"},
    ),
    "weights detached": multi_head(lines(found="w.detach() @ v"), gradient="no-gradient"),
    "W_o detached": multi_head(lines(output="merged @ W_o.data.T"), gradient="no-gradient"),
    "largest score not detached from keys": multi_head(
        lines(k="split_heads(keys @ W_k.T, heads).detach() + 0 * split_heads(keys @ W_k.T, heads)"),
        gradient="gradient",
    ),
    "NaN gradient": multi_head(
        lines(w="(s - s.logsumexp(-1, True)).exp().nan_to_num()", found="w.sqrt().square() @ v"),
        gradient="gradient",
    ),
}

REWRITES = {
    "a loop over the heads": f"""
{FIRST_LINE}
    outputs = []
    for h, rows in enumerate(torch.arange(len(W_q)).chunk(heads)):
        q, k, v = queries @ W_q[rows].T, keys @ W_k[rows].T, values @ W_v[rows].T
        s = q @ k.transpose(1, 2) / math.sqrt(len(rows))
        if mask is not None:
            s = s.masked_fill(~(mask if mask.ndim == 3 else mask[:, h]), -math.inf)
        outputs.append(s.softmax(-1).nan_to_num() @ v)
    return torch.cat(outputs, -1) @ W_o.T
""",
    "einsum": f"""
{FIRST_LINE}
    q, k, v = (
        torch.einsum("bnc,hdc->bhnd", x, W.unflatten(0, (heads, -1)))
        for x, W in ((queries, W_q), (keys, W_k), (values, W_v))
    )
    s = torch.einsum("bhnd,bhmd->bhnm", q, k) * q.shape[-1] ** -0.5
    if mask is not None:
        s = s.where(mask.unsqueeze(1) if mask.dim() == 3 else mask, -math.inf)
    w = torch.softmax(s, dim=3).nan_to_num(0.0)
    return torch.einsum("bhnm,bhmd,chd->bnc", w, v, W_o.unflatten(1, (heads, -1)))
""",
    "heads in the batch": f"""
{FIRST_LINE}
    def fold(x):
        return x.unflatten(-1, (heads, -1)).transpose(1, 2).flatten(0, 1)
    q, k, v = fold(queries @ W_q.T), fold(keys @ W_k.T), fold(values @ W_v.T)
    s = torch.bmm(q / q.size(2) ** 0.5, k.transpose(1, 2))
    if mask is not None:
        if mask.ndim == 4:
            mask = mask.flatten(0, 1)
        else:
            mask = mask.repeat_interleave(heads, dim=0)
        e = torch.exp(s - s.max(-1, keepdim=True).values) * mask
    else:
        e = torch.exp(s - s.max(-1, keepdim=True).values)
    w = e / e.sum(-1, keepdim=True).clamp_min(1e-12)
    found = torch.bmm(w, v).unflatten(0, (-1, heads))
    return found.permute(0, 2, 1, 3).flatten(2) @ W_o.T
""",
    "W_o shared out": f"""
{FIRST_LINE}
    q, k = split_heads(queries @ W_q.T, heads), split_heads(keys @ W_k.T, heads)
    v = split_heads(values @ W_v.T, heads)
    s = q @ k.mT / math.sqrt(k.shape[3])
    if mask is not None:
        allowed = mask if mask.ndim == 4 else mask[:, None]
        s = torch.softmax(s.masked_fill(~allowed, -1e9), -1) * allowed
    else:
        s = torch.softmax(s, -1)
    return (s @ v @ split_heads(W_o[None], heads).mT).sum(1)
""",
    "double precision, linear": f"""
{FIRST_LINE}
    linear = torch.nn.functional.linear
    q, k, v = (
        linear(x.double(), W.double()).reshape(len(x), x.shape[1], heads, -1).transpose(1, 2)
        for x, W in ((queries, W_q), (keys, W_k), (values, W_v))
    )
    s = q @ k.transpose(2, 3) / q.shape[-1] ** 0.5
    if mask is not None:
        mask = mask.reshape(len(mask), -1, *mask.shape[-2:])
        s = s + torch.zeros(mask.shape).masked_fill(~mask, -math.inf)
    found = torch.nan_to_num(s.softmax(dim=-1)) @ v
    return linear(torch.cat(found.unbind(1), -1), W_o.double())
""",
}
