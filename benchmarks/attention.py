"""The library's attention and Transformer beside torch.nn's, with equal outputs.

    python -m benchmarks.attention

Each row is measured in turns, ours and PyTorch's, in one run and on one thread; the number is the
median over the rounds of PyTorch's time divided by ours, so that above 1 ours is faster. Times
are those of the processor, which other processes disturb less than the clock. Then what a token
costs as the sentence grows, and what the weights keep in memory for the way back.
"""

import statistics
import time

import torch
from torch.testing import assert_close

from attention_lib import (
    MultiHeadAttention,
    Transformer,
    TransformerConfig,
    Vocabulary,
    masked_softmax,
    padding_mask,
    sequence_loss,
)
from attention_lib.translation.decoding import evaluation
from attention_lib.vocabulary import BOS
from benchmarks.in_torch import TorchTranslator, pytorchs_attention

ROUNDS = 21
SMALL = {"batch": 32, "length": 16, "d_model": 64, "heads": 4, "d_ff": 128}
LARGE = {"batch": 8, "length": 256, "d_model": 256, "heads": 8, "d_ff": 1024}
WORDS = Vocabulary([[f"w{number}" for number in range(500)]])


def ratio(ours, theirs, seconds=0.1):
    """The median of PyTorch's time divided by ours; each round repeats both for some time."""
    theirs()
    start = time.process_time()
    ours()
    repeats = max(1, round(seconds / (time.process_time() - start)))
    ratios = []
    for _ in range(ROUNDS):
        spent = []
        for work in (ours, theirs):
            start = time.process_time()
            for _ in range(repeats):
                work()
            spent.append(time.process_time() - start)
        ratios.append(spent[1] / spent[0])
    return statistics.median(ratios)


def attention(size, dropout=0.0, weights=False):
    """Forward and backward, self-attention over a padded batch."""
    ours = MultiHeadAttention(size["d_model"], size["heads"], dropout=dropout)
    theirs = pytorchs_attention(ours)
    x = torch.randn(size["batch"], size["length"], size["d_model"], requires_grad=True)
    mask = lengths_mask(size)
    ignored = ~mask[:, 0]

    def run_ours():
        output = ours(x, x, x, mask, return_weights=weights)
        output = output[0] if weights else output
        output.sum().backward()
        return output

    def run_theirs():
        output, _ = theirs(x, x, x, ignored, need_weights=weights, average_attn_weights=False)
        output.sum().backward()
        return output

    if not dropout:
        assert_close(run_ours(), run_theirs(), atol=1e-5, rtol=1e-4)
    return ratio(run_ours, run_theirs)


def lengths_mask(size):
    generator = torch.Generator().manual_seed(0)
    lengths = torch.randint(1, size["length"] + 1, (size["batch"],), generator=generator)
    return padding_mask(lengths, size["length"])


def softmax(size):
    """Forward and backward of the weights alone, beside fill and softmax, which fails if empty."""
    shape = size["batch"], size["heads"], size["length"], size["length"]
    scores, mask = torch.randn(shape, requires_grad=True), lengths_mask(size)[:, None]

    def run_ours():
        weights = masked_softmax(scores, mask)
        weights.sum().backward()
        return weights

    def run_theirs():
        weights = scores.masked_fill(~mask, -torch.inf).softmax(dim=-1)
        weights.sum().backward()
        return weights

    assert_close(run_ours(), run_theirs())
    return ratio(run_ours, run_theirs)


def translators(size, layers=2):
    sizes = {name: size[name] for name in ("d_model", "heads", "d_ff")}
    ours = Transformer(TransformerConfig(WORDS, WORDS, layers=layers, **sizes))
    return ours, TorchTranslator(ours)


def sentences(size):
    generator = torch.Generator().manual_seed(0)
    shape = size["batch"], size["length"]
    tokens = torch.randint(4, len(WORDS), (2, *shape), generator=generator)
    lengths = torch.randint(2, size["length"] + 1, shape[:1], generator=generator)
    return *tokens, lengths


