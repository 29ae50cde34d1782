"""Wrong and rewritten solutions of assignment 2."""

from tests.coursework.solutions import a2_additive_solutions, a2_kernel_solutions
from tests.coursework.solutions.wrong_solutions import Signature

errors = Signature("def measure_errors(keys, curve, widths, noise, samples):")


def everywhere(reason):
    return dict.fromkeys(("curve", "noise", "no-noise"), reason)


def with_noise(reason):
    """Without noise, the values seen and the curve are the same."""
    return {"curve": reason, "noise": reason}


def lines(
    noise="noise * torch.randn(len(keys), samples)",
    first="fit - seen",
    second="others - seen",
    third="fit - truth",
    error="(x**2).mean()",
    table="torch.tensor(table)",
):
    """The measurement in a few lines, of which one is wrong."""
    return f"""
truth = curve[:, None]
seen = truth + {noise}
table = []
for width in widths:
    fit = kernel_regression(keys, keys, seen, width)
    others = kernel_regression(keys, keys, seen, width, True)
    table.append([{error} for x in ({first}, {second}, {third})])
return {table}
"""


MEASURE_ERRORS = {
    "unanswered": errors("raise NotImplementedError", everywhere("unanswered")),
    "lists": errors(lines(table="table"), everywhere("not-a-tensor")),
    "one width": errors(lines(table="torch.tensor(table[0])"), everywhere("shape")),
    "two columns": errors(lines(table="torch.tensor(table)[:, :2]"), everywhere("shape")),
    "width by width": errors(lines(table="torch.tensor(table).T"), everywhere("table-transposed")),
    "against the curve": errors(
        lines(second="others - truth"), with_noise("leave-one-out-against-curve")
    ),
    "nothing left out": errors(lines(second="fit - seen"), everywhere("nothing-left-out")),
    "against the values": errors(lines(third="fit - seen"), with_noise("third-against-values")),
    # With much noise, leaving a point out changes little beside the chance of the draw.
    "others in the third": errors(
        lines(third="others - truth"), curve="third-left-out", **{"no-noise": "third-left-out"}
    )._replace(by_chance=frozenset({"noise"})),
    "leave-one-out first": errors(
        lines(first="others - seen", second="fit - seen"), everywhere("columns")
    ),
    "curve first": errors(lines(first="fit - truth", third="fit - seen"), with_noise("columns")),
    "drawn again": errors(
        lines().replace(
            "    table.append",
            "    seen = truth + noise * torch.randn_like(seen)\n    table.append",
        ),
        with_noise("fresh-noise"),
    ),
    "compared with another draw": errors(
        lines()
        .replace(
            "table = []", "table, used = [], seen\nseen = truth + noise * torch.randn_like(seen)"
        )
        .replace("keys, seen", "keys, used"),
        with_noise("fresh-noise"),
    ),
    "roots": errors(lines(error="x.square().mean() ** 0.5"), everywhere("root")),
    "absolute": errors(lines(error="x.abs().mean()"), everywhere("absolute-error")),
    "summed": errors(lines(error="(x**2).sum()"), everywhere("summed")),
    "summed over the points": errors(
        lines(error="(x**2).sum() / x.shape[1]"), everywhere("summed")
    ),
    "noise squared": errors(
        lines("noise * noise * torch.randn(len(keys), samples)"),
        with_noise("noise-is-a-deviation"),
    ),
    "noise as a variance": errors(
        lines("math.sqrt(noise) * torch.randn(len(keys), samples)"),
        with_noise("noise-is-a-deviation"),
    ),
    "uniform noise": errors(
        lines("noise * torch.rand(len(keys), samples)"), with_noise("uniform-noise")
    ),
    "noise forgotten": errors(
        lines("torch.zeros(len(keys), samples)"), with_noise("no-noise-added")
    ),
}

WRONG = {
    "additive_scores": a2_additive_solutions.WRONG,
    "kernel_regression": a2_kernel_solutions.WRONG,
    "measure_errors": MEASURE_ERRORS,
}

REWRITES = {
    **a2_additive_solutions.REWRITES,
    **a2_kernel_solutions.REWRITES,
    "matrices once for all samples": """
def measure_errors(keys, curve, widths, noise, samples):
    seen = torch.normal(curve[:, None].expand(-1, samples), noise)
    one = torch.eye(len(keys))
    columns = []
    for width in widths:
        smooth = kernel_regression(keys, keys, one, width)
        others = kernel_regression(keys, keys, one, width, leave_one_out=True)
        columns.append(
            torch.stack(
                [
                    torch.nn.functional.mse_loss(smooth @ seen, seen),
                    torch.nn.functional.mse_loss(others @ seen, seen),
                    torch.nn.functional.mse_loss(smooth @ seen, curve[:, None].expand_as(seen)),
                ]
            )
        )
    return torch.stack(columns)
""",
    "a loop over the samples": """
def measure_errors(keys, curve, widths, noise, samples):
    table = torch.zeros(len(widths), 3)
    curve = curve.unsqueeze(1)
    for _ in range(20):
        seen = curve + noise * torch.randn(len(keys), samples // 20)
        for row, width in zip(table, widths):
            fit = kernel_regression(keys, keys, seen, width)
            others = kernel_regression(keys, keys, seen, width, leave_one_out=True)
            row[0] += (fit - seen).pow(2).mean() / 20
            row[1] += (others - seen).pow(2).mean() / 20
            row[2] += (fit - curve).pow(2).mean() / 20
    return table
""",
    "leave-one-out by a formula": """
def measure_errors(keys, curve, widths, noise, samples):
    seen = curve[:, None] + noise * torch.randn(len(keys), samples, dtype=torch.float64)
    rows = []
    for width in widths.double():
        s = torch.exp(-((keys - keys.T).double() ** 2) / (2 * width**2))
        w = s / s.sum(1, keepdim=True)
        v = s - torch.eye(len(keys))
        v = v / v.sum(1, keepdim=True).clamp_min(1e-300)
        errors = w @ seen - seen, v @ seen - seen, w @ seen - curve[:, None]
        rows.append([error.square().mean() for error in errors])
    return torch.tensor(rows)
""",
}
