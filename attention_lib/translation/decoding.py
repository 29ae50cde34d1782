"""Decoding: from the probabilities of the next word to whole sentences."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import NamedTuple, TypeVar

import torch
from jaxtyping import Float, Int
from torch import Tensor, nn

from attention_lib.masks import check_lengths
from attention_lib.vocabulary import BOS, EOS, PAD

# What a translator keeps of source and target: tensors and caches, which have the batch as their
# first axis, or tuples of them.
Kept = TypeVar("Kept")


class Hypothesis(NamedTuple):
    """One way to go on: its tokens and how probable the model finds them.

    ``tokens`` are what follows BOS. Exactly one of them is EOS, the last, unless the hypothesis
    was cut at the greatest length. ``score`` is the mean of their log-probabilities, EOS
    included: a sum would favour short sentences, since every further word makes it smaller.
    """

    tokens: list[int]
    score: float


def greedy_search(
    model: nn.Module,
    source: Int[Tensor, "batch s_len"],
    source_lengths: Int[Tensor, " batch"],
    max_length: int | None = None,
) -> list[list[Hypothesis]]:
    r"""Take the most probable token at every step.

    .. math:: y_t = \operatorname{argmax}_y \log p(y \mid y_{<t}, x)

    The best token now need not begin the best sentence: :func:`beam_search` looks further. The
    model decodes in eval mode and without gradients, and is left as it was.

    Args:
        model: a translator with ``encode`` and ``decode``.
        source: shape ``(batch, s_len)``, each sentence ending in EOS, then PAD.
        source_lengths: shape ``(batch,)``, the end mark counted.
        max_length: the greatest number of tokens, EOS counted; for each sentence
            ``2 · source_length + 10`` when left out.

    Returns:
        For each sentence a list of its one hypothesis, as ``beam_search`` with ``beam=1``.
        A sentence comes out the same alone and in any batch.

    Raises:
        ValueError: a length or ``max_length`` is out of range, or the model gives NaN.
    """
    limits = _limits(source, source_lengths, max_length)
    tokens: list[list[int]] = [[] for _ in source]
    sums = [0.0] * len(source)
    with evaluation(model):
        memory, state = model.encode(source, source_lengths), None
        active = list(range(len(source)))  # the sentence of each row of the batch
        last = source.new_full((len(source), 1), BOS)
        while active:
            logits, state = model.decode(last, memory, source_lengths, state)
            # topk, as in beam search, so that ties fall alike; `max` may break them otherwise.
            best, words = _log_probabilities(logits).topk(1)
            for sentence, log_probability, (word,) in zip(
                active, best[:, 0].tolist(), words.tolist(), strict=True
            ):
                tokens[sentence].append(word)
                sums[sentence] += log_probability
            last = words.to(source.device)
            rows = [
                row
                for row, sentence in enumerate(active)
                if tokens[sentence][-1] != EOS and len(tokens[sentence]) < limits[sentence]
            ]
            if len(rows) < len(active):  # what has ended leaves the batch
                active = [active[row] for row in rows]
                chosen = torch.tensor(rows, dtype=torch.long, device=source.device)
                memory, state = pick_rows(memory, chosen), pick_rows(state, chosen)
                last, source_lengths = last[chosen], source_lengths[chosen]
    return [
        [Hypothesis(words, total / len(words))] for words, total in zip(tokens, sums, strict=True)
    ]


def beam_search(
    model: nn.Module,
    source: Int[Tensor, "batch s_len"],
    source_lengths: Int[Tensor, " batch"],
    beam: int,
    max_length: int | None = None,
) -> list[list[Hypothesis]]:
    r"""Keep the ``beam`` best hypotheses at every step, and rank them by

    .. math:: \frac{1}{T} \sum_{t=1}^{T} \log p(y_t \mid y_{<t}, x)

    where T counts the tokens after BOS, EOS included. A hypothesis that has ended stays as it is
    and keeps its place only while no other one is better. The search of a sentence is over when
    all of its hypotheses have ended.

    Args:
        model, source, source_lengths, max_length: as for :func:`greedy_search`.
        beam: number of hypotheses to keep. One is greedy search; as many as there are sequences
            finds the very best one.

    Returns:
        For each sentence its hypotheses, best first, no two the same: ``beam`` of them, or
        fewer where fewer exist.

    Raises:
        ValueError: as ``greedy_search``, or ``beam`` is less than one.

    Source: Graves, "Sequence Transduction with Recurrent Neural Networks", 2012, who ranks by
    the mean as well.
    """
    limits = _limits(source, source_lengths, max_length)
    if beam < 1:
        raise ValueError(f"beam must be at least 1, got {beam}")
    if not len(source):
        return []
    results: list[list[Hypothesis]] = [[] for _ in source]
    device = source.device
    with evaluation(model):
        # The search itself stays on the processor, in float64, which not every device has: the
        # model's device only sees the tokens that are chosen.
        # One row of the model's batch is one hypothesis: `beam` rows for each sentence that is
        # still searched, `sentences` holding their numbers.
        sentences = torch.arange(len(source), device="cpu")
        rows = sentences.repeat_interleave(beam).to(device)
        memory, state = pick_rows(model.encode(source, source_lengths), rows), None
        source_lengths = source_lengths[rows]
        tokens = torch.full((len(source), beam, 1), BOS, device="cpu")
        lengths = torch.zeros_like(tokens[..., 0])
        # All rows begin alike. With one of them alone possible, no sequence is found twice.
        sums = torch.full_like(lengths, -torch.inf, dtype=torch.float64)
        sums[:, 0] = 0.0
        finished = sums.isneginf()
        while len(sentences):
            last = tokens[..., -1].reshape(-1, 1).to(device)
            logits, state = model.decode(last, memory, source_lengths, state)
            steps = _log_probabilities(logits).unflatten(0, (-1, beam))
            # What has ended goes on in one way, with padding, which costs and counts nothing.
            steps[finished] = -torch.inf
            steps[..., PAD].masked_fill_(finished, 0.0)
            lengths = lengths + ~finished
            candidates = sums.unsqueeze(-1) + steps
            chosen = (candidates / lengths.unsqueeze(-1)).flatten(1).topk(beam).indices
            parents, words = chosen // steps.shape[-1], chosen % steps.shape[-1]

            sums = candidates.flatten(1).gather(1, chosen)
            lengths, finished = lengths.gather(1, parents), finished.gather(1, parents)
            tokens = tokens.gather(1, parents.unsqueeze(-1).expand_as(tokens))
            tokens = torch.cat([tokens, words.unsqueeze(-1)], dim=-1)
            finished |= (words == EOS) | (lengths == limits.unsqueeze(-1)) | sums.isneginf()

            done = finished.all(dim=1)
            for i in done.nonzero().flatten().tolist():
                results[int(sentences[i])] = _hypotheses(tokens[i], lengths[i], sums[i])
            first_rows = beam * torch.arange(len(sentences), device="cpu")
            rows = (first_rows.unsqueeze(-1) + parents)[~done].flatten().to(device)
            memory, state = pick_rows(memory, rows), pick_rows(state, rows)
            source_lengths = source_lengths[rows]
            sentences, tokens, lengths, sums, finished, limits = (
                tensor[~done] for tensor in (sentences, tokens, lengths, sums, finished, limits)
            )
    return results


def pick_rows(kept: Kept, rows: Int[Tensor, " rows"]) -> Kept:
    """The same memory or state with other rows: sentences or hypotheses in another order."""
    if not isinstance(kept, tuple):
        return kept[rows]
    picked = (pick_rows(each, rows) for each in kept)
    return type(kept)(*picked) if hasattr(kept, "_fields") else tuple(picked)


@contextmanager
def evaluation(model: nn.Module) -> Iterator[None]:
    """Inside, no dropout and no gradients; afterwards every part is in the mode it was in."""
    in_training = [module for module in model.modules() if module.training]
    if in_training:
        model.eval()
    try:
        with torch.inference_mode():
            yield
    finally:
        for module in in_training:
            module.training = True


def _limits(source: Tensor, source_lengths: Tensor, max_length: int | None) -> Tensor:
    """The greatest length for each sentence by itself, so that its batch does not matter."""
    if source.ndim != 2 or source_lengths.shape != source.shape[:1]:
        raise ValueError(
            "source (batch, s_len) and source_lengths (batch,) wanted, "
            f"got {tuple(source.shape)} and {tuple(source_lengths.shape)}"
        )
    check_lengths(source_lengths, 1, source.shape[1])
    if max_length is None:
        return 2 * source_lengths.cpu() + 10
    if max_length < 1:
        raise ValueError(f"max_length must be at least 1, got {max_length}")
    return torch.full_like(source_lengths, max_length, device="cpu")


def _log_probabilities(logits: Tensor) -> Float[Tensor, "rows vocabulary"]:
    """Of the next token. In float64: rounding must not turn unequal sums into equal ones."""
    last = logits[:, -1].cpu().double()
    if last.isnan().any():
        raise ValueError("the model gives NaN instead of logits: its training has diverged")
    log_probabilities = last.log_softmax(dim=-1)
    log_probabilities[:, [PAD, BOS]] = -torch.inf  # no label is ever one of these
    return log_probabilities


def _hypotheses(tokens: Tensor, lengths: Tensor, sums: Tensor) -> list[Hypothesis]:
    """One for each row of tokens; a row that stands for no sequence at all has the sum −∞."""
    return [
        Hypothesis(row[1 : length + 1], total / length)
        for row, length, total in zip(tokens.tolist(), lengths.tolist(), sums.tolist(), strict=True)
        if total > -torch.inf
    ]
