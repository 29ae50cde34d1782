"""Wrong and rewritten ways to split the width among the heads."""

from tests.coursework.solutions.wrong_solutions import Signature

split = Signature("def split_heads(x, heads):")
CASES = ("small", "equal", "narrow", "gradient")


def everywhere(reason):
    return dict.fromkeys(CASES, reason)


def but(reason, *exceptions):
    return {case: reason for case in CASES if case not in exceptions}


SIZES = "b, n, d = x.shape\n"

WRONG = {
    "unanswered": split("raise NotImplementedError", everywhere("unanswered")),
    "no return": split("x.unflatten(-1, (heads, -1)).transpose(1, 2)", everywhere("not-a-tensor")),
    "chunks": split("return x.chunk(heads, -1)", everywhere("not-a-tensor")),
    "einops missing": split(
        "return rearrange(x, 'b n (h d) -> b h n d', h=heads)", everywhere("name-error")
    ),
    "view": split(SIZES + "return x.view(b, heads, n, d // heads)", everywhere("view-for-split")),
    "reshape": split(
        SIZES + "return x.reshape(b, heads, -1, d // heads)", everywhere("view-for-split")
    ),
    "chunks of the flat example": split(
        SIZES + "return torch.stack([y.view(heads, n, -1) for y in x])",
        everywhere("view-for-split"),
    ),
    "not moved": split(
        SIZES + "return x.view(b, n, heads, d // heads)", everywhere("heads-not-moved")
    ),
    "slices behind the positions": split(
        "return torch.stack(x.chunk(heads, dim=-1), dim=2)", everywhere("heads-not-moved")
    ),
    "every h-th": split(
        "return torch.stack([x[..., h::heads] for h in range(heads)], 1)",
        but("heads-interleaved", "narrow"),
    ),
    "width before heads": split(
        SIZES + "return x.view(b, n, d // heads, heads).permute(0, 3, 1, 2)",
        but("heads-interleaved", "narrow"),
    ),
    "width before heads, one swap": split(
        SIZES + "return x.view(b, n, d // heads, heads).transpose(1, 2)",
        but("heads-for-width", "equal"),
    ),
    "heads as width": split(
        SIZES + "return x.view(b, n, -1, heads).permute(0, 2, 1, 3)",
        but("heads-for-width", "equal"),
    ),
    "chunks as wide as heads": split(
        "return torch.stack(x.split(heads, dim=-1), dim=1)", but("heads-for-width", "equal")
    ),
    "in the batch": split(
        SIZES + "return torch.cat([y for y in x.view(b, n, heads, -1).transpose(1, 2)])",
        everywhere("heads-in-batch"),
    ),
    "bmm's way": split(
        SIZES + "return x.view(b, n, heads, -1).transpose(1, 2).reshape(b * heads, n, -1)",
        everywhere("heads-in-batch"),
    ),
    "heads first": split("return torch.stack(x.chunk(heads, dim=-1))", everywhere("heads-first")),
    "positions last": split(
        "return x.mT.reshape(len(x), heads, -1, x.shape[1])", everywhere("positions-last")
    ),
    "transposed for the scores": split(
        SIZES + "return x.view(b, n, heads, d // heads).transpose(1, 2).transpose(-1, -2)",
        everywhere("positions-last"),
    ),
    "copies": split(
        "return x.unsqueeze(1).expand(-1, heads, -1, -1)", everywhere("heads-as-copies")
    ),
    "repeated": split("return x[:, None].repeat(1, heads, 1, 1)", everywhere("heads-as-copies")),
    "batch for positions": split(
        SIZES + "return x.transpose(0, 1).reshape(b, n, heads, -1).transpose(1, 2)",
        but("batch-and-positions", "small"),
    ),
    "backwards": split(
        "return torch.stack([*x.chunk(heads, -1)][::-1], 1)", everywhere("heads-reversed")
    ),
    "from the second head": split(
        "return torch.stack(x.chunk(heads, -1), 1).roll(1, 1)",
        everywhere("values") | {"small": "heads-reversed"},
    ),
    "one position too few": split(
        "return torch.stack(x[:, 1:].chunk(heads, -1), 1)", everywhere("shape")
    ),
    "one head too few": split(
        SIZES + "return torch.stack(x.chunk(heads, -1)[1:], 1)", everywhere("shape")
    ),
    "overlapping": split(
        SIZES + "return torch.stack([x[..., h : h + d // heads] for h in range(heads)], 1)",
        but("values", "narrow"),
    ),
    "float division": split(
        SIZES + "return x.view(b, n, heads, d / heads).transpose(1, 2)", everywhere("TypeError")
    ),
    "two axes wanted": split(
        "n, d = x.shape\nreturn x.view(n, heads, -1).transpose(0, 1)", everywhere("ValueError")
    ),
    "view after the swap": split(
        SIZES + "return x.transpose(1, 2).view(b, heads, d // heads, n).mT.view(-1)",
        everywhere("RuntimeError"),
    ),
    "eight heads": split(
        "return x.unflatten(-1, (8, -1)).transpose(1, 2)", everywhere("RuntimeError")
    ),
    "first head": split("return x.chunk(heads, -1)[0]", everywhere("shape")),
    "whole numbers": split(
        "return x.int().unflatten(-1, (heads, -1)).transpose(1, 2)", everywhere("values")
    ),
    "scaled": split(
        "return x.unflatten(-1, (heads, -1)).transpose(1, 2) / heads**0.5", everywhere("values")
    ),
    "in place": split(
        "x.mul_(2)\nreturn x.unflatten(-1, (heads, -1)).transpose(1, 2) / 2", gradient="in-place"
    ),
    "detached": split(
        "return x.detach().unflatten(-1, (heads, -1)).transpose(1, 2)", gradient="no-gradient"
    ),
    "a new tensor": split(
        SIZES + "return torch.tensor(x.tolist()).view(b, n, heads, -1).transpose(1, 2)",
        gradient="no-gradient",
    ),
    "one head detached": split(
        "first, *rest = x.chunk(heads, -1)\nreturn torch.stack([first.detach(), *rest], 1)",
        gradient="gradient",
    ),
}

REWRITES = {
    "unflatten": """
def split_heads(x, heads):
    return x.unflatten(-1, (heads, -1)).transpose(1, 2)
""",
    "einops": """
def split_heads(x, heads):
    from einops import rearrange
    return rearrange(x, "batch len (heads d_head) -> batch heads len d_head", heads=heads)
""",
    "permute": """
def split_heads(x, heads):
    return x.view(x.size(0), x.size(1), heads, -1).permute(0, 2, 1, 3).contiguous()
""",
    "slices": """
def split_heads(x, heads):
    d_head = x.shape[-1] // heads
    return torch.stack([x[..., h * d_head : (h + 1) * d_head] for h in range(heads)], dim=1)
""",
    "from the other end": """
def split_heads(x, heads):
    batch, length, d_model = x.size()
    return x.mT.reshape(batch, heads, d_model // heads, length).transpose(2, 3)
""",
}
