"""Wrong and rewritten solutions of assignment 6; two questions share them with 1 and 5."""

import inspect

from coursework.assignments.a5_decoding.given import position_encoding
from tests.coursework.solutions import a1_wrong_solutions, a5_wrong_solutions
from tests.coursework.solutions.wrong_solutions import Signature, WrongSolution


def adapted(code, name):
    """A solution of an earlier assignment under the name of its adapter."""
    given = inspect.getsource(position_encoding) if name == "decode_step" else ""
    return given + code.replace(f"{name}(", f"run_{name.replace('decode', 'decoder')}(")


def all_adapted(module, name):
    solutions = module.WRONG[name].items()
    return {t: WrongSolution(adapted(s.code, name), s.reasons) for t, s in solutions}


block = Signature(
    "def run_decoder_block(x, gain_1, w_q, w_k, w_v, w_o, gain_2, w_in, w_out, heads):"
)
PARTS = {
    "norm": "(y - y.mean(-1, True)) / (y.var(-1, correction=0, keepdim=True) + 1e-5).sqrt()",
    "split": "y.view(b, n, heads, -1).permute(0, 2, 1, 3)",
    "into": "norm(x) * gain_1",
    "qkv": "split(h @ w_q), split(h @ w_k), split(h @ w_v)",
    "scores": "torch.einsum('bhnd,bhmd->bhnm', q, k) / math.sqrt(q.size(-1))",
    "mask": "torch.arange(n)[:, None] < torch.arange(n)",
    "weights": "scores.masked_fill(mask, float('-inf')).softmax(-1)",
    "merged": "torch.einsum('bhnm,bhmd->bnhd', weights, v).reshape(b, n, d)",
    "attended": "merged @ w_o",
    "middle": "x + attended",
    "fed": "torch.clamp((norm(y) * gain_2) @ w_in, min=0) @ w_out",
    "result": "y + fed",
}


def lines(**wrong):
    """The block in lines, some of which are wrong."""
    parts = PARTS | wrong
    return f"""
b, n, d = x.shape

def norm(y):
    return {parts["norm"]}

def split(y):
    return {parts["split"]}

h = {parts["into"]}
q, k, v = {parts["qkv"]}
scores = {parts["scores"]}
mask = {parts["mask"]}
weights = {parts["weights"]}
merged = {parts["merged"]}
attended = {parts["attended"]}
y = {parts["middle"]}
fed = {parts["fed"]}
return {parts["result"]}
"""


def one(reasons, **wrong):
    return block(lines(**wrong), reasons)


def several(reason):
    """What a single token forgives."""
    return dict.fromkeys(("one-head", "heads", "inputs", "gradient"), reason)


def with_heads(reason, *others):
    return dict.fromkeys(("heads", "inputs", "gradient", *others), reason)


def always(reason):
    return several(reason) | {"single": reason}


