"""What each attention and each position is worth: python -m benchmarks.ablation

The Transformer of Section 7, in which one of the three attentions is replaced by the average over
all keys that it may look at, or the positions are taken away on one side: once in the trained
model, and once from the start, so that the model can learn to do without. The former tells what
the trained model relies on, the latter what the task needs.
"""

import argparse
import copy

import torch
from torch import nn

from attention_lib import Transformer, TransformerConfig, exact_match, grammar_corpus
from benchmarks.translation import spread, trained, translated

ATTENTIONS = {
    "encoder self-attention averaged": [("encoder", "self_attention")],
    "masked self-attention averaged": [("decoder", "self_attention")],
    "both self-attentions averaged": [("encoder", "self_attention"), ("decoder", "self_attention")],
    "encoder–decoder attention averaged": [("decoder", "cross_attention")],
}


class NoSourcePositions(Transformer):
    sides = ("source",)

    def embed(self, embedding, tokens, start=0):
        if any(embedding is getattr(self, f"{side}_embedding") for side in self.sides):
            return self.dropout(embedding(tokens))
        return super().embed(embedding, tokens, start)


class NoTargetPositions(NoSourcePositions):
    sides = ("target",)


class NoPositions(NoSourcePositions):
    sides = ("source", "target")


POSITIONS = {
    "no positions in the source": NoSourcePositions,
    "no positions in the target": NoTargetPositions,
    "no positions at all": NoPositions,
}
NAMES = (*ATTENTIONS, *POSITIONS)


def take_away(model, name):
    """Change a model in place. With queries of zero, all scores are equal, and they stay so."""
    if name in POSITIONS:
        model.__class__ = POSITIONS[name]
        return model
    for side, attention in ATTENTIONS[name]:
        for layer in getattr(model, side):
            queries = getattr(layer, attention).to_queries.requires_grad_(False)
            nn.init.zeros_(queries.weight)
            nn.init.zeros_(queries.bias)
    return model


def whole(source, target):
    return Transformer(TransformerConfig(source, target))


def measured(model, corpus):
    return {
        part: exact_match(translated(model, corpus[part]), [p.target for p in corpus[part]])
        for part in ("test", "compositional")
    }


def one_seed(corpus, seed, only=""):
    model, _ = trained(whole, corpus["train"], seed)
    rows = {"whole": measured(model, corpus)}
    for name in (each for each in NAMES if only in each):
        rows[f"{name}, after training"] = measured(take_away(copy.deepcopy(model), name), corpus)
        without, _ = trained(
            lambda *vocabularies, name=name: take_away(whole(*vocabularies), name),
            corpus["train"],
            seed,
        )
        rows[f"{name}, from the start"] = measured(without, corpus)
    return rows


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seeds", type=int, nargs="+", default=[0, 1, 2, 3, 4])
    parser.add_argument("--only", default="", help="what is taken away has this in its name")
    arguments = parser.parse_args()
    seeds = arguments.seeds
    torch.set_num_threads(1)
    corpus = grammar_corpus()
    runs = []
    for seed in seeds:
        runs.append(one_seed(corpus, seed, arguments.only))
        print(f"seed {seed}: {runs[-1]}", flush=True)
    print(f"exact match, median (range) over the seeds {seeds}, in %")
    for name in runs[0]:
        numbers = [
            spread([100 * run[name][part] for run in runs], digits=1)
            for part in ("test", "compositional")
        ]
        print(f"  {name:<52} test {numbers[0]:<20} compositional {numbers[1]}")


if __name__ == "__main__":
    main()
