"""Attention by valid lengths: wrong solutions, and right ones in other words."""

import math
from collections.abc import Callable

import torch

from attention_lib import attend, dot_product_scores
from tests.coursework.exercises.wrong_exercises import Wrong, same

ALL = "full", "padding", "few", "empty", "inputs"
MASKED = ALL[1:]


def sentences(attend_in_one: Callable) -> Callable:
    """A function of one sentence, called for one after the other."""

    def attend(queries, keys, values, lengths):
        each = zip(queries, keys, values, lengths.tolist(), strict=True)
        return torch.stack([attend_in_one(*arguments) for arguments in each])

    return attend


def sentence(power=-0.5, shown=slice, dim=1, nothing=0.0) -> Callable:
    """One sentence, whose keys are cut instead of masked."""

    @sentences
    def attend(q, k, v, n):
        seen = shown(n)
        if not len(k[seen]):
            return torch.full((len(q), v.shape[1]), nothing)
        exponentials = (torch.einsum("qd,kd->qk", q, k[seen]) * k.shape[1] ** power).exp()
        return exponentials / exponentials.sum(dim, keepdim=True) @ v[seen]

    return attend


def hidden_by_rows(queries, keys, values, lengths):
    scores = torch.bmm(queries, keys.transpose(1, 2)) / math.sqrt(keys.size(2))
    for row, n in zip(scores, lengths, strict=True):
        row[n:] = -1e9
    return scores.softmax(2).bmm(values)


def hidden_by_transposed_mask(queries, keys, values, lengths):
    scores = torch.bmm(queries, keys.transpose(1, 2)) / math.sqrt(keys.size(2))
    there = torch.stack([torch.arange(keys.size(1)) < n for n in lengths])
    return torch.where(there[:, :, None], scores, -math.inf).softmax(2).nan_to_num().bmm(values)


def filled(number: float, axis: int = 2) -> Callable:
    def attend(queries, keys, values, lengths):
        scores = torch.bmm(queries, keys.transpose(1, 2)) / math.sqrt(keys.size(2))
        for row, n in zip(scores, lengths, strict=True):
            row[:, n:] = number
        return scores.softmax(axis).bmm(values)

    return attend


def scaled_in_place(queries, keys, values, lengths):
    queries.div_(math.sqrt(queries.size(2)))
    return sentence(power=0.0)(queries, keys, values, lengths)


def scaled_in_place_and_again(queries, keys, values, lengths):
    queries.div_(math.sqrt(queries.size(2)))
    return sentence()(queries, keys, values, lengths)


WRONG = {
    "no scale": Wrong(sentence(power=0), same("no-scale", *ALL)),
    "divided by d": Wrong(sentence(power=-1), same("scale-by-d", *ALL)),
    "multiplied by the root": Wrong(sentence(power=0.5), same("scale-inverted", *ALL)),
    "no mask": Wrong(sentence(shown=lambda n: slice(None)), same("mask-ignored", *MASKED[:4])),
    "padding only": Wrong(
        sentence(shown=lambda n: slice(n, None), nothing=math.nan), same("mask-inverted", *ALL)
    ),
    "padding only, zeros": Wrong(
        sentence(shown=lambda n: slice(n, None)), same("mask-inverted", *ALL)
    ),
    "rows hidden": Wrong(hidden_by_rows, same("queries-hidden", *MASKED)),
    "mask of columns": Wrong(hidden_by_transposed_mask, same("queries-hidden", *ALL)),
    "over queries, NaN": Wrong(filled(-math.inf, axis=1), same("wrong-axis", *ALL)),
    "over queries, −1e9": Wrong(filled(-1e9, axis=1), same("wrong-axis", *ALL)),
    "over queries of the cut": Wrong(sentence(dim=0), same("wrong-axis", *ALL)),
    "no scale, no mask": Wrong(
        sentence(power=0, shown=lambda n: slice(None)), same("no-scale, mask-ignored", *ALL)
    ),
    "divided by d, padding only": Wrong(
        sentence(power=-1, shown=lambda n: slice(n, None)),
        same("scale-by-d, mask-inverted", *ALL),
    ),
    "no scale, over queries": Wrong(sentence(power=0, dim=0), same("no-scale, wrong-axis", *ALL)),
    "all three": Wrong(
        sentence(power=-1, shown=lambda n: slice(None), dim=0),
        same("scale-by-d, mask-ignored, wrong-axis", *ALL),
    ),
    "one key too many": Wrong(
        sentence(shown=lambda n: slice(n + 1)), same("one-key-too-many", *MASKED)
    ),
    "NaN for an empty sentence": Wrong(filled(-math.inf), {"empty": "nan-on-empty-row"}),
    "large negative": Wrong(filled(-1e6), {"empty": "finite-fill"}),
    "score of 0": Wrong(filled(0.0), same("masked-to-zero", *MASKED)),
    "in place": Wrong(scaled_in_place, {"inputs": "in-place"}),
    "in place and again": Wrong(scaled_in_place_and_again, same("scale-by-d", *ALL)),
    "first sentence": Wrong(lambda *given: sentence()(*given)[0], same("shape", *ALL)),
    "lengths on a wrong axis": Wrong(
        lambda q, k, v, n: (q @ k.mT).masked_fill(torch.arange(9) < n[:, None], 0) @ v,
        same("RuntimeError", *ALL),
    ),
    "no common mistake": Wrong(lambda *given: 0.9 * sentence()(*given), same("values", *ALL)),
}
RIGHT = {
    "cut": sentence(),
    "where": lambda q, k, v, n: attend(
        dot_product_scores(q, k), v, torch.arange(k.shape[1]) < n[:, None, None]
    )[0],
}
