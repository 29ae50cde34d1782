"""One step of additive attention: wrong solutions, and right ones in other words."""

import math
from collections.abc import Callable

import torch

from tests.coursework.exercises.wrong_exercises import Wrong, same

ALL = "full", "padding", "empty"


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
            scores = torch.stack([score(w, one @ W_q, word @ W_k) for word in words])
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
        hidden = torch.tanh((state @ W_q).unsqueeze(1) + values @ W_k)
        scores = torch.where(mask, hidden @ w, number)
        weights = scores.T.softmax(-1).T
        return torch.einsum("bs,bsd->bd", weights, values), weights

    return attend


WRONG = {
    "no tanh": Wrong(step(lambda w, q, k: w @ (q + k)), same("no-tanh", *ALL)),
    "tanh of the score": Wrong(
        step(lambda w, q, k: torch.tanh(w @ (q + k))), same("tanh-late", *ALL)
    ),
    "no query": Wrong(step(lambda w, q, k: w @ torch.tanh(k)), same("query-unused", *ALL)),
    "no keys": Wrong(step(lambda w, q, k: w @ torch.tanh(q)), same("keys-unused", *ALL)),
    "no mask": Wrong(
        step(shown=lambda allowed: allowed | True), same("mask-ignored", "padding", "empty")
    ),
    "inverted, zeros": Wrong(step(shown=lambda seen: ~seen), same("mask-inverted", *ALL)),
    "inverted, NaN": Wrong(
        step(shown=lambda seen: ~seen, nothing=math.nan), same("mask-inverted", *ALL)
    ),
    "over the batch": Wrong(over_the_batch(-math.inf), same("softmax-over-batch", *ALL)),
    "over the batch, −1e9": Wrong(over_the_batch(-1e9), same("softmax-over-batch", *ALL)),
    "no tanh, no mask": Wrong(
        step(lambda w, q, k: w @ (q + k), shown=lambda allowed: allowed | True),
        same("no-tanh, mask-ignored", *ALL),
    ),
    "no query, inverted": Wrong(
        step(lambda w, q, k: w @ torch.tanh(k), shown=lambda seen: ~seen),
        same("query-unused, mask-inverted", *ALL),
    ),
    "mean for a context": Wrong(
        step(context=lambda weights, values: values.mean(0)), same("wrong-context", *ALL)
    ),
    "sum for a context": Wrong(
        step(context=lambda weights, values: values.sum(0)), same("wrong-context", *ALL)
    ),
    "best value for a context": Wrong(
        step(context=lambda weights, values: values[weights.argmax()]),
        same("wrong-context", *ALL),
    ),
    "twice the context": Wrong(
        step(context=lambda weights, values: 2 * weights @ values), same("values", *ALL)
    ),
    "weights for a context": Wrong(lambda *given: (step()(*given)[1],) * 2, same("shape", *ALL)),
    "context only": Wrong(lambda *given: step()(*given)[0], same("not-a-tuple", *ALL)),
    "NaN": Wrong(step(nothing=math.nan), {"empty": "nan-on-empty-row"}),
    "even weights": Wrong(step(nothing=1 / 4), {"empty": "finite-fill"}),
    "state in place": Wrong(
        lambda state, *given: (step()(state, *given), state.zero_())[0],
        same("in-place", *ALL[:2]),
    ),
}
RIGHT = {"loop": step(), "list": lambda *given: list(step()(*given))}
