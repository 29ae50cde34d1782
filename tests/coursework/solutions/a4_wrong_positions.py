"""Wrong and rewritten solutions of assignment 4: the table of positions, and moving along it."""

from tests.coursework.solutions.wrong_solutions import Signature

table = Signature("def sinusoidal_positions(length, d_model, start=0):")
PARTS = {
    "positions": "torch.arange(start, start + length)[:, None].double()",
    "rates": "10000.0 ** (-torch.arange(0, d_model, 2) / d_model)",
    "even": "torch.sin(positions * rates)",
    "odd": "torch.cos(positions * rates)[:, : d_model // 2]",
    "result": "table",
}


def filled(**wrong):
    """The table filled by columns, with one line that is wrong."""
    parts = PARTS | wrong
    return f"""
positions = {parts["positions"]}
rates = {parts["rates"]}
table = torch.zeros(length, d_model)
table[:, 0::2] = {parts["even"]}
table[:, 1::2] = {parts["odd"]}
return {parts["result"]}
"""


def everywhere(reason):
    return dict.fromkeys(("small", "odd", "start", "far"), reason)


def later(reason):
    """What goes wrong only where the table does not begin at 0."""
    return dict.fromkeys(("start", "far"), reason)


ODD_CRASH = "torch.cos(positions * rates)"  # one cosine too many for an odd width

