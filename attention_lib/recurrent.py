"""The translator that attention was made for: recurrent, with a look at the source per word."""

from typing import NamedTuple

import torch
from einops import rearrange
from jaxtyping import Bool, Float, Int
from torch import Tensor, nn
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence

from attention_lib.attention import attend
from attention_lib.masks import check_lengths, word_mask
from attention_lib.scores import AdditiveScores
from attention_lib.vocabulary import Vocabulary

QUERIES = ("state", "state_and_word", None)


class RecurrentMemory(NamedTuple):
    """The source, ready to be looked up: a value for each token, and its key, projected."""

    keys: Float[Tensor, "batch s_len d_hidden"]
    values: Float[Tensor, "batch s_len d_value"]


class FixedMemory(NamedTuple):
    """The source in one vector, whatever its length."""

    context: Float[Tensor, "batch d_value"]


class RecurrentState(NamedTuple):
    """What the decoder remembers of the words so far."""

    hidden: Float[Tensor, "batch d_decoder"]


class RecurrentTranslator(nn.Module):
    r"""A recurrent encoder and decoder; for every word, attention looks the source over again.

    .. math::
        c_t = \sum_j \alpha_{tj} h_j, \qquad
        \alpha_t = \mathrm{softmax}_j\, \tanh(q_t W_q + h_j W_k)\, w, \qquad
        s_t = \mathrm{GRU}([y_{t-1}; c_t], s_{t-1})

    with the source as values :math:`h`, the decoder's state :math:`s` and the word before,
    :math:`y_{t-1}`. The query :math:`q_t` is the previous state :math:`s_{t-1}`, as in 2014. That
    state has not read the word before: it only knows what it wanted to say.

    Three things differ from 2014 for the sake of clean alignments: the value of a source token
    holds its embedding beside its encoder states, which speak of the neighbours, too; the decoder
    starts from zero, so that all it knows of the source it must look up; and the end mark of the
    source is hidden. Two more make it simpler and quicker to learn: the layer before the words is
    a tanh in place of a maxout, and a word is scored with the vector that it is read with.

    Args:
        source_vocabulary, target_vocabulary: the words of both languages.
        query: ``"state"``; or ``"state_and_word"``, where the word before is part of the query;
            or None, for the translator of before 2014: no attention, and the last states of the
            encoder as the same context :math:`c` for every word.
        d_embedding: width of a word, and of the last layer before the words.
        d_encoder: width of the encoder's state, in each direction.
        d_decoder: width of the decoder's state.
        d_hidden: width of the hidden layer of the additive scores.

    Raises:
        ValueError: the query is none of the three, or a width is less than one.

    Source: Bahdanau, Cho and Bengio, "Neural Machine Translation by Jointly Learning to Align
    and Translate", 2014; without attention, Cho et al., "Learning Phrase Representations using
    RNN Encoder–Decoder for Statistical Machine Translation", 2014. One vector to read and to score
    a word: Press and Wolf, "Using the Output Embedding to Improve Language Models", 2017.

    >>> english, french = Vocabulary([["go", "."]]), Vocabulary([["va", "!"]])
    >>> model = RecurrentTranslator(english, french)
    >>> source, target = torch.tensor([[4, 5, 2]]), torch.tensor([[1, 4]])
    >>> model(source, torch.tensor([3]), target).shape
    torch.Size([1, 2, 6])
    """

    def __init__(
        self,
        source_vocabulary: Vocabulary,
        target_vocabulary: Vocabulary,
        *,
        query: str | None = "state",
        d_embedding: int = 96,
        d_encoder: int = 48,
        d_decoder: int = 96,
        d_hidden: int = 96,
    ):
        super().__init__()
        if query not in QUERIES:
            raise ValueError(f"query must be 'state', 'state_and_word' or None, got {query!r}")
        widths = {
            "d_embedding": d_embedding,
            "d_encoder": d_encoder,
            "d_decoder": d_decoder,
            "d_hidden": d_hidden,
        }
        if min(widths.values()) < 1:
            raise ValueError(f"widths must be at least 1, got {widths}")
        self.arguments = {"query": query, **widths}  # to make another model like this one
        self.source_vocabulary = source_vocabulary
        self.target_vocabulary = target_vocabulary
        self.query = query
        self.source_embedding = nn.Embedding(len(source_vocabulary), d_embedding)
        self.encoder = nn.GRU(d_embedding, d_encoder, batch_first=True, bidirectional=True)
        d_value = 2 * d_encoder
        if query is not None:
            d_value += d_embedding
            d_query = d_decoder + (d_embedding if query == "state_and_word" else 0)
            self.scores = AdditiveScores(d_query, d_value, d_hidden)
        self.target_embedding = nn.Embedding(len(target_vocabulary), d_embedding)
        # Its vectors also score the words. With entries of variance one, they would begin with
        # firm opinions, and unlearning them would take longer than learning.
        nn.init.normal_(self.target_embedding.weight, std=0.2)
        self.decoder = nn.GRUCell(d_embedding + d_value, d_decoder)
        self.to_readout = nn.Linear(d_decoder + d_embedding + d_value, d_embedding)

    @property
    def has_attention(self) -> bool:
        """Whether its translations come with weights."""
        return self.query is not None

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
    ) -> RecurrentMemory | FixedMemory:
        """Read the source in both directions.

        Args:
            source: tokens, each sentence with its end mark and then padding, ``(batch, s_len)``.
            source_lengths: number of tokens with the end mark, ``(batch,)``.

        Returns:
            What ``decode`` needs of the source, the batch as the first axis.

        Raises:
            ValueError: a length is less than one or more than the width of the source.
        """
        check_lengths(source_lengths, 1, source.shape[1])
        embedded = self.source_embedding(source)
        states, last = self._read(embedded, source_lengths)
        if not self.has_attention:
            return FixedMemory(rearrange(last, "direction batch d -> batch (direction d)"))
        values = torch.cat([states, embedded], dim=-1)
        # The keys are the same for every word to come: projected here once, not at each step.
        return RecurrentMemory(self.scores.to_keys(values), values)

    def decode(
        self,
        target: Int[Tensor, "batch t_len"],
        memory: RecurrentMemory | FixedMemory,
        source_lengths: Int[Tensor, " batch"],
        state: RecurrentState | None = None,
        *,
        return_weights: bool = False,
    ) -> (
        tuple[Float[Tensor, "batch t_len vocabulary"], RecurrentState]
        | tuple[
            Float[Tensor, "batch t_len vocabulary"],
            RecurrentState,
            Float[Tensor, "batch t_len s_len"],
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
            ``return_weights`` also the weights, ``(batch, t_len, s_len)``.

        Raises:
            ValueError: weights are asked of a translator without attention.
        """
        if return_weights and not self.has_attention:
            raise ValueError("without attention (query=None) there are no weights to return")
        mask = word_mask(source_lengths, memory.keys.shape[1]) if self.has_attention else None
        words = self.target_embedding(target)
        hidden = state.hidden if state else words.new_zeros(len(words), self.decoder.hidden_size)
        before, contexts, weights = [], [], []
        for word in words.unbind(dim=1):
            context, looked = self._look_up(hidden, word, memory, mask)
            before.append(hidden)
            contexts.append(context)
            weights.append(looked)
            hidden = self.decoder(torch.cat([word, context], dim=-1), hidden)
        # As in 2014, a word is read off the state before it, not the one after: what is new in
        # this word must come from the context, and the weights have to be at the right place.
        found = torch.cat([torch.stack(before, 1), words, torch.stack(contexts, 1)], dim=-1)
        logits = torch.tanh(self.to_readout(found)) @ self.target_embedding.weight.T
        state = RecurrentState(hidden)
        return (logits, state, torch.stack(weights, 1)) if return_weights else (logits, state)

    def _read(
        self, embedded: Float[Tensor, "batch s_len d"], lengths: Int[Tensor, " batch"]
    ) -> tuple[Float[Tensor, "batch s_len d_states"], Float[Tensor, "2 batch d_encoder"]]:
        """The states of the encoder at each token, and the last one of each direction."""
        batch, s_len, _ = embedded.shape
        if not batch:  # nothing can be packed
            d_encoder = self.encoder.hidden_size
            return embedded.new_zeros(0, s_len, 2 * d_encoder), embedded.new_zeros(2, 0, d_encoder)
        # Packed, a sentence ends at its own length: padding reaches no state, in no direction.
        packed = pack_padded_sequence(
            embedded, lengths.cpu(), batch_first=True, enforce_sorted=False
        )
        states, last = self.encoder(packed)
        states, _ = pad_packed_sequence(states, batch_first=True, total_length=s_len)
        return states, last

    def _look_up(
        self,
        hidden: Tensor,
        word: Tensor,
        memory: RecurrentMemory | FixedMemory,
        mask: Bool[Tensor, "batch 1 s_len"] | None,
    ) -> tuple[Tensor, Tensor | None]:
        """The context for one word, and the weights that chose it."""
        if not self.has_attention:
            return memory.context, None
        query = hidden if self.query == "state" else torch.cat([hidden, word], dim=-1)
        scores = self.scores.compare(query.unsqueeze(1), memory.keys)
        context, weights = attend(scores, memory.values, mask)
        return context.squeeze(1), weights.squeeze(1)
