"""Wrong and rewritten solutions of assignment 3."""

from tests.coursework.solutions import a3_attention_solutions, a3_split_solutions
from tests.coursework.solutions.wrong_solutions import Signature

head = Signature("def measure_head(d_model, heads, length, samples):")


def everywhere(reason):
    return dict.fromkeys(("one", "some", "many"), reason)


def with_several(reason):
    """One head has the whole width and all the parameters."""
    return {"some": reason, "many": reason}


def lines(
    d_head="d_model // heads",
    parameters="4 * d_model**2",
    matrices="torch.randn(2, samples, d_head, d_model) / math.sqrt(d_model)",
    scores="q @ k.mT / math.sqrt(d_head)",
    rank="torch.linalg.matrix_rank(s[0])",
    variance="s.var()",
    output="torch.tensor([parameters, rank, variance])",
):
    """The measurement in a few lines, of which one is wrong."""
    return f"""
d_head = {d_head}
parameters = {parameters}
W_q, W_k = {matrices}
q = torch.randn(samples, length, d_model) @ W_q.mT
k = torch.randn(samples, length, d_model) @ W_k.mT
s = {scores}
rank, variance = {rank}, {variance}
return {output}
"""


MEASURE_HEAD = {
    "unanswered": head("raise NotImplementedError", everywhere("unanswered")),
    "a list": head(lines(output="[parameters, rank, variance]"), everywhere("not-a-tensor")),
    "a column": head(
        lines(output="torch.tensor([parameters, rank, variance])[:, None]"), everywhere("shape")
    ),
    "no scale": head(lines(scores="q @ k.mT"), everywhere("no-scale")),
    "scale d_head": head(lines(scores="q @ k.mT / d_head"), everywhere("scale-by-d")),
    "scale d_model": head(
        lines(scores="q @ k.mT / d_model**0.5"), with_several("scale-by-model-width")
    ),
    "whole width": head(lines("d_model"), with_several("rank-too-large")),
    "parameters of a head": head(
        lines(parameters="4 * d_head * d_model"), with_several("parameters-of-one-head")
    ),
    "three matrices of a head": head(
        lines(parameters="3 * d_head * d_model"),
        everywhere("parameters-of-one-head"),
    ),
    "one head and W_o": head(
        lines(parameters="3 * d_head * d_model + d_model**2"),
        with_several("parameters-of-one-head"),
    ),
    "W_o not counted": head(
        lines(parameters="heads * 3 * d_head * d_model"), everywhere("output-not-counted")
    ),
    "whole matrices for each head": head(
        lines(parameters="4 * heads * d_model * d_model"), with_several("parameters-times-heads")
    ),
    "whole projections for each head": head(
        lines(parameters="heads * 3 * d_model**2 + d_model**2"),
        with_several("parameters-times-heads"),
    ),
    "matrices not scaled": head(
        lines(matrices="torch.randn(2, samples, d_head, d_model)"),
        everywhere("matrices-too-large"),
    ),
    "rank of the weights": head(
        lines(rank="torch.linalg.matrix_rank(s[0].double().softmax(-1))"),
        with_several("rank-too-large"),
    ),
    "rank first": head(
        lines(output="torch.tensor([rank, parameters, variance])"), everywhere("order")
    ),
    "rank last": head(
        lines(output="torch.tensor([parameters, variance, rank])"), everywhere("order")
    ),
    "variance first": head(
        lines(output="torch.tensor([variance, rank, parameters])"), everywhere("order")
    ),
}

WRONG = {
    "split_heads": a3_split_solutions.WRONG,
    "multi_head_attention": a3_attention_solutions.WRONG,
    "measure_head": MEASURE_HEAD,
}

REWRITES = {
    **a3_split_solutions.REWRITES,
    **a3_attention_solutions.REWRITES,
    "parameters counted": """
def measure_head(d_model, heads, length, samples):
    d = d_model // heads
    matrices = [torch.randn(d, d_model) for _ in range(3 * heads)] + [torch.randn(d_model, d_model)]
    q, k = (
        torch.randn(samples, length, d_model) @ torch.randn(samples, d_model, d) / d_model**0.5
        for _ in "qk"
    )
    s = torch.einsum("bnd,bmd->bnm", q, k) / math.sqrt(d)
    return torch.stack(
        [
            torch.tensor(float(sum(matrix.numel() for matrix in matrices))),
            (torch.linalg.svdvals(s[0]) > 1e-4).sum(),
            s.square().mean() - s.mean() ** 2,
        ]
    )
""",
    "a loop over the samples": """
def measure_head(d_model, heads, length, samples):
    d_head = d_model // heads
    seen = []
    for _ in range(samples):
        W_q, W_k = torch.randn(2, d_head, d_model) * d_model**-0.5
        q, k = torch.randn(length, d_model) @ W_q.T, torch.randn(length, d_model) @ W_k.T
        seen.append(q @ k.T / d_head**0.5)
    parameters = sum(layer.weight.numel() for layer in [torch.nn.Linear(d_model, d_model)] * 4)
    rank = torch.linalg.matrix_rank(seen[0])
    return torch.tensor([parameters, rank, torch.cat(seen).var()])
""",
    "all heads at once": """
def measure_head(d_model, heads, length, samples):
    W = torch.normal(0, d_model**-0.5, (2, samples, d_model, d_model), dtype=torch.float64)
    x = torch.randn(2, samples, length, d_model, dtype=torch.float64)
    q, k = (x @ W).unflatten(-1, (heads, -1)).transpose(2, 3)
    s = q @ k.mT / q.shape[-1] ** 0.5
    return torch.tensor([4 * W[0, 0].numel(), torch.linalg.matrix_rank(s[0, 0]), s.var()])
""",
}
