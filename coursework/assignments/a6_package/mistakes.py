"""What often goes wrong in a decoder block, and how a student is told."""

import math

import torch
import torch.nn.functional as F

from coursework.assignments.a6_package.reasons import (
    GAINS,
    HEADS_MIXED,
    INTERLEAVED,
    MERGED,
    NO_FIRST_NORM,
    NO_GAIN,
    NO_MASK,
    NO_MEAN,
    NO_OUTPUT,
    NO_RELU,
    NO_RESIDUAL,
    NO_SECOND_NORM,
    NORM_AXIS,
    NORM_IN_RESIDUAL,
    ONE_AHEAD,
    ONE_HEAD,
    OTHER_ACTIVATION,
    PARALLEL,
    POST_NORM,
    SAMPLE,
    SCALE_WHOLE,
    STRICT,
    SUBLAYERS,
    WRONG_AXIS,
)
from coursework.assignments.reasons import NO_SCALE, SCALE_D
from coursework.questions.cases import Mistake


def normalised(x, gain):
    return F.layer_norm(x, x.shape[-1:], gain)


def split_heads(y, heads):
    return y.unflatten(-1, (heads, -1)).transpose(1, 2)


def merge_heads(y):
    return y.transpose(1, 2).flatten(-2)


def attention_with(
    split=split_heads,
    merge=merge_heads,
    scale=lambda d, heads: (d // heads) ** -0.5,
    diagonal=1,
    softmax=lambda scores: scores.softmax(-1),
    project=True,
):
    def attention(h, w_q, w_k, w_v, w_o, heads):
        q, k, v = (split(h @ w, heads) for w in (w_q, w_k, w_v))
        scores = q @ k.mT * scale(h.shape[-1], heads)
        future = torch.ones(scores.shape[-2:]).triu(diagonal) > 0
        output = merge(softmax(scores.masked_fill(future, -math.inf)) @ v)
        return output @ w_o if project else output

    return attention


MULTI_HEAD = attention_with()


def block_with(
    attention=MULTI_HEAD,
    norm=normalised,
    activation=torch.relu,
    first=lambda x, norm, attend: x + attend(norm(x)),
    second=lambda y, norm, feed, x: y + feed(norm(y)),
    swapped=False,
):
    """A block with another attention, norm, activation, or way of putting the halves together."""

    def block(x, gain_1, w_q, w_k, w_v, w_o, gain_2, w_in, w_out, heads):
        if swapped:
            gain_1, gain_2 = gain_2, gain_1

        def attend(h):
            return attention(h, w_q, w_k, w_v, w_o, heads)

        def feed(h):
            return activation(h @ w_in) @ w_out

        y = first(x, lambda z: norm(z, gain_1), attend)
        return second(y, lambda z: norm(z, gain_2), feed, x)

    return block


def feed_forward_first(x, gain_1, w_q, w_k, w_v, w_o, gain_2, w_in, w_out, heads):
    y = x + torch.relu(normalised(x, gain_2) @ w_in) @ w_out
    return y + MULTI_HEAD(normalised(y, gain_1), w_q, w_k, w_v, w_o, heads)


def sample_norm(x, gain):
    return (x - x.mean(-1, keepdim=True)) / (x.var(-1, keepdim=True) + 1e-5).sqrt() * gain


def no_norm(x, norm, attend):
    return x + attend(x)


BLOCK_MISTAKES = (
    Mistake(
        POST_NORM,
        block_with(
            first=lambda x, norm, attend: norm(x + attend(x)),
            second=lambda y, norm, feed, x: norm(y + feed(y)),
        ),
    ),
    Mistake(NO_FIRST_NORM, block_with(first=no_norm)),
    Mistake(NO_SECOND_NORM, block_with(second=lambda y, norm, feed, x: y + feed(y))),
    Mistake(NO_RESIDUAL, block_with(first=lambda x, norm, attend: attend(norm(x)))),
    Mistake(NO_RESIDUAL, block_with(second=lambda y, norm, feed, x: feed(norm(y)))),
    Mistake(
        NO_RESIDUAL,
        block_with(
            first=lambda x, norm, attend: attend(norm(x)),
            second=lambda y, norm, feed, x: feed(norm(y)),
        ),
    ),
    Mistake(NORM_IN_RESIDUAL, block_with(first=lambda x, norm, attend: norm(x) + attend(norm(x)))),
    Mistake(NORM_IN_RESIDUAL, block_with(second=lambda y, norm, feed, x: norm(y) + feed(norm(y)))),
    Mistake(
        NORM_IN_RESIDUAL,
        block_with(
            first=lambda x, norm, attend: norm(x) + attend(norm(x)),
            second=lambda y, norm, feed, x: norm(y) + feed(norm(y)),
        ),
    ),
    Mistake(PARALLEL, block_with(second=lambda y, norm, feed, x: y + feed(norm(x)))),
    Mistake(SUBLAYERS, feed_forward_first),
    Mistake(NO_GAIN, block_with(norm=lambda x, gain: normalised(x, torch.ones_like(gain)))),
    Mistake(GAINS, block_with(swapped=True)),
    Mistake(
        NO_MEAN,
        block_with(
            norm=lambda x, gain: x / (x.square().mean(-1, keepdim=True) + 1e-5).sqrt() * gain
        ),
    ),
    Mistake(SAMPLE, block_with(norm=sample_norm)),
    Mistake(
        NORM_AXIS,
        block_with(
            norm=lambda x, gain: F.layer_norm(x.mT, x.shape[-2:-1]).mT * gain,
        ),
    ),
    Mistake(NO_MASK, block_with(attention_with(diagonal=10_000))),
    Mistake(ONE_AHEAD, block_with(attention_with(diagonal=2))),
    Mistake(STRICT, block_with(attention_with(diagonal=0))),
    Mistake(NO_SCALE, block_with(attention_with(scale=lambda d, heads: 1))),
    Mistake(SCALE_D, block_with(attention_with(scale=lambda d, heads: heads / d))),
    Mistake(SCALE_WHOLE, block_with(attention_with(scale=lambda d, heads: d**-0.5))),
    Mistake(
        ONE_HEAD,
        block_with(
            attention_with(split=lambda y, heads: split_heads(y, 1), scale=lambda d, h: d**-0.5)
        ),
    ),
    Mistake(
        HEADS_MIXED,
        block_with(attention_with(split=lambda y, heads: y.reshape(len(y), heads, y.shape[1], -1))),
    ),
    Mistake(
        INTERLEAVED,
        block_with(
            attention_with(
                split=lambda y, heads: y.unflatten(-1, (-1, heads)).permute(0, 3, 1, 2),
            )
        ),
    ),
    Mistake(
        MERGED,
        block_with(
            attention_with(merge=lambda y: y.reshape(len(y), y.shape[2], -1)),
        ),
    ),
    Mistake(NO_OUTPUT, block_with(attention_with(project=False))),
    Mistake(NO_RELU, block_with(activation=lambda h: h)),
    Mistake(OTHER_ACTIVATION, block_with(activation=F.gelu)),
    Mistake(OTHER_ACTIVATION, block_with(activation=torch.tanh)),
    Mistake(WRONG_AXIS, block_with(attention_with(softmax=lambda scores: scores.softmax(-2)))),
)
