"""Wrong solutions of the sections' exercises, and right ones in other words.

They are written in another way than the mistakes that a question knows. Each comes with the
reasons that are meant for it, by case; the cases that are left out are right.
"""

import math
from collections.abc import Callable
from typing import NamedTuple

import torch

from attention_lib import MultiHeadAttention, attend, dot_product_scores, sinusoidal_positions


class Wrong(NamedTuple):
    function: Callable
    reasons: dict[str, str]


def same(reason: str, *cases: str) -> dict[str, str]:
    return dict.fromkeys(cases, reason)


# --- Section 3 ----------------------------------------------------------------------------------

ALL_3 = "full", "padding", "few", "empty", "inputs"
MASKED_3 = ALL_3[1:]


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


def filled(number: float) -> Callable:
    def attend(queries, keys, values, lengths):
        scores = torch.bmm(queries, keys.transpose(1, 2)) / math.sqrt(keys.size(2))
        for row, n in zip(scores, lengths, strict=True):
            row[:, n:] = number
        return scores.softmax(2).bmm(values)

    return attend


def over_queries(number: float) -> Callable:
    def attend(queries, keys, values, lengths):
        scores = torch.bmm(queries, keys.transpose(1, 2)) / math.sqrt(keys.size(2))
        for row, n in zip(scores, lengths, strict=True):
            row[:, n:] = number
        return scores.softmax(1).bmm(values)

    return attend


def scaled_in_place(queries, keys, values, lengths):
    queries.div_(math.sqrt(queries.size(2)))
    return sentence(power=0.0)(queries, keys, values, lengths)


def scaled_in_place_and_again(queries, keys, values, lengths):
    queries.div_(math.sqrt(queries.size(2)))
    return sentence()(queries, keys, values, lengths)


SECTION_3 = {
    "no scale": Wrong(sentence(power=0), same("no-scale", *ALL_3)),
    "divided by d": Wrong(sentence(power=-1), same("scale-by-d", *ALL_3)),
    "multiplied by the root": Wrong(sentence(power=0.5), same("scale-inverted", *ALL_3)),
    "no mask": Wrong(sentence(shown=lambda n: slice(None)), same("mask-ignored", *MASKED_3[:4])),
    "padding only": Wrong(
        sentence(shown=lambda n: slice(n, None), nothing=math.nan), same("mask-inverted", *ALL_3)
    ),
    "padding only, zeros": Wrong(
        sentence(shown=lambda n: slice(n, None)), same("mask-inverted", *ALL_3)
    ),
    "rows hidden": Wrong(hidden_by_rows, same("queries-hidden", *MASKED_3)),
    "mask of columns": Wrong(hidden_by_transposed_mask, same("queries-hidden", *ALL_3)),
    "over queries, NaN": Wrong(over_queries(-math.inf), same("wrong-axis", *ALL_3)),
    "over queries, −1e9": Wrong(over_queries(-1e9), same("wrong-axis", *ALL_3)),
    "over queries of the cut": Wrong(sentence(dim=0), same("wrong-axis", *ALL_3)),
    "no scale, no mask": Wrong(
        sentence(power=0, shown=lambda n: slice(None)), same("no-scale, mask-ignored", *ALL_3)
    ),
    "divided by d, padding only": Wrong(
        sentence(power=-1, shown=lambda n: slice(n, None)),
        same("scale-by-d, mask-inverted", *ALL_3),
    ),
    "no scale, over queries": Wrong(sentence(power=0, dim=0), same("no-scale, wrong-axis", *ALL_3)),
    "all three": Wrong(
        sentence(power=-1, shown=lambda n: slice(None), dim=0),
        same("scale-by-d, mask-ignored, wrong-axis", *ALL_3),
    ),
    "one key too many": Wrong(
        sentence(shown=lambda n: slice(n + 1)), same("one-key-too-many", *MASKED_3)
    ),
    "NaN for an empty sentence": Wrong(filled(-math.inf), {"empty": "nan-on-empty-row"}),
    "large negative": Wrong(filled(-1e6), {"empty": "finite-fill"}),
    "score of 0": Wrong(filled(0.0), same("masked-to-zero", *MASKED_3)),
    "in place": Wrong(scaled_in_place, {"inputs": "in-place"}),
    "in place and again": Wrong(scaled_in_place_and_again, same("scale-by-d", *ALL_3)),
    "first sentence": Wrong(lambda *given: sentence()(*given)[0], same("shape", *ALL_3)),
    "lengths on a wrong axis": Wrong(
        lambda q, k, v, n: (q @ k.mT).masked_fill(torch.arange(9) < n[:, None], 0) @ v,
        same("RuntimeError", *ALL_3),
    ),
    "no common mistake": Wrong(lambda *given: 0.9 * sentence()(*given), same("values", *ALL_3)),
}
RIGHT_3 = {
    "cut": sentence(),
    "where": lambda q, k, v, n: attend(
        dot_product_scores(q, k), v, torch.arange(k.shape[1]) < n[:, None, None]
    )[0],
}

