"""Wrong and rewritten solutions of assignment 5: the loop, and the measurement."""

from tests.coursework.solutions.a5_wrong_step import STEP, STEP_REWRITES
from tests.coursework.solutions.wrong_solutions import Signature

decode = Signature("def decode(xs, w_q, w_k, w_v):")
PARTS = {
    "keys": "torch.zeros(len(xs), 0, w_k.size(1))",
    "values": "torch.zeros(len(xs), 0, w_v.size(1))",
    "steps": "range(xs.size(1))",
    "x": "xs[:, t]",
    "step": "output, keys, values = decode_step(x, keys, values, w_q, w_k, w_v)",
    "append": "outputs.append(output)",
    "result": "torch.stack(outputs, dim=1)",
}


def loop(**wrong):
    """The loop, with something in it that is wrong."""
    parts = PARTS | wrong
    return f"""
keys = {parts["keys"]}
values = {parts["values"]}
outputs = []
for t in {parts["steps"]}:
    x = {parts["x"]}
    {parts["step"]}
    {parts["append"]}
return {parts["result"]}
"""


def always(reason):
    return dict.fromkeys(("one", "batch", "gradient"), reason)


def one(reasons, **wrong):
    return decode(loop(**wrong), reasons)


POSITIONS = "torch.stack([position_encoding(t, xs.size(2)) for t in range(xs.size(1))])"
WHOLE = """
xs = {x}
scores = (xs @ w_q) @ (xs @ w_k).mT / math.sqrt(w_k.size(1))
hidden = torch.ones(xs.size(1), xs.size(1)).triu({diagonal}).bool()
return scores.masked_fill(hidden, -math.inf).softmax(-1) @ (xs @ w_v)
"""

