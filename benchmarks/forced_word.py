"""What one wrong word does to the rest of a translation: python -m benchmarks.forced_word

The Transformer of Section 7 translates greedily, but takes the second likeliest word once: as the
first, second, third or fourth of the sentence. In training every step has read the reference; here
the steps after the slip read a beginning that is none. What follows the slip is compared with what
follows that position in the reference: as a whole; word by word at the same positions; and word by
word in the same order, so that a rest that is moved by a word is not all wrong. And so is what
follows that position without a slip, and, as a measure of chance, in another sentence.
"""

import argparse

import torch

from attention_lib import BOS, EOS, Transformer, TransformerConfig, grammar_corpus, make_batch
from benchmarks.translation import spread, trained

SLIPS = (1, 2, 3, 4)  # the number of the word that is forced
SHORTEST = 5  # words of the reference: a rest follows every slip


@torch.no_grad()
def written(model, pairs, slip=None):
    """Greedy translations, except that word number ``slip`` is the second likeliest.

    All are longer by one than the longest reference with its end mark, so that a rest that is
    moved finds room: a sentence that ends early is written on.
    """
    batch = make_batch(pairs, model.source_vocabulary, model.target_vocabulary)
    memory, state = model.encode(batch.source, batch.source_lengths), None
    words = [torch.full((len(pairs), 1), BOS)]
    for number in range(1, batch.target.shape[1] + 2):
        logits, state = model.decode(words[-1], memory, batch.source_lengths, state)
        words.append(logits[:, -1].topk(2).indices[:, [1 if number == slip else 0]])
    return torch.cat(words[1:], dim=1).tolist()


def labels_of(model, pairs):
    return [[*model.target_vocabulary.encode(pair.target), EOS] for pair in pairs]


def right_after(model, found, pairs, number):
    """For each pair, which words behind word ``number`` are those of the reference, EOS too."""
    labels = labels_of(model, pairs)
    return [
        [word == label for word, label in zip(row[number:], wanted[number:], strict=False)]
        for row, wanted in zip(found, labels, strict=True)
    ]


def in_order(model, found, pairs, number):
    """For each pair, how many words of the reference's rest the rest has in the same order.

    The longest common subsequence of both, up to the end mark that was written, and the number of
    words in the reference's rest, EOS counted in both.
    """
    counts = []
    for row, label in zip(found, labels_of(model, pairs), strict=True):
        wanted, rest = label[number:], row[number:]
        rest = rest[: rest.index(EOS) + 1] if EOS in rest else rest
        counts.append((longest_common(rest, wanted), len(wanted)))
    return counts


def moved(found, labels, slip):
    """How often the rest is that of the reference, moved by the slip: later, and earlier.

    Later, the word that the slip took the place of comes behind it. Earlier, the forced word is
    the next one of the reference, and a word is left out.
    """
    later, earlier = [], []
    for row, label in zip(found, labels, strict=True):
        place = slip - 1
        later.append(row[slip : slip + len(label) - place] == label[place:])
        earlier.append(row[place : len(label) - 1] == label[slip:])
    return share(later), share(earlier)


def longest_common(one, other):
    """The length of the longest common subsequence.

    >>> longest_common("abcd", "xbycd")
    3
    """
    best = [0] * (len(other) + 1)
    for each in one:
        before = 0  # best of the row above, one column to the left
        for column, wanted in enumerate(other, start=1):
            above = best[column]
            best[column] = before + 1 if each == wanted else max(above, best[column - 1])
            before = above
    return best[-1]


def share(values):
    values = list(values)
    return sum(values) / len(values)


def measured(model, pairs):
    usual, numbers = written(model, pairs), {}
    for slip in SLIPS:
        found = written(model, pairs, slip)
        ends = share(row[slip - 1] == EOS for row in found)
        another = usual[1:] + usual[:1]
        for name, rows in (("no slip", usual), ("slip", found), ("another sentence", another)):
            rests = right_after(model, rows, pairs, slip)
            matched, wanted = map(sum, zip(*in_order(model, rows, pairs, slip), strict=True))
            numbers |= {
                f"word {slip}, {name}: in order": matched / wanted,
                f"word {slip}, {name}: the rest": share(all(rest) for rest in rests),
                f"word {slip}, {name}: per token": share(each for rest in rests for each in rest),
                # How far behind the slip: does the harm fade?
                **{
                    f"word {slip}, {name}: token +{far + 1}": share(
                        rest[far] for rest in rests if len(rest) > far
                    )
                    for far in range(4)
                },
            }
        later, earlier = moved(found, labels_of(model, pairs), slip)
        numbers |= {
            f"word {slip}, slip: the rest, a word later": later,
            f"word {slip}, slip: the rest, a word earlier": earlier,
            f"word {slip}, slip: the sentence ends": ends,
        }
    return numbers


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seeds", type=int, nargs="+", default=[0, 1, 2, 3, 4])
    seeds = parser.parse_args().seeds
    torch.set_num_threads(1)
    corpus = grammar_corpus()
    pairs = [pair for pair in corpus["test"] if len(pair.target) >= SHORTEST]
    runs = []
    for seed in seeds:
        model, _ = trained(
            lambda source, target: Transformer(TransformerConfig(source, target)),
            corpus["train"],
            seed,
        )
        runs.append(measured(model, pairs))
    print(f"{len(pairs)} sentences, median (range) over the seeds {seeds}, in %")
    for name in runs[0]:
        print(f"  {name:<46} {spread([100 * run[name] for run in runs], digits=1)}", flush=True)


if __name__ == "__main__":
    main()
