"""The layers of the Transformer: attention and feed-forward networks, each added and normed."""

import math
from collections.abc import Callable

import torch
import torch.nn.functional as F
from jaxtyping import Bool, Float, Int
from torch import Tensor, nn

from attention_lib.cache import KeyValueCache
from attention_lib.multi_head import MultiHeadAttention


class TokenEmbedding(nn.Module):
    r"""A vector for each token and, for a decoder, a score for each token: one matrix for both.

    .. math:: \mathrm{embed}(t) = \sqrt{d_\text{model}}\, W_t, \qquad \mathrm{scores}(x) = W x

    The two uses want different sizes. With entries of variance 1/d, the product of a normed
    vector and a row of W has variance one, as scores should. For the embedding, the factor √d
    makes the entries as large as those of the positions that are added to it.

    Args:
        vocabulary_size: number of tokens.
        d_model: width of an embedding.

    Source: Press and Wolf, "Using the Output Embedding to Improve Language Models", 2017;
    Vaswani et al., "Attention Is All You Need", 2017, section 3.4.
    """

    def __init__(self, vocabulary_size: int, d_model: int):
        super().__init__()
        self.weight = nn.Parameter(torch.randn(vocabulary_size, d_model) / math.sqrt(d_model))

    def forward(self, tokens: Int[Tensor, "batch len"]) -> Float[Tensor, "batch len d_model"]:
        return F.embedding(tokens, self.weight) * math.sqrt(self.weight.shape[1])

    def scores(
        self, decoded: Float[Tensor, "batch len d_model"]
    ) -> Float[Tensor, "batch len vocabulary"]:
        """How well each token of the vocabulary fits at each position: the logits."""
        return F.linear(decoded, self.weight)


class FeedForward(nn.Module):
    r"""The position-wise feed-forward network: the same two layers for every token.

    .. math:: f(x) = W_2 \max(0, W_1 x + b_1) + b_2

    Args:
        d_model: width of a token.
        d_ff: width of the hidden layer.

    Source: Vaswani et al., "Attention Is All You Need", 2017, section 3.3.
    """

    def __init__(self, d_model: int, d_ff: int):
        super().__init__()
        self.to_hidden = nn.Linear(d_model, d_ff)
        self.to_output = nn.Linear(d_ff, d_model)

    def forward(self, tokens: Float[Tensor, "*axes d_model"]) -> Float[Tensor, "*axes d_model"]:
        return self.to_output(torch.relu(self.to_hidden(tokens)))


class Residual(nn.Module):
    r"""A residual connection around a sub-layer f, and its layer normalisation.

    .. math::
        \text{norm first: } x + f(\mathrm{norm}(x)), \qquad
        \text{norm last: } \mathrm{norm}(x + f(x))

    Last is the form of 2017. First leaves a path from the output to the input on which nothing
    but additions happen, and training is steadier. Dropout, in training, acts on f's output.

    Args:
        d_model: width of a token.
        dropout: in training, the share of f's output set to zero.
        norm_first: norm before the sub-layer, or after the addition.

    Source: He et al., "Deep Residual Learning for Image Recognition", 2016; Xiong et al., "On
    Layer Normalization in the Transformer Architecture", 2020.

    >>> residual = Residual(2, norm_first=True)
    >>> residual(torch.tensor([[3.0, 5.0]]), lambda x: 10 * x)  # the norm of (3, 5) is (−1, 1)
    tensor([[-7.0000, 15.0000]], grad_fn=<AddBackward0>)
    """

    def __init__(self, d_model: int, *, dropout: float = 0.0, norm_first: bool = True):
        super().__init__()
        self.norm = nn.LayerNorm(d_model)
        self.dropout = nn.Dropout(dropout)
        self.norm_first = norm_first

    def forward(
        self, x: Float[Tensor, "*axes d_model"], sublayer: Callable[[Tensor], Tensor]
    ) -> Float[Tensor, "*axes d_model"]:
        if self.norm_first:
            return x + self.dropout(sublayer(self.norm(x)))
        return self.norm(x + self.dropout(sublayer(x)))