# --- Section 4 ----------------------------------------------------------------------------------

ALL_4 = "full", "padding", "empty"


def step(
    score=lambda w, q, k: w @ torch.tanh(q + k),
    shown=lambda allowed: allowed,
    nothing=0.0,
    context=lambda weights, values: weights @ values,
) -> Callable:
    """One sentence after the other, one word after the other."""

    def attend(state, values, mask, W_q, W_k, w):
        contexts, rows = [], []
        for one, words, allowed in zip(state, values, mask, strict=True):
            scores = torch.stack([score(w, W_q @ one, W_k @ word) for word in words])
            seen = shown(allowed)
            weights = torch.full_like(scores, 0.0 if seen.any() else nothing)
            if seen.any():
                weights[seen] = scores[seen].softmax(0)
            contexts.append(context(weights, words))
            rows.append(weights)
        return torch.stack(contexts), torch.stack(rows)

    return attend


def over_the_batch(number: float) -> Callable:
    def attend(state, values, mask, W_q, W_k, w):
        hidden = torch.tanh((state @ W_q.T).unsqueeze(1) + values @ W_k.T)
        scores = torch.where(mask, hidden @ w, number)
        weights = scores.T.softmax(-1).T
        return torch.einsum("bs,bsd->bd", weights, values), weights

    return attend


SECTION_4 = {
    "no tanh": Wrong(step(lambda w, q, k: w @ (q + k)), same("no-tanh", *ALL_4)),
    "tanh of the score": Wrong(
        step(lambda w, q, k: torch.tanh(w @ (q + k))), same("tanh-late", *ALL_4)
    ),
    "no query": Wrong(step(lambda w, q, k: w @ torch.tanh(k)), same("query-unused", *ALL_4)),
    "no keys": Wrong(step(lambda w, q, k: w @ torch.tanh(q)), same("keys-unused", *ALL_4)),
    "no mask": Wrong(
        step(shown=lambda allowed: allowed | True), same("mask-ignored", "padding", "empty")
    ),
    "inverted, zeros": Wrong(step(shown=lambda seen: ~seen), same("mask-inverted", *ALL_4)),
    "inverted, NaN": Wrong(
        step(shown=lambda seen: ~seen, nothing=math.nan), same("mask-inverted", *ALL_4)
    ),
    "over the batch": Wrong(over_the_batch(-math.inf), same("softmax-over-batch", *ALL_4)),
    "over the batch, −1e9": Wrong(over_the_batch(-1e9), same("softmax-over-batch", *ALL_4)),
    "no tanh, no mask": Wrong(
        step(lambda w, q, k: w @ (q + k), shown=lambda allowed: allowed | True),
        same("no-tanh, mask-ignored", *ALL_4),
    ),
    "no query, inverted": Wrong(
        step(lambda w, q, k: w @ torch.tanh(k), shown=lambda seen: ~seen),
        same("query-unused, mask-inverted", *ALL_4),
    ),
    "mean for a context": Wrong(
        step(context=lambda weights, values: values.mean(0)), same("wrong-context", *ALL_4)
    ),
    "sum for a context": Wrong(
        step(context=lambda weights, values: values.sum(0)), same("wrong-context", *ALL_4)
    ),
    "best value for a context": Wrong(
        step(context=lambda weights, values: values[weights.argmax()]),
        same("wrong-context", *ALL_4),
    ),
    "twice the context": Wrong(
        step(context=lambda weights, values: 2 * weights @ values), same("values", *ALL_4)
    ),
    "weights for a context": Wrong(lambda *given: (step()(*given)[1],) * 2, same("shape", *ALL_4)),
    "context only": Wrong(lambda *given: step()(*given)[0], same("not-a-tuple", *ALL_4)),
    "NaN": Wrong(step(nothing=math.nan), {"empty": "nan-on-empty-row"}),
    "even weights": Wrong(step(nothing=1 / 4), {"empty": "finite-fill"}),
    "state in place": Wrong(
        lambda state, *given: (step()(state, *given), state.zero_())[0],
        same("in-place", *ALL_4[:2]),
    ),
}
RIGHT_4 = {"loop": step(), "list": lambda *given: list(step()(*given))}

# --- Section 5 ----------------------------------------------------------------------------------

ALL_5 = "cross", "self", "inputs"


def in_a_layer(attention: Callable) -> Callable:
    """A function of a layer, called with the layer that has these parameters, as in the section."""

    def attend_in_a_layer(queries, keys, values, heads, **parameters):
        layer = MultiHeadAttention(queries.shape[-1], heads)
        layer.load_state_dict(parameters)
        return attention(layer, queries, keys, values)

    return attend_in_a_layer


