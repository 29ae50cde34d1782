import pytest
import torch
from torch.testing import assert_close

from attention_lib import RecurrentTranslator, Vocabulary

ENGLISH = Vocabulary(["a b c d e f g".split()])
FRENCH = Vocabulary(["u v w x y z".split()])
SOURCE, LENGTHS = torch.tensor([[4, 5, 6, 7, 2], [8, 9, 2, 0, 0]]), torch.tensor([5, 3])
TARGET = torch.tensor([[1, 4, 5, 6], [1, 7, 8, 9]])


def make(query="state"):
    torch.manual_seed(0)
    widths = {"d_embedding": 6, "d_encoder": 4, "d_decoder": 8, "d_hidden": 5}
    return RecurrentTranslator(ENGLISH, FRENCH, query=query, **widths).double()


def by_the_formulas(model, source, target):
    """Logits and weights of one sentence, word by word, with no padding and nothing shared."""
    embedded = model.source_embedding(source[None])
    states, last = model.encoder(embedded)
    values = torch.cat([states, embedded], dim=-1)[:, :-1]  # without the end mark
    weights_of_gates = model.decoder.state_dict()
    state, logits, all_weights = torch.zeros(1, 8, dtype=torch.float64), [], []
    for word in model.target_embedding(target[None]).unbind(1):
        context = torch.cat([last[0], last[1]], dim=-1)
        if model.query:
            query = torch.cat([state, word], -1) if model.query == "state_and_word" else state
            weights = model.scores(query[:, None], values).softmax(dim=-1)
            context = (weights @ values)[:, 0]
            all_weights.append(weights[0])
        read_off = torch.cat([state, word, context], dim=-1)
        logits.append(model.to_readout(read_off).tanh() @ model.target_embedding.weight.T)
        from_input, from_state = (
            (vector @ weights_of_gates[f"weight_{kind}"].T + weights_of_gates[f"bias_{kind}"])
            for kind, vector in (("ih", torch.cat([word, context], -1)), ("hh", state))
        )
        reset, update, new = from_input.chunk(3, dim=-1)
        reset_state, update_state, new_state = from_state.chunk(3, dim=-1)
        reset, update = (reset + reset_state).sigmoid(), (update + update_state).sigmoid()
        state = update * state + (1 - update) * (new + reset * new_state).tanh()
    return torch.cat(logits), torch.cat(all_weights) if all_weights else None


@pytest.mark.parametrize("query", ["state", "state_and_word", None])
def test_agrees_with_the_formulas(query):
    """Each sentence of the batch, computed alone from the formulas of the paper."""
    model = make(query)
    logits = model(SOURCE, LENGTHS, TARGET)
    memory = model.encode(SOURCE, LENGTHS)
    for row, length in enumerate(LENGTHS):
        expected, weights = by_the_formulas(model, SOURCE[row, :length], TARGET[row])
        assert_close(logits[row], expected, atol=1e-10, rtol=0)
        if query:
            *_, found = model.decode(TARGET, memory, LENGTHS, return_weights=True)
            assert found.shape == (2, 4, 5)
            assert_close(found[row, :, : length - 1], weights, atol=1e-10, rtol=0)


@pytest.mark.parametrize("query", ["state", "state_and_word"])
def test_what_the_query_has_read(query):
    """Change the word read at step 1: only a query with the word looks elsewhere at once.

    The state of 2014 reads the word in the same step, and looks elsewhere in the next.
    """
    model = make(query)
    memory = model.encode(SOURCE, LENGTHS)
    changed = TARGET.clone()
    changed[:, 1] = 9
    before, after = (
        model.decode(target, memory, LENGTHS, return_weights=True)[2]
        for target in (TARGET, changed)
    )
    moved = (before - after).abs().amax(dim=(0, 2)) > 1e-6
    assert moved.tolist() == [False, query == "state_and_word", True, True]


def test_keys_are_projected_once():
    """However many words follow, ``to_keys`` runs in ``encode`` and never again."""
    model, calls = make(), []
    model.scores.to_keys.register_forward_hook(lambda *_: calls.append(1))
    memory = model.encode(SOURCE, LENGTHS)
    model.decode(TARGET, memory, LENGTHS)
    assert len(calls) == 1


def test_without_attention_the_source_is_one_vector():
    """As long for three words as for two hundred, and there are no weights to show."""
    model = make(query=None)
    for words in (3, 200):
        source = torch.tensor([[*[4, 5] * words, 2]])
        lengths = torch.tensor([source.shape[1]])
        memory = model.encode(source, lengths)
        assert [tensor.shape for tensor in memory] == [(1, 8)]
    with pytest.raises(ValueError, match="no weights"):
        model.decode(TARGET[:1], memory, lengths, return_weights=True)


def test_bad_arguments_are_refused(readers_view):
    """An unknown query and a width of nothing are named."""
    with pytest.raises(ValueError, match="'word'"):
        RecurrentTranslator(ENGLISH, FRENCH, query="word")
    with pytest.raises(ValueError, match="'d_hidden': 0"):
        RecurrentTranslator(ENGLISH, FRENCH, d_hidden=0)