def training_step(size):
    """Forward, loss, backward and a step of Adam."""
    source, target, lengths = sentences(size)
    models = translators(size)
    works = []
    assert_close(*(model(source, lengths, target) for model in models), atol=1e-4, rtol=1e-3)
    for model in models:
        optimizer = torch.optim.Adam(model.parameters(), lr=1e-5, fused=True)

        def step(model=model, optimizer=optimizer):
            optimizer.zero_grad()
            sequence_loss(model(source, lengths, target), target, lengths).backward()
            optimizer.step()

        works.append(step)
    return ratio(*works)


def decoding(size, batch, steps=50):
    """Greedy decoding; PyTorch's layers keep nothing of the tokens before, and read them anew."""
    source, _, lengths = (each[:batch] for each in sentences(size))
    ours, theirs = (model.eval() for model in translators(size))

    @torch.inference_mode()
    def run_ours():
        memory, state = ours.encode(source, lengths), None
        tokens = source.new_full((batch, 1), BOS)
        for _ in range(steps):
            logits, state = ours.decode(tokens[:, -1:], memory, lengths, state)
            tokens = torch.cat([tokens, logits[:, -1:].argmax(dim=-1)], dim=1)
        return tokens

    @torch.inference_mode()
    def run_theirs():
        memory, tokens = theirs.encode(source, lengths), source.new_full((batch, 1), BOS)
        for _ in range(steps):
            logits = theirs.decode(tokens, memory, lengths)
            tokens = torch.cat([tokens, logits[:, -1:].argmax(dim=-1)], dim=1)
        return tokens

    assert torch.equal(run_ours(), run_theirs())
    return ratio(run_ours, run_theirs)


def per_token(size, length=512, block=64):
    """Milliseconds for a token, block by block, as one sentence of many words is written."""
    model, _ = translators(size)
    source, _, lengths = (each[:1] for each in sentences(size))
    spent = []
    with evaluation(model):
        memory, state = model.encode(source, lengths), None
        token = source.new_full((1, 1), BOS)
        for _ in range(length // block):
            start = time.process_time()
            for _ in range(block):
                logits, state = model.decode(token, memory, lengths, state)
                token = logits.argmax(dim=-1)
            spent.append((time.process_time() - start) / block * 1000)
    return spent


def kept_for_backward(length=512):
    """MiB that autograd keeps while the weights are returned, ours and PyTorch's."""
    ours = MultiHeadAttention(64, 4)
    kept = []
    for module, asked in (
        (ours, {"return_weights": True}),
        (pytorchs_attention(ours), {"need_weights": True, "average_attn_weights": False}),
    ):
        x, seen = torch.randn(8, length, 64, requires_grad=True), {}

        def note(tensor, seen=seen):
            seen[tensor.untyped_storage().data_ptr()] = tensor.untyped_storage().nbytes()
            return tensor

        with torch.autograd.graph.saved_tensors_hooks(note, lambda tensor: tensor):
            _returned = module(x, x, x, **asked)  # held, so that no address is used twice
        kept.append(sum(seen.values()) / 2**20)
    return kept


def main():
    torch.manual_seed(0)
    torch.set_num_threads(1)
    rows = {
        "attention": attention,
        "attention, dropout": lambda size: attention(size, dropout=0.1),
        "attention with its weights": lambda size: attention(size, weights=True),
        "masked_softmax": softmax,
        "training step": training_step,
        "decoding 50 tokens, batch 1": lambda size: decoding(size, 1),
    }
    print(f"{'PyTorch / ours':30}{'small':>8}{'large':>8}")
    for name, measure in rows.items():
        print(f"{name:30}{measure(SMALL):8.2f}{measure(LARGE):8.2f}", flush=True)
    costs = " ".join(f"{cost:.2f}" for cost in per_token(SMALL))
    print(f"ms a token, blocks of 64 up to 512 tokens: {costs}")
    ours, theirs = kept_for_backward()
    print(f"MiB kept for backward with the weights, length 512: {ours:.0f}, PyTorch {theirs:.0f}")


if __name__ == "__main__":
    main()
