"""Does the number of heads matter? python benchmarks/heads.py

The Transformer of Section 7 learns to translate, and a small one to copy as it does there, with
the same width cut into 1, 2, 4 or 8 heads: the same number of parameters each time, and the same
data in the same order.
"""

import argparse
import random

import torch

from attention_lib import Transformer, TransformerConfig, exact_match, grammar_corpus
from benchmarks.positions import LETTERS, copied, copies
from benchmarks.translation import alignment_error, spread, trained, translated

HEADS = (1, 2, 4, 8)


def translator(heads: int, seed: int, corpus: dict) -> dict[str, float]:
    model, _ = trained(
        lambda source, target: Transformer(TransformerConfig(source, target, heads=heads)),
        corpus["train"],
        seed,
    )
    return {
        name: exact_match(translated(model, corpus[name]), [p.target for p in corpus[name]])
        for name in ("test", "compositional")
    } | {"alignment error": alignment_error(model, corpus["test"])}


def copier(heads: int, seed: int) -> dict[str, float]:
    chance = random.Random(seed)
    to_learn, to_copy = copies(10_000, chance), copies(500, chance)
    sizes = {"d_model": 32, "layers": 1, "d_ff": 64, "norm_first": False}
    model, _ = trained(
        lambda *_: Transformer(TransformerConfig(LETTERS, LETTERS, heads=heads, **sizes)),
        to_learn,
        seed,
        epochs=1,
        batch_size=32,
        learning_rate=0.01,
    )
    return {"copied": copied(model, to_copy)}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seeds", type=int, nargs="+", default=[0, 1, 2, 3, 4])
    seeds = parser.parse_args().seeds
    torch.set_num_threads(1)
    corpus = grammar_corpus()
    print(f"median (range) over the seeds {seeds}, in %")
    for heads in HEADS:
        runs = [translator(heads, seed, corpus) | copier(heads, seed) for seed in seeds]
        for name in runs[0]:
            values = spread([100 * run[name] for run in runs], digits=1)
            print(f"{heads} heads  {name:<16} {values}", flush=True)


if __name__ == "__main__":
    main()