TABLE = {
    "unanswered": table("raise NotImplementedError", everywhere("unanswered")),
    "nothing returned": table(filled(result="None"), everywhere("not-a-tensor")),
    "a pair": table(filled(result="table, rates"), everywhere("not-a-tensor")),
    "numpy forgotten": table(filled(even="np.sin(positions * rates)"), everywhere("name-error")),
    "swapped": table(
        filled(
            even="torch.cos(positions * rates)",
            odd="torch.sin(positions * rates)[:, : d_model // 2]",
        ),
        everywhere("sine-and-cosine-swapped"),
    ),
    "sines only": table(filled(odd="table[:, 0::2][:, : d_model // 2]"), everywhere("one-wave")),
    "cosines only": table(filled(even="torch.cos(positions * rates)"), everywhere("one-wave")),
    "halves": table(
        """
h = d_model // 2
t = torch.arange(start, start + length).double().unsqueeze(1)
a = t / 10000 ** (torch.arange((d_model + 1) // 2) * 2 / d_model)
return torch.hstack((a.sin(), a[:, :h].cos()))
""",
        everywhere("halves-side-by-side"),
    ),
    "halves, cosines first": table(
        """
p = torch.arange(start, start + length).double().unsqueeze(1)
a = p * 10000 ** (-torch.arange(0, d_model, 2) / d_model)
return torch.cat([a.cos(), a.sin()], 1)[:, :d_model]
""",
        everywhere("halves-side-by-side"),
    ),
    "base 1000": table(
        filled(rates="1000.0 ** (-torch.arange(0, d_model, 2) / d_model)"), everywhere("base")
    ),
    "base 100000": table(
        filled(rates="1e5 ** (-torch.arange(0, d_model, 2) / d_model)"), everywhere("base")
    ),
    "base e": table(
        filled(rates="torch.exp(-torch.arange(0, d_model, 2) / d_model)"), everywhere("base")
    ),
    "base 10": table(
        filled(rates="torch.logspace(0, -1, d_model + 1)[:-1:2].double()"), everywhere("base")
    ),
    "another base": table(
        filled(rates="512.0 ** (-torch.arange(0, d_model, 2) / d_model)"), everywhere("values")
    ),
    "no factor 2": table(
        filled(rates="10000.0 ** (-torch.arange((d_model + 1) // 2) / d_model)"),
        everywhere("exponent-without-2"),
    ),
    "factor 2 twice": table(
        filled(rates="10000.0 ** (-2 * torch.arange(0, d_model, 2) / d_model)"),
        everywhere("exponent-twice"),
    ),
    "own frequency for each column": table(
        """
j = torch.arange(d_model)
a = torch.arange(start, start + length).double()[:, None] / 10000 ** (j / d_model)
a[:, 0::2] = a[:, 0::2].sin()
a[:, 1::2] = a[:, 1::2].cos()
return a
""",
        everywhere("frequency-by-column"),
    ),
    "twice the column": table(
        """
j = torch.arange(d_model)
a = torch.arange(start, start + length).double()[:, None] / 10000 ** (2 * j / d_model)
return torch.where(j % 2 == 0, a.sin(), a.cos())
""",
        everywhere("exponent-twice"),
    ),
    "frequencies inverted": table(
        filled(rates="10000.0 ** (torch.arange(0, d_model, 2).double() / d_model)"),
        everywhere("frequencies-inverted"),
    ),
    "one frequency": table(
        filled(rates="torch.ones((d_model + 1) // 2)"), everywhere("one-frequency")
    ),
    "integer division": table(
        filled(rates="10000.0 ** -(torch.arange(0, d_model, 2) // d_model)"),
        everywhere("one-frequency"),
    ),
    "from 1": table(
        filled(positions="torch.arange(start + 1, start + length + 1)[:, None].double()"),
        everywhere("positions-from-1"),
    ),
    "from -1": table(
        filled(positions="torch.arange(length)[:, None].double() + start - 1"),
        everywhere("positions-from-1"),
    ),
    "start ignored": table(
        filled(positions="torch.arange(length)[:, None].double()"), later("start-ignored")
    ),
    "start added": table(
        filled(positions="torch.arange(length)[:, None].double()", result="table + start"),
        later("start-added-to-encoding"),
    ),
    "start subtracted": table(
        filled(positions="torch.arange(length)[:, None].double() - start"),
        later("positions-backwards"),
    ),
    "start as end": table(
        filled(positions="torch.arange(start, length)[:, None].double()"), later("RuntimeError")
    ),
    "a table of 1000": table(
        """
table = torch.zeros(1000, d_model)
positions = torch.arange(1000)[:, None]
angles = positions / 10000 ** (torch.arange(0, d_model, 2) / d_model)
table[:, 0::2] = angles.sin()
table[:, 1::2] = angles.cos()[:, : d_model // 2]
return table[start : start + length]
""",
        far="shape",
    ),
    "an odd width crashes": table(filled(odd=ODD_CRASH), odd="RuntimeError"),
    "odd width, one column fewer": table(
        """
p = torch.arange(start, start + length).double()[:, None]
a = p / 10000 ** (torch.arange(0, d_model - 1, 2) / d_model)
return torch.stack([a.sin(), a.cos()], dim=2).reshape(length, -1)
""",
        odd="column-missing",
    ),
    "odd width, one column more": table(
        """
p = torch.arange(start, start + length).double()[:, None]
a = p / 10000 ** (torch.arange(0, d_model, 2) / d_model)
return torch.stack([a.sin(), a.cos()], dim=2).flatten(1)
""",
        odd="shape",
    ),
    "odd width, last column empty": table(
        """
table = torch.zeros(length, d_model)
for row in range(length):
    for i in range(d_model // 2):
        angle = (start + row) / 10000 ** (2 * i / d_model)
        table[row, 2 * i] = math.sin(angle)
        table[row, 2 * i + 1] = math.cos(angle)
return table
""",
        odd="last-column-empty",
    ),
    "odd width, rounded up": table(
        """
width = d_model + d_model % 2
a = torch.arange(start, start + length).double()[:, None]
a = a * 10000 ** (-torch.arange(0, width, 2) / width)
return torch.stack([a.sin(), a.cos()], -1).flatten(1)[:, :d_model]
""",
        odd="width-rounded",
    ),
    "odd width, rounded down": table(
        filled(rates="10000.0 ** (-torch.arange(0, d_model, 2) / (d_model // 2 * 2))"),
        odd="width-rounded",
    ),
    "half precision": table(
        filled(result="table.half()"), **{k: "values" for k in ("small", "odd", "start")}
    ),
    "angles in half precision": table(
        filled(
            positions="torch.arange(start, start + length)[:, None].half()",
            rates="(10000.0 ** (-torch.arange(0, d_model, 2) / d_model)).half()",
        ),
        everywhere("values"),
    ),
    "transposed": table(filled(result="table.T"), everywhere("table-transposed")),
    "a batch axis": table(filled(result="table[None]"), everywhere("shape")),
    "degrees": table(
        filled(
            even="torch.sin(torch.deg2rad(positions * rates))",
            odd="torch.cos(torch.deg2rad(positions * rates))[:, : d_model // 2]",
        ),
        everywhere("values"),
    ),
}

