"""What the two translators promise alike."""

import pytest
import torch
from torch.testing import assert_close

from attention_lib import Pair, Transformer, TransformerConfig, Vocabulary, make_batch
from attention_lib.recurrent import RecurrentTranslator
from attention_lib.translation.decoding import pick_rows
from attention_lib.vocabulary import BOS, EOS, PAD

ENGLISH = Vocabulary(["a b c d e f g".split()])
FRENCH = Vocabulary(["u v w x y z".split()])
SMALL = {"d_embedding": 6, "d_encoder": 4, "d_decoder": 8, "d_hidden": 5}


def transformer(**options):
    options = {"d_model": 8, "heads": 2, "layers": 2, "d_ff": 16} | options
    return Transformer(TransformerConfig(ENGLISH, FRENCH, **options))


def recurrent(**options):
    return RecurrentTranslator(ENGLISH, FRENCH, **SMALL, **options)


MAKERS = {
    "transformer": transformer,
    "transformer, norm last": lambda: transformer(norm_first=False),
    "recurrent": recurrent,
    "recurrent, word in query": lambda: recurrent(query="state_and_word"),
    "recurrent, no attention": lambda: recurrent(query=None),
}
ATTENTIVE = [name for name in MAKERS if "no attention" not in name]

PAIRS = [
    Pair(tuple(source.split()), tuple(target.split()))
    for source, target in [("a b c d e", "u v w x"), ("f g", "y z u"), ("c", "w"), ("", "x y")]
]
BATCH = make_batch(PAIRS, ENGLISH, FRENCH)


def make(name, seed=0):
    """A translator with random weights, in float64: what must agree can agree closely."""
    torch.manual_seed(seed)
    return MAKERS[name]().double().eval()


def logits_of(model, pairs):
    batch = make_batch(pairs, ENGLISH, FRENCH)
    return model(batch.source, batch.source_lengths, batch.target)


@pytest.fixture(params=MAKERS)
def model(request):
    return make(request.param)


@pytest.fixture(params=ATTENTIVE)
def attentive(request):
    return make(request.param)


@pytest.mark.parametrize("pieces", [[1] * 5, [2, 3], [1, 3, 1]])
def test_in_pieces_or_whole(model, pieces):
    """Decoding goes on where it stopped: the logits of every step are those of the full pass."""
    memory = model.encode(BATCH.source, BATCH.source_lengths)
    whole, _ = model.decode(BATCH.target, memory, BATCH.source_lengths)
    state, found = None, []
    for piece in BATCH.target.split(pieces, dim=1):
        logits, state = model.decode(piece, memory, BATCH.source_lengths, state)
        found.append(logits)
    assert whole.shape == (4, 5, len(FRENCH))
    assert_close(torch.cat(found, dim=1), whole, atol=1e-10, rtol=0)
    assert_close(model(*BATCH[:3]), whole, atol=0, rtol=0)


def test_in_pieces_or_whole_in_single_precision(model):
    """As readers use it, in float32, the steps agree with the full pass to 1e-5."""
    model.float()
    memory = model.encode(BATCH.source, BATCH.source_lengths)
    whole, _ = model.decode(BATCH.target, memory, BATCH.source_lengths)
    state = None
    for step in range(5):
        logits, state = model.decode(
            BATCH.target[:, step : step + 1], memory, BATCH.source_lengths, state
        )
        assert_close(logits[:, 0], whole[:, step], atol=1e-5, rtol=0)


def test_weights_in_pieces_or_whole(attentive):
    """The weights of a step are the row of the full pass, too."""
    memory = attentive.encode(BATCH.source, BATCH.source_lengths)
    *_, whole = attentive.decode(BATCH.target, memory, BATCH.source_lengths, return_weights=True)
    state, found = None, []
    for step in BATCH.target.split(1, dim=1):
        _, state, weights = attentive.decode(
            step, memory, BATCH.source_lengths, state, return_weights=True
        )
        found.append(weights)
    assert_close(torch.cat(found, dim=-2), whole, atol=1e-10, rtol=0)


def test_neighbours_change_nothing(model):
    """A sentence gets the same logits alone, among others, and in another order."""
    together = logits_of(model, PAIRS)
    backwards = logits_of(model, PAIRS[::-1]).flip(0)
    for row, pair in enumerate(PAIRS):
        alone = logits_of(model, [pair])[0]
        for others in (together, backwards):
            assert_close(others[row, : len(alone)], alone, atol=1e-10, rtol=0)


def test_padding_changes_nothing(model):
    """Three more columns of padding, on both sides, and whatever stands in them."""
    expected = model(*BATCH[:3])
    for filler in (PAD, 5):
        source, target = (
            torch.cat([tokens, torch.full((4, 3), filler)], dim=1)
            for tokens in (BATCH.source, BATCH.target)
        )
        padded = model(source, BATCH.source_lengths, target)
        assert_close(padded[:, :5], expected, atol=1e-10, rtol=0)


