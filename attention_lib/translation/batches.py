"""Batches of sentence pairs: rows of numbers, padded to the length of the longest."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import torch
from jaxtyping import Int
from torch import Tensor

from attention_lib.corpus.pairs import Pair
from attention_lib.vocabulary import BOS, EOS, PAD, Vocabulary


class Batch(NamedTuple):
    """What a translator reads, and what it should say.

    The decoder's input and its labels are one sentence twice, shifted by one word: at each step
    the decoder has read the word before, and the label is the word to say now.

    ========================  ==============  =====  =====
    ``target`` (it reads)     ``BOS``         ``va``  ``!``
    ``labels`` (it says)      ``va``          ``!``  ``EOS``
    ========================  ==============  =====  =====
    """

    source: Int[Tensor, "batch s_len"]  # words, EOS, then PAD
    source_lengths: Int[Tensor, " batch"]  # EOS counted
    target: Int[Tensor, "batch t_len"]  # BOS, words, then PAD
    labels: Int[Tensor, "batch t_len"]  # words, EOS, then PAD
    target_lengths: Int[Tensor, " batch"]  # BOS or EOS counted: the same number


def make_batch(
    pairs: Sequence[Pair],
    source_vocabulary: Vocabulary,
    target_vocabulary: Vocabulary,
    *,
    device: torch.device | str | None = None,
) -> Batch:
    """Encode the pairs and pad them to one width.

    Args:
        pairs: at least one pair.
        source_vocabulary, target_vocabulary: numbers of the words; those not known become
            ``UNK``.
        device: where the model is that will read the batch; PyTorch's default when left out.

    Raises:
        ValueError: there are no pairs.

    >>> pair = Pair(source=("go", "."), target=("va", "!"))
    >>> batch = make_batch([pair], Vocabulary([pair.source]), Vocabulary([pair.target]))
    >>> batch.source.tolist(), batch.target.tolist(), batch.labels.tolist()
    ([[5, 4, 2]], [[1, 5, 4]], [[5, 4, 2]])
    """
    if not pairs:
        raise ValueError("at least one pair wanted, got none")
    source, source_lengths = encode_sources(
        [pair.source for pair in pairs], source_vocabulary, device=device
    )
    targets = [target_vocabulary.encode(pair.target) for pair in pairs]
    return Batch(
        source=source,
        source_lengths=source_lengths,
        target=pad([[BOS, *row] for row in targets], device=device),
        labels=pad([[*row, EOS] for row in targets], device=device),
        target_lengths=torch.tensor([len(row) + 1 for row in targets], device=device),
    )


def encode_sources(
    sentences: Sequence[Sequence[str]],
    vocabulary: Vocabulary,
    *,
    device: torch.device | str | None = None,
) -> tuple[Int[Tensor, "batch s_len"], Int[Tensor, " batch"]]:
    """What an encoder reads: the words of each sentence, its end mark, and padding.

    Args:
        sentences: the words of each; without a sentence, the result has no rows.
        vocabulary: numbers of the words; those not known become ``UNK``.
        device: as for :func:`make_batch`.

    Returns:
        The tokens, ``(batch, s_len)``, and the number of those that are real, ``(batch,)``: the
        end mark counts, padding does not.

    >>> encode_sources([["go", "."], []], Vocabulary([["go", "."]]))
    (tensor([[5, 4, 2],
            [2, 0, 0]]), tensor([3, 1]))
    """
    rows = [[*vocabulary.encode(words), EOS] for words in sentences]
    lengths = torch.tensor([len(row) for row in rows], dtype=torch.long, device=device)
    return pad(rows, device=device), lengths


def pad(
    rows: Sequence[Sequence[int]], *, device: torch.device | str | None = None
) -> Int[Tensor, "batch len"]:
    """Rows of tokens as one tensor: the shorter ones are filled up with ``PAD``.

    >>> pad([[1, 5, 4], [1]])
    tensor([[1, 5, 4],
            [1, 0, 0]])
    """
    width = max(map(len, rows), default=0)
    filled = [[*row, *[PAD] * (width - len(row))] for row in rows]
    # One tensor, made at once: rows sent to a device one by one would each have to wait.
    return torch.tensor(filled, dtype=torch.long, device=device).reshape(len(rows), width)


def batches_by_length(
    pairs: Sequence[Pair],
    source_vocabulary: Vocabulary,
    target_vocabulary: Vocabulary,
    batch_size: int,
    generator: torch.Generator,
    *,
    device: torch.device | str | None = None,
) -> Iterator[Batch]:
    """Batches of pairs of like length, in random order: each pair once, little padding.

    Sorted by length, neighbours need almost no padding, which makes an epoch about twice as
    fast. Two things are still shuffled: the pairs of the same length, and the batches.

    Args:
        pairs: at least one pair.
        source_vocabulary, target_vocabulary, device: as for :func:`make_batch`.
        batch_size: number of pairs in a batch; one batch, of the longest pairs, may be smaller.
        generator: of the random order, on the CPU; the same state gives the same batches.

    Raises:
        ValueError: there are no pairs, or ``batch_size`` is less than 1.
    """
    if not pairs:
        raise ValueError("at least one pair wanted, got none")
    if batch_size < 1:
        raise ValueError(f"batch_size must be at least 1, got {batch_size}")
    order = torch.randperm(len(pairs), generator=generator).tolist()
    order.sort(key=lambda n: (len(pairs[n].target), len(pairs[n].source)))
    batches = [order[start : start + batch_size] for start in range(0, len(order), batch_size)]
    for n in torch.randperm(len(batches), generator=generator).tolist():
        chosen = [pairs[k] for k in batches[n]]
        yield make_batch(chosen, source_vocabulary, target_vocabulary, device=device)
