import os
import textwrap

import pytest
import torch
from nbclient import NotebookClient
from nbformat import v4
from torch import nn
from torch.optim.optimizer import register_optimizer_step_post_hook
from torch.testing import assert_close
from torch.utils._python_dispatch import TorchDispatchMode
from torch.utils._pytree import tree_leaves

from attention_lib import (
    Pair,
    RecurrentTranslator,
    Transformer,
    TransformerConfig,
    Vocabulary,
    make_batch,
    sequence_loss,
    train,
)
from attention_lib.translation import random_numbers, training
from attention_lib.translation.random_numbers import random_numbers_from
from attention_lib.translation.training import warmup_and_decay

WORDS = Vocabulary(["a b c d e f g h".split()])
PAIRS = [
    Pair(tuple(text), tuple(reversed(text)))
    for text in ("abc", "de", "fghab", "cad", "beh", "gf", "hag")
]
LOGITS = torch.tensor([[[0.0, 1, 2, 3, 4], [4, 3, 2, 1, 0], [1, 1, 1, 1, 1]]])
LABELS = torch.tensor([[2, 1, 0]])


def small_transformer(**options):
    torch.manual_seed(0)
    sizes = {"d_model": 16, "heads": 2, "layers": 1, "d_ff": 32}
    return Transformer(TransformerConfig(WORDS, WORDS, **sizes, **options))


def small_recurrent():
    torch.manual_seed(0)
    widths = {"d_embedding": 16, "d_encoder": 8, "d_decoder": 16, "d_hidden": 8}
    return RecurrentTranslator(WORDS, WORDS, **widths)


@pytest.mark.parametrize(("smoothing", "expected"), [(0.0, 1.951914), (0.1, 2.001914)])
def test_the_loss_by_hand(smoothing, expected):
    """By hand, log Σ exp(0…4) = 4.451914: the losses are 2.451914 and 1.451914, smoothed + .05.

    The mean logit is 2: of the first row that is its label's already, and of the second one
    below its label's, so that a share of .1 costs 0 and .1.
    """
    loss = sequence_loss(LOGITS, LABELS, torch.tensor([2]), label_smoothing=smoothing)
    assert_close(loss, torch.tensor(expected), atol=1e-6, rtol=0)


@pytest.mark.parametrize("smoothing", [0.0, 0.1])
def test_padding_counts_nowhere(smoothing):
    """Not in the mean, smoothed or not, whatever its label; and its gradient is exactly zero."""
    logits = torch.cat([LOGITS, torch.full((1, 2, 5), 7.0)], dim=1).requires_grad_()
    lengths = torch.tensor([2])
    expected = sequence_loss(LOGITS, LABELS, lengths, label_smoothing=smoothing)
    for filler in (0, 3):
        labels = torch.tensor([[2, 1, filler, filler, filler]])
        loss = sequence_loss(logits, labels, lengths, label_smoothing=smoothing)
        assert_close(loss, expected)
    loss.backward()
    assert not logits.grad[0, 2:].any() and logits.grad[0, :2].any(dim=-1).all()


@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16])
def test_half_precision_is_added_up_in_single(dtype):
    """The logits of LOGITS are whole and exact in any precision: so is the loss, to 1e-6.

    Rounded to bfloat16, 1.951914 would be 1.953125.
    """
    loss = sequence_loss(LOGITS.to(dtype), LABELS, torch.tensor([2]))
    assert_close(loss, torch.tensor(1.951914), atol=1e-6, rtol=0)


def test_the_loss_is_a_mean_over_tokens():
    """Three tokens, losses 2.451914, 1.451914 and (alone in its sentence) log 5 = 1.609438.

    The mean of the tokens is 1.837756; the mean of the sentences would be 1.780676.
    """
    logits = torch.cat([LOGITS, torch.ones_like(LOGITS)])
    loss = sequence_loss(logits, LABELS.expand(2, 3), torch.tensor([2, 1]))
    assert_close(loss, torch.tensor(1.837756), atol=1e-6, rtol=0)


