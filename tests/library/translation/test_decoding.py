import itertools
import math
from typing import NamedTuple

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from torch import nn

from attention_lib import beam_search, greedy_search
from attention_lib.vocabulary import BOS, EOS, PAD, UNK

A, B = 4, 5
SENTENCES = torch.tensor([[A, EOS, PAD], [B, EOS, PAD], [A, B, EOS], [B, B, EOS]])
LENGTHS = torch.tensor([2, 2, 3, 3])


class Memory(NamedTuple):
    sentence: torch.Tensor


class State(NamedTuple):
    """The token before the last one, and how many there were."""

    before: torch.Tensor
    step: torch.Tensor


class Markov(nn.Module):
    """The next token depends on the last two, on the step and on the source: all in a table.

    The last but one and the step come from the state alone, so that a state in the wrong row
    gives wrong probabilities.
    """

    def __init__(self, logits):
        super().__init__()
        self.logits = nn.Parameter(logits)  # (sentence, step, before, last, next)
        self.by_hand = logits.double().log_softmax(-1).tolist()
        self.calls = []
        self.dropout = nn.Dropout(0.5)
        self.modes = []

    def encode(self, source, source_lengths):
        # The sum of the real tokens tells the sentences apart, whatever the padding.
        real = torch.arange(source.shape[1]) < source_lengths[:, None]
        return Memory((source * real).sum(1) % len(self.logits))

    def decode(self, target, memory, source_lengths, state=None):
        assert len(target) == len(memory.sentence) == len(source_lengths)
        assert not torch.is_grad_enabled() and torch.is_inference_mode_enabled()
        self.calls.append(len(target))
        self.modes.append(self.training or self.dropout.training)
        state = state or State(torch.full_like(target[:, 0], BOS), torch.zeros_like(target[:, 0]))
        outputs = []
        for last in target.unbind(1):
            step = state.step.clamp(max=self.logits.shape[1] - 1)
            outputs.append(self.logits[memory.sentence, step, state.before, last])
            state = State(last, state.step + 1)
        return torch.stack(outputs, 1), state


def random_model(seed, words=6, steps=6, sharpness=1.0):
    generator = torch.Generator().manual_seed(seed)
    return Markov(sharpness * torch.randn(7, steps, words, words, words, generator=generator))


def table(probabilities, words=6):
    """A model from probabilities {last: {next: p}}, the same at every step and everywhere."""
    logits = torch.full((1, 1, words, words, words), -torch.inf)
    for last, following in probabilities.items():
        for word, probability in following.items():
            logits[..., last, word] = math.log(probability)
    logits[..., PAD, PAD] = 0.0  # what has ended may be asked again
    logits[..., EOS, EOS] = 0.0
    return Markov(logits)


def score_by_hand(model, source, tokens):
    """Mean log-probability of the tokens, looked up one by one."""
    sentence = int(source.sum()) % len(model.logits)
    before, last, total = BOS, BOS, 0.0
    for step, word in enumerate(tokens):
        step = min(step, model.logits.shape[1] - 1)
        total += model.by_hand[sentence][step][before][last][word]
        before, last = last, word
    return total / len(tokens)


def all_sequences(max_length, words=6):
    """Each with one EOS, at its end, or with max_length tokens and none."""
    inner = range(UNK, words)
    for length in range(max_length):
        for start in itertools.product(inner, repeat=length):
            yield [*start, EOS]
    yield from map(list, itertools.product(inner, repeat=max_length))


@given(seed=st.integers(0, 10**6))
def test_a_wide_beam_finds_what_brute_force_finds(seed):
    """All 40 + 81 sequences of up to four tokens, in the order of their means, none twice."""
    model = random_model(seed)
    found = beam_search(model, SENTENCES, LENGTHS, beam=150, max_length=4)
    for source, hypotheses in zip(SENTENCES, found, strict=True):
        everything = [(score_by_hand(model, source, tokens), tokens) for tokens in all_sequences(4)]
        everything.sort(reverse=True)
        assert [tokens for tokens, _ in hypotheses] == [tokens for _, tokens in everything]
        assert [score for _, score in hypotheses] == pytest.approx(
            [score for score, _ in everything], abs=1e-9
        )


