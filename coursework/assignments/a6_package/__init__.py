"""Assignment 6: a decoder block in a small package, written in an editor and called by adapters."""

import dataclasses
import math

import torch

from coursework.assignments.a1_scores.softmax import MASKED_SOFTMAX
from coursework.assignments.a5_decoding import STEP
from coursework.assignments.a6_package.block import BLOCK
from coursework.assignments.a6_package.growth import GROWTH
from coursework.questions.cases import Assignment
from coursework.questions.forbidden import ATTENTION


def run_masked_softmax(scores, mask, dim=-1):
    """Softmax of scores over dim; where the Boolean mask is False, the weight is 0.

    A row in which nothing is allowed gets zeros. From assignment 1.
    """
    return scores.masked_fill(~mask, -math.inf).softmax(dim).nan_to_num(nan=0.0)


def run_decoder_step(x, keys, values, w_q, w_k, w_v):
    """Attend from the newest token x (batch, d) to itself and to the t tokens in the cache.

    The cache is keys (batch, t, d_k) and values (batch, t, d_v); x gets the sinusoidal encoding
    of position t. Gives the output (batch, d_v) and the longer keys and values, as a tuple. From
    assignment 5.
    """
    columns = torch.arange(x.shape[1])
    angles = keys.shape[1] * 10000 ** (-2 * (columns // 2) / x.shape[1])
    x = (x + torch.where(columns % 2 == 0, angles.sin(), angles.cos())).unsqueeze(1)
    keys, values = torch.hstack([keys, x @ w_k]), torch.hstack([values, x @ w_v])
    weights = torch.softmax(x @ w_q @ keys.mT / math.sqrt(w_q.shape[1]), dim=-1)
    return (weights @ values).squeeze(1), keys, values


ASSIGNMENT = Assignment(
    name="a6_package",
    imports="import math\n\nimport torch",
    questions=(
        dataclasses.replace(
            MASKED_SOFTMAX, name="1 run_masked_softmax", solution=run_masked_softmax
        ),
        dataclasses.replace(STEP, name="2 run_decoder_step", solution=run_decoder_step),
        BLOCK,
        GROWTH,
    ),
    forbidden=ATTENTION,
)
