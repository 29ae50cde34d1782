"""Wrong and rewritten solutions of assignment 5: one step of decoding with a cache."""

from tests.coursework.solutions.wrong_solutions import Signature

step = Signature("def decode_step(x, keys, values, w_q, w_k, w_v):")
PARTS = {
    "position": "keys.size(1)",
    "x": "x + position_encoding(position, x.size(-1))",
    "query": "x @ w_q",
    "key": "x @ w_k",
    "value": "x @ w_v",
    "keys": "torch.cat((keys, key[:, None]), dim=1)",
    "values": "torch.cat((values, value[:, None]), dim=1)",
    "scores": "torch.einsum('bd,btd->bt', query, keys) / math.sqrt(query.size(-1))",
    "weights": "torch.softmax(scores, dim=-1)",
    "output": "torch.einsum('bt,btd->bd', weights, values)",
    "result": "output, keys, values",
}


def lines(**wrong):
    """A step in lines, some of which are wrong."""
    parts = PARTS | wrong
    return f"""
old_keys, old_values = keys, values
position = {parts["position"]}
bare = x
x = {parts["x"]}
query, key, value = {parts["query"]}, {parts["key"]}, {parts["value"]}
keys = {parts["keys"]}
values = {parts["values"]}
scores = {parts["scores"]}
weights = {parts["weights"]}
output = {parts["output"]}
return {parts["result"]}
"""


def one(reasons, **wrong):
    return step(lines(**wrong), reasons)


def with_past(reason):
    """What goes wrong only where the cache holds something."""
    return dict.fromkeys(("later", "widths", "inputs", "gradient"), reason)


def always(reason):
    return {"first": reason, **with_past(reason)}


EINSUM = "torch.einsum('bd,btd->bt', query, keys)"

STEP = {
    "unanswered": step("raise NotImplementedError", always("unanswered")),
    "only the output": one(always("not-a-tuple"), result="output"),
    "output and keys": one(always("not-a-tuple"), result="output, keys"),
    "cache as a pair": one(always("not-a-tuple"), result="output, (keys, values)"),
    "weights, too": one(always("not-a-tuple"), result="output, keys, values, weights"),
    "a name missing": one(always("name-error"), x="x + positions[t]"),
    "position 0": one(with_past("position-zero"), position="0"),
    "position of the only token": one(
        with_past("position-zero"), position="x[:, None].shape[1] - 1"
    ),
    "position counted from 1": one(always("position-off-by-one"), position="keys.size(1) + 1"),
    "position of the longer cache": step(
        """
old = keys
keys = torch.cat([keys, keys.new_zeros(keys.size(0), 1, keys.size(2))], 1)
x = x + position_encoding(keys.size(1), x.size(1))
keys = torch.cat([old, (x @ w_k)[:, None]], 1)
values = torch.cat([values, (x @ w_v)[:, None]], 1)
weights = (keys @ (x @ w_q)[:, :, None] / keys.size(-1) ** 0.5).softmax(1)
return (weights.mT @ values)[:, 0], keys, values
""",
        always("position-off-by-one"),
    ),
    "position of the last token": one(always("position-off-by-one"), position="keys.size(1) - 1"),
    "position from the batch": one(always("values"), position="2 * keys.size(0) + 20"),
    "no position": one(always("no-position"), x="x"),
    "position made, not added": one(
        always("no-position"), x="(position_encoding(position, x.size(-1)), x)[1]"
    ),
    "position only in the query": one(
        always("position-partly"), key="bare @ w_k", value="bare @ w_v"
    ),
    "position not in the query": one(with_past("position-partly"), query="bare @ w_q"),
    "position not in the value": one(always("position-partly"), value="bare @ w_v"),
    "cache in front": one(
        with_past("cache-in-front"),
        keys="torch.cat([key[:, None], keys], dim=1)",
        values="torch.cat([value[:, None], values], dim=1)",
    ),
    "old cache": one(always("cache-not-longer"), result="output, old_keys, old_values"),
    "old cache read and returned": step(
        """
x = x + position_encoding(keys.size(1), x.size(-1))
weights = torch.softmax(keys @ (x @ w_q).unsqueeze(-1) / math.sqrt(w_q.size(1)), dim=1)
return (weights * values).sum(1), keys, values
""",
        always("cache-not-longer"),
    ),
    "values before keys": one(always("keys-and-values-swapped"), result="output, values, keys"),
    "w_k and w_v swapped": one(always("keys-and-values-swapped"), key="x @ w_v", value="x @ w_k"),
    "newest not seen": one(
        always("newest-not-seen"),
        scores="torch.einsum('bd,btd->bt', query, old_keys) / math.sqrt(query.size(-1))",
        output="torch.einsum('bt,btd->bd', weights, old_values)",
    ),
    "newest not seen but at first": step(
        """
x = x + position_encoding(keys.size(1), x.size(-1))
key, value = (x @ w_k)[:, None], (x @ w_v)[:, None]
past, of_past = (keys, values) if keys.size(1) else (key, value)
weights = torch.softmax(past @ (x @ w_q)[..., None] / math.sqrt(w_q.size(1)), dim=1)
output = (weights * of_past).sum(1)
return output, torch.cat([keys, key], 1), torch.cat([values, value], 1)
""",
        with_past("newest-not-seen"),
    ),
    "cache not read": one(with_past("cache-not-read"), output="value"),
    "cache dropped": one(with_past("cache-dropped"), result="output, key[:, None], value[:, None]"),
    "new cache only": one(with_past("cache-dropped"), keys="key[:, None]", values="value[:, None]"),
    "softmax over the batch": one(always("wrong-axis"), weights="torch.softmax(scores, dim=0)"),
    "softmax over an axis of one": one(
        with_past("wrong-axis"), weights="scores[:, None].softmax(dim=1)[:, 0]"
    ),
    "no softmax": one(always("no-softmax"), weights="scores"),
    "exponentials": one(always("not-normalised"), weights="scores.exp()"),
    "no scale": one(with_past("no-scale"), scores=EINSUM),
    "scale d": one(with_past("scale-by-d"), scores=EINSUM + " / keys.size(-1)"),
    "times root d": one(with_past("scale-inverted"), scores=EINSUM + " * keys.size(-1) ** 0.5"),
    "root of length": one(with_past("scale-by-length"), scores=EINSUM + " / keys.size(1) ** 0.5"),
    "scaled twice": one(
        with_past("scale-by-d"),
        query="x @ w_q / math.sqrt(w_q.size(1))",
    ),
    "scaled keys cached": one(
        always("scaled-keys-cached"), key="x @ w_k / math.sqrt(w_k.size(1))", scores=EINSUM
    ),
    "scaled keys cached, scaled again": one(
        always("scaled-twice"), key="x @ w_k / math.sqrt(w_k.size(1))"
    ),
    "projections transposed": one(
        always("projection-transposed"), query="x @ w_q.T", key="x @ w_k.T", value="x @ w_v.T"
    ),
    "w_q and w_k swapped": one(always("queries-and-keys-swapped"), query="x @ w_k", key="x @ w_q"),
    "values not projected": one(always("not-projected"), value="x"),
    "query not projected": one(with_past("not-projected"), query="x"),
    "bare tokens cached": one(always("not-projected"), key="x", value="x"),
    "cache joined along the batch": one(
        always("RuntimeError"),
        keys="torch.cat([keys, key[:, None]], dim=0)",
        values="torch.cat([values, value[:, None]], dim=0)",
    ),
    "cache joined without an axis": one(always("RuntimeError"), keys="torch.cat([keys, key], 1)"),
    "an axis too many": one(always("shape"), result="output[:, None], keys, values"),
    "one sequence only": one(always("shape"), result="output[0], keys, values"),
    "position added in place": one(
        {"inputs": "in-place", "gradient": "in-place"},
        x="x.add_(position_encoding(position, x.size(-1)))",
    ),
    "old keys scaled in place": step(
        "keys /= math.sqrt(keys.size(-1))\nx = x + position_encoding(keys.size(1), x.size(-1))\n"
        "keys = torch.cat([keys, (x @ w_k / math.sqrt(w_k.size(1)))[:, None]], 1)\n"
        "values = torch.cat([values, (x @ w_v)[:, None]], 1)\n"
        "weights = (keys @ (x @ w_q)[:, :, None]).softmax(1)\n"
        "keys = keys * math.sqrt(w_k.size(1))\n"
        "return (weights * values).sum(1), keys, values",
        inputs="in-place",
        gradient="in-place",
    ),
    "cache detached": one(
        {"gradient": "gradient"}, result="output, keys.detach(), values.detach()"
    ),
    "old cache detached": one(
        {"gradient": "no-gradient"},
        keys="torch.cat((keys.detach(), key[:, None]), dim=1)",
    ),
    "all detached": step(
        "with torch.no_grad():" + lines().replace("\n", "\n    "), gradient="no-gradient"
    ),
    "half precision": one(
        always("values"), key="(x @ w_k).half().float()", value="(x @ w_v).half().float()"
    ),
}

