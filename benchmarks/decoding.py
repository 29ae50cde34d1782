"""What a beam, its ranking and samples are worth: python -m benchmarks.decoding

The weak translator of Section 8, the Transformer after a single epoch, writes the 500 test
sentences by greedy search and with beams of 2, 4 and 8, ranked by the sum and by the mean of the
log-probabilities; and with minimum Bayes risk, which draws 20 samples at temperature 0.7 and takes
the one that has the highest mean BLEU with the others.
"""

import argparse

import torch

from attention_lib import (
    BOS,
    EOS,
    PAD,
    Transformer,
    TransformerConfig,
    bleu,
    corpus_scores,
    exact_match,
    grammar_corpus,
    make_batch,
)
from attention_lib.translation.decoding import pick_rows
from benchmarks.translation import spread, trained

BEAMS = (1, 2, 4, 8)
SAMPLES, TEMPERATURE = 20, 0.7
LONGEST = 24  # words of a sample


def log_probabilities(scores):
    log_p = scores.log_softmax(dim=-1)
    log_p[..., [PAD, BOS]] = -torch.inf
    return log_p


@torch.no_grad()
def search(model, pair, beam, alpha):
    """The best hypothesis, ranked by the sum of logs over its length to the power of alpha."""

    def rank(hypothesis):
        return hypothesis[1] / len(hypothesis[0]) ** alpha

    batch = make_batch([pair], model.source_vocabulary, model.target_vocabulary)
    lengths = batch.source_lengths
    memory, state = model.encode(batch.source, lengths), None
    ended, going = [], [([], 0.0)]
    for _ in range(2 * lengths.item() + 10):
        newest = torch.tensor([[(words or [BOS])[-1]] for words, _ in going])
        rows = torch.zeros(len(going), dtype=torch.long)
        scores, state = model.decode(newest, pick_rows(memory, rows), lengths[rows], state)
        best, choices = log_probabilities(scores[:, -1]).topk(beam)
        found = [(*hypothesis, None) for hypothesis in ended]
        for row, (words, total) in enumerate(going):
            for log_p, word in zip(best[row].tolist(), choices[row].tolist(), strict=True):
                found.append(([*words, word], total + log_p, row))
        kept = sorted(found, key=rank, reverse=True)[:beam]
        ended = [each[:2] for each in kept if each[0][-1] == EOS]
        alive = [each for each in kept if each[0][-1] != EOS]
        if not alive:
            break
        going = [each[:2] for each in alive]
        state = pick_rows(state, torch.tensor([row for *_, row in alive]))
    return model.target_vocabulary.decode(kept[0][0])


@torch.no_grad()
def sample(model, pairs, seed):
    """One sample of each translation."""
    batch = make_batch(pairs, model.source_vocabulary, model.target_vocabulary)
    memory, state = model.encode(batch.source, batch.source_lengths), None
    dice = torch.Generator().manual_seed(seed)
    words = torch.full((len(pairs), 1), BOS)
    while words.shape[1] <= LONGEST and not (words == EOS).any(dim=1).all():
        scores, state = model.decode(words[:, -1:], memory, batch.source_lengths, state)
        p = (log_probabilities(scores[:, -1]) / TEMPERATURE).softmax(dim=-1)
        drawn = torch.searchsorted(p.cumsum(dim=-1), torch.rand(len(pairs), 1, generator=dice))
        words = torch.cat([words, drawn.clamp(max=p.shape[-1] - 1)], dim=1)
    return [model.target_vocabulary.decode(row) for row in words.tolist()]


def most_agreeable(candidates):
    return max(candidates, key=lambda one: sum(bleu(one, each, max_n=2) for each in candidates))


def measured(model, pairs):
    references = [pair.target for pair in pairs]
    found = {
        f"beam {beam}, {name}": [search(model, pair, beam, alpha) for pair in pairs]
        for name, alpha in (("sum", 0.0), ("mean", 1.0))
        for beam in BEAMS
    }
    samples = [sample(model, pairs, seed) for seed in range(SAMPLES)]
    found["one sample"] = samples[0]
    found["minimum Bayes risk"] = [*map(most_agreeable, zip(*samples, strict=True))]
    numbers = {"words of the references": sum(map(len, references)) / len(references)}
    for name, words in found.items():
        numbers |= {
            f"{name}: words": sum(map(len, words)) / len(words),
            f"{name}: BLEU": corpus_scores(words, references).bleu,
            f"{name}: exact match": 100 * exact_match(words, references),
        }
    # From seed to seed a weak model differs more than its translations do: what differs within.
    for better, other in (
        ("beam 4, mean", "beam 1, mean"),
        ("beam 8, mean", "beam 8, sum"),
        ("minimum Bayes risk", "beam 1, mean"),
        ("minimum Bayes risk", "beam 4, mean"),
    ):
        gain = numbers[f"{better}: BLEU"] - numbers[f"{other}: BLEU"]
        numbers[f"BLEU: {better} − {other}"] = gain
    return numbers


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seeds", type=int, nargs="+", default=[0, 1, 2, 3, 4])
    seeds = parser.parse_args().seeds
    torch.set_num_threads(1)
    corpus, runs = grammar_corpus(), []
    for seed in seeds:
        model, _ = trained(
            lambda source, target: Transformer(TransformerConfig(source, target)),
            corpus["train"],
            seed,
            epochs=1,
        )
        runs.append(measured(model, corpus["test"]))
    print(f"median (range) over the seeds {seeds}")
    for name in runs[0]:
        print(f"  {name:<44} {spread([run[name] for run in runs], digits=1)}", flush=True)


if __name__ == "__main__":
    main()
