"""Train the translator that comes with the library: python -m benchmarks.trained_translator

Takes about a minute, writes the file and prints what the model is worth, as it is kept: in
float16, half the size. Another processor rounds differently, and its model is another one of the
same quality.
"""

import torch

from attention_lib import (
    Transformer,
    TransformerConfig,
    exact_match,
    grammar_corpus,
    save_model,
    trained_translator,
)
from attention_lib.translation.trained import WEIGHTS
from benchmarks.translation import alignment_error, trained, translated

# Chosen on the validation set, of 500 sentences: four epochs give .982 there.
RECIPE = {"epochs": 12, "batch_size": 72, "learning_rate": 0.006, "label_smoothing": 0.1}
SEED = 10


def main() -> None:
    torch.set_num_threads(1)
    corpus = grammar_corpus()
    model, _ = trained(
        lambda source, target: Transformer(TransformerConfig(source, target)),
        corpus["train"],
        SEED,
        **RECIPE,
    )
    save_model(model.half(), WEIGHTS)
    kept = trained_translator()
    for part in ("validation", "test", "compositional"):
        right = exact_match(translated(kept, corpus[part]), [pair.target for pair in corpus[part]])
        print(f"exact match, {part}: {right:.1%}")
    print(f"alignment error, test: {alignment_error(kept, corpus['test']):.1%}")


if __name__ == "__main__":
    main()
