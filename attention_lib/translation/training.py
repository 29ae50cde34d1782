"""Training a translator: the loss, and one loop for every model."""

import math
import os
from collections.abc import Sequence
from functools import partial

import torch
import torch.nn.functional as F
from jaxtyping import Float, Int
from torch import Tensor, nn
from tqdm.auto import tqdm

from attention_lib.corpus.pairs import Pair
from attention_lib.masks import padding_mask
from attention_lib.translation.batches import batches_by_length

IGNORED = -100  # the label that cross_entropy leaves out, of the sum and of the mean


def sequence_loss(
    logits: Float[Tensor, "batch t_len vocabulary"],
    labels: Int[Tensor, "batch t_len"],
    lengths: Int[Tensor, " batch"],
    *,
    label_smoothing: float = 0.0,
) -> Float[Tensor, ""]:
    r"""The mean cross-entropy of the real tokens of a batch; padding counts nowhere.

    .. math::
        L = -\frac1N \sum_{\text{valid } t} \sum_v p_{tv} \log\mathrm{softmax}(s_t)_v, \qquad
        p_{tv} = (1-\varepsilon)\,[v = y_t] + \frac{\varepsilon}{V}

    It is a mean over all N tokens, not of the means of sentences: a token of a long sentence
    counts as much as one of a short sentence.

    Args:
        logits: scores of the words, shape ``(batch, t_len, vocabulary)``.
        labels: the right words, shape ``(batch, t_len)``.
        lengths: number of real labels in each row, shape ``(batch,)``.
        label_smoothing: ε, the share of the label that all words of the vocabulary divide.

    Returns:
        The loss, a single number.

    Raises:
        ValueError: shapes do not fit each other, there is no real token, or the label smoothing
            is not in [0, 1].

    Source: Szegedy et al., "Rethinking the Inception Architecture for Computer Vision", 2016,
    section 7.

    >>> logits = torch.tensor([[[0.0, 1, 2, 3, 4], [4, 3, 2, 1, 0], [1, 1, 1, 1, 1]]])
    >>> labels = torch.tensor([[2, 1, 0]])
    >>> round(sequence_loss(logits, labels, torch.tensor([2])).item(), 4)
    1.9519
    """
    if logits.ndim != 3 or labels.shape != logits.shape[:2] or lengths.shape != labels.shape[:1]:
        raise ValueError(
            "logits (batch, t_len, vocabulary), labels (batch, t_len) and lengths (batch,) wanted, "
            f"got {tuple(logits.shape)}, {tuple(labels.shape)} and {tuple(lengths.shape)}"
        )
    if not 0 <= label_smoothing <= 1:
        raise ValueError(f"label_smoothing must be between 0 and 1, got {label_smoothing}")
    real = padding_mask(lengths, labels.shape[1]).squeeze(1)
    if not real.any():
        raise ValueError("at least one real token wanted, got lengths of zero only")
    return F.cross_entropy(
        logits.flatten(0, 1),
        labels.masked_fill(~real, IGNORED).flatten(),
        ignore_index=IGNORED,
        label_smoothing=label_smoothing,
    )


def train(
    model: nn.Module,
    pairs: Sequence[Pair],
    *,
    epochs: int = 3,
    batch_size: int = 64,
    learning_rate: float = 0.005,
    label_smoothing: float = 0.0,
    seed: int = 0,
) -> list[float]:
    """Train a translator on pairs of sentences: Adam, with a warm-up and a decay.

    The learning rate rises for the first fifth of the steps, while the averages of Adam still
    know little, and then falls to zero, so that the model comes to rest.

    The same seed, model and pairs give the same result on the same machine, whatever else has
    drawn random numbers. A bar shows the progress on a terminal and in a notebook, and goes away
    at the end. Ctrl-C (in a notebook, *Interrupt*) ends training early; the model keeps what it
    has learned.

    Args:
        model: a ``Transformer`` or ``RecurrentTranslator``; it is left in ``eval()``.
        pairs: at least one pair.
        epochs: how often each pair is seen.
        batch_size: pairs per step.
        learning_rate: the largest, at the end of the warm-up.
        label_smoothing: as for ``sequence_loss``.
        seed: of the order of the pairs, and of dropout.

    Returns:
        The loss of each epoch, its mean over all target tokens; of an epoch that was
        interrupted, over the tokens seen.

    Raises:
        ValueError: there are no pairs, or a number is out of its range.
    """
    if not pairs:
        raise ValueError("at least one pair wanted, got none")
    if epochs < 1 or batch_size < 1:
        raise ValueError(f"epochs and batch_size must be at least 1, got {epochs} and {batch_size}")
    steps = epochs * math.ceil(len(pairs) / batch_size)
    # The second average of Adam over 50 steps instead of 1000: there are not many more in all.
    optimizer = torch.optim.Adam(
        model.parameters(), learning_rate, betas=(0.9, 0.98), eps=1e-9, fused=True
    )
    schedule = torch.optim.lr_scheduler.LambdaLR(optimizer, partial(rise_and_fall, steps=steps))
    order = torch.Generator().manual_seed(seed)
    totals = []  # of each epoch, the sum of the losses and the number of tokens

    model.train()
    # TQDM_DISABLE is set where outputs are kept; in notebooks, tqdm itself does not heed it. None
    # means no bar in a log file.
    disable = True if os.environ.get("TQDM_DISABLE") else None
    bar = tqdm(total=steps, desc="training", leave=False, disable=disable)
    # Dropout draws from the common source of chance, which is given back as it was.
    with bar, torch.random.fork_rng(devices=[]):
        torch.manual_seed(seed)
        try:
            for _ in range(epochs):
                totals.append([0.0, 0])
                for batch in batches_by_length(
                    pairs, model.source_vocabulary, model.target_vocabulary, batch_size, order
                ):
                    logits = model(batch.source, batch.source_lengths, batch.target)
                    loss = sequence_loss(
                        logits, batch.labels, batch.target_lengths, label_smoothing=label_smoothing
                    )
                    optimizer.zero_grad()
                    loss.backward()
                    # One unlucky batch must not throw the model far off.
                    nn.utils.clip_grad_norm_(model.parameters(), max_norm=1.0)
                    optimizer.step()
                    schedule.step()
                    tokens = batch.target_lengths.sum().item()
                    totals[-1][0] += loss.item() * tokens
                    totals[-1][1] += tokens
                    bar.update()
        except KeyboardInterrupt:
            print(f"Interrupted in epoch {len(totals)} of {epochs}: the model keeps what it has.")
    model.eval()
    return [loss_sum / tokens for loss_sum, tokens in totals if tokens]


def rise_and_fall(step: int, steps: int) -> float:
    """The share of the learning rate at a step: up for a fifth of the steps, then down to zero."""
    return min(1.0, (step + 1) / (0.2 * steps), (steps - step) / (0.8 * steps))
