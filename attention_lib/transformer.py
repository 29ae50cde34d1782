"""The Transformer: an encoder and a decoder made of attention alone."""

from dataclasses import dataclass, fields
from typing import NamedTuple

import torch
from jaxtyping import Float, Int
from torch import Tensor, nn

from attention_lib.cache import KeyValueCache
from attention_lib.masks import check_lengths, padding_mask, word_mask
from attention_lib.positions import sinusoidal_positions
from attention_lib.transformer_layers import DecoderLayer, EncoderLayer, TokenEmbedding
from attention_lib.vocabulary import Vocabulary


@dataclass(frozen=True)
class TransformerConfig:
    """What a Transformer is made of."""

    source_vocabulary: Vocabulary
    target_vocabulary: Vocabulary
    d_model: int = 64  # width of a token, in every layer
    heads: int = 4  # number of attention heads; divides d_model
    layers: int = 2  # in the encoder, and as many in the decoder
    d_ff: int = 128  # width of the hidden layer of the feed-forward networks
    dropout: float = 0.0  # in training, share of each sub-layer's output set to zero
    norm_first: bool = True  # layer normalisation before each sub-layer; False: after, as in 2017

    def __post_init__(self):
        sizes = (self.d_model, self.layers, self.d_ff)
        if min(sizes) < 1:
            raise ValueError(
                "d_model, layers and d_ff must be at least 1, got "
                f"{sizes[0]}, {sizes[1]} and {sizes[2]}"
            )
        if not 0 <= self.dropout < 1:
            raise ValueError(f"dropout must be at least 0 and less than 1, got {self.dropout}")


class TransformerMemory(NamedTuple):
    """The source, ready to be looked up: its keys and values, one cache a layer of the decoder."""

    layers: tuple[KeyValueCache, ...]


class TransformerState(NamedTuple):
    """The target so far: its keys and values, one cache a layer of the decoder."""

    layers: tuple[KeyValueCache, ...]


class TransformerWeights(NamedTuple):
    """All attention weights of a source and its target, layer by layer and head by head."""

    encoder: Float[Tensor, "batch layers heads s_len s_len"]
    masked: Float[Tensor, "batch layers heads t_len t_len"]
    cross: Float[Tensor, "batch layers heads t_len s_len"]