BLOCK = {
    "unanswered": block("raise NotImplementedError", always("unanswered")),
    "nothing returned": one(always("not-a-tensor"), result="None"),
    "a pair": one(always("not-a-tensor"), result="y + fed, weights"),
    "a name missing": one(always("name-error"), into="layer_norm(x) * gain_1"),
    "normalised after": one(
        always("post-norm"),
        into="x",
        middle="norm(x + attended) * gain_1",
        fed="torch.relu(y @ w_in) @ w_out",
        result="norm(y + fed) * gain_2",
    ),
    "not normalised before attention": one(always("no-first-norm"), into="x"),
    "not normalised before feed-forward": one(
        always("no-second-norm"), fed="torch.relu(y @ w_in) @ w_out"
    ),
    "first residual missing": one(always("no-residual"), middle="attended"),
    "second residual missing": one(always("no-residual"), result="fed"),
    "both residuals missing": one(always("no-residual"), middle="attended", result="fed"),
    "residual of the normalised": one(always("normalised-residual"), middle="h + attended"),
    "second residual of the normalised": one(
        always("normalised-residual"), result="norm(y) * gain_2 + fed"
    ),
    "both residuals of the normalised": one(
        always("normalised-residual"), middle="h + attended", result="norm(y) * gain_2 + fed"
    ),
    "in parallel": one(always("parallel"), fed="torch.relu((norm(x) * gain_2) @ w_in) @ w_out"),
    "feed-forward first": block(
        "x = x + (norm_(x) * gain_2 @ w_in).relu() @ w_out".replace(
            "norm_(x)", "torch.nn.functional.layer_norm(x, x.shape[-1:])"
        )
        + lines(result="y"),
        always("sublayers-swapped"),
    ),
    "no gains": one(always("no-gain"), into="norm(x)", fed="torch.relu(norm(y) @ w_in) @ w_out"),
    "gains swapped": one(
        always("gains-swapped"),
        into="norm(x) * gain_2",
        fed="torch.relu((norm(y) * gain_1) @ w_in) @ w_out",
    ),
    "mean kept": one(
        always("mean-kept"), norm="y / torch.sqrt((y * y).mean(-1, keepdim=True) + 1e-5)"
    ),
    "sample variance": one(
        always("sample-variance"),
        norm="(y - y.mean(-1, True)) / (y.var(-1, keepdim=True) + 1e-5).sqrt()",
    ),
    "normalised over positions": one(
        always("norm-over-positions"),
        norm="(y - y.mean(1, True)) / (y.var(1, correction=0, keepdim=True) + 1e-5).sqrt()",
    ),
    "divided by the variance": one(
        always("values"),
        norm="(y - y.mean(-1, True)) / (y.var(-1, correction=0, keepdim=True) + 1e-5)",
    ),
    "no mask": one(several("no-causal-mask"), weights="scores.softmax(-1)"),
    "one ahead": one(several("one-ahead"), mask="torch.ones(n, n).triu(2).bool()"),
    "itself hidden": one(always("diagonal-hidden"), mask="torch.ones(n, n).triu().bool()"),
    "mask inverted": one(
        always("diagonal-hidden") | several("not-finite"), mask="torch.ones(n, n).tril().bool()"
    ),
    "no scale": one(several("no-scale"), scores="torch.einsum('bhnd,bhmd->bhnm', q, k)"),
    "scale d": one(
        several("scale-by-d"), scores="torch.einsum('bhnd,bhmd->bhnm', q, k) / q.size(-1)"
    ),
    "scale of all heads": one(
        with_heads("scale-by-model-width"),
        scores="torch.einsum('bhnd,bhmd->bhnm', q, k) / math.sqrt(d)",
    ),
    "heads ignored": one(with_heads("one-head"), split="y.view(b, n, 1, d).transpose(1, 2)"),
    "view for transpose": one(with_heads("heads-mixed"), split="y.view(b, heads, n, -1)"),
    "columns interleaved": one(
        with_heads("heads-interleaved", "single"),
        split="y.view(b, n, -1, heads).permute(0, 3, 1, 2)",
    ),
    "merged without a swap": one(
        with_heads("heads-merged-wrongly"),
        merged="(weights @ v).reshape(b, n, d)",
    ),
    "w_o forgotten": one(always("no-output-projection"), attended="merged"),
    "w_o transposed": one(always("values"), attended="merged @ w_o.T"),
    "no ReLU": one(always("no-relu"), fed="(norm(y) * gain_2) @ w_in @ w_out"),
    "GELU": one(
        always("other-activation"),
        fed="torch.nn.functional.gelu((norm(y) * gain_2) @ w_in) @ w_out",
    ),
    "tanh": one(always("other-activation"), fed="torch.tanh((norm(y) * gain_2) @ w_in) @ w_out"),
    "over the queries": one(
        several("wrong-axis"), weights="scores.masked_fill(mask, -math.inf).softmax(-2)"
    ),
    "over the heads": one(
        {
            "one-head": "not-finite",
            "heads": "not-finite",
            "single": "values",
            "inputs": "not-finite",
            "gradient": "not-finite",
        },
        weights="scores.masked_fill(mask, -math.inf).softmax(1)",
    ),
    "keys for queries": one(
        several("values"), qkv="split(h @ w_k), split(h @ w_q), split(h @ w_v)"
    ),
    "in place": block("x -= 1e-6\n" + lines(), inputs="in-place", gradient="in-place"),
    "residual in place": one(
        {"inputs": "in-place", "gradient": "in-place"}, middle="x.add_(attended)"
    ),
    "detached": one({"gradient": "no-gradient"}, result="(y + fed).detach()"),
    "norm detached": one({"gradient": "gradient"}, into="norm(x).detach() * gain_1"),
    "half precision": one(
        always("values"),
        fed="torch.zeros_like(y)",
        result="y.half() + (torch.relu((norm(y) * gain_2) @ w_in) @ w_out).half()",
    ),
}

BLOCK_REWRITES = {
    "block in lines": block(lines()).code,
    "block with the norm of the library": block(
        lines(norm="torch.nn.functional.layer_norm(y, (d,))")
    ).code,
    "block with a finite fill": block(
        lines(weights="scores.masked_fill(mask, -1e9).softmax(-1)")
    ).code,
    "block head by head": """
def run_decoder_block(x, gain_1, w_q, w_k, w_v, w_o, gain_2, w_in, w_out, heads):
    n, d = x.shape[1:]
    width = d // heads
    h = torch.nn.functional.layer_norm(x, (d,), gain_1)
    y = x
    for i in range(heads):
        mine = slice(i * width, (i + 1) * width)
        q, k, v = h @ w_q[:, mine], h @ w_k[:, mine], h @ w_v[:, mine]
        scores = (q @ k.mT / width**0.5).masked_fill(~torch.ones(n, n).tril().bool(), -math.inf)
        y = y + torch.softmax(scores, -1) @ v @ w_o[mine]
    return y + torch.relu(torch.nn.functional.layer_norm(y, (d,), gain_2) @ w_in) @ w_out
""",
    "block token by token": """
def run_decoder_block(x, gain_1, w_q, w_k, w_v, w_o, gain_2, w_in, w_out, heads):
    rows = []
    norm = torch.nn.functional.layer_norm
    for t in range(x.shape[1]):
        h = norm(x[:, : t + 1], x.shape[-1:], gain_1)
        k, v = (torch.stack((h @ w).chunk(heads, -1), 1) for w in (w_k, w_v))
        q = torch.stack((h[:, -1:] @ w_q).chunk(heads, -1), 1)
        weights = (q @ k.mT / math.sqrt(q.shape[-1])).softmax(-1)
        y = x[:, t] + torch.cat((weights @ v).unbind(1), -1)[:, 0] @ w_o
        rows.append(y + (norm(y, y.shape[-1:], gain_2) @ w_in).relu() @ w_out)
    return torch.stack(rows, 1)
""",
}