@given(seed=st.integers(0, 10**6), sharpness=st.sampled_from([0.0, 0.1, 1.0, 5.0]))
def test_a_beam_of_one_is_greedy_search(seed, sharpness):
    """Token for token and in score; with sharpness 0 every step is a tie."""
    model = random_model(seed, sharpness=sharpness)
    greedy = greedy_search(model, SENTENCES, LENGTHS)
    beam = beam_search(model, SENTENCES, LENGTHS, beam=1)
    assert [[tokens for tokens, _ in found] for found in greedy] == [
        [tokens for tokens, _ in found] for found in beam
    ]
    for (ours,), (theirs,) in zip(greedy, beam, strict=True):
        assert ours.score == pytest.approx(theirs.score, abs=1e-12)


@given(seed=st.integers(0, 10**6))
def test_greedy_takes_the_most_probable_token(seed):
    """Followed by hand in the table: the argmax, marks that no label holds left aside."""
    model = random_model(seed)
    for source, ((tokens, score),) in zip(
        SENTENCES, greedy_search(model, SENTENCES, LENGTHS), strict=True
    ):
        sentence, before, last = int(source.sum()) % 7, BOS, BOS
        for step, word in enumerate(tokens):
            row = model.by_hand[sentence][min(step, 5)][before][last]
            assert word == max((EOS, UNK, A, B), key=row.__getitem__)
            before, last = last, word
        assert score == pytest.approx(score_by_hand(model, source, tokens), abs=1e-9)


@given(
    seed=st.integers(0, 10**6),
    beam=st.integers(1, 7),
    max_length=st.sampled_from([None, 1, 2, 5]),
)
def test_every_hypothesis_ends_once(seed, beam, max_length):
    """One end mark, the last token, or cut at the greatest length; best first; none twice."""
    model = random_model(seed)
    for (source, length), hypotheses in zip(
        zip(SENTENCES, LENGTHS, strict=True),
        beam_search(model, SENTENCES, LENGTHS, beam, max_length),
        strict=True,
    ):
        limit = max_length or 2 * length + 10
        for tokens, score in hypotheses:
            assert not {PAD, BOS} & set(tokens)
            assert len(tokens) <= limit
            ends = tokens.count(EOS)
            assert (ends == 1 and tokens[-1] == EOS) or (ends == 0 and len(tokens) == limit)
            assert score == pytest.approx(score_by_hand(model, source, tokens), abs=1e-9)
        scores = [score for _, score in hypotheses]
        assert scores == sorted(scores, reverse=True)
        assert len({tuple(tokens) for tokens, _ in hypotheses}) == len(hypotheses)
        # From one step come four hypotheses at most, one for each token a label may hold.
        assert len(hypotheses) == (min(beam, 4) if max_length == 1 else beam)


@settings(max_examples=20)
@given(
    seed=st.integers(0, 10**6),
    beam=st.integers(1, 5),
    padding=st.integers(0, 3),
    sharpness=st.sampled_from([0.0, 1.0]),
)
def test_a_batch_gives_what_its_sentences_give_alone(seed, beam, padding, sharpness):
    """Neither neighbours, nor padding, nor order matter: not for the greatest length either."""
    model = random_model(seed, sharpness=sharpness)
    source = torch.cat([SENTENCES, SENTENCES.new_full((4, padding), PAD)], dim=1)
    for search in (greedy_search, lambda *inputs: beam_search(*inputs, beam)):
        together = search(model, source, LENGTHS)
        assert search(model, source.flip(0), LENGTHS.flip(0)) == together[::-1]
        for i, length in enumerate(LENGTHS.tolist()):
            assert search(model, source[i : i + 1, :length], LENGTHS[i : i + 1]) == [together[i]]


def test_the_length_counts_the_end_and_not_the_beginning():
    """[b, a, EOS] has probability 1/2 · 1/2 · 1, so its score is −2 log 2 / 3, not / 2 or / 4."""
    model = table({BOS: {B: 0.5, A: 0.5}, B: {A: 0.5, EOS: 0.5}, A: {EOS: 1.0}})
    (hypotheses,) = beam_search(model, torch.tensor([[A, EOS]]), torch.tensor([2]), beam=5)
    scores = {tuple(tokens): score for tokens, score in hypotheses}
    assert scores[(B, A, EOS)] == pytest.approx(-2 * math.log(2) / 3, abs=1e-6)
    assert scores[(A, EOS)] == pytest.approx(-math.log(2) / 2, abs=1e-6)
    assert len(scores) == 3  # with [b, EOS] these are all there are, though five were asked for


