"""Attention, from the kernel estimate to the Transformer: the library of the course.

Shapes are written with one vocabulary of axes: ``batch, heads, q_len, k_len, d_model, d_head``;
leading axes (``...``) broadcast. Masks are Boolean, True = may attend.

What can return its attention weights takes ``return_weights=True``, and then returns them behind
everything that it returns without, with the axes ``(batch, [layers, heads,] q_len, k_len)`` that it
has: ``output`` becomes ``(output, weights)``, and ``(logits, state)`` of a decoder ``(logits,
state, weights)``.

The sentences to translate come from a grammar of our own, ``grammar_corpus()``: it needs no
download, knows which word translates which, and gives the same pairs everywhere. Sentences that
people wrote are in ``load_pairs("fra-eng")``, from Tatoeba (CC BY 2.0 FR) by way of ManyThings.
"""

from attention_lib.attention import attend, masked_softmax
from attention_lib.cache import KeyValueCache
from attention_lib.corpus.grammar import grammar_corpus
from attention_lib.corpus.pair_files import load_pairs, read_pairs
from attention_lib.corpus.pairs import Pair, tokenize
from attention_lib.costs import LayerCosts, layer_costs
from attention_lib.figures.diagrams.diagram import diagram
from attention_lib.figures.explore import explore
from attention_lib.figures.heatmaps import show_heatmaps
from attention_lib.figures.roles import ROLES
from attention_lib.figures.style import figure_style
from attention_lib.kernels import KernelRegression, kernel_scores
from attention_lib.masks import causal_mask, padding_mask
from attention_lib.multi_head import MultiHeadAttention
from attention_lib.positions import sinusoidal_positions
from attention_lib.recurrent import RecurrentTranslator
from attention_lib.scores import AdditiveScores, dot_product_scores
from attention_lib.transformer import Transformer, TransformerConfig
from attention_lib.transformer_layers import (
    DecoderLayer,
    EncoderLayer,
    FeedForward,
    Residual,
    TokenEmbedding,
)
from attention_lib.translation.batches import Batch, batches_by_length, make_batch
from attention_lib.translation.checkpoints import load_model, save_model
from attention_lib.translation.decoding import Hypothesis, beam_search, greedy_search
from attention_lib.translation.measures import (
    CorpusScores,
    alignment_error_rate,
    bleu,
    bootstrap_interval,
    corpus_scores,
    exact_match,
    token_accuracy,
)
from attention_lib.translation.trained import trained_translator
from attention_lib.translation.training import sequence_loss, train
from attention_lib.translation.translate import Translation, translate
from attention_lib.vocabulary import BOS, EOS, PAD, UNK, Vocabulary

__all__ = [
    "BOS",
    "EOS",
    "PAD",
    "ROLES",
    "UNK",
    "AdditiveScores",
    "Batch",
    "CorpusScores",
    "DecoderLayer",
    "EncoderLayer",
    "FeedForward",
    "Hypothesis",
    "KernelRegression",
    "KeyValueCache",
    "LayerCosts",
    "MultiHeadAttention",
    "Pair",
    "RecurrentTranslator",
    "Residual",
    "TokenEmbedding",
    "Transformer",
    "TransformerConfig",
    "Translation",
    "Vocabulary",
    "alignment_error_rate",
    "attend",
    "batches_by_length",
    "beam_search",
    "bleu",
    "bootstrap_interval",
    "causal_mask",
    "corpus_scores",
    "diagram",
    "dot_product_scores",
    "exact_match",
    "explore",
    "figure_style",
    "grammar_corpus",
    "greedy_search",
    "kernel_scores",
    "layer_costs",
    "load_model",
    "load_pairs",
    "make_batch",
    "masked_softmax",
    "padding_mask",
    "read_pairs",
    "save_model",
    "sequence_loss",
    "show_heatmaps",
    "sinusoidal_positions",
    "token_accuracy",
    "tokenize",
    "train",
    "trained_translator",
    "translate",
]
