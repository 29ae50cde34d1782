"""Where steps wait for each other: python -m benchmarks.waiting

A recurrent translator with attention, the same without, and a Transformer, all with the library's
defaults, for a source and a target of n random tokens each; nothing is trained.

Counted, which no machine changes: the steps of the recurrent networks, or the layers, that are gone
through one after the other, while the right target is read, as in training, and while n words are
written one by one; and, of the computation that autograd has recorded, the longest chain of matrix
products each of which needs the one before (of attention's two, too).

Timed, as ratios, on one thread and with all works in turns within each round: a training pass
(forward, loss, backward) of 32 sentences, and the writing of n words of one sentence, its source
read. Times are those of the processor.
"""

import statistics
import time
from functools import partial

import torch

from attention_lib import (
    BOS,
    RecurrentTranslator,
    Transformer,
    TransformerConfig,
    Vocabulary,
    sequence_loss,
)
from benchmarks.translation import spread

ROUNDS = 15
SECONDS = 0.1  # at least, for each work in each round
COUNTED, TIMED = (10, 20, 40, 80), (10, 20, 40, 80, 160)
BATCH = 32
WORDS = Vocabulary([[f"w{number}" for number in range(500)]])
MODELS = {
    "recurrent": lambda: RecurrentTranslator(WORDS, WORDS),
    "no attention": lambda: RecurrentTranslator(WORDS, WORDS, query=None),
    "Transformer": lambda: Transformer(TransformerConfig(WORDS, WORDS)),
}
# What autograd calls a matrix product. The fused attention makes two: scores, then the output.
PRODUCTS = {"Addmm": 1, "Mm": 1, "Bmm": 1, "ScaledDotProduct": 2}


def sentences(length, batch):
    generator = torch.Generator().manual_seed(0)
    tokens = torch.randint(4, len(WORDS), (2, batch, length), generator=generator)
    return *tokens, torch.full((batch,), length)


def loss_of(model, length, batch):
    source, target, lengths = sentences(length, batch)
    return sequence_loss(model(source, lengths, target), target, lengths)


@torch.inference_mode()
def write(model, length):
    """As many words as the source has, greedily; the end mark does not count here."""
    source, _, lengths = sentences(length, 1)
    memory, state = model.encode(source, lengths), None
    word = source.new_full((1, 1), BOS)
    for _ in range(length):
        logits, state = model.decode(word, memory, lengths, state)
        word = logits[:, -1:].argmax(dim=-1)


def steps_in_turn(model, work):
    """How many recurrent steps, or layers, a work goes through one after the other."""
    count = 0

    def note(module, given, _output):
        nonlocal count
        # The encoder takes all its steps in one call: as many as the packed batch has.
        count += len(given[0].batch_sizes) if isinstance(module, torch.nn.GRU) else 1

    if isinstance(model, Transformer):
        watched = [*model.encoder, *model.decoder]
    else:
        watched = [model.encoder, model.decoder]
    hooks = [module.register_forward_hook(note) for module in watched]
    work()
    for hook in hooks:
        hook.remove()
    return count


def longest_chain(loss):
    """Of the matrix products behind a loss, the most of which each needs the one before."""
    order, seen, waiting = [], set(), [(loss.grad_fn, False)]
    while waiting:
        function, behind_done = waiting.pop()
        if behind_done:
            order.append(function)
        elif function not in seen:
            seen.add(function)
            waiting.append((function, True))
            waiting += [(each, False) for each, _ in function.next_functions if each]
    longest = {}
    for function in order:
        behind = (longest[each] for each, _ in function.next_functions if each)
        longest[function] = products(function.name()) + max(behind, default=0)
    return longest[loss.grad_fn]


def products(name):
    """
    >>> products("AddmmBackward0"), products("AddBackward0"), products("BmmBackward0")
    (1, 0, 1)
    """
    return next((many for start, many in PRODUCTS.items() if name.startswith(start)), 0)


def in_turns(works):
    """The seconds of each work in each round."""
    repeats = {}
    for name, work in works.items():
        work()
        start = time.process_time()
        work()
        repeats[name] = max(1, round(SECONDS / (time.process_time() - start)))
    rounds = []
    for _ in range(ROUNDS):
        spent = {}
        for name, work in works.items():
            start = time.process_time()
            for _ in range(repeats[name]):
                work()
            spent[name] = (time.process_time() - start) / repeats[name]
        rounds.append(spent)
    return rounds


def report(title, rounds):
    print(f"\n{title}, medians (ranges) over {ROUNDS} rounds")
    print("  the time divided by the Transformer's")
    for length in TIMED:
        beside = [
            spread([spent[name, length] / spent["Transformer", length] for spent in rounds], 2)
            for name in MODELS
        ]
        print(f"  {length:<5}" + "".join(f"{each:<21}" for each in beside))
    print("  the time of a word divided by its time at n = 10")
    for length in TIMED:
        grown = [
            spread([10 / length * spent[name, length] / spent[name, 10] for spent in rounds], 2)
            for name in MODELS
        ]
        print(f"  {length:<5}" + "".join(f"{each:<21}" for each in grown))
    for name in MODELS:
        each = [statistics.median(spent[name, n] for spent in rounds) * 1000 for n in TIMED]
        print(f"  ms, {name}: " + ", ".join(f"{ms:.1f}" for ms in each), flush=True)


def main():
    torch.manual_seed(0)
    torch.set_num_threads(1)
    models = {name: make() for name, make in MODELS.items()}
    print("columns: " + ", ".join(MODELS))
    for name, model in models.items():
        print(f"{name}: {sum(each.numel() for each in model.parameters()):,} parameters")
        print("  n     steps or layers in turn: training, in use    products in a chain: training")
        for length in COUNTED:
            training = steps_in_turn(model, partial(loss_of, model, length, BATCH))
            in_use = steps_in_turn(model, partial(write, model, length))
            chain = longest_chain(loss_of(model, length, BATCH))
            print(f"  {length:<5} {training:>7} {in_use:>7} {chain:>7}", flush=True)

    works = {}
    for length in TIMED:
        for name, model in models.items():

            def learn(model=model, length=length):
                model.zero_grad()
                loss_of(model, length, BATCH).backward()

            works[name, length] = learn
    report(f"a training pass of {BATCH} sentences", in_turns(works))

    works = {
        (name, length): partial(write, model, length)
        for length in TIMED
        for name, model in models.items()
    }
    for model in models.values():
        model.eval()
    report("n words of one sentence, written greedily", in_turns(works))


if __name__ == "__main__":
    main()