def test_beam_search_finds_what_greedy_misses():
    """a (.6) leads to .5 at best, b (.4) to .9: .36 beats .3, and two hypotheses suffice."""
    model = table(
        {
            BOS: {A: 0.6, B: 0.4},
            A: {UNK: 0.5, A: 0.5},
            B: {UNK: 0.9, B: 0.1},
            UNK: {EOS: 1.0},
        }
    )
    inputs = model, torch.tensor([[A, EOS]]), torch.tensor([2])
    assert greedy_search(*inputs)[0][0].tokens[0] == A
    best = beam_search(*inputs, beam=2)[0][0]
    assert best.tokens == [B, UNK, EOS]
    assert best.score == pytest.approx(math.log(0.36) / 3, abs=1e-6)


def test_the_search_stops_when_all_has_ended():
    """Every hypothesis ends at step two: two calls of the model, far below the limit of 14."""
    model = table({BOS: {A: 0.6, B: 0.4}, A: {EOS: 1.0}, B: {EOS: 1.0}})
    source, lengths = torch.tensor([[A, EOS]]), torch.tensor([2])
    greedy_search(model, source, lengths)
    assert len(model.calls) == 2
    beam_search(model, source, lengths, beam=2)
    assert len(model.calls) == 4


@pytest.mark.parametrize("beam", [3, 5, 20])
def test_the_search_does_not_wait_for_what_does_not_exist(monkeypatch, beam):
    """A beam wider than there are hypotheses stops with them, whichever way topk breaks ties."""

    def first_of_the_same(scores, k):
        return torch.return_types.topk(
            part[..., :k] for part in scores.sort(dim=-1, descending=True, stable=True)
        )

    monkeypatch.setattr(torch.Tensor, "topk", first_of_the_same)
    model = table({BOS: {A: 0.6, B: 0.4}, A: {EOS: 1.0}, B: {EOS: 1.0}})
    (hypotheses,) = beam_search(model, torch.tensor([[A, EOS]]), torch.tensor([2]), beam)
    assert [tokens for tokens, _ in hypotheses] == [[A, EOS], [B, EOS]]
    assert len(model.calls) == 2


def test_a_sentence_whose_search_is_over_is_not_decoded_further():
    """The first sentence ends at once, the second never: two rows of the model, then one."""
    logits = torch.full((3, 1, 6, 6, 6), -torch.inf)
    logits[0, ..., EOS] = 0.0
    logits[1, ..., A] = 0.0
    model = Markov(logits)
    source = torch.tensor([[4, EOS, PAD], [3, 3, 4]])  # sums 6 and 10: tables 0 and 1
    found = beam_search(model, source, torch.tensor([2, 3]), beam=1, max_length=3)
    assert [hypotheses[0].tokens for hypotheses in found] == [[EOS], [A, A, A]]
    assert model.calls == [2, 1, 1]


def test_the_model_is_left_as_it_was():
    """Eval inside; afterwards each part is in its own mode, and so it is after an error."""
    model = random_model(0)
    for modes in itertools.product([True, False], repeat=2):
        model.training, model.dropout.training = modes
        greedy_search(model, SENTENCES, LENGTHS)
        beam_search(model, SENTENCES, LENGTHS, beam=2)
        assert (model.training, model.dropout.training) == modes
    assert not any(model.modes)
    model.train().logits.data.fill_(torch.nan)
    with pytest.raises(ValueError, match="NaN"):
        greedy_search(model, SENTENCES, LENGTHS)
    assert model.training and torch.is_grad_enabled()


def test_no_sentences_give_no_hypotheses():
    """An empty batch is no error, and the model is not asked."""
    model = random_model(0)
    assert greedy_search(model, SENTENCES[:0], LENGTHS[:0]) == []
    assert beam_search(model, SENTENCES[:0], LENGTHS[:0], beam=3) == []
    assert not model.calls


def test_bad_input_is_refused(readers_view):
    """Each message names what was given."""
    model = random_model(0)
    with pytest.raises(ValueError, match=r"beam.*1.*got 0"):
        beam_search(model, SENTENCES, LENGTHS, beam=0)
    with pytest.raises(ValueError, match=r"max_length.*got 0"):
        greedy_search(model, SENTENCES, LENGTHS, max_length=0)
    with pytest.raises(ValueError, match=r"\(4, 3\).*\(3,\)"):
        greedy_search(model, SENTENCES, LENGTHS[:3])
    with pytest.raises(ValueError, match="between 1 and the padded width, 3, got 2…4"):
        greedy_search(model, SENTENCES, LENGTHS + torch.tensor([0, 0, 0, 1]))
    with pytest.raises(ValueError, match="between 1 and the padded width, 3, got 0…3"):
        beam_search(model, SENTENCES, LENGTHS * torch.tensor([0, 1, 1, 1]), beam=2)
