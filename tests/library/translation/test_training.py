import os
import textwrap

import pytest
import torch
from nbclient import NotebookClient
from nbformat import v4
from torch.testing import assert_close

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
from attention_lib.translation.training import rise_and_fall

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


def test_the_callers_chance_is_untouched():
    """What is drawn after training is what would have been drawn without it."""
    model = small_transformer(dropout=0.3)
    torch.manual_seed(5)
    expected = torch.rand(3)
    torch.manual_seed(5)
    train(model, PAIRS, epochs=1)
    assert torch.equal(torch.rand(3), expected)


def test_the_learning_rate_rises_and_falls():
    """Ten steps by hand: two up, then eight down to an eighth."""
    rates = [rise_and_fall(step, 10) for step in range(10)]
    assert rates == pytest.approx([0.5, 1, 1, 7 / 8, 6 / 8, 5 / 8, 4 / 8, 3 / 8, 2 / 8, 1 / 8])
    assert rise_and_fall(0, 1) == 1  # a single step is not wasted


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
    """No pairs, no epochs, no batch."""
    with pytest.raises(ValueError, match="at least one pair"):
        train(small_transformer(), [])
    with pytest.raises(ValueError, match="got 0 and 64"):
        train(small_transformer(), PAIRS, epochs=0)