TABLE_REWRITES = {
    "table filled by columns": table(filled()).code,
    "table in loops": """
def sinusoidal_positions(length, d_model, start=0):
    rows = []
    for p in range(start, start + length):
        waves = [math.cos, math.sin]
        angles = [p / 10000 ** ((j - j % 2) / d_model) for j in range(d_model)]
        rows.append([waves[j % 2 == 0](angle) for j, angle in enumerate(angles)])
    return torch.tensor(rows)
""",
    "table stacked in pairs": """
def sinusoidal_positions(length, d_model, start=0):
    half = (d_model + 1) // 2
    angles = torch.outer(
        torch.arange(start, start + length).float(),
        torch.exp(-math.log(10000.0) * 2 * torch.arange(half) / d_model),
    )
    return torch.stack([angles.sin(), angles.cos()], -1).flatten(-2)[:, :d_model]
""",
    "table by a phase": """
def sinusoidal_positions(length, d_model, start=0):
    column = torch.arange(d_model)
    rate = torch.pow(10000.0, -(column - column % 2) / d_model)
    angle = torch.arange(length)[:, None].add(start).double() * rate.double()
    return torch.sin(angle + (column % 2) * math.pi / 2)
""",
    "table by complex numbers": """
def sinusoidal_positions(length, d_model, start=0):
    rates = 10000.0 ** (-torch.arange(0, d_model, 2, dtype=torch.float64) / d_model)
    angles = torch.arange(start, start + length)[:, None] * rates
    turns = torch.view_as_real(torch.polar(torch.ones_like(angles), angles))
    return turns.flip(-1).reshape(length, -1)[:, :d_model].float()
""",
}

shift = Signature("def shift_positions(encodings, offset):")
TURN = {
    "d": "encodings.shape[-1]",
    "angle": "offset / 10000 ** (torch.arange(0, d, 2) / d)",
    "a": "encodings[..., 0::2]",
    "b": "encodings[..., 1::2]",
    "first": "a * angle.cos() + b * angle.sin()",
    "second": "b * angle.cos() - a * angle.sin()",
    "result": "out",
}


def turned(**wrong):
    """The rotation of pairs, with one line that is wrong."""
    parts = TURN | wrong
    return f"""
d = {parts["d"]}
angle = {parts["angle"]}
a, b = {parts["a"]}, {parts["b"]}
out = torch.empty_like(encodings)
out[..., 0::2] = {parts["first"]}
out[..., 1::2] = {parts["second"]}
return {parts["result"]}
"""


def always(reason):
    return dict.fromkeys(("forward", "backward", "linear", "gradient"), reason)