def test_bad_losses_are_refused(readers_view):
    """Shapes that do not fit, nothing to average, a share above one."""
    with pytest.raises(ValueError, match=r"\(1, 3, 5\), \(1, 2\) and \(1,\)"):
        sequence_loss(LOGITS, LABELS[:, :2], torch.tensor([2]))
    with pytest.raises(ValueError, match="lengths of zero"):
        sequence_loss(LOGITS, LABELS, torch.tensor([0]))
    with pytest.raises(ValueError, match="an empty batch"):
        sequence_loss(LOGITS[:0], LABELS[:0], torch.tensor([], dtype=torch.long))
    with pytest.raises(ValueError, match=r"1\.5"):
        sequence_loss(LOGITS, LABELS, torch.tensor([2]), label_smoothing=1.5)


@pytest.mark.parametrize("make", [small_transformer, small_recurrent])
def test_pairs_are_learned(make):
    """Seven reversed words are known by heart: after each right token, the right one is first."""
    model = make()
    losses = train(model, PAIRS, epochs=60, batch_size=4, learning_rate=0.02)
    batch = make_batch(PAIRS, WORDS, WORDS)
    said = model(batch.source, batch.source_lengths, batch.target).argmax(dim=-1)
    real = batch.labels != 0
    assert torch.equal(said[real], batch.labels[real])
    assert len(losses) == 60 and losses[-1] < 0.2 < losses[0]


def test_losses_are_means_over_the_tokens_of_an_epoch():
    """Nothing learned (a rate of 0): each epoch's loss is that of all pairs in one batch."""
    model = small_transformer()
    batch = make_batch(PAIRS, WORDS, WORDS)
    losses = train(model, PAIRS, epochs=2, batch_size=3, learning_rate=0.0, label_smoothing=0.1)
    logits = model(batch.source, batch.source_lengths, batch.target)
    expected = sequence_loss(logits, batch.labels, batch.target_lengths, label_smoothing=0.1)
    assert losses == pytest.approx([expected.item()] * 2, abs=1e-5)


def test_a_seed_repeats_everything():
    """Same seed, same bits, whatever was drawn before, dropout included; another seed differs."""
    runs = []
    for seed, drawn in [(1, 0), (1, 5), (2, 0)]:
        model = small_transformer(dropout=0.3)
        torch.rand(drawn)
        losses = train(model, PAIRS, epochs=2, batch_size=2, seed=seed)
        runs.append((losses, model.target_embedding.weight))
    assert runs[0][0] == runs[1][0] != runs[2][0]
    assert torch.equal(runs[0][1], runs[1][1])


def test_the_callers_random_numbers_are_untouched():
    """What is drawn after training is what would have been drawn without it."""
    model = small_transformer(dropout=0.3)
    torch.manual_seed(5)
    expected = torch.rand(3)
    torch.manual_seed(5)
    train(model, PAIRS, epochs=1)
    assert torch.equal(torch.rand(3), expected)


class Watched(nn.Module):
    """A translator of one matrix that remembers where its inputs were."""

    source_vocabulary = target_vocabulary = WORDS

    def __init__(self):
        super().__init__()
        self.scores = nn.Embedding(len(WORDS), len(WORDS))
        self.seen = []

    def forward(self, source, source_lengths, target):
        self.seen += [source.device, source_lengths.device, target.device]
        return self.scores(target)


class Seen(Exception):
    """Enough was seen: where there are no numbers, no loss can be read."""


def test_training_happens_where_the_model_is(monkeypatch):
    """All that reaches the model and the loss is on the model's device, not on the CPU."""
    model = Watched().to("meta")

    def watched_loss(*tensors, label_smoothing):
        model.seen += [tensor.device for tensor in tensors]
        raise Seen

    monkeypatch.setattr(training, "sequence_loss", watched_loss)
    with pytest.raises(Seen):
        train(model, PAIRS)
    assert [device.type for device in model.seen] == ["meta"] * 6
    assert not model.training


def test_adam_in_one_pass_where_it_was_tried(monkeypatch):
    """Fused on the CPU; on another device, which may have no such Adam, as PyTorch chooses."""
    asked, adam = [], torch.optim.Adam

    def watched_adam(*arguments, fused, **options):
        asked.append(fused)
        return adam(*arguments, fused=fused, **options)

    monkeypatch.setattr(torch.optim, "Adam", watched_adam)
    train(Watched(), PAIRS, epochs=1)
    with pytest.raises(RuntimeError, match="meta"):
        train(Watched().to("meta"), PAIRS, epochs=1)
    assert asked == [True, None]