DECODE = {
    "unanswered": decode("raise NotImplementedError", always("unanswered")),
    "nothing returned": one(always("not-a-tensor"), result="None"),
    "a list": one(always("not-a-tensor"), result="outputs"),
    "outputs and cache": one(always("not-a-tensor"), result="torch.stack(outputs, 1), keys"),
    "a name missing": one(always("name-error"), keys="empty_cache(xs)"),
    "cache not carried": one(
        always("cache-not-carried"),
        step="output, _, _ = decode_step(x, keys, values, w_q, w_k, w_v)",
    ),
    "cache emptied": one(
        always("cache-not-carried"),
        x="(keys := keys[:, :0], values := values[:, :0], xs[:, t])[2]",
    ),
    "only keys carried": one(
        always("values"),
        step="output, keys, _ = decode_step(x, keys, values, w_q, w_k, w_v)",
    ),
    "keys and values swapped": one(
        {"one": "values", "batch": "RuntimeError", "gradient": "values"},
        step="output, values, keys = decode_step(x, keys, values, w_q, w_k, w_v)",
    ),
    "last output": one(always("last-output-only"), result="output"),
    "last output with its axis": one(always("shape"), result="output[:, None]"),
    "stacked in front": one(always("steps-on-wrong-axis"), result="torch.stack(outputs)"),
    "stacked behind": one(always("steps-on-wrong-axis"), result="torch.stack(outputs, dim=-1)"),
    "joined": one(always("steps-on-wrong-axis"), result="torch.cat(outputs, dim=1)"),
    "joined along the batch": one(always("steps-on-wrong-axis"), result="torch.cat(outputs)"),
    "reshaped": one(
        {"batch": "values", "gradient": "values"},
        result="torch.cat(outputs).reshape(len(xs), xs.size(1), -1)",
    ),
    "mean of the steps": one(always("shape"), result="torch.stack(outputs).mean(0)"),
    "backwards": one(always("tokens-backwards"), steps="reversed(range(xs.size(1)))"),
    "backwards and turned round": one(
        always("tokens-backwards"), x="xs.flip(1)[:, t]", result="torch.stack(outputs, 1).flip(1)"
    ),
    "outputs in front": one(always("values"), append="outputs.insert(0, output)"),
    "first token always": one(always("values"), x="xs[:, 0]"),
    "token before": one(always("values"), x="xs[:, t - 1]"),
    "batch for tokens": one(
        {"one": "RuntimeError", "batch": "RuntimeError", "gradient": "RuntimeError"},
        x="xs[t]",
        steps="range(len(xs))",
    ),
    "last step missing": one(always("a-step-missing"), steps="range(xs.size(1) - 1)"),
    "first token skipped": one(always("a-step-missing"), steps="range(1, xs.size(1))"),
    "a step too many": one(always("IndexError"), steps="range(xs.size(1) + 1)"),
    "positions added before": one(always("position-twice"), x=f"(xs + {POSITIONS})[:, t]"),
    "cache begins with zeros": one(
        always("values"),
        keys="torch.zeros(len(xs), 1, w_k.size(1))",
        values="torch.zeros(len(xs), 1, w_v.size(1))",
    ),
    "cache of one sequence": one(
        {"batch": "RuntimeError", "gradient": "RuntimeError"},
        keys="torch.zeros(1, 0, w_k.size(1))",
        values="torch.zeros(1, 0, w_v.size(1))",
    ),
    "cache as wide as the tokens": one(
        {"batch": "RuntimeError"},
        keys="torch.zeros(len(xs), 0, xs.size(2))",
        values="torch.zeros(len(xs), 0, xs.size(2))",
    ),
    "cache cut off": one(
        always("cache-cut-off"),
        append="outputs.append(output); keys, values = keys[:, -1:], values[:, -1:]",
    ),
    "no mask": decode(
        f"""
xs = xs + {POSITIONS}
weights = (xs @ w_q @ (xs @ w_k).mT / math.sqrt(w_k.size(1))).softmax(-1)
return weights @ (xs @ w_v)
""",
        always("no-causal-mask"),
    ),
    "no positions": decode(WHOLE.format(x="xs", diagonal=1), always("no-position")),
    "position 0": decode(
        WHOLE.format(x="xs + position_encoding(0, xs.size(2))", diagonal=1), always("position-zero")
    ),
    "positions from 1": decode(
        WHOLE.format(
            x="xs + torch.stack([position_encoding(t + 1, xs.size(2)) for t in range(xs.size(1))])",
            diagonal=1,
        ),
        always("position-off-by-one"),
    ),
    "itself hidden": decode(WHOLE.format(x=f"xs + {POSITIONS}", diagonal=0), always("not-finite")),
    "tokens changed in place": one(
        {"batch": "in-place", "gradient": "in-place"},
        x="xs[:, t].add_(1e-7)",
    ),
    "detached": one({"gradient": "no-gradient"}, append="outputs.append(output.detach())"),
    "cache detached": one(
        {"gradient": "gradient"},
        append="outputs.append(output); keys, values = keys.detach(), values.detach()",
    ),
    "half precision": one(always("values"), result="torch.stack(outputs, 1).half()"),
}

DECODE_REWRITES = {
    "loop": decode(loop()).code,
    "loop into a result": """
def decode(xs, w_q, w_k, w_v):
    batch, n, _ = xs.shape
    cache = [torch.empty(batch, 0, w.shape[1]) for w in (w_k, w_v)]
    result = torch.empty(batch, n, w_v.shape[1])
    for t, x in enumerate(xs.transpose(0, 1)):
        result[:, t], *cache = decode_step(x, *cache, w_q, w_k, w_v)
    return result
""",
    "loop that joins": """
def decode(xs, w_q, w_k, w_v):
    keys, values = xs[:, :0] @ w_k, xs[:, :0] @ w_v
    result = values
    for x in xs.unbind(1):
        output, keys, values = decode_step(x, keys, values, w_q, w_k, w_v)
        result = torch.cat([result, output[:, None]], dim=1)
    return result
""",
    "sequences one by one": """
def decode(xs, w_q, w_k, w_v):
    if len(xs) > 1:
        return torch.cat([decode(one[None], w_q, w_k, w_v) for one in xs])
    keys, values, outputs = torch.zeros(1, 0, len(w_k.T)), torch.zeros(1, 0, len(w_v.T)), []
    for x in xs[0]:
        output, keys, values = decode_step(x[None], keys, values, w_q, w_k, w_v)
        outputs.append(output[0])
    return torch.stack(outputs)[None]
""",
    "the whole at once": decode(WHOLE.format(x=f"xs + {POSITIONS}", diagonal=1)).code,
}