SHIFT = {
    "unanswered": shift("raise NotImplementedError", always("unanswered")),
    "nothing returned": shift(turned(result="None"), always("not-a-tensor")),
    "encodings and angles": shift(turned(result="(out, angle)"), always("not-a-tensor")),
    "a name missing": shift("return rotation(offset) @ encodings", always("name-error")),
    "unchanged": shift("return encodings.clone()", always("not-moved")),
    "backwards": shift(
        turned(
            first="a * angle.cos() - b * angle.sin()", second="b * angle.cos() + a * angle.sin()"
        ),
        always("turned-backwards"),
    ),
    "minus the offset": shift(
        turned(angle="-offset * 10000.0 ** (-torch.arange(0, d, 2) / d)"),
        always("turned-backwards"),
    ),
    "both plus": shift(turned(second="b * angle.cos() + a * angle.sin()"), always("no-rotation")),
    "both minus": shift(turned(first="a * angle.cos() - b * angle.sin()"), always("no-rotation")),
    "same angle": shift(
        turned(angle="torch.tensor(float(offset))"), always("angle-without-frequency")
    ),
    "no factor 2": shift(
        turned(angle="offset / 10000 ** (torch.arange(d // 2) / d)"), always("exponent")
    ),
    "factor 2 twice": shift(
        turned(angle="offset / 10000 ** (2 * torch.arange(0, d, 2) / d)"), always("exponent")
    ),
    "frequencies inverted": shift(
        turned(angle="(offset * 10000 ** (torch.arange(0, d, 2).double() / d))"),
        always("frequencies-inverted"),
    ),
    "base 1000": shift(
        turned(angle="offset / 1000 ** (torch.arange(0, d, 2) / d)"), always("values")
    ),
    "encoding added": shift(
        """
d = encodings.shape[-1]
if offset < 0:
    return encodings - sinusoidal_positions(1, d, -offset)
return encodings + sinusoidal_positions(1, d, offset)
""",
        always("encoding-added"),
    ),
    "halves": shift(
        """
d = encodings.shape[-1]
angle = offset / 10000 ** (torch.arange(0, d, 2) / d)
a, b = encodings.chunk(2, dim=-1)
return torch.cat([a * angle.cos() + b * angle.sin(), b * angle.cos() - a * angle.sin()], -1)
""",
        always("pairs-of-halves"),
    ),
    "table of later positions": shift(
        """
n, d = encodings.shape[-2:]
if offset < 0:
    return sinusoidal_positions(n - offset, d)[-offset:].expand_as(encodings)
return sinusoidal_positions(n, d, offset).expand_as(encodings)
""",
        backward="values",
        linear="values",
        gradient="values",
    ),
    "rows looked up in a table": shift(
        """
table = sinusoidal_positions(200, encodings.shape[-1])
rows = torch.cdist(encodings, table).argmin(-1)
return table[(rows + offset).clamp(0, 199)]
""",
        linear="values",
        gradient="values",
    ),
    "rows rolled": shift("return torch.roll(encodings, -offset, dims=-2)", always("rows-rolled")),
    "rows rolled on": shift("return encodings.roll(offset, -2)", always("rows-rolled")),
    "rows cut off": shift("return encodings[..., abs(offset):, :]", always("shape")),
    "angle by row": shift(
        turned(
            angle="(torch.arange(encodings.shape[-2])[:, None] + offset) / "
            "10000 ** (torch.arange(0, d, 2) / d)"
        ),
        always("angle-by-row"),
    ),
    "angle times row": shift(
        turned(
            angle="torch.outer(torch.arange(encodings.shape[-2]) * offset, "
            "10000 ** (-torch.arange(0, d, 2).double() / d))"
        ),
        always("angle-by-row"),
    ),
    "never backward": shift(
        turned(angle="abs(offset) / 10000 ** (torch.arange(0, d, 2) / d)"),
        backward="sign-of-offset-lost",
    ),
    "no negative offsets": shift(
        "if offset < 0:\n    raise ValueError(offset)\n" + turned(), backward="ValueError"
    ),
    "pairs swapped": shift(
        turned(a="encodings[..., 1::2]", b="encodings[..., 0::2]"),
        always("sine-and-cosine-swapped"),
    ),
    "one further": shift(
        turned(angle="(offset + 1) / 10000 ** (torch.arange(0, d, 2) / d)"),
        always("offset-off-by-one"),
    ),
    "one less": shift(
        turned(angle="(offset - 1) / 10000 ** (torch.arange(0, d, 2) / d)"),
        always("offset-off-by-one"),
    ),
    "in place": shift(
        """
d = encodings.shape[-1]
angle = offset / 10000 ** (torch.arange(0, d, 2) / d)
a, b = encodings[..., 0::2].clone(), encodings[..., 1::2].clone()
encodings[..., 0::2] = a * angle.cos() + b * angle.sin()
encodings[..., 1::2] = b * angle.cos() - a * angle.sin()
return encodings
""",
        linear="in-place",
        gradient="in-place",
    ),
    "in place, half of it too late": shift(
        """
d = encodings.shape[-1]
angle = offset / 10000 ** (torch.arange(0, d, 2) / d)
x = encodings.clone()
x[..., 0::2] = x[..., 0::2] * angle.cos() + x[..., 1::2] * angle.sin()
x[..., 1::2] = x[..., 1::2] * angle.cos() - x[..., 0::2] * angle.sin()
return x
""",
        always("values"),
    ),
    "detached": shift(turned(result="out.detach()"), gradient="no-gradient"),
    "through plain numbers": shift(
        turned(result="torch.tensor(out.tolist())"), gradient="no-gradient"
    ),
    "no batch axis": shift(
        """
n, d = encodings.shape
angle = offset / 10000 ** (torch.arange(0, d, 2) / d)
a, b = encodings.reshape(n, d // 2, 2).unbind(-1)
both = [a * angle.cos() + b * angle.sin(), b * angle.cos() - a * angle.sin()]
return torch.stack(both, -1).reshape(n, d)
""",
        linear="ValueError",
    ),
    "half precision": shift(turned(result="out.half().float()"), always("values")),
}

