"""Which sentences suffer from one fixed context: python benchmarks/sentence_length.py

Trains recurrent translators as Section 4 does, without attention and with it, and measures by the
length of the source: exact match, and the accuracy per token while the right translation is read.
The exact match of a sentence falls with its length for any constant chance of a wrong word; the
accuracy per token does not.
"""

import argparse
from functools import partial

import torch

from attention_lib import RecurrentTranslator, exact_match, grammar_corpus, make_batch
from benchmarks.translation import spread, trained, translated

# As wide a context as attention has, 96 of states and 96 of embeddings, takes an encoder twice as
# wide: it has more parameters then than the translator with attention.
MODELS = {
    "no attention, context of 96": partial(RecurrentTranslator, query=None),
    "no attention, context of 192": partial(RecurrentTranslator, query=None, d_encoder=96),
    "attention, query of 2014": RecurrentTranslator,
}
LENGTHS = {"2-5": range(2, 6), "6": [6], "7": [7], "8-12": range(8, 13)}


@torch.no_grad()
def tokens_right(model, pairs):
    """For each pair, which tokens are the likeliest while the right target is read: Booleans."""
    batch = make_batch(pairs, model.source_vocabulary, model.target_vocabulary)
    logits = model(batch.source, batch.source_lengths, batch.target)
    right = logits.argmax(dim=-1) == batch.labels
    return [row[:length] for row, length in zip(right, batch.target_lengths, strict=True)]


def by_length(model, pairs):
    numbers = {}
    for name, lengths in LENGTHS.items():
        group = [pair for pair in pairs if len(pair.source) in lengths]
        right = torch.cat(tokens_right(model, group)).double().mean().item()
        numbers[f"exact match, words {name}"] = exact_match(
            translated(model, group), [pair.target for pair in group]
        )
        numbers[f"per token, words {name}"] = right
    return numbers


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seeds", type=int, nargs="+", default=[0, 1, 2, 3, 4])
    seeds = parser.parse_args().seeds
    torch.set_num_threads(1)
    corpus = grammar_corpus()
    unseen = corpus["test"] + corpus["validation"]
    for name, lengths in LENGTHS.items():
        print(f"words {name}: {sum(len(pair.source) in lengths for pair in unseen)} sentences")
    for name, make in MODELS.items():
        runs, parameters = [], 0
        for seed in seeds:
            model, _ = trained(make, corpus["train"][:8000], seed, epochs=3, batch_size=32)
            parameters = sum(parameter.numel() for parameter in model.parameters())
            runs.append(by_length(model, unseen))
        print(f"\n{name}: {parameters:,} parameters, median (range) over the seeds {seeds}, in %")
        for number in sorted(runs[0]):
            values = spread([100 * run[number] for run in runs], digits=1)
            print(f"  {number:<26} {values}", flush=True)


if __name__ == "__main__":
    main()