count = Signature("def count_projections(table, w_q, w_k, w_v, first, most):")
COUNTED = {
    "generate": "for _ in range(most):",
    "seen": "rows",
    "with": "with_cache += 1",
    "without": "without += len(tokens)",
    "stop": "if tokens[-1] == 0: break",
    "result": "[without, with_cache]",
}


def counting(**wrong):
    """Generation with a cache that counts for both, with one line that is wrong."""
    parts = COUNTED | wrong
    return f"""
tokens, without, with_cache = [first], 0, 0
keys = torch.zeros(1, 0, w_k.size(1))
values = torch.zeros(1, 0, w_v.size(1))
{parts["generate"]}
    x = table[tokens[-1:]]
    output, keys, values = decode_step(x, keys, values, w_q, w_k, w_v)
    {parts["with"]}
    {parts["without"]}
    tokens.append(torch.argmax(output @ table.T).item())
    {parts["stop"]}
return torch.tensor({parts["result"]})
"""


def both(reason):
    return dict.fromkeys(("ends", "cut"), reason)


COUNT = {
    "unanswered": count("raise NotImplementedError", both("unanswered")),
    "a list": count(counting(result="0") + "\n", both("shape")),
    "plain numbers": count(
        counting().replace("torch.tensor([without, with_cache])", "without, with_cache"),
        both("not-a-tensor"),
    ),
    "one count": count(counting(result="[without]"), both("shape")),
    "keys and values": count(
        counting(result="[2 * without, 2 * with_cache]"), both("matrices-counted")
    ),
    "queries, too": count(
        counting(**{"with": "with_cache += 3", "without": "without += 3 * len(tokens)"}),
        both("matrices-counted"),
    ),
    "order": count(counting(result="[with_cache, without]"), both("order")),
    "cache without effect": count(
        counting(**{"with": "with_cache += len(tokens)"}), both("cache-without-effect")
    ),
    "only the newest": count(counting(without="without += 1"), both("cache-without-effect")),
    "end token ignored": count(counting(stop="pass"), ends="end-token-ignored"),
    "square": count(counting(result="[with_cache**2, with_cache]"), both("square")),
    "newest not counted": count(
        counting(without="without += len(tokens) - 1"), both("newest-not-counted")
    ),
    "a step fewer": count(
        counting(result="[without - with_cache, with_cache - 1]"), both("a-step-fewer")
    ),
    "a step more": count(
        counting(generate="for _ in range(most + 1):", stop="if tokens[-2:-1] == [0]: break"),
        both("a-step-more"),
    ),
}

COUNT_REWRITES = {
    "counting along": count(counting()).code,
    "counting calls": """
def count_projections(table, w_q, w_k, w_v, first, most):
    counts = {}

    def project(name, rows):
        counts[name] = counts.get(name, 0) + len(rows)
        return rows @ w_k, rows @ w_v

    def whole(tokens):
        x = torch.stack([table[t] + position_encoding(i, len(w_q)) for i, t in enumerate(tokens)])
        keys, values = project("without", x)
        weights = torch.softmax(keys @ (x[-1] @ w_q) / math.sqrt(keys.shape[1]), 0)
        return weights @ values

    tokens = [first]
    while len(tokens) <= most:
        tokens.append(int(torch.argmax(table @ whole(tokens))))
        project("with", table[tokens[-2:-1]])
        if tokens[-1] == 0:
            break
    return torch.tensor([counts["without"], counts["with"]])
""",
    "counting from the length": """
def count_projections(table, w_q, w_k, w_v, first, most):
    tokens = torch.tensor([first])
    lengths = []
    while len(lengths) < most and (not lengths or tokens[-1] != 0):
        lengths.append(len(tokens))
        output = decode(table[tokens][None], w_q, w_k, w_v)[0, -1]
        tokens = torch.cat([tokens, (table @ output).argmax()[None]])
    return torch.tensor([sum(lengths), len(lengths)], dtype=torch.float32)
""",
}

WRONG = {"decode_step": STEP, "decode": DECODE, "count_projections": COUNT}
REWRITES = STEP_REWRITES | DECODE_REWRITES | COUNT_REWRITES
