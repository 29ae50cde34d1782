"""How well the translators translate: python benchmarks/translation.py [--target chinese]

Trains the Transformer and four recurrent translators on the corpus of the library, from English
into French or Chinese, and for French a Transformer on copying and on reversing a sequence. The
seconds of training are those of the clock, with one thread for each core; beside other busy
processes they grow. The seconds of the processor are the sum over the threads.
"""

import argparse
import random
import statistics
import time
from functools import partial

import torch

from attention_lib import (
    Pair,
    RecurrentTranslator,
    Transformer,
    TransformerConfig,
    Vocabulary,
    alignment_error_rate,
    corpus_scores,
    exact_match,
    grammar_corpus,
    make_batch,
    train,
    translate,
)

# How each model learns from pairs that it sees once: for the same time, many pairs seen once teach
# more than fewer seen often. Label smoothing costs a little exact match and makes the alignments
# sharper. How all this was chosen is said in README.md.
PAIRS = 54_000
RECURRENT = {"batch_size": 72, "learning_rate": 0.012, "label_smoothing": 0.2}
# Beside the embeddings, narrow states of the encoder find the alignments sooner.
attentive = partial(RecurrentTranslator, d_encoder=32)
TRANSLATORS = {
    "Transformer": (
        lambda source, target: Transformer(TransformerConfig(source, target)),
        {"batch_size": 72, "learning_rate": 0.006, "label_smoothing": 0.1},
    ),
    "recurrent, query of 2014": (attentive, RECURRENT),
    "recurrent, word in query": (partial(attentive, query="state_and_word"), RECURRENT),
    # All that it knows of the source are the encoder's states: they keep their width.
    "recurrent, no attention": (partial(RecurrentTranslator, query=None), RECURRENT),
    # A context as wide as with attention: 64 of states and 96 of embeddings there, 160 of states.
    "recurrent, no attention, context of 160": (
        partial(RecurrentTranslator, query=None, d_encoder=80),
        RECURRENT,
    ),
}
LENGTHS = {"2-4": range(2, 5), "5-7": range(5, 8), "8-12": range(8, 13)}


def trained(make, pairs, seed, **options):
    """A new model, trained, and the seconds that it took, of the clock and of the processor."""
    vocabularies = (
        Vocabulary(pair.source for pair in pairs),
        Vocabulary(pair.target for pair in pairs),
    )
    torch.manual_seed(seed)
    model = make(*vocabularies)
    clock, processor = time.perf_counter(), time.process_time()
    train(model, pairs, seed=seed, **options)
    return model, {
        "seconds": time.perf_counter() - clock,
        "processor": time.process_time() - processor,
    }


def translated(model, pairs):
    return [translation.tokens for translation in translate(model, [pair.source for pair in pairs])]


@torch.no_grad()
def alignment_error(model, pairs):
    """Of the cross-attention while the right target is read, over all layers and heads at once."""
    batch = make_batch(pairs, model.source_vocabulary, model.target_vocabulary)
    memory = model.encode(batch.source, batch.source_lengths)
    *_, weights = model.decode(batch.target, memory, batch.source_lengths, return_weights=True)
    if weights.ndim == 5:
        weights = weights.mean(dim=(1, 2))
    return alignment_error_rate(
        [
            row[: len(p.target) + 1, : len(p.source) + 1]
            for row, p in zip(weights, pairs, strict=True)
        ],
        pairs,
    )


def measured(model, corpus):
    test, compositional = corpus["test"], corpus["compositional"]
    said, references = translated(model, test), [pair.target for pair in test]
    numbers = {
        "test": exact_match(said, references),
        "compositional": exact_match(
            translated(model, compositional), [pair.target for pair in compositional]
        ),
        "BLEU": corpus_scores(said, references).bleu,
    }
    if getattr(model, "query", "heads"):
        numbers["AER"] = alignment_error(model, test)
    for name, lengths in LENGTHS.items():
        rows = [row for row, pair in enumerate(test) if len(pair.source) in lengths]
        numbers[f"words {name}"] = exact_match(
            [said[row] for row in rows], [references[row] for row in rows]
        )
    return numbers


def toy_pairs(order, size, seed):
    """Sequences of 3 to 8 of 20 letters, and the same copied or reversed; no two alike."""
    chance, sequences = random.Random(seed), {}
    while len(sequences) < size:
        sequences[tuple(chance.choices("abcdefghijklmnopqrst", k=chance.randint(3, 8)))] = None
    return [Pair(sequence, sequence[::order]) for sequence in sequences]


def spread(values, digits=None):
    """The median and the range, as the tables of README.md have them: 97.2 (96.6–97.8)."""
    if digits is None:
        digits = 1 if max(values) > 1 else 3
    low, middle, high = (f(values) for f in (min, statistics.median, max))
    return f"{middle:.{digits}f} ({low:.{digits}f}–{high:.{digits}f})"


def report(name, runs):
    """The median and the range of each number over the seeds."""
    print(f"\n{name}")
    for number in runs[0]:
        print(f"  {number:<14} {spread([run[number] for run in runs])}", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seeds", type=int, nargs="+", default=[0, 1, 2, 3, 4])
    parser.add_argument("--target", choices=["french", "chinese"], default="french")
    parser.add_argument("--only", default="", help="models whose name contains this")
    arguments = parser.parse_args()

    target, seeds = arguments.target, arguments.seeds
    print(f"{PAIRS} pairs into {target}, median (range) over the seeds {seeds}")
    corpus = grammar_corpus(PAIRS, target=target)
    for name, (make, options) in TRANSLATORS.items():
        if arguments.only not in name:
            continue
        runs = []
        for seed in arguments.seeds:
            model, seconds = trained(make, corpus["train"], seed, epochs=1, **options)
            runs.append(measured(model, corpus) | seconds)
        size = sum(parameter.numel() for parameter in model.parameters())
        report(f"{name}: {size:,} parameters", runs)

    for name, order in (("copy", 1), ("reverse", -1)):
        if arguments.only not in name or target != "french":
            continue
        runs = []
        for seed in arguments.seeds:
            pairs = toy_pairs(order, 10_000, seed)
            model, seconds = trained(
                lambda source, target: Transformer(
                    TransformerConfig(source, target, d_model=32, d_ff=64)
                ),
                pairs[500:],
                seed,
                epochs=8,
            )
            right = exact_match(translated(model, pairs[:500]), [p.target for p in pairs[:500]])
            runs.append({"held out": right} | seconds)
        report(f"Transformer, {name} a sequence", runs)


if __name__ == "__main__":
    main()
