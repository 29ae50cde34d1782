"""What a wrong position costs, and what hides it: python benchmarks/positions.py

A decoder that is fed one token at a time has to say where it is. One that reads position 0 every
time fails at once if embeddings and positions are of one size; if embeddings drown positions, it
does as well, or as badly, as a right one. Measured on copying, over several seeds; section 8 of
the book has a quick version.
"""

import copy
import math
import random
import time

import torch

from attention_lib import (
    Pair,
    TokenEmbedding,
    Transformer,
    TransformerConfig,
    Vocabulary,
    exact_match,
    train,
    translate,
)

LETTERS = Vocabulary([tuple("abcdefghijklmnopqrst")])
SHORTEST, LONGEST = 3, 8
SEEDS = 5
EPOCHS = 2


class AlwaysPositionZero(Transformer):
    def embed(self, embedding, tokens, start=0):
        return super().embed(embedding, tokens, 0)


class DrowningEmbedding(TokenEmbedding):
    """Standard deviation one, and √d times that where it is added to the positions."""

    def forward(self, tokens):
        return super().forward(tokens) * math.sqrt(self.weight.shape[1])


def copies(count: int, chance: random.Random) -> list[Pair]:
    letters = LETTERS.words[4:]
    words = [
        tuple(chance.choices(letters, k=chance.randint(SHORTEST, LONGEST))) for _ in range(count)
    ]
    return [Pair(word, word) for word in words]


def copied(model: Transformer, pairs: list[Pair]) -> float:
    found = translate(model, [pair.source for pair in pairs])
    return exact_match([each.tokens for each in found], [pair.target for pair in pairs])


def measure(seed: int, drowning: bool) -> tuple[float, float]:
    """The share of words copied right, with the right position and with position 0."""
    chance = random.Random(seed)
    to_learn, to_copy = copies(32_000, chance), copies(500, chance)
    torch.manual_seed(seed)
    config = TransformerConfig(
        LETTERS, LETTERS, d_model=32, heads=4, layers=2, d_ff=64, norm_first=False
    )
    model = Transformer(config)
    if drowning:
        model.source_embedding = DrowningEmbedding(len(LETTERS), config.d_model)
        model.target_embedding = DrowningEmbedding(len(LETTERS), config.d_model)
    train(model, to_learn, epochs=EPOCHS, seed=seed)
    broken = copy.deepcopy(model)
    broken.__class__ = AlwaysPositionZero
    return copied(model, to_copy), copied(broken, to_copy)


def main() -> None:
    torch.set_num_threads(1)
    started = time.process_time()
    print("| embeddings | seed | right position | always position 0 |")
    print("|---|---|---|---|")
    for name, drowning in (("as large as positions", False), ("drowning positions", True)):
        for seed in range(SEEDS):
            right, zero = measure(seed, drowning)
            print(f"| {name} | {seed} | {right:.1%} | {zero:.1%} |", flush=True)
    print(f"\n{time.process_time() - started:.0f} seconds of processor time")


if __name__ == "__main__":
    main()
