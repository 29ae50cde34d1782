"""The layers of the Transformer: attention and feed-forward networks, each added and normed."""

import math

import torch
import torch.nn.functional as F
from jaxtyping import Bool, Float, Int
from torch import Tensor, nn

from attention_lib.masks import causal_mask
from attention_lib.multi_head import MultiHeadAttention, ProjectedKeys


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

    Source: Vaswani et al., "Attention Is All You Need", 2017, section 3.3.
    """

    def __init__(self, d_model: int, d_feedforward: int):
        super().__init__()
        self.to_hidden = nn.Linear(d_model, d_feedforward)
        self.to_output = nn.Linear(d_feedforward, d_model)

    def forward(self, tokens: Float[Tensor, "*axes d_model"]) -> Float[Tensor, "*axes d_model"]:
        return self.to_output(torch.relu(self.to_hidden(tokens)))


class AddNorm(nn.Module):
    r"""What surrounds a sub-layer f: a residual connection and layer normalisation.

    .. math::
        \text{norm first: } x + f(\mathrm{norm}(x)), \qquad
        \text{norm last: } \mathrm{norm}(x + f(x))

    Last is the form of 2017. First leaves a path from the output to the input on which nothing
    but additions happen, and training is steadier. Dropout, in training, acts on f's output.

    A sub-layer finds its input with ``before``, and ``after`` merges what it found:
    ``around.after(x, f(around.before(x)))``.

    Source: Xiong et al., "On Layer Normalization in the Transformer Architecture", 2020.
    """

    def __init__(self, d_model: int, dropout: float, norm_first: bool):
        super().__init__()
        self.norm = nn.LayerNorm(d_model)
        self.dropout = nn.Dropout(dropout)
        self.norm_first = norm_first

    def before(self, tokens: Tensor) -> Tensor:
        return self.norm(tokens) if self.norm_first else tokens

    def after(self, tokens: Tensor, found: Tensor) -> Tensor:
        added = tokens + self.dropout(found)
        return added if self.norm_first else self.norm(added)


class EncoderLayer(nn.Module):
    """Every token looks at all tokens of its sentence, then thinks for itself.

    Args:
        d_model: width of a token.
        heads: number of heads; must divide ``d_model``.
        d_feedforward: width of the hidden layer of the feed-forward network.
        dropout: in training, the share of each sub-layer's output set to zero.
        norm_first: norm before each sub-layer, or after it as in 2017.

    Source: Vaswani et al., "Attention Is All You Need", 2017, section 3.1.

    >>> layer = EncoderLayer(d_model=8, heads=2, d_feedforward=16)
    >>> layer(torch.zeros(1, 5, 8))[0].shape
    torch.Size([1, 5, 8])
    """

    def __init__(
        self,
        d_model: int,
        heads: int,
        d_feedforward: int,
        *,
        dropout: float = 0.0,
        norm_first: bool = True,
    ):
        super().__init__()
        self.self_attention = MultiHeadAttention(d_model, heads)
        self.feed_forward = FeedForward(d_model, d_feedforward)
        self.around_self = AddNorm(d_model, dropout, norm_first)
        self.around_feed_forward = AddNorm(d_model, dropout, norm_first)

    def forward(
        self,
        tokens: Float[Tensor, "batch len d_model"],
        mask: Bool[Tensor, "..."] | None = None,
        *,
        return_weights: bool = False,
    ) -> tuple[Float[Tensor, "batch len d_model"], Float[Tensor, "batch heads len len"] | None]:
        """The tokens after the layer, and the attention weights (None unless asked for)."""
        looking = self.around_self.before(tokens)
        found, weights = self.self_attention.look_up(
            looking,
            self.self_attention.project(looking, looking),
            mask,
            return_weights=return_weights,
        )
        tokens = self.around_self.after(tokens, found)

        thought = self.feed_forward(self.around_feed_forward.before(tokens))
        return self.around_feed_forward.after(tokens, thought), weights


class DecoderLayer(nn.Module):
    """Every token looks at those before it, then at the source, then thinks for itself.

    Arguments and source as for ``EncoderLayer``. The source comes as keys and values that
    ``cross_attention.project`` has made of the encoder's output.

    >>> layer = DecoderLayer(d_model=8, heads=2, d_feedforward=16)
    >>> source = layer.cross_attention.project(torch.zeros(1, 5, 8), torch.zeros(1, 5, 8))
    >>> tokens, seen, weights = layer(torch.zeros(1, 3, 8), source)
    >>> tokens.shape, seen.keys.shape
    (torch.Size([1, 3, 8]), torch.Size([1, 2, 3, 4]))
    """

    def __init__(
        self,
        d_model: int,
        heads: int,
        d_feedforward: int,
        *,
        dropout: float = 0.0,
        norm_first: bool = True,
    ):
        super().__init__()
        self.self_attention = MultiHeadAttention(d_model, heads)
        self.cross_attention = MultiHeadAttention(d_model, heads)
        self.feed_forward = FeedForward(d_model, d_feedforward)
        self.around_self = AddNorm(d_model, dropout, norm_first)
        self.around_cross = AddNorm(d_model, dropout, norm_first)
        self.around_feed_forward = AddNorm(d_model, dropout, norm_first)

    def forward(
        self,
        tokens: Float[Tensor, "batch t_len d_model"],
        source: ProjectedKeys,
        source_mask: Bool[Tensor, "..."] | None = None,
        seen: ProjectedKeys | None = None,
        *,
        return_weights: bool = False,
    ) -> tuple[
        Float[Tensor, "batch t_len d_model"],
        ProjectedKeys,
        tuple[Float[Tensor, "batch heads t_len k_len"], Float[Tensor, "batch heads t_len s_len"]]
        | tuple[None, None],
    ]:
        """Take some tokens further.

        Args:
            tokens: shape ``(batch, t_len, d_model)``.
            source: keys and values of the source.
            source_mask: what may be looked at there, True = may attend.
            seen: keys and values of the tokens before these, from the call that took them.
            return_weights: also return the weights, masked and cross.

        Returns:
            The tokens after the layer; ``seen`` with these tokens added; the two weights, or
            two None.
        """
        looking = self.around_self.before(tokens)
        new = self.self_attention.project(looking, looking)
        if seen is not None:
            new = ProjectedKeys(*(torch.cat(both, dim=2) for both in zip(seen, new, strict=True)))
        no_future = causal_mask(tokens.shape[1], new.keys.shape[2]).to(tokens.device)
        found, masked = self.self_attention.look_up(
            looking, new, no_future, return_weights=return_weights
        )
        tokens = self.around_self.after(tokens, found)

        found, cross = self.cross_attention.look_up(
            self.around_cross.before(tokens), source, source_mask, return_weights=return_weights
        )
        tokens = self.around_cross.after(tokens, found)

        thought = self.feed_forward(self.around_feed_forward.before(tokens))
        return self.around_feed_forward.after(tokens, thought), new, (masked, cross)