grow = Signature("def run_growth(depth, d_model, tokens):")
STACK = {
    "draw": "torch.randn(d_model, d_model) / d_model**0.5",
    "norm": "(x - x.mean(-1, True)) / x.std(-1, keepdim=True)",
    "with": "x + norm(x) @ draw()",
    "without": "x + x @ draw()",
    "steps": "range(depth)",
    "size": "(x**2).mean()",
    "result": "[size(a), size(c)]",
}


def stack(**wrong):
    """Both stacks, with one line that is wrong."""
    parts = STACK | wrong
    return f"""
def draw():
    return {parts["draw"]}
def norm(x):
    return {parts["norm"]}
def size(x):
    return {parts["size"]}
a, c = torch.randn(tokens, d_model), torch.randn(tokens, d_model)
for _ in {parts["steps"]}:
    x = a
    a = {parts["with"]}
    x = c
    c = {parts["without"]}
return torch.tensor({parts["result"]})
"""


def both(reason):
    return dict.fromkeys(("shallow", "deep"), reason)


GROWTH = {
    "unanswered": grow("raise NotImplementedError", both("unanswered")),
    "one number": grow(stack(result="[size(a)]"), both("shape")),
    "order": grow(stack(result="[size(c), size(a)]"), both("order")),
    "root": grow(stack(size="(x**2).mean().sqrt()"), both("root-taken")),
    "standard deviations": grow(stack(size="x.std()"), both("root-taken")),
    "never normalised": grow(stack(norm="x"), both("never-normalised")),
    "always normalised": grow(stack(without="x + norm(x) @ draw()"), both("always-normalised")),
    "no residual": grow(
        stack(**{"with": "norm(x) @ draw()", "without": "x @ draw()"}), both("no-residual")
    ),
    "normalised last": grow(stack(**{"with": "norm(x + x @ draw())"}), both("post-norm")),
    "one fewer": grow(stack(steps="range(depth - 1)"), both("depth-off-by-one")),
    "one more": grow(stack(steps="range(depth + 1)"), both("depth-off-by-one")),
    "weights not scaled": grow(
        stack(draw="torch.randn(d_model, d_model)"), both("weights-not-scaled")
    ),
}
GROWTH_REWRITES = {
    "growth in one loop": grow(stack()).code,
    "growth by the library's parts": """
def run_growth(depth, d_model, tokens):
    def layer():
        linear = torch.nn.Linear(d_model, d_model, bias=False)
        torch.nn.init.normal_(linear.weight, std=d_model**-0.5)
        return linear

    with torch.no_grad():
        x, y, norm = torch.randn(tokens, d_model), torch.randn(tokens, d_model), torch.nn.LayerNorm
        for _ in range(depth):
            x, y = x + layer()(norm(d_model)(x)), y + layer()(y)
    return torch.stack([x.var(), y.var()])
""",
    "growth with the same matrices for both": """
def run_growth(depth, d_model, tokens):
    x = y = torch.randn(tokens, d_model)
    for _ in range(depth):
        w = torch.normal(0.0, 1 / math.sqrt(d_model), (d_model, d_model))
        h = x - x.mean(1, keepdim=True)
        x = x + h / h.square().mean(1, keepdim=True).sqrt() @ w
        y = y + y @ w
    return torch.tensor([x.pow(2).mean(), y.pow(2).mean()])
""",
}

WRONG = {
    "run_masked_softmax": all_adapted(a1_wrong_solutions, "masked_softmax"),
    "run_decoder_step": all_adapted(a5_wrong_solutions, "decode_step"),
    "run_decoder_block": BLOCK,
    "run_growth": GROWTH,
}
REWRITES = (
    {
        t: adapted(c, "masked_softmax")
        for t, c in a1_wrong_solutions.REWRITES.items()
        if "def masked_softmax(" in c
    }
    | {t: adapted(c, "decode_step") for t, c in a5_wrong_solutions.STEP_REWRITES.items()}
    | BLOCK_REWRITES
    | GROWTH_REWRITES
)