SHIFT_REWRITES = {
    "rotation of pairs": shift(turned()).code,
    "rotation by a matrix": """
def shift_positions(encodings, offset):
    d = encodings.shape[-1]
    turn = torch.zeros(d, d)
    for i in range(0, d, 2):
        angle = offset / 10000 ** (i / d)
        turn[i, i] = turn[i + 1, i + 1] = math.cos(angle)
        turn[i, i + 1], turn[i + 1, i] = math.sin(angle), -math.sin(angle)
    return encodings @ turn.T
""",
    "rotation by blocks": """
def shift_positions(encodings, offset):
    d = encodings.shape[-1]
    angles = [offset * 10000 ** (-i / d) for i in range(0, d, 2)]
    sin, cos = math.sin, math.cos
    blocks = [torch.tensor([[cos(a), sin(a)], [-sin(a), cos(a)]]) for a in angles]
    return torch.einsum("ij,...j->...i", torch.block_diag(*blocks), encodings)
""",
    "rotation by the encoding of the offset": """
def shift_positions(encodings, offset):
    d = encodings.shape[-1]
    sin, cos = sinusoidal_positions(1, d, abs(offset))[0].reshape(-1, 2).T
    sin = sin if offset >= 0 else -sin
    a, b = encodings.unflatten(-1, (d // 2, 2)).unbind(-1)
    return torch.stack([a * cos + b * sin, b * cos - a * sin], dim=-1).flatten(-2)
""",
    "rotation of complex numbers": """
def shift_positions(encodings, offset):
    d = encodings.shape[-1]
    z = torch.complex(encodings[..., 1::2], encodings[..., ::2])
    z = z * torch.exp(1j * offset * 10000 ** (-torch.arange(0, d, 2) / d))
    return torch.stack([z.imag, z.real], -1).reshape(encodings.shape)
""",
    "rotation in steps of one": """
def shift_positions(encodings, offset):
    d = encodings.shape[-1]
    angle = 10000.0 ** (-torch.arange(0, d, 2).double() / d) * (1 if offset > 0 else -1)
    a, b = encodings[..., 0::2].double(), encodings[..., 1::2].double()
    for _ in range(abs(offset)):
        a, b = a * angle.cos() + b * angle.sin(), b * angle.cos() - a * angle.sin()
    return torch.stack([a, b], -1).flatten(-2).float()
""",
}
