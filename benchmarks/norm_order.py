"""Normalise before or after each sub-layer, in training: python -m benchmarks.norm_order

The Transformer of Section 7 with 2, 6 and 12 layers on either side learns with its norms first or
last, with the warm-up of the section or without it: then the first step has the full learning rate,
and the decay is the same. All the rest (pairs, order of the batches, size of the gradient at which
it is cut) is alike, and as in `train`; nothing is tuned for either order or depth. What a smaller
learning rate changes tells `--layers 12 --schedules warm-up --learning-rate 0.001`.

Fixed before anything was measured: a training *learns* if it ends with an exact match of at least
50 % on the test set. Beside it stand the exact match and the mean loss of the last 100 steps.
"""

import argparse
import math
from collections import Counter

import torch
from torch import nn

from attention_lib import (
    Transformer,
    TransformerConfig,
    Vocabulary,
    exact_match,
    grammar_corpus,
    sequence_loss,
)
from attention_lib.translation.batches import batches_by_length
from attention_lib.translation.training import warmup_and_decay
from benchmarks.translation import spread, translated

LAYERS = (2, 6, 12)
LEARNS = 0.5
LAST = 100  # steps


def decay_alone(step, steps):
    """The schedule of ``train``, of which the first fifth is not a warm-up but the full rate.

    >>> [decay_alone(step, steps=5) for step in range(5)]
    [1.0, 1.0, 0.75, 0.5, 0.25]
    """
    return min(1.0, (steps - step) / (0.8 * steps))


SCHEDULES = {"warm-up": warmup_and_decay, "no warm-up": decay_alone}


def learn(model, pairs, seed, schedule, *, epochs, batch_size=64, learning_rate=0.005):
    """The loop of ``train`` with a schedule to choose; the loss of each step comes back."""
    steps = epochs * math.ceil(len(pairs) / batch_size)
    optimizer = torch.optim.Adam(
        model.parameters(), learning_rate, betas=(0.9, 0.98), eps=1e-9, fused=True
    )
    order, losses = torch.Generator().manual_seed(seed), []
    vocabularies = model.source_vocabulary, model.target_vocabulary
    model.train()
    for _ in range(epochs):
        for batch in batches_by_length(pairs, *vocabularies, batch_size, order):
            for group in optimizer.param_groups:
                group["lr"] = learning_rate * schedule(len(losses), steps)
            logits = model(batch.source, batch.source_lengths, batch.target)
            loss = sequence_loss(logits, batch.labels, batch.target_lengths)
            optimizer.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(model.parameters(), max_norm=1.0)
            optimizer.step()
            losses.append(loss.item())
    model.eval()
    return losses


def loss_by_frequency(pairs):
    """What a model loses that says every word as often as it occurs, whatever it has read.

    >>> from attention_lib import Pair
    >>> round(loss_by_frequency([Pair(("go", "."), ("va", "."))]), 4)  # log 3: va, stop, end
    1.0986
    """
    words = Counter(word for pair in pairs for word in (*pair.target, "<eos>"))
    total = words.total()
    return sum(count / total * math.log(total / count) for count in words.values())


def measured(corpus, seed, schedule, config, **options):
    pairs, test = corpus["train"], corpus["test"]
    vocabularies = (
        Vocabulary(pair.source for pair in pairs),
        Vocabulary(pair.target for pair in pairs),
    )
    torch.manual_seed(seed)
    model = Transformer(TransformerConfig(*vocabularies, **config))
    losses = learn(model, pairs, seed, schedule, **options)
    right = exact_match(translated(model, test), [pair.target for pair in test])
    last = losses[-LAST:]
    return {"exact match": right, "loss": sum(last) / len(last)}


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seeds", type=int, nargs="+", default=[0, 1, 2, 3, 4])
    parser.add_argument("--layers", type=int, nargs="+", default=LAYERS)
    parser.add_argument("--epochs", type=int, default=3)
    parser.add_argument("--learning-rate", type=float, default=0.005, help="at its largest")
    parser.add_argument("--schedules", nargs="+", default=list(SCHEDULES), choices=SCHEDULES)
    arguments = parser.parse_args()
    seeds = arguments.seeds
    options = {"epochs": arguments.epochs, "learning_rate": arguments.learning_rate}
    torch.set_num_threads(1)
    corpus = grammar_corpus()
    print(f"{options}, median (range) over the seeds {seeds}")
    print(f"loss of guessing by frequency: {loss_by_frequency(corpus['train']):.2f}")
    for layers in arguments.layers:
        for name in arguments.schedules:
            for order, norm_first in (("first", True), ("last", False)):
                config = {"layers": layers, "norm_first": norm_first}
                runs = [
                    measured(corpus, seed, SCHEDULES[name], config, **options) for seed in seeds
                ]
                learned = sum(run["exact match"] >= LEARNS for run in runs)
                print(
                    f"{layers:>2} layers, {name:<10}, norm {order:<5}"
                    f"  exact match {spread([100 * run['exact match'] for run in runs], digits=1)}"
                    f"  learned {learned} of {len(seeds)}"
                    f"  loss {spread([run['loss'] for run in runs], digits=2)}",
                    flush=True,
                )


if __name__ == "__main__":
    main()
