"""What often goes wrong in multi-head attention with the layers of a module."""

from collections.abc import Callable, Iterator
from itertools import product

import torch
import torch.nn.functional as F

from coursework.assignments.a3_multi_head.mistakes import MERGE_VIEW, NOT_NORMALISED
from coursework.assignments.a3_multi_head.split import VIEW
from coursework.assignments.reasons import NO_SCALE, SCALE_D, SCALE_MODEL, SCALE_UP
from coursework.questions.cases import Message, Mistake

ONE_HEAD = Message(
    "one-head",
    "只有一个头，占了整个宽度：应当拆分给 layer.heads 个头。",
    "There is one head of the whole width: it should be shared out among layer.heads of them.",
)
OVER_HEADS = Message(
    "softmax-over-heads",
    "轴错了：softmax 沿的是头的轴，应当沿键的轴。",
    "Wrong axis: the softmax runs over the heads, not over the keys.",
)
OVER_QUERIES = Message(
    "softmax-over-queries",
    "轴错了：softmax 沿的是查询的轴，应当沿键的轴。",
    "Wrong axis: the softmax runs over the queries, not over the keys.",
)
OVER_BATCH = Message(
    "softmax-over-batch",
    "轴错了：softmax 沿的是批量的轴，应当沿键的轴。",
    "Wrong axis: the softmax runs over the batch, not over the keys.",
)
SCALE_HEADS = Message(
    "scale-by-heads",
    "缩放用了头数：d 是一个头的宽度。",
    "The scale is taken from the number of heads: d is the width of one head.",
)
REVERSED = Message("heads-reversed", "各头的次序反了。", "The heads are in the reverse order.")
JOINED_REVERSED = Message(
    "heads-joined-in-reverse",
    "拼接时各头的次序反了。",
    "The heads are joined in the reverse order.",
)
JOINED_INTERLEAVED = Message(
    "heads-joined-interleaved",
    "拼接时各头的分量交错了：应当一个头接一个头。",
    "The heads are interleaved as they are joined: one should come after the other.",
)
VALUES_VIEW = Message(
    "values-split-by-view",
    "值的拆分少了转置：应当先拆分最后一个轴，再交换轴。",
    "The split of the values lacks its transpose: split the last axis first, then swap axes.",
)
NO_OUTPUT_LAYER = Message(
    "no-output-layer",
    "少了最后的投影 to_output。",
    "The last projection, to_output, is missing.",
)


def split(x, heads):
    return x.unflatten(-1, (heads, -1)).transpose(1, 2)


def split_by_view(x, heads):
    return x.reshape(len(x), heads, x.shape[1], -1)


def split_in_reverse(x, heads):
    return split(x, heads).flip(1)


def merge(found):
    return found.transpose(1, 2).flatten(2)


def merge_by_view(found):
    return found.reshape(len(found), found.shape[2], -1)


def root_of_head(d_head, heads):
    return d_head**-0.5


def attention_with(
    split: Callable = split,
    split_values: Callable = split,
    scale: Callable = root_of_head,
    weigh: Callable = lambda scores: scores.softmax(dim=-1),
    merge: Callable = merge,
    shown: Callable = lambda weights: weights,
    project: Callable = F.linear,
) -> Callable:
    """Multi-head attention with some of its steps done in another way."""

    def attend(queries, keys, values, heads, **layers):
        def through(layer, x, linear=F.linear):
            return linear(x, layers[f"{layer}.weight"], layers[f"{layer}.bias"])

        q, k = split(through("to_queries", queries), heads), split(through("to_keys", keys), heads)
        v = split_values(through("to_values", values), heads)
        weights = weigh(q @ k.transpose(-2, -1) * scale(q.shape[-1], heads))
        return through("to_output", merge(weights @ v), project), shown(weights)

    return attend


def one_head(queries, keys, values, heads, **layers):
    output, weights = attention_with()(queries, keys, values, 1, **layers)
    return output, weights[:, 0]


SPLITS = (
    (None, {}),
    (VIEW, {"split": split_by_view}),
    (VIEW, {"split": split_by_view, "split_values": split_by_view}),
)
AXES = (
    (None, {}),
    (OVER_HEADS, {"weigh": lambda scores: scores.softmax(dim=1)}),
    (OVER_QUERIES, {"weigh": lambda scores: scores.softmax(dim=2)}),
)
SCALES = (
    (None, {}),
    (NO_SCALE, {"scale": lambda d_head, heads: 1.0}),
    (SCALE_MODEL, {"scale": lambda d_head, heads: (heads * d_head) ** -0.5}),
    (SCALE_D, {"scale": lambda d_head, heads: 1 / d_head}),
)
MERGES = (
    (None, {}),
    (MERGE_VIEW, {"merge": merge_by_view}),
    (JOINED_INTERLEAVED, {"merge": lambda found: found.permute(0, 2, 3, 1).flatten(2)}),
    (JOINED_REVERSED, {"merge": lambda found: merge(found.flip(1))}),
)


def combinations() -> Iterator[Mistake]:
    """Mistakes in several steps have the name of the first: one is mended after the other."""
    for steps in (*product(AXES, SCALES, MERGES), *product(SPLITS[1:], SCALES, MERGES[:2])):
        reasons, changes = zip(*steps, strict=True)
        first = next(filter(None, reasons), None)
        if first:
            yield Mistake(first, attention_with(**{k: v for c in changes for k, v in c.items()}))


MISTAKES = (
    *combinations(),
    Mistake(VALUES_VIEW, attention_with(split_values=split_by_view)),
    Mistake(OVER_BATCH, attention_with(weigh=lambda scores: scores.softmax(dim=0))),
    Mistake(NOT_NORMALISED, attention_with(weigh=torch.exp)),
    Mistake(NOT_NORMALISED, attention_with(weigh=torch.sigmoid)),
    Mistake(NOT_NORMALISED, attention_with(weigh=lambda scores: scores)),
    Mistake(SCALE_UP, attention_with(scale=lambda d_head, heads: d_head**0.5)),
    Mistake(SCALE_HEADS, attention_with(scale=lambda d_head, heads: heads**-0.5)),
    Mistake(REVERSED, attention_with(shown=lambda weights: weights.flip(1))),
    Mistake(REVERSED, attention_with(split=split_in_reverse)),
    Mistake(REVERSED, attention_with(split=split_in_reverse, split_values=split_in_reverse)),
    Mistake(
        REVERSED,
        attention_with(
            split=split_in_reverse,
            split_values=split_in_reverse,
            merge=lambda found: merge(found.flip(1)),
        ),
    ),
    Mistake(NO_OUTPUT_LAYER, attention_with(project=lambda x, weight, bias: x)),
    Mistake(ONE_HEAD, one_head),
)