STEP_REWRITES = {
    "step line by line": step(lines()).code,
    "step with a list": step(lines(result="[output, keys, values]")).code,
    "step with an axis of queries": """
def decode_step(x, keys, values, w_q, w_k, w_v):
    x = (x + position_encoding(keys.shape[-2], x.shape[-1])).unsqueeze(-2)
    keys = torch.cat([keys, x @ w_k], dim=-2)
    values = torch.cat([values, x @ w_v], dim=-2)
    scores = x @ w_q @ keys.transpose(-2, -1) / math.sqrt(w_k.shape[-1])
    return (torch.softmax(scores, dim=-1) @ values).squeeze(-2), keys, values
""",
    "step into a new cache": """
def decode_step(x, keys, values, w_q, w_k, w_v):
    batch, t, _ = keys.shape
    x = x + position_encoding(t, w_q.shape[0])
    new_keys = torch.zeros(batch, t + 1, w_k.shape[1])
    new_values = torch.zeros(batch, t + 1, w_v.shape[1])
    new_keys[:, :t], new_values[:, :t] = keys, values
    new_keys[:, t], new_values[:, t] = x @ w_k, x @ w_v
    scores = ((x @ w_q)[:, None] * new_keys).sum(2) * w_k.shape[1] ** -0.5
    weights = (scores - scores.amax(1, keepdim=True)).exp()
    weights = weights / weights.sum(1, keepdim=True)
    return (weights[..., None] * new_values).sum(1), new_keys, new_values
""",
    "step by step over the batch": """
def decode_step(x, keys, values, w_q, w_k, w_v):
    t, d = keys.shape[1], x.shape[1]
    outputs, all_keys, all_values = [], [], []
    for row, k, v in zip(x, keys, values):
        row = row + position_encoding(t, d)
        k, v = torch.vstack([k, row @ w_k]), torch.vstack([v, row @ w_v])
        weights = torch.softmax(k @ (row @ w_q) / math.sqrt(k.shape[1]), dim=0)
        outputs.append(weights @ v)
        all_keys.append(k)
        all_values.append(v)
    return torch.stack(outputs), torch.stack(all_keys), torch.stack(all_values)
""",
    "step with the scale in the query": step(
        lines(query="x @ (w_q / math.sqrt(w_q.size(1)))", scores=EINSUM)
    ).code,
}
