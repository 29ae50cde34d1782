"""Section 5: multi-head attention with the four linear layers of a module.

A case holds numbers only, and the notebook makes the module of them. So the function here takes
the parameters under the names that they have in the module's ``state_dict``.
"""

import math

import numpy as np
import torch
import torch.nn.functional as F

from coursework.exercises.multi_head_mistakes import MISTAKES
from coursework.questions.cases import Case, Message, Question

LAYERS = ("to_queries", "to_keys", "to_values", "to_output")


def my_attention(queries, keys, values, heads, **layers):
    def through(layer, tokens):
        return F.linear(tokens, layers[f"{layer}.weight"], layers[f"{layer}.bias"])

    def split_heads(tokens):
        return tokens.unflatten(-1, (heads, -1)).transpose(1, 2)

    q = split_heads(through("to_queries", queries))
    k = split_heads(through("to_keys", keys))
    v = split_heads(through("to_values", values))
    weights = (q @ k.mT / math.sqrt(q.shape[-1])).softmax(dim=-1)
    return through("to_output", (weights @ v).transpose(1, 2).flatten(2)), weights


def make_cases(rng: np.random.Generator) -> list[Case]:
    def normal(*shape, scale=1.0):
        return (scale * rng.standard_normal(shape)).astype(np.float32)

    def case(name, zh, en, batch, q_len, k_len, d_model, heads, **looked_at):
        tokens = [normal(batch, length, d_model) for length in (q_len, k_len, k_len)]
        parameters = {}
        for layer in LAYERS:
            # Scores of about 1, so that no softmax is saturated.
            parameters[f"{layer}.weight"] = normal(d_model, d_model, scale=1.5 / math.sqrt(d_model))
            parameters[f"{layer}.bias"] = normal(d_model, scale=0.5)
        keywords = {"heads": heads} | parameters
        return Case(Message(name, zh, en), 1, tuple(tokens), keywords, tolerance=3e-5, **looked_at)

    # Widths and numbers of heads of which no root is another's.
    d_model, heads = (int(number) for number in rng.choice([[12, 4], [18, 3], [12, 2]]))
    return [
        case("cross", "查询比键少", "Fewer queries than keys", 2, 3, 5, d_model, heads),
        case("self", "查询和键一样多", "As many queries as keys", 1, 4, 4, 6, 2),
        case(
            "inputs",
            "输入保持不变",
            "The inputs stay as they were",
            1,
            2,
            3,
            6,
            2,
            keeps_inputs=True,
        ),
    ]


def oracle(queries, keys, values, heads, **layers):
    """Head by head, with its own rows of the matrices and columns of the last one."""
    layers = {name: tensor.double() for name, tensor in layers.items()}
    output, weights = layers["to_output.bias"], []
    for rows in torch.arange(queries.shape[-1]).chunk(heads):
        q, k, v = (
            F.linear(x.double(), layers[f"{to}.weight"][rows], layers[f"{to}.bias"][rows])
            for x, to in zip((queries, keys, values), LAYERS, strict=False)
        )
        scores = torch.einsum("bqd,bkd->bqk", q, k) / math.sqrt(len(rows))
        weights.append(scores.exp() / scores.exp().sum(dim=-1, keepdim=True))
        output = output + weights[-1] @ v @ layers["to_output.weight"][:, rows].T
    return output, torch.stack(weights, dim=1)


MULTI_HEAD = Question(
    name="05 my_attention",
    solution=my_attention,
    oracle=oracle,
    make_cases=make_cases,
    mistakes=MISTAKES,
)
