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
from attention_lib.translation.random_numbers import random_numbers_from

IGNORED = -100  # the label that cross_entropy leaves out, of the sum and of the mean
FUSED = ("cpu", "cuda")  # devices on which Adam in a single pass over the parameters was tried


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
    counts as much as one of a short sentence. Logits in half precision are added up in float32.

    Args:
        logits: scores of the words, shape ``(batch, t_len, vocabulary)``.
        labels: the right words, shape ``(batch, t_len)``.
        lengths: number of real labels in each row, shape ``(batch,)``.
        label_smoothing: ε, the share of the label that all words of the vocabulary divide.

    Returns:
        The loss, a single number, in float32 at least.

    Raises:
        ValueError: shapes do not fit each other, there is no real token (an empty batch has
            none), or the label smoothing is not in [0, 1].

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
        found = "lengths of zero only" if len(lengths) else "an empty batch"
        raise ValueError(f"at least one real token wanted, got {found}")
    return F.cross_entropy(
        logits.flatten(0, 1).to(torch.promote_types(logits.dtype, torch.float32)),
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

    The learning rate follows :func:`warmup_and_decay`: the model starts carefully, while the
    averages of Adam still know little, and comes to rest at the end.

    Training happens where the model is and in its precision. A model in bfloat16 learns, if a
    little less exactly. One in float16 does not: Adam divides by the root of a mean of squared
    gradients, float16 rounds the square of a gradient below about 0.0002 to zero, and the model
    soon answers NaN. As soon as a loss is not finite, training stops with an error.

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
        FloatingPointError: a loss, or a parameter after the last step, is infinite or NaN. The
            model then has the parameters of the last finite loss; those that it came with, if
            the very first loss was not finite.
    """
    if not pairs:
        raise ValueError("at least one pair wanted, got none")
    if epochs < 1 or batch_size < 1:
        raise ValueError(f"epochs and batch_size must be at least 1, got {epochs} and {batch_size}")
    steps = epochs * math.ceil(len(pairs) / batch_size)
    parameters = list(model.parameters())
    devices = {parameter.device for parameter in parameters}
    # The second average of Adam over 50 steps instead of 1000: there are not many more in all.
    optimizer = torch.optim.Adam(
        parameters,
        learning_rate,
        betas=(0.9, 0.98),
        eps=1e-9,
        # Elsewhere, PyTorch chooses: some devices have no fused Adam.
        fused=True if all(device.type in FUSED for device in devices) else None,
    )
    schedule = torch.optim.lr_scheduler.LambdaLR(optimizer, partial(warmup_and_decay, steps=steps))
    order = torch.Generator().manual_seed(seed)
    totals = []  # of each epoch, the sum of the losses and the number of tokens
    step, last_good = 0, []  # the number of the step, and the parameters of the last finite loss

    model.train()
    # TQDM_DISABLE is set where outputs are kept; in notebooks, tqdm itself does not heed it. None
    # means no bar in a log file.
    disable = True if os.environ.get("TQDM_DISABLE") else None
    bar = tqdm(total=steps, desc="training", leave=False, disable=disable)
    try:
        with bar, random_numbers_from(seed, devices):
            for _ in range(epochs):
                totals.append([0.0, 0])
                for batch in batches_by_length(
                    pairs,
                    model.source_vocabulary,
                    model.target_vocabulary,
                    batch_size,
                    order,
                    device=parameters[0].device,
                ):
                    step += 1
                    logits = model(batch.source, batch.source_lengths, batch.target)
                    loss = sequence_loss(
                        logits, batch.labels, batch.target_lengths, label_smoothing=label_smoothing
                    )
                    if not loss.isfinite():
                        told = f"the loss of step {step} of {steps} is {loss.item()}"
                        raise _stopped(told, parameters, last_good, learning_rate)
                    last_good = [parameter.detach().clone() for parameter in parameters]
                    optimizer.zero_grad()
                    loss.backward()
                    # One unlucky batch must not throw the model far off.
                    nn.utils.clip_grad_norm_(parameters, max_norm=1.0)
                    optimizer.step()
                    schedule.step()
                    tokens = batch.target_lengths.sum().item()
                    totals[-1][0] += loss.item() * tokens
                    totals[-1][1] += tokens
                    bar.update()
    except KeyboardInterrupt:
        print(f"Interrupted in epoch {len(totals)} of {epochs}: the model keeps what it has.")
    finally:
        model.eval()
    # The loss speaks of the parameters before its step: of those after the last one, none does.
    if last_good and not all(parameter.isfinite().all() for parameter in parameters):
        told = f"after step {step} of {steps}, parameters are infinite or NaN"
        raise _stopped(told, parameters, last_good, learning_rate)
    return [loss_sum / tokens for loss_sum, tokens in totals if tokens]


def warmup_and_decay(step: int, steps: int) -> float:
    r"""The share of the learning rate at a step: a linear warm-up, then a linear decay to zero.

    .. math::
        \min\left(1,\; \frac{t + 1}{0.2\,T},\; \frac{T - t}{0.8\,T}\right)

    The warm-up takes a fifth of the T steps, the decay the rest.

    Args:
        step: t, from 0 to T − 1.
        steps: T, the number of all steps.

    >>> [round(warmup_and_decay(step, steps=5), 2) for step in range(5)]
    [1.0, 1.0, 0.75, 0.5, 0.25]
    """
    return min(1.0, (step + 1) / (0.2 * steps), (steps - step) / (0.8 * steps))


def _stopped(
    told: str, parameters: list[nn.Parameter], last_good: list[Tensor], learning_rate: float
) -> FloatingPointError:
    """Give the model the parameters of the last finite loss, and say so."""
    with torch.no_grad():
        for parameter, good in zip(parameters, last_good, strict=False):
            parameter.copy_(good)
    kept = "those of the last finite loss" if last_good else "those that it came with"
    dtypes = {parameter.dtype for parameter in parameters}
    precision = ", ".join(sorted(str(dtype).removeprefix("torch.") for dtype in dtypes))
    advice = f"look at the learning rate, {learning_rate}, and the model's precision, {precision}"
    if torch.float16 in dtypes:
        advice = "a float16 model cannot be trained with Adam: make it .float() or .bfloat16()"
    return FloatingPointError(f"{told}: the model's parameters are {kept}; {advice}")