@pytest.mark.parametrize("training", [True, False])
def test_the_future_has_no_gradient(model, training):
    """Position 1 reads the tokens 0 and 1; the gradient of those after is exactly zero.

    Asked is the logit of PAD, which no position reads: where one matrix embeds and scores, its
    other rows get a gradient only by what is read.
    """
    model.train(training)
    source, target = torch.tensor([[4, 5, EOS]]), torch.tensor([[BOS, 4, 5, 6]])
    model(source, torch.tensor([3]), target)[0, 1, PAD].backward()
    gradient = model.target_embedding.weight.grad
    assert gradient[[BOS, 4]].abs().sum(dim=-1).all()
    assert not gradient[[5, 6]].any()


def test_a_changed_word_changes_nothing_before_it(model):
    """Another word at position 2 leaves the logits at 0 and 1, and changes those from 2 on."""
    changed = BATCH.target.clone()
    changed[0, 2] = 9
    before, after = model(*BATCH[:3])[0], model(*BATCH[:2], changed)[0]
    assert torch.equal(before[:2], after[:2])
    assert ((before - after).abs().amax(dim=-1)[2:] > 1e-6).all()


def test_weights_lie_on_the_words(attentive):
    """Padding and the end mark get exactly nothing, the words together one."""
    memory = attentive.encode(BATCH.source, BATCH.source_lengths)
    *_, weights = attentive.decode(BATCH.target, memory, BATCH.source_lengths, return_weights=True)
    for row, pair in enumerate(PAIRS):
        words = len(pair.source)
        assert not weights[row, ..., words:].any()
        total = weights[row].sum(dim=-1)
        assert_close(total, torch.full_like(total, float(words > 0)), atol=1e-10, rtol=0)


def test_an_empty_sentence(model):
    """Only an end mark, and nothing to look at: finite logits and finite gradients."""
    logits = logits_of(model, [Pair((), ("u", "v"))])
    logits.sum().backward()
    assert logits.shape == (1, 3, len(FRENCH)) and logits.isfinite().all()
    for parameter in model.parameters():
        assert parameter.grad is None or parameter.grad.isfinite().all()


def test_two_hundred_words(model):
    """No table ends: a long sentence works, is read to its last word, and alone as in a batch."""
    long = Pair(("a", "b", "c", "d") * 50, ("u", "v", "w", "x") * 50)
    ends_otherwise = Pair((*long.source[:-1], "g"), long.target)
    alone = logits_of(model, [long])
    assert alone.shape == (1, 201, len(FRENCH)) and alone.isfinite().all()
    assert_close(logits_of(model, [PAIRS[1], long])[1], alone[0], atol=1e-10, rtol=0)
    assert (logits_of(model, [ends_otherwise]) - alone).abs().max() > 1e-6


def test_unknown_words(model):
    """Words that are not known are read, one like the other, and unlike a known word."""
    one, other, known = (
        logits_of(model, [Pair(("a", word, "c"), ("u", word))]) for word in ("qu", "qi", "d")
    )
    assert torch.equal(one, other) and one.isfinite().all()
    assert (one - known).abs().max() > 1e-6


def test_training_changes_nothing_without_dropout(model):
    """train() and eval() give the same logits to the bit."""
    assert torch.equal(model(*BATCH[:3]), model.train()(*BATCH[:3]))


def test_rows_can_be_picked(model):
    """Memory and state hold the batch first, so that a search may drop and double sentences."""
    rows = torch.tensor([2, 0, 0])
    memory = model.encode(BATCH.source, BATCH.source_lengths)
    _, state = model.decode(BATCH.target[:, :2], memory, BATCH.source_lengths)
    next_tokens = BATCH.target[:, 2:3]
    expected, _ = model.decode(next_tokens, memory, BATCH.source_lengths, state)
    memory, state = pick_rows(memory, rows), pick_rows(state, rows)
    picked, _ = model.decode(next_tokens[rows], memory, BATCH.source_lengths[rows], state)
    assert_close(picked, expected[rows], atol=1e-10, rtol=0)


def test_impossible_lengths_are_refused(model):
    """Without room for the end mark, or longer than the rows: the number is named."""
    with pytest.raises(ValueError, match="between 1 and the padded width, 6, got 0…6"):
        model.encode(BATCH.source, torch.tensor([6, 3, 2, 0]))
    with pytest.raises(ValueError, match="between 1 and the padded width, 6, got 1…7"):
        model.encode(BATCH.source, torch.tensor([7, 3, 2, 1]))