class Transformer(nn.Module):
    """An encoder that reads the source, and a decoder that writes the target word by word.

    A token is its embedding plus its position. In the encoder it looks at the whole source; in
    the decoder at the tokens before it and at the words of the source. The score of a word is
    its product with the decoder's output, by the same matrix that embeds the target.

    Whether the decoder sees the future never depends on ``train()`` or ``eval()``: each token
    may look at the keys up to its own, always.

    Args:
        config: the vocabularies and sizes.

    Raises:
        ValueError: a size is less than one, the heads do not divide the width, or the dropout
            is not in [0, 1).

    Source: Vaswani et al., "Attention Is All You Need", 2017.

    >>> english, french = Vocabulary([["go", "."]]), Vocabulary([["va", "!"]])
    >>> model = Transformer(TransformerConfig(english, french))
    >>> source, target = torch.tensor([[4, 5, 2]]), torch.tensor([[1, 4]])
    >>> model(source, torch.tensor([3]), target).shape
    torch.Size([1, 2, 6])
    """

    def __init__(self, config: TransformerConfig):
        super().__init__()
        self.config = config
        self.source_embedding = TokenEmbedding(len(config.source_vocabulary), config.d_model)
        self.target_embedding = TokenEmbedding(len(config.target_vocabulary), config.d_model)
        self.dropout = nn.Dropout(config.dropout)
        sizes = (config.d_model, config.heads, config.d_ff)
        options = {"dropout": config.dropout, "norm_first": config.norm_first}
        self.encoder = nn.ModuleList(EncoderLayer(*sizes, **options) for _ in range(config.layers))
        self.decoder = nn.ModuleList(DecoderLayer(*sizes, **options) for _ in range(config.layers))
        # With the norm first, what leaves the last layer is a sum that nothing has normed yet.
        self.encoder_norm, self.decoder_norm = (
            nn.LayerNorm(config.d_model) if config.norm_first else nn.Identity() for _ in range(2)
        )
        self._position_table: Tensor | None = None

    has_attention = True  # its translations come with weights

    @property
    def arguments(self) -> dict[str, int | float | bool]:
        """What makes another model like this one, besides the vocabularies."""
        names = (field.name for field in fields(self.config))
        return {name: getattr(self.config, name) for name in names if "vocabulary" not in name}

    @property
    def source_vocabulary(self) -> Vocabulary:
        return self.config.source_vocabulary

    @property
    def target_vocabulary(self) -> Vocabulary:
        return self.config.target_vocabulary

    def forward(
        self,
        source: Int[Tensor, "batch s_len"],
        source_lengths: Int[Tensor, " batch"],
        target: Int[Tensor, "batch t_len"],
    ) -> Float[Tensor, "batch t_len vocabulary"]:
        """The logits of the word after each token of the target."""
        return self.decode(target, self.encode(source, source_lengths), source_lengths)[0]

    def encode(
        self, source: Int[Tensor, "batch s_len"], source_lengths: Int[Tensor, " batch"]
    ) -> TransformerMemory:
        """Read the source.

        Args:
            source: tokens, each sentence with its end mark and then padding, ``(batch, s_len)``.
            source_lengths: number of tokens with the end mark, ``(batch,)``.

        Returns:
            What ``decode`` looks up, the batch as the first axis.

        Raises:
            ValueError: a length is less than one or more than the width of the source.
        """
        memory, _ = self._encode(source, source_lengths)
        return memory

    def decode(
        self,
        target: Int[Tensor, "batch t_len"],
        memory: TransformerMemory,
        source_lengths: Int[Tensor, " batch"],
        state: TransformerState | None = None,
        *,
        return_weights: bool = False,
    ) -> (
        tuple[Float[Tensor, "batch t_len vocabulary"], TransformerState]
        | tuple[
            Float[Tensor, "batch t_len vocabulary"],
            TransformerState,
            Float[Tensor, "batch layers heads t_len s_len"],
        ]
    ):
        """Read some of the target and score what may follow each of its tokens.

        One token at a time, each with the state that the one before left, or all at once: the
        logits are the same.

        Args:
            target: tokens from the start mark on, or from where ``state`` ends, ``(batch, t_len)``.
            memory: what ``encode`` made of the source.
            source_lengths: as for ``encode``.
            state: what an earlier call returned; None at the start.
            return_weights: also return the weights over the source.

        Returns:
            Logits of shape ``(batch, t_len, len(target_vocabulary))`` and the new state; with
            ``return_weights`` also the weights, ``(batch, layers, heads, t_len, s_len)``.
        """
        logits, state, weights = self._decode(
            target, memory, source_lengths, state, return_weights=return_weights
        )
        if not return_weights:
            return logits, state
        _, cross = weights
        return logits, state, cross

    @torch.no_grad()
    def attention_weights(
        self,
        source: Int[Tensor, "batch s_len"],
        source_lengths: Int[Tensor, " batch"],
        target: Int[Tensor, "batch t_len"],
    ) -> TransformerWeights:
        """Who looks at whom while this source becomes this target: every layer and head."""
        memory, encoder = self._encode(source, source_lengths, return_weights=True)
        *_, decoder = self._decode(target, memory, source_lengths, return_weights=True)
        return TransformerWeights(encoder, *decoder)

    def embed(
        self, embedding: TokenEmbedding, tokens: Int[Tensor, "batch len"], start: int = 0
    ) -> Float[Tensor, "batch len d_model"]:
        """What both stacks of layers begin with: each token with its position, from ``start`` on.

        A decoder that is fed token by token has to say where it is; one that starts from zero
        each time takes every word for the first.
        """
        embedded = embedding(tokens)
        return self.dropout(embedded + self._positions(start, tokens.shape[1], embedded))

    def _encode(self, source, source_lengths, return_weights=False):
        check_lengths(source_lengths, 1, source.shape[1])
        mask = padding_mask(source_lengths, source.shape[1])
        x, weights = self.embed(self.source_embedding, source), []
        for layer in self.encoder:
            x = layer(x, mask, return_weights=return_weights)
            if return_weights:
                x, own_weights = x
                weights.append(own_weights)
        x = self.encoder_norm(x)
        # Every layer of the decoder will look at the source once per word: what it needs of
        # the source is made here, once.
        memory = TransformerMemory(
            tuple(layer.cross_attention.project(x, x) for layer in self.decoder)
        )
        return memory, torch.stack(weights, dim=1) if return_weights else None

    def _decode(self, target, memory, source_lengths, state=None, return_weights=False):
        caches = (
            tuple(KeyValueCache() for _ in self.decoder)
            if state is None
            else tuple(cache.copy() for cache in state.layers)  # the state given stays as it is
        )
        words = word_mask(source_lengths, memory.layers[0].length)
        x, weights = self.embed(self.target_embedding, target, start=caches[0].length), []
        for layer, source, cache in zip(self.decoder, memory.layers, caches, strict=True):
            x = layer(x, source, words, cache=cache, return_weights=return_weights)
            if return_weights:
                x, *own_weights = x
                weights.append(own_weights)
        logits = self.target_embedding.scores(self.decoder_norm(x))
        state = TransformerState(caches)
        if not return_weights:
            return logits, state, None
        masked, cross = (torch.stack(each, dim=1) for each in zip(*weights, strict=True))
        return logits, state, (masked, cross)

    def _positions(self, start: int, length: int, like: Tensor) -> Tensor:
        """The position encodings from ``start`` on, in the precision and on the device of ``like``.

        They are kept, since decoding asks for one more at every step; not as a part of the model,
        which has no longest sentence. ``torch.export`` records the computation and keeps nothing.
        """
        end, width = start + length, self.config.d_model
        if torch.compiler.is_compiling():
            return sinusoidal_positions(length, width, start).to(like)
        table = self._position_table
        if table is None or len(table) < end or table.dtype != like.dtype:
            with torch.inference_mode(False):  # what is kept may be needed in training, too
                table = sinusoidal_positions(max(2 * end, 64), width)
        self._position_table = table = table.to(like)
        return table[start:end]