class EncoderLayer(nn.Module):
    """Self-attention over the whole sentence, then the feed-forward network.

    Args:
        d_model: width of a token.
        heads: number of heads; must divide ``d_model``.
        d_ff: width of the hidden layer of the feed-forward network.
        dropout: in training, the share of each sub-layer's output set to zero.
        norm_first: norm before each sub-layer, or after it as in 2017.

    Source: Vaswani et al., "Attention Is All You Need", 2017, section 3.1.

    >>> layer = EncoderLayer(d_model=8, heads=2, d_ff=16)
    >>> layer(torch.zeros(1, 5, 8)).shape
    torch.Size([1, 5, 8])
    """

    def __init__(
        self,
        d_model: int,
        heads: int,
        d_ff: int,
        *,
        dropout: float = 0.0,
        norm_first: bool = True,
    ):
        super().__init__()
        options = {"dropout": dropout, "norm_first": norm_first}
        self.self_attention = MultiHeadAttention(d_model, heads)
        self.feed_forward = FeedForward(d_model, d_ff)
        self.self_attention_residual = Residual(d_model, **options)
        self.feed_forward_residual = Residual(d_model, **options)

    def forward(
        self,
        x: Float[Tensor, "batch len d_model"],
        mask: Bool[Tensor, "..."] | None = None,
        *,
        return_weights: bool = False,
    ) -> (
        Float[Tensor, "batch len d_model"]
        | tuple[Float[Tensor, "batch len d_model"], Float[Tensor, "batch heads len len"]]
    ):
        """Take a sentence one layer further.

        Args:
            x: its tokens, shape ``(batch, len, d_model)``.
            mask: which tokens may be looked at, True = may attend.
            return_weights: also return the attention weights, ``(batch, heads, len, len)``.
        """
        weights = [] if return_weights else None
        x = self.self_attention_residual(
            x, lambda x: _attend(self.self_attention, x, x, x, mask, weights=weights)
        )
        x = self.feed_forward_residual(x, self.feed_forward)
        return (x, *weights) if return_weights else x


class DecoderLayer(nn.Module):
    """Masked self-attention over the target so far, cross-attention to the source, feed-forward.

    Arguments and source as for ``EncoderLayer``. The source comes as the keys and values that
    ``cross_attention.project`` has made of the encoder's output.

    >>> layer = DecoderLayer(d_model=8, heads=2, d_ff=16)
    >>> memory = layer.cross_attention.project(torch.zeros(1, 5, 8), torch.zeros(1, 5, 8))
    >>> layer(torch.zeros(1, 3, 8), memory).shape
    torch.Size([1, 3, 8])
    """

    def __init__(
        self,
        d_model: int,
        heads: int,
        d_ff: int,
        *,
        dropout: float = 0.0,
        norm_first: bool = True,
    ):
        super().__init__()
        options = {"dropout": dropout, "norm_first": norm_first}
        self.self_attention = MultiHeadAttention(d_model, heads)
        self.cross_attention = MultiHeadAttention(d_model, heads)
        self.feed_forward = FeedForward(d_model, d_ff)
        self.self_attention_residual = Residual(d_model, **options)
        self.cross_attention_residual = Residual(d_model, **options)
        self.feed_forward_residual = Residual(d_model, **options)

    def forward(
        self,
        x: Float[Tensor, "batch t_len d_model"],
        memory: KeyValueCache,
        memory_mask: Bool[Tensor, "..."] | None = None,
        *,
        cache: KeyValueCache | None = None,
        return_weights: bool = False,
    ) -> (
        Float[Tensor, "batch t_len d_model"]
        | tuple[
            Float[Tensor, "batch t_len d_model"],
            Float[Tensor, "batch heads t_len k_len"],
            Float[Tensor, "batch heads t_len s_len"],
        ]
    ):
        """Take some tokens of the target one layer further.

        Args:
            x: the tokens, shape ``(batch, t_len, d_model)``.
            memory: keys and values of the source.
            memory_mask: which tokens of the source may be looked at, True = may attend.
            cache: keys and values of the tokens before these; those of these are added to it.
            return_weights: also return the weights of both attentions, the masked one's of shape
                ``(batch, heads, t_len, k_len)``, where ``k_len`` counts the tokens before these,
                too, and the cross-attention's, ``(batch, heads, t_len, s_len)``.
        """
        weights = [] if return_weights else None
        x = self.self_attention_residual(
            x,
            lambda x: _attend(
                self.self_attention, x, x, x, causal=True, cache=cache, weights=weights
            ),
        )
        x = self.cross_attention_residual(
            x,
            lambda x: _attend(
                self.cross_attention, x, mask=memory_mask, cache=memory, weights=weights
            ),
        )
        x = self.feed_forward_residual(x, self.feed_forward)
        return (x, *weights) if return_weights else x


def _attend(attention: MultiHeadAttention, *given, weights: list[Tensor] | None, **named) -> Tensor:
    """The output of an attention; its weights join the list, where there is one."""
    if weights is None:
        return attention(*given, **named)
    output, own_weights = attention(*given, **named, return_weights=True)
    weights.append(own_weights)
    return output
