"""Sentences of up to 40 words: python -m benchmarks.long_sentences

The grammar's sentences end at 12 words. Longer ones are made here by joining statements, which end
in a full stop: each stop but the last becomes a comma, and the one before the last statement *and*;
in French *et*. The links move along. The statements keep their order in both languages, and within
them the words are ordered as they were. They are drawn until the sentence has the number of words
wanted, marks included. Many of them are so much alike that only its place tells which of them is to
be translated now.

Trained on the same number of pairs, equally often: a Transformer (sinusoidal positions), a
recurrent translator with attention, and one without, of which the context is as wide as attention's
(192), all with the settings of `train`; (A) on sentences of 4 to 16 words, (B) on sentences of 4 to
40, each length as often as any other. Tested on sentences of statements that occur in no training
sentence, by length: exact match; accuracy per token while the right translation is read; BLEU of
the greedy translations; and the alignment error rate.
"""

import argparse
import time
from functools import partial

import torch

from attention_lib import (
    Pair,
    RecurrentTranslator,
    Transformer,
    TransformerConfig,
    corpus_scores,
    exact_match,
    grammar_corpus,
)
from attention_lib.corpus.draws import RandomDraws
from benchmarks.sentence_length import tokens_right
from benchmarks.translation import alignment_error, spread, trained, translated

PAIRS, EPOCHS = 16_000, 3
REGIMES = {"A": range(4, 17), "B": range(4, 41)}
GROUPS = {
    "4-12": range(4, 13),
    "13-19": range(13, 20),
    "20-29": range(20, 30),
    "30-40": range(30, 41),
}
GROUP_SIZE = 250
MODELS = {
    "Transformer": lambda *vocabularies: Transformer(TransformerConfig(*vocabularies)),
    "recurrent, attention": RecurrentTranslator,
    "recurrent, no attention": partial(RecurrentTranslator, query=None, d_encoder=96),
}


def join(statements):
    """One sentence of several statements: *a , b and c .*, and its links.

    >>> he, she = (Pair((who, "."), (qui, "."), frozenset({(0, 0), (1, 1)}))
    ...            for who, qui in (("he", "il"), ("she", "elle")))
    >>> joined = join([he, he, she])
    >>> print(joined)
    he , he and she . → il , il et elle .
    >>> sorted(joined.sure)
    [(0, 0), (1, 1), (2, 2), (3, 3), (4, 4), (5, 5)]
    """
    source, target, links = [], [], {"sure": set(), "possible": set()}
    marks = [(",", ",")] * (len(statements) - 2) + [("and", "et")] * (len(statements) > 1)
    for statement, (mark, marque) in zip(statements, [*marks, (".", ".")], strict=True):
        for kind, found in links.items():
            moved = getattr(statement, kind)
            found.update((t + len(target), s + len(source)) for t, s in moved)
        source += [*statement.source[:-1], mark]
        target += [*statement.target[:-1], marque]
    return Pair(
        tuple(source), tuple(target), **{kind: frozenset(each) for kind, each in links.items()}
    )


def sentences(statements, lengths, size, seed):
    """As many sentences, no two alike, of lengths drawn from these."""
    draws, found = RandomDraws(seed), {}
    while len(found) < size:
        length, chosen = draws.choice(lengths), []
        while sum(len(each.source) for each in chosen) != length:
            if sum(len(each.source) for each in chosen) > length:
                chosen = []  # too long: from the beginning
            chosen.append(draws.choice(statements))
        pair = join(chosen)
        found[pair.source] = pair
    return list(found.values())


def statements_in(pairs):
    """Each once, in the order of the corpus."""
    return list(dict.fromkeys(pair for pair in pairs if pair.source[-1] == "."))


def measured(model, group):
    said, references = translated(model, group), [pair.target for pair in group]
    numbers = {
        "exact match": 100 * exact_match(said, references),
        "per token": 100 * torch.cat(tokens_right(model, group)).double().mean().item(),
        "BLEU": corpus_scores(said, references).bleu,
        "words written": 100 * sum(map(len, said)) / sum(map(len, references)),
    }
    if model.has_attention:
        numbers["AER"] = 100 * alignment_error(model, group)
    return numbers


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seeds", type=int, nargs="+", default=[0, 1, 2, 3, 4])
    parser.add_argument("--only", default="", help="models whose name contains this")
    arguments = parser.parse_args()
    seeds = arguments.seeds
    torch.set_num_threads(1)
    corpus = grammar_corpus(54_000)
    known = statements_in(corpus["train"])
    taken = {statement.source for statement in known}
    unseen = statements_in(corpus["test"] + corpus["validation"])
    assert not any(statement.source in taken for statement in unseen)
    groups = {
        name: sentences(unseen, lengths, GROUP_SIZE, seed=number)
        for number, (name, lengths) in enumerate(GROUPS.items())
    }
    print(f"{len(known):,} statements to learn from, {len(unseen)} to test with, for example:")
    print(f"  {groups['20-29'][0]}")
    print(f"{PAIRS:,} pairs, {EPOCHS} times over; median (range) over the seeds {seeds}, in %")
    for regime, lengths in REGIMES.items():
        pairs = sentences(known, lengths, PAIRS, seed=99)
        for name, make in MODELS.items():
            if arguments.only not in name:
                continue
            runs, start = [], time.perf_counter()
            for seed in seeds:
                model, _ = trained(make, pairs, seed, epochs=EPOCHS)
                runs.append({name: measured(model, group) for name, group in groups.items()})
            minutes = (time.perf_counter() - start) / 60
            print(f"\n{regime} ({min(lengths)}–{max(lengths)} words), {name}, {minutes:.1f} min")
            for group in GROUPS:
                for number in runs[0][group]:
                    values = spread([run[group][number] for run in runs], digits=1)
                    print(f"  {group:<6} {number:<14} {values}", flush=True)


if __name__ == "__main__":
    main()