class Without(TorchDispatchMode):
    """A device that lacks a type of number, as Apple's lack float64: making one is an error."""

    def __init__(self, dtype):
        super().__init__()
        self.dtype = dtype

    def __torch_dispatch__(self, function, types, args=(), kwargs=None):
        made = function(*args, **(kwargs or {}))
        for tensor in tree_leaves(made):
            if isinstance(tensor, torch.Tensor) and tensor.dtype == self.dtype:
                raise TypeError(f"{function} made a tensor of {self.dtype}")
        return made


def test_training_needs_no_double_precision():
    """Nothing of a whole training is float64, where the model is float32."""
    with Without(torch.float32), pytest.raises(TypeError, match="float32"):
        train(small_recurrent(), PAIRS, epochs=1)  # the guard guards
    with Without(torch.float64):
        train(small_recurrent(), PAIRS, epochs=2, batch_size=3, label_smoothing=0.1)


@pytest.mark.parametrize("make", [small_transformer, small_recurrent])
@pytest.mark.parametrize("dtype", [torch.bfloat16, torch.float64])
def test_training_keeps_the_models_precision(make, dtype):
    """A model in bfloat16 or float64 learns, and is what it was."""
    model = make().to(dtype)
    losses = train(model, PAIRS, epochs=60, batch_size=4, learning_rate=0.02)
    assert losses[-1] < 0.2 < losses[0]
    assert {parameter.dtype for parameter in model.parameters()} == {dtype}


@pytest.mark.parametrize("make", [small_transformer, small_recurrent])
def test_half_precision_stops_with_an_error(make):
    """float16: the squares in Adam's averages are rounded to zero. Not a word would be said."""
    model = make().half()
    with pytest.raises(FloatingPointError, match=r"loss of step \d+ of 120 is nan.*bfloat16"):
        train(model, PAIRS, epochs=60, batch_size=4, learning_rate=0.02)
    assert all(parameter.isfinite().all() for parameter in model.parameters())
    assert not model.training


def broken_at(model, call):
    """The model, of which one call returns logits with a NaN; and its parameters at each call."""
    met = []

    def spoil(_, __, logits):
        met.append([parameter.detach().clone() for parameter in model.parameters()])
        return logits.index_fill(-1, torch.tensor(0), torch.nan) if len(met) == call else None

    model.register_forward_hook(spoil)
    return model, met


@pytest.mark.parametrize(("call", "last"), [(1, 0), (2, 0), (6, 4)])
def test_training_stops_at_the_first_loss_that_is_not_finite(call, last):
    """Then and there, in words; the model is as it was when its loss was last finite."""
    model, met = broken_at(small_transformer(), call)
    told = "those that it came with" if call == 1 else "those of the last finite loss"
    with pytest.raises(
        FloatingPointError, match=rf"step {call} of 8 is nan: .*{told}; .*0\.01, .*float32$"
    ):
        train(model, PAIRS, epochs=2, batch_size=2, learning_rate=0.01)
    assert len(met) == call
    for parameter, good in zip(model.parameters(), met[last], strict=True):
        assert torch.equal(parameter, good)


def test_the_last_step_is_looked_at_too():
    """Parameters that no loss speaks of any more: after the end, and after an interruption."""
    model, met = broken_at(small_transformer(), None)
    with pytest.raises(FloatingPointError, match="after step 1 of 1, parameters are infinite"):
        train(model, PAIRS, epochs=1, learning_rate=1e39)
    for parameter, good in zip(model.parameters(), met[0], strict=True):
        assert torch.equal(parameter, good)

    def interrupt(*_):
        raise KeyboardInterrupt

    hook = register_optimizer_step_post_hook(interrupt)
    try:
        with pytest.raises(FloatingPointError, match="after step 1 of 3, parameters are infinite"):
            train(model, PAIRS, learning_rate=1e39)
    finally:
        hook.remove()


class Chip:
    """What PyTorch has of random numbers for a kind of device, such as torch.cuda."""

    def __init__(self):
        self.states = {}

    def get_rng_state(self, device):
        return self.states.setdefault(device, torch.Generator().manual_seed(99).get_state())

    def set_rng_state(self, state, device):
        self.states[device] = state


