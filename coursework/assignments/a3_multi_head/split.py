"""The width of the model, shared out among the heads."""

import numpy as np
import torch

from coursework.questions.cases import Case, Message, Mistake, Question

# --- What a good student writes -----------------------------------------------------------------


def split_heads(x, heads):
    """Share the width of x (batch, len, d_model) among the heads: (batch, heads, len, d_head).

    The first head gets the first d_head numbers of each position, and so on.
    """
    batch, length, d_model = x.shape
    return x.reshape(batch, length, heads, d_model // heads).transpose(1, 2)


# --- Cases --------------------------------------------------------------------------------------


def split_cases(rng: np.random.Generator) -> list[Case]:
    def case(name, zh, en, shape, heads, **looked_at):
        x = rng.standard_normal(shape).astype(np.float32)
        return Case(Message(name, zh, en), 1, (x,), {"heads": heads}, **looked_at)

    return [
        case("small", "小例子：两个头", "A small example with two heads", (1, 4, 6), 2),
        case(
            # No mix-up of these axes shows in the shape.
            "equal",
            "头数、长度和头宽都相等",
            "As many heads as positions and as wide",
            (2, 3, 9),
            3,
        ),
        case("narrow", "每个头只有一个数", "Heads of one number each", (2, 4, 5), 5),
        case(
            "gradient",
            "对输入的梯度，输入保持不变",
            "The gradient of the input, which stays as it was",
            (3, 5, 12),
            4,
            gradient_of=(0,),
            keeps_inputs=True,
        ),
    ]


# --- What is expected, computed in another way --------------------------------------------------


def split_oracle(x, heads):
    """One slice after the other."""
    return torch.stack(x.double().chunk(heads, dim=-1), dim=1)


# --- Mistakes that are often made ---------------------------------------------------------------


def split(x, heads):
    return x.unflatten(-1, (heads, -1))


VIEW = Message(
    "view-for-split",
    "直接 view 成 (batch, heads, len, d_head) 会把不同位置的数混到一个头里。"
    "应当先拆分最后一个轴，再交换轴。",
    "A view straight to (batch, heads, len, d_head) mixes numbers of several positions in one "
    "head. Split the last axis first, then swap axes.",
)
NOT_MOVED = Message(
    "heads-not-moved",
    "头的轴还在位置之后：应当移到位置之前。",
    "The axis of heads is still behind the positions: move it before them.",
)
INTERLEAVED = Message(
    "heads-interleaved",
    "拆分的次序反了：第一个头应当得到每个位置的前 d_head 个数，而不是每隔 heads 个取一个。",
    "The axis is split in the wrong order: the first head gets the first d_head numbers of a "
    "position, not every heads-th one.",
)
FOLDED = Message(
    "heads-in-batch",
    "头并进了批量的轴：应当有自己的轴。",
    "The heads are folded into the batch: they should have an axis of their own.",
)
HEADS_FIRST = Message(
    "heads-first",
    "头的轴在批量之前：应当在批量之后。",
    "The axis of heads comes before the batch: it belongs behind it.",
)
WIDTH_FIRST = Message(
    "positions-last",
    "位置的轴在最后：最后一个轴应当是 d_head。",
    "The axis of positions comes last: the last one should be d_head.",
)
COUNT_AND_WIDTH = Message(
    "heads-for-width",
    "头数和头宽弄反了：有 heads 个头，每个宽 d_model / heads。",
    "The number of heads and their width have changed places: there are heads heads, each "
    "d_model / heads wide.",
)
COPIES = Message(
    "heads-as-copies",
    "每个头都得到了整个宽度：应当分给各个头，每个得 d_model / heads。",
    "Each head gets the whole width: it should be shared out, d_model / heads for each.",
)
BATCH_MIXED = Message(
    "batch-and-positions",
    "批量和位置混在了一起。",
    "The batch and the positions are mixed up.",
)
REVERSED = Message("heads-reversed", "头的次序反了。", "The heads are in the reverse order.")

SPLIT_HEADS = Question(
    name="1 split_heads",
    solution=split_heads,
    oracle=split_oracle,
    make_cases=split_cases,
    mistakes=(
        Mistake(VIEW, lambda x, heads: x.reshape(len(x), heads, x.shape[1], -1)),
        Mistake(NOT_MOVED, split),
        Mistake(INTERLEAVED, lambda x, heads: x.unflatten(-1, (-1, heads)).permute(0, 3, 1, 2)),
        Mistake(FOLDED, lambda x, heads: split(x, heads).transpose(1, 2).flatten(0, 1)),
        Mistake(HEADS_FIRST, lambda x, heads: split(x, heads).permute(2, 0, 1, 3)),
        Mistake(WIDTH_FIRST, lambda x, heads: split(x, heads).permute(0, 2, 3, 1)),
        Mistake(COUNT_AND_WIDTH, lambda x, heads: x.unflatten(-1, (-1, heads)).transpose(1, 2)),
        Mistake(COPIES, lambda x, heads: torch.stack([x] * heads, dim=1)),
        Mistake(
            BATCH_MIXED,
            lambda x, heads: split(x.transpose(0, 1).reshape(x.shape), heads).transpose(1, 2),
        ),
        Mistake(REVERSED, lambda x, heads: split(x, heads).transpose(1, 2).flip(1)),
    ),
)
