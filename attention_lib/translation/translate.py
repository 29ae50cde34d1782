"""Translation: sentences in, sentences out, with the attention behind each word."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import torch
from jaxtyping import Float
from torch import Tensor, nn

from attention_lib.corpus.pairs import tokenize
from attention_lib.translation.batches import encode_sources, pad
from attention_lib.translation.decoding import (
    Hypothesis,
    beam_search,
    evaluation,
    greedy_search,
    pick_rows,
)
from attention_lib.vocabulary import BOS, EOS

BATCH_SIZE = 64


@dataclass(frozen=True, eq=False)
class Translation:
    """One translation of one sentence; ``str(translation)`` is its text.

    ``source`` are the words of the sentence as they were given, ``tokens`` those of the
    translation, both without marks. ``score`` is the mean log-probability of the tokens and the
    end mark.

    ``weights`` are the cross-attention, ``(t_len, s_len)`` for a recurrent translator and
    ``(layers, heads, t_len, s_len)`` for a Transformer. Row i belongs to ``tokens[i]``, and the
    last row to the end mark (a translation that was cut has none); column j belongs to
    ``source[j]``, and the last column to the end mark of the source, which gets no weight. None
    from a recurrent translator without attention.
    """

    source: tuple[str, ...]
    tokens: tuple[str, ...]
    score: float
    weights: Float[Tensor, "*layers_heads t_len s_len"] | None

    def __str__(self) -> str:
        return " ".join(self.tokens)


def translate(
    model: nn.Module,
    sentences: Sequence[str | Sequence[str]],
    *,
    beam: int = 1,
    n_best: int = 1,
) -> list[Translation] | list[list[Translation]]:
    """Translate sentences.

    A word that the model's vocabulary does not know is read as UNK; where the model answers with
    UNK, the translation shows that mark. An empty sentence has an empty translation, without
    asking the model. The weights are computed once more for the finished translation as a whole,
    which gives the same as step by step.

    Args:
        model: a translator, with its vocabularies.
        sentences: each a text, which is then tokenized, or a sequence of words.
        beam: number of hypotheses to search with; one is greedy search.
        n_best: how many translations of each sentence to return, at most ``beam``.

    Returns:
        One translation for each sentence, in the order of the sentences; with ``n_best`` of two
        or more a list for each sentence, best first, shorter where fewer translations exist.

    Raises:
        TypeError: a single text instead of a list, or something that is no sentence.
        ValueError: ``n_best`` is not in 1…``beam``.
    """
    words = _words(sentences)
    if not 1 <= n_best <= beam:
        raise ValueError(
            f"n_best must lie between 1 and beam, got n_best = {n_best} and beam = {beam}"
        )
    results: list[list[Translation]] = [[] for _ in words]
    # Sentences of like length waste little on padding.
    by_length = sorted(range(len(words)), key=lambda number: len(words[number]))
    for start in range(0, len(by_length), BATCH_SIZE):
        numbers = by_length[start : start + BATCH_SIZE]
        for number, translation in _translate_batch(model, words, numbers, beam, n_best):
            results[number].append(translation)
    return [best for (best,) in results] if n_best == 1 else results


def _translate_batch(
    model: nn.Module, words: list[list[str]], numbers: list[int], beam: int, n_best: int
) -> Iterator[tuple[int, Translation]]:
    device = next(model.parameters()).device
    source, lengths = encode_sources(
        [words[number] for number in numbers], model.source_vocabulary, device=device
    )
    if beam == 1:
        found = greedy_search(model, source, lengths)
    else:
        found = beam_search(model, source, lengths, beam)
    chosen = [
        (row, hypothesis)
        for row, number in enumerate(numbers)
        for hypothesis in (found[row][:n_best] if words[number] else [Hypothesis([EOS], 0.0)])
    ]
    weights = _weights(model, source, lengths, chosen)
    for (row, hypothesis), own_weights in zip(chosen, weights, strict=True):
        yield (
            numbers[row],
            Translation(
                source=tuple(words[numbers[row]]),
                tokens=tuple(model.target_vocabulary.decode(hypothesis.tokens)),
                score=hypothesis.score,
                weights=own_weights,
            ),
        )


def _weights(
    model: nn.Module, source: Tensor, lengths: Tensor, chosen: list[tuple[int, Hypothesis]]
) -> list[Tensor | None]:
    """The weights of each chosen hypothesis, a row of the source and its translation."""
    if not model.has_attention:
        return [None] * len(chosen)
    read = [[BOS, *hypothesis.tokens[:-1]] for _, hypothesis in chosen]
    targets = pad(read, device=source.device)
    rows = torch.tensor([row for row, _ in chosen], device=source.device)
    with evaluation(model):
        memory = pick_rows(model.encode(source, lengths), rows)
        weights = model.decode(targets, memory, lengths[rows], return_weights=True)[2]
    # Cloned here, outside of inference mode, they are tensors like any other.
    return [
        weights[i, ..., : len(hypothesis.tokens), : lengths[row]].clone()
        for i, (row, hypothesis) in enumerate(chosen)
    ]


def _words(sentences: Sequence[str | Sequence[str]]) -> list[list[str]]:
    if isinstance(sentences, str):
        raise TypeError(f"a list of sentences wanted, got the single text {sentences!r}")
    words = []
    for number, sentence in enumerate(sentences):
        tokens = tokenize(sentence) if isinstance(sentence, str) else sentence
        if not isinstance(tokens, list | tuple) or not all(isinstance(t, str) for t in tokens):
            raise TypeError(
                f"sentence {number} must be a text or a list of words, got {sentence!r}"
            )
        words.append(list(tokens))
    return words