@pytest.mark.parametrize("failing", [False, True])
def test_random_numbers_of_a_gpu_are_given_back(monkeypatch, failing):
    """Those of the model's device and of the CPU follow from the seed, and then go on as before."""
    chip, generator = Chip(), torch.Generator
    monkeypatch.setattr(torch, "get_device_module", lambda device: chip)
    monkeypatch.setattr(random_numbers.torch, "Generator", lambda device="cpu": generator())
    one = torch.device("cuda", 1)
    before, seeded = chip.get_rng_state(one), generator().manual_seed(3).get_state()
    torch.manual_seed(5)
    expected = torch.rand(3)
    torch.manual_seed(5)
    try:
        with random_numbers_from(3, {one}):
            assert torch.equal(torch.get_rng_state(), seeded)
            assert torch.equal(chip.states[one], seeded)
            if failing:
                raise Seen
    except Seen:
        pass
    assert torch.equal(torch.rand(3), expected)
    assert list(chip.states) == [one] and torch.equal(chip.states[one], before)


def test_devices_without_the_model_are_left_alone(monkeypatch):
    """torch.manual_seed, which seeds all of them, would leave each GPU changed for others."""
    seeded = []
    monkeypatch.setattr(torch.cuda, "manual_seed_all", seeded.append)
    torch.manual_seed(0)
    assert seeded == [0]
    train(Watched(), PAIRS, epochs=1)
    assert seeded == [0]


def test_warmup_and_decay_by_hand():
    """Ten steps by hand: two up, then eight down to an eighth."""
    rates = [warmup_and_decay(step, 10) for step in range(10)]
    assert rates == pytest.approx([0.5, 1, 1, 7 / 8, 6 / 8, 5 / 8, 4 / 8, 3 / 8, 2 / 8, 1 / 8])
    assert warmup_and_decay(0, 1) == 1  # a single step is not wasted


def test_an_interruption_keeps_what_was_learned(capsys):
    """Interrupted in the second epoch: two losses, new weights, eval, and it is said."""
    model, calls = small_transformer(), []

    def interrupt(*_):
        calls.append(1)
        if len(calls) == 6:  # seven pairs by two make four steps an epoch
            raise KeyboardInterrupt

    model.register_forward_pre_hook(interrupt)
    losses = train(model, PAIRS, epochs=3, batch_size=2)
    assert len(losses) == 2 and losses[1] < losses[0]
    assert not torch.equal(
        model.target_embedding.weight, small_transformer().target_embedding.weight
    )
    assert not model.training
    assert "epoch 2 of 3" in capsys.readouterr().out


def test_interrupted_before_the_first_step(capsys):
    """There is no loss yet, and no division by zero."""
    model = small_transformer()

    def interrupt(*_):
        raise KeyboardInterrupt

    model.register_forward_pre_hook(interrupt)
    assert train(model, PAIRS) == []


def test_no_bar_without_a_terminal(monkeypatch, capfd):
    """A log file holds no thousand bars."""
    monkeypatch.delenv("TQDM_DISABLE")
    train(small_transformer(), PAIRS, epochs=1)
    assert capfd.readouterr() == ("", "")


@pytest.mark.parametrize("kept", [True, False])
def test_a_bar_in_notebooks_unless_outputs_are_kept(kept, tmp_path):
    """Who waits sees how long; a stored notebook, the book and its checks hold no bar."""
    code = """
        import os
        from attention_lib import Pair, Transformer, TransformerConfig, Vocabulary, train
        words = Vocabulary([["go"]])
        pair = Pair(("go",), ("go",))
        model = Transformer(TransformerConfig(words, words, d_model=8, heads=2, layers=1))
        _ = train(model, [pair], epochs=1)"""
    notebook = v4.new_notebook(cells=[v4.new_code_cell(textwrap.dedent(code))])
    NotebookClient(notebook, kernel_name="python3", timeout=120).execute(
        env=os.environ | {"TQDM_DISABLE": "1" if kept else ""}
    )
    shown = [output.data for output in notebook.cells[0].outputs]
    assert bool(shown) != kept and all("widget" in str(data) for data in shown)


def test_bad_trainings_are_refused():
    """No pairs, no epochs."""
    with pytest.raises(ValueError, match="at least one pair"):
        train(small_transformer(), [])
    with pytest.raises(ValueError, match="got 0 and 64"):
        train(small_transformer(), PAIRS, epochs=0)
