"""Multi-head attention in a layer: wrong solutions, and right ones in other words."""

from collections.abc import Callable

import torch

from attention_lib import MultiHeadAttention, attend, dot_product_scores
from tests.coursework.exercises.wrong_exercises import Wrong, same

ALL = "cross", "self", "inputs"


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


WRONG = {
    "as planted": Wrong(
        in_heads(dim=1, scale="d_model**-0.5", glue=reshaped_back),
        same("softmax-over-heads", *ALL),
    ),
    "axis mended": Wrong(
        in_heads(scale="d_model**-0.5", glue=reshaped_back), same("scale-by-model-width", *ALL)
    ),
    "axis and scale mended": Wrong(in_heads(glue=reshaped_back), same("merge-without-swap", *ALL)),
    "scale mended": Wrong(in_heads(dim=1, glue=reshaped_back), same("softmax-over-heads", *ALL)),
    "merge mended": Wrong(in_heads(dim=1, scale="d_model**-0.5"), same("softmax-over-heads", *ALL)),
    "all but the axis": Wrong(in_heads(dim=1), same("softmax-over-heads", *ALL)),
    "all but the scale": Wrong(in_heads(scale="d_model**-0.5"), same("scale-by-model-width", *ALL)),
    "another wrong axis": Wrong(
        in_heads(dim=2, scale="d_model**-0.5", glue=reshaped_back),
        same("softmax-over-queries", *ALL),
    ),
    "over queries": Wrong(in_heads(dim=2), same("softmax-over-queries", *ALL)),
    "no scale": Wrong(in_heads(scale="1"), same("no-scale", *ALL)),
    "no scale, merge by reshape": Wrong(
        in_heads(scale="1", glue=reshaped_back), same("no-scale", *ALL)
    ),
    "divided by d_head": Wrong(in_heads(scale="1 / d_head"), same("scale-by-d", *ALL)),
    "multiplied": Wrong(in_heads(scale="d_head**0.5"), same("scale-inverted", *ALL)),
    "root of heads": Wrong(in_heads(scale="heads**-0.5"), same("scale-by-heads", *ALL)),
    "split by view": Wrong(in_heads(cut=reshaped), same("view-for-split", *ALL)),
    "all by view": Wrong(
        in_heads(cut=reshaped, cut_values=reshaped, glue=reshaped_back),
        same("view-for-split", *ALL),
    ),
    "split by view, no scale": Wrong(
        in_heads(cut=reshaped, scale="1"), same("view-for-split", *ALL)
    ),
    "values by view": Wrong(in_heads(cut_values=reshaped), same("values-split-by-view", *ALL)),
    "not normalised": Wrong(in_heads(dim=None), same("not-normalised", *ALL)),
    "weights backwards": Wrong(
        in_heads(shown=lambda weights: torch.stack(weights.unbind(1)[::-1], 1)),
        same("heads-reversed", *ALL),
    ),
    "joined backwards": Wrong(
        in_heads(glue=lambda found: torch.cat(found.unbind(1)[::-1], -1)),
        same("heads-joined-in-reverse", *ALL),
    ),
    "interleaved": Wrong(
        in_heads(glue=lambda found: torch.stack(found.unbind(1), -1).flatten(2)),
        same("heads-joined-interleaved", *ALL),
    ),
    "no last projection": Wrong(in_heads(last=False), same("no-output-layer", *ALL)),
    "one head": Wrong(one_wide_head, same("one-head", *ALL)),
    "input changed": Wrong(residual_in_place, {"inputs": "in-place"}),
    "output only": Wrong(
        lambda *given, **more: in_heads()(*given, **more)[0], same("not-a-tuple", *ALL)
    ),
    "weights averaged": Wrong(in_heads(shown=lambda weights: weights.mean(1)), same("shape", *ALL)),
}
RIGHT = {
    "chunks": in_heads(),
    "the library": in_a_layer(lambda layer, *given: layer(*given, return_weights=True)),
}