def reshaped(x, heads):
    batch, length, d_model = x.shape
    return x.reshape(batch, heads, length, d_model // heads)


def cut(x, heads):
    return torch.stack(x.chunk(heads, dim=-1), dim=1)


def glued(found):
    return torch.cat(found.unbind(1), dim=-1)


def reshaped_back(found):
    batch, heads, q_len, d_head = found.shape
    return found.reshape(batch, q_len, heads * d_head)


def in_heads(
    cut=cut, cut_values=cut, scale="d_head**-0.5", dim=3, glue=glued, last=True, shown=None
) -> Callable:
    @in_a_layer
    def attention(layer, queries, keys, values):
        q, k = cut(layer.to_queries(queries), layer.heads), cut(layer.to_keys(keys), layer.heads)
        names = {"d_head": q.size(3), "d_model": queries.size(2), "heads": layer.heads}
        scores = torch.einsum("bhqd,bhkd->bhqk", q, k) * eval(scale, names)
        weights = scores.exp() / (scores.exp().sum(dim, keepdim=True) if dim is not None else 1)
        output = glue(weights @ cut_values(layer.to_values(values), layer.heads))
        output = layer.to_output(output) if last else output
        return output, weights if shown is None else shown(weights)

    return attention


@in_a_layer
def one_wide_head(layer, queries, keys, values):
    scores = dot_product_scores(layer.to_queries(queries), layer.to_keys(keys))
    output, weights = attend(scores, layer.to_values(values))
    return layer.to_output(output), weights


@in_a_layer
def residual_in_place(layer, queries, keys, values):
    output, weights = layer(queries, keys, values, return_weights=True)
    queries += output
    return output, weights


SECTION_5 = {
    "as planted": Wrong(
        in_heads(dim=1, scale="d_model**-0.5", glue=reshaped_back),
        same("softmax-over-heads", *ALL_5),
    ),
    "axis mended": Wrong(
        in_heads(scale="d_model**-0.5", glue=reshaped_back), same("scale-by-model-width", *ALL_5)
    ),
    "axis and scale mended": Wrong(
        in_heads(glue=reshaped_back), same("merge-without-swap", *ALL_5)
    ),
    "scale mended": Wrong(in_heads(dim=1, glue=reshaped_back), same("softmax-over-heads", *ALL_5)),
    "merge mended": Wrong(
        in_heads(dim=1, scale="d_model**-0.5"), same("softmax-over-heads", *ALL_5)
    ),
    "all but the axis": Wrong(in_heads(dim=1), same("softmax-over-heads", *ALL_5)),
    "all but the scale": Wrong(
        in_heads(scale="d_model**-0.5"), same("scale-by-model-width", *ALL_5)
    ),
    "another wrong axis": Wrong(
        in_heads(dim=2, scale="d_model**-0.5", glue=reshaped_back),
        same("softmax-over-queries", *ALL_5),
    ),
    "over queries": Wrong(in_heads(dim=2), same("softmax-over-queries", *ALL_5)),
    "no scale": Wrong(in_heads(scale="1"), same("no-scale", *ALL_5)),
    "no scale, merge by reshape": Wrong(
        in_heads(scale="1", glue=reshaped_back), same("no-scale", *ALL_5)
    ),
    "divided by d_head": Wrong(in_heads(scale="1 / d_head"), same("scale-by-d", *ALL_5)),
    "multiplied": Wrong(in_heads(scale="d_head**0.5"), same("scale-inverted", *ALL_5)),
    "root of heads": Wrong(in_heads(scale="heads**-0.5"), same("scale-by-heads", *ALL_5)),
    "split by view": Wrong(in_heads(cut=reshaped), same("view-for-split", *ALL_5)),
    "all by view": Wrong(
        in_heads(cut=reshaped, cut_values=reshaped, glue=reshaped_back),
        same("view-for-split", *ALL_5),
    ),
    "split by view, no scale": Wrong(
        in_heads(cut=reshaped, scale="1"), same("view-for-split", *ALL_5)
    ),
    "values by view": Wrong(in_heads(cut_values=reshaped), same("values-split-by-view", *ALL_5)),
    "not normalised": Wrong(in_heads(dim=None), same("not-normalised", *ALL_5)),
    "weights backwards": Wrong(
        in_heads(shown=lambda weights: torch.stack(weights.unbind(1)[::-1], 1)),
        same("heads-reversed", *ALL_5),
    ),
    "joined backwards": Wrong(
        in_heads(glue=lambda found: torch.cat(found.unbind(1)[::-1], -1)),
        same("heads-joined-in-reverse", *ALL_5),
    ),
    "interleaved": Wrong(
        in_heads(glue=lambda found: torch.stack(found.unbind(1), -1).flatten(2)),
        same("heads-joined-interleaved", *ALL_5),
    ),
    "no last projection": Wrong(in_heads(last=False), same("no-output-layer", *ALL_5)),
    "one head": Wrong(one_wide_head, same("one-head", *ALL_5)),
    "input changed": Wrong(residual_in_place, {"inputs": "in-place"}),
    "output only": Wrong(
        lambda *given, **more: in_heads()(*given, **more)[0], same("not-a-tuple", *ALL_5)
    ),
    "weights averaged": Wrong(
        in_heads(shown=lambda weights: weights.mean(1)), same("shape", *ALL_5)
    ),
}
RIGHT_5 = {
    "chunks": in_heads(),
    "the library": in_a_layer(lambda layer, *given: layer(*given, return_weights=True)),
}

# --- Section 6 ----------------------------------------------------------------------------------

ALL_6 = "even", "odd", "start"


def table(exponent="2 * (j // 2) / d", first="start", odd_by_loop=True) -> Callable:
    """Number by number; or by slices that do not fit where the width is odd."""

    def positions(length, d_model, start=0):
        rates = [10000 ** -eval(exponent, {"j": j, "d": d_model}) for j in range(d_model)]
        rows = [eval(first, {"start": start}) + row for row in range(length)]
        if d_model % 2 and not odd_by_loop:
            return torch.zeros(length, d_model // 2).copy_(torch.zeros(length, d_model // 2 + 1))
        return torch.tensor(
            [
                [(math.cos if j % 2 else math.sin)(row * rate) for j, rate in enumerate(rates)]
                for row in rows
            ]
        )

    return positions


def swapped(length, d_model, start=0):
    whole = sinusoidal_positions(length, d_model, start)
    sines, cosines = whole[:, 0::2], whole[:, 1::2]
    if d_model % 2:
        last = torch.arange(start, start + length) * 10000 ** ((1 - d_model) / d_model)
        cosines = torch.cat([cosines, last.cos()[:, None]], dim=1)
    return torch.stack([cosines, sines], dim=-1).flatten(1)[:, :d_model]


def halves(length, d_model, start=0):
    whole = sinusoidal_positions(length, d_model, start)
    return torch.cat([whole[:, 0::2], whole[:, 1::2]], dim=1)


HALF = "j // 2 / d"
SECTION_6 = {
    "as planted": Wrong(
        table(HALF, first="0", odd_by_loop=False),
        {"even": "half-exponent", "odd": "RuntimeError", "start": "half-exponent"},
    ),
    "frequencies mended": Wrong(
        table(first="0", odd_by_loop=False), {"odd": "RuntimeError", "start": "start-ignored"}
    ),
    "frequencies and start mended": Wrong(table(odd_by_loop=False), {"odd": "too-many-cosines"}),
    "odd width mended": Wrong(table(HALF, first="0"), same("half-exponent", *ALL_6)),
    "all but the frequencies": Wrong(table(HALF), same("half-exponent", *ALL_6)),
    "all but the start": Wrong(table(first="0"), {"start": "start-ignored"}),
    "swapped": Wrong(swapped, same("sine-and-cosine-swapped", *ALL_6)),
    "halves": Wrong(halves, same("halves-side-by-side", *ALL_6)),
    "halves from 0": Wrong(
        lambda length, d_model, start=0: halves(length, d_model),
        same("halves-side-by-side", *ALL_6),
    ),
    "a row short": Wrong(
        lambda length, d_model, start=0: sinusoidal_positions(length - 1, d_model, start),
        same("shape", *ALL_6),
    ),
    "each column its frequency": Wrong(table("j / d"), same("frequency-by-column", *ALL_6)),
    "from 1": Wrong(table(first="start + 1"), same("positions-from-1", *ALL_6)),
    "exponent twice": Wrong(table("4 * (j // 2) / d"), same("exponent-twice", *ALL_6)),
    "faster": Wrong(table("-2 * (j // 2) / d"), same("frequencies-inverted", *ALL_6)),
    "no common frequency": Wrong(table("1.9 * (j // 2) / d"), same("values", *ALL_6)),
}
RIGHT_6 = {"numbers": table(), "the library": sinusoidal_positions}

WRONG = {
    "03_scoring_functions": SECTION_3,
    "04_bahdanau_attention": SECTION_4,
    "05_multi_head_attention": SECTION_5,
    "06_self_attention_and_position": SECTION_6,
}
RIGHT = {
    "03_scoring_functions": RIGHT_3,
    "04_bahdanau_attention": RIGHT_4,
    "05_multi_head_attention": RIGHT_5,
    "06_self_attention_and_position": RIGHT_6,
}
