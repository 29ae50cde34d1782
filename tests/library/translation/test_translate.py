from typing import NamedTuple

import pytest
import torch
from torch import nn
from torch.testing import assert_close

from attention_lib import beam_search, greedy_search, translate
from attention_lib.recurrent import RecurrentTranslator
from attention_lib.transformer import Transformer, TransformerConfig
from attention_lib.vocabulary import BOS, EOS, PAD, UNK, Vocabulary

ENGLISH = Vocabulary([["go", "home", "now", "!"]])
FRENCH = Vocabulary([["va", "maison", "maintenant", "!"]])
LEXICON = {"go": "va", "home": "maison", "now": "maintenant", "!": "!", "<unk>": "<unk>"}


class Memory(NamedTuple):
    source: torch.Tensor


class State(NamedTuple):
    step: torch.Tensor


class WordByWord(nn.Module):
    """Translates word t at step t, attends to it, and ends where the source ends.

    Its answer has probability .8, the token after it in the vocabulary nearly all of the rest.
    """

    source_vocabulary, target_vocabulary = ENGLISH, FRENCH
    weight_axes = ()
    has_attention = True

    def __init__(self):
        super().__init__()
        answers = torch.zeros(len(ENGLISH), dtype=torch.long)
        for number, word in enumerate(ENGLISH.words):
            answers[number] = FRENCH.words.index(LEXICON.get(word, word))
        self.answers = nn.Parameter(answers, requires_grad=False)
        self.rows = []

    def encode(self, source, source_lengths):
        self.rows.append(len(source))
        return Memory(source)

    def decode(self, target, memory, source_lengths, state=None, *, return_weights=False):
        start = state.step if state else torch.zeros_like(target[:, :1])
        steps = start + torch.arange(target.shape[1])
        steps = steps.clamp(max=memory.source.shape[1] - 1)
        answers = self.answers[memory.source.gather(1, steps)]
        size = len(FRENCH)
        first, second = (nn.functional.one_hot(a % size, size) for a in (answers, answers + 1))
        logits = (0.8 * first + 0.199 * second + 1e-4).log()
        state = State(start + target.shape[1])
        if not return_weights:
            return logits, state
        weights = nn.functional.one_hot(steps, memory.source.shape[1]).float()
        weights *= steps[..., None] < source_lengths[:, None, None] - 1  # the end mark is hidden
        # Layers and heads differ, so that a wrong axis is seen: head h of layer l says l + h/10.
        for axis, size in enumerate(self.weight_axes):
            factors = torch.arange(1.0, size + 1) * 10.0**-axis
            weights = weights.unsqueeze(-3) * factors[:, None, None]
        return logits, state, weights


class WithHeads(WordByWord):
    weight_axes = (2, 3)


def test_text_in_text_out():
    """Tokenized, translated, and put together again, with the score of each token: log .8."""
    (translation,) = translate(WordByWord(), ["Go home!"])
    assert str(translation) == "va maison !"
    assert translation.source == ("go", "home", "!")
    assert translation.tokens == ("va", "maison", "!")
    normalised = (0.8 + 1e-4) / (0.999 + len(FRENCH) * 1e-4)
    assert translation.score == pytest.approx(torch.tensor(normalised).log().item(), abs=1e-5)


def test_words_are_taken_as_they_are():
    """A sequence of words is not tokenized again: "go!" is one word, and unknown."""
    texts, tokens = "go home", ("go!", "home")
    first, second = translate(WordByWord(), [texts, tokens])
    assert first.tokens == ("va", "maison")
    assert second.tokens == (FRENCH.words[UNK], "maison") and second.source == tokens


def test_unknown_words_are_shown_as_such():
    """Read as UNK and answered with it; the source keeps the word for the axis of a figure."""
    (translation,) = translate(WordByWord(), ["go xylophone !"])
    assert translation.tokens == ("va", "<unk>", "!")
    assert translation.source == ("go", "xylophone", "!")


@pytest.mark.parametrize("beam", [1, 3])
@pytest.mark.parametrize("model", [WordByWord(), WithHeads()])
def test_sentences_keep_their_order(model, beam):
    """Of 150 sentences of 0 to 9 words, in batches by length, each gets its own translation."""
    words = ["go", "home", "now", "!"]
    sentences = [[words[(i + j) % 4] for j in range(7 * i % 10)] for i in range(150)]
    model.rows.clear()
    translations = translate(model, sentences, beam=beam)
    assert len(model.rows) < 10  # in batches, not one by one
    for sentence, translation in zip(sentences, translations, strict=True):
        assert translation.source == tuple(sentence)
        assert translation.tokens == tuple(LEXICON[word] for word in sentence)
        assert translation.weights.shape[-2:] == (len(sentence) + 1, len(sentence) + 1)


@pytest.mark.parametrize("beam", [1, 3])
def test_weights_have_no_padding(beam):
    """Rows: words and end mark; columns: words and end mark of the source, the last one zero."""
    sentences = ["now", "go home now !"]
    short, long = translate(WordByWord(), sentences, beam=beam)
    assert_close(short.weights, torch.tensor([[1.0, 0], [0, 0]]))
    assert_close(long.weights, torch.diag(torch.tensor([1.0, 1, 1, 1, 0])))
    short, long = translate(WithHeads(), sentences, beam=beam)
    assert short.weights.shape == (2, 3, 2, 2) and long.weights.shape == (2, 3, 5, 5)
    by_hand = torch.tensor([[0.1, 0.2, 0.3], [0.2, 0.4, 0.6]])  # layer · head / 10
    assert_close(short.weights[..., 0, 0], by_hand)
    assert_close(long.weights[..., 3, 3], by_hand)


def test_weights_are_ordinary_tensors():
    """They can be changed, and used in a computation with gradients."""
    (translation,) = translate(WordByWord(), ["go"])
    factor = torch.ones(2, 2, requires_grad=True)
    (factor * translation.weights).sum().backward()
    assert torch.equal(factor.grad, translation.weights)  # the gradient of w · f by f is w
    translation.weights[0] = 1
    assert translation.weights[0].tolist() == [1, 1]


def test_the_n_best():
    """The best is right in every word; then follow those that err once, all different."""
    ((first, *others),) = translate(WordByWord(), ["go home"], beam=8, n_best=4)
    assert str(first) == "va maison"
    assert len(others) == 3
    assert len({str(translation) for translation in (first, *others)}) == 4
    scores = [translation.score for translation in (first, *others)]
    assert scores == sorted(scores, reverse=True)
    for translation in others:
        assert translation.weights.shape == (len(translation.tokens) + 1, 3)


@pytest.mark.parametrize("beam", [1, 4])
def test_an_empty_sentence_has_an_empty_translation(beam):
    """Alone, as blanks and beside others; its weights are one row, the end mark's, all zero."""
    empty, blank, other = translate(WordByWord(), ["", " \u3000", "go"], beam=beam)
    for translation in (empty, blank):
        assert str(translation) == "" and translation.score == 0
        assert translation.weights.tolist() == [[0]]
    assert str(other) == "va"
    lists = translate(WordByWord(), ["", "go"], beam=4, n_best=2)
    assert [len(translations) for translations in lists] == [1, 2]


def test_a_long_sentence_and_no_sentence():
    """200 words come out as 200 words; an empty list as an empty list."""
    (translation,) = translate(WordByWord(), ["go home now ! " * 50])
    assert str(translation) == " ".join(["va maison maintenant !"] * 50)
    assert translation.weights.shape == (201, 201)
    assert translate(WordByWord(), []) == []
    assert translate(WordByWord(), [], beam=2, n_best=2) == []


def test_a_translation_that_was_cut_has_no_end_mark():
    """A model that never ends is stopped at 2 · 2 + 10 tokens, and the weights have 14 rows."""

    class Endless(WordByWord):
        def encode(self, source, source_lengths):
            return Memory(source.masked_fill(source == EOS, ENGLISH.encode(["now"])[0]))

    (translation,) = translate(Endless(), ["go"])
    assert translation.tokens == ("va",) + 13 * ("maintenant",)
    assert translation.weights.shape == (14, 2)


def test_the_model_stays_in_its_mode():
    """A model in training goes on training."""
    model = WordByWord()
    translate(model, ["go"], beam=2)
    assert model.training
    translate(model.eval(), ["go"])
    assert not model.training


def test_bad_input_is_refused(readers_view):
    """Each message shows what was given."""
    with pytest.raises(TypeError, match=r"list of sentences.*'go home'"):
        translate(WordByWord(), "go home")
    with pytest.raises(TypeError, match=r"sentence 1.*7"):
        translate(WordByWord(), ["go", 7])
    with pytest.raises(TypeError, match=r"sentence 0.*5"):
        translate(WordByWord(), [["go", 5]])
    with pytest.raises(ValueError, match="n_best = 3 and beam = 2"):
        translate(WordByWord(), ["go"], beam=2, n_best=3)
    with pytest.raises(ValueError, match="n_best = 0"):
        translate(WordByWord(), ["go"], n_best=0)


def test_padding_has_no_answer():
    """The translator of these tests is sound: it maps marks to marks and words to words."""
    answers = WordByWord().answers.tolist()
    assert answers[PAD] == PAD and answers[EOS] == EOS and answers[UNK] == UNK
    assert sorted(answers) == sorted(set(answers))


# The translators of the course, untrained: what holds of them holds whatever they have learned.

FEW_WORDS = ["", "go", "home now !", "go home go home now", "now unheard !"]


def translators():
    torch.manual_seed(0)
    config = TransformerConfig(ENGLISH, FRENCH, d_model=16, heads=2, layers=3, d_ff=16)
    sizes = {"d_embedding": 16, "d_encoder": 8, "d_decoder": 16, "d_hidden": 8}
    models = [Transformer(config)] + [
        RecurrentTranslator(ENGLISH, FRENCH, query=query, **sizes)
        for query in ("state", "state_and_word", None)
    ]
    for model in models:  # in float64, so that a batch rounds no other way than its sentences
        model.double()
    return [pytest.param(model, id=f"{type(model).__name__}-{i}") for i, model in enumerate(models)]


@pytest.mark.parametrize("model", translators())
@pytest.mark.parametrize("beam", [1, 3])
def test_translators_give_in_batches_what_they_give_alone(model, beam):
    """Words, scores and weights, of each of the n best; and the n best are different."""
    together = translate(model, FEW_WORDS, beam=beam, n_best=beam)
    for sentence, several in zip(FEW_WORDS, together, strict=True):
        (alone,) = translate(model, [sentence], beam=beam, n_best=beam)
        if beam == 1:
            several, alone = [several], [alone]
        assert len({translation.tokens for translation in several}) == len(several)
        for ours, theirs in zip(several, alone, strict=True):
            assert ours.tokens == theirs.tokens
            assert ours.score == pytest.approx(theirs.score, abs=1e-10)
            assert_close(ours.weights, theirs.weights, atol=1e-10, rtol=0)


@pytest.mark.parametrize("model", translators())
def test_translators_decode_greedily_with_a_beam_of_one(model):
    """The same tokens, and each has the score that the model gives the whole sentence at once."""
    sources = [[*ENGLISH.encode(sentence.split()), EOS] for sentence in FEW_WORDS]
    source = nn.utils.rnn.pad_sequence([torch.tensor(row) for row in sources], batch_first=True)
    lengths = torch.tensor([len(row) for row in sources])
    greedy, beam = greedy_search(model, source, lengths), beam_search(model, source, lengths, 1)
    for i, ((ours,), (theirs,)) in enumerate(zip(greedy, beam, strict=True)):
        assert ours.tokens == theirs.tokens
        target = torch.tensor([[BOS, *ours.tokens[:-1]]])
        logits = model(source[i : i + 1, : lengths[i]], lengths[i : i + 1], target)
        of_tokens = logits[0].log_softmax(-1).gather(1, torch.tensor(ours.tokens)[:, None])
        assert ours.score == pytest.approx(of_tokens.mean().item(), abs=1e-10)
        assert theirs.score == pytest.approx(of_tokens.mean().item(), abs=1e-10)


@pytest.mark.parametrize("model", translators())
def test_weights_are_those_of_decoding_step_by_step(model):
    """One token at a time with the state, as the search ran, the model attends the same."""
    (translation,) = translate(model, ["go home now !"])
    if getattr(model, "query", "any") is None:
        assert translation.weights is None  # a translator without attention
        return
    source, lengths = torch.tensor([[*ENGLISH.encode(translation.source), EOS]]), torch.tensor([5])
    memory, state, steps = model.encode(source, lengths), None, []
    for token in [BOS, *FRENCH.encode(translation.tokens)]:
        _, state, weights = model.decode(
            torch.tensor([[token]]), memory, lengths, state, return_weights=True
        )
        steps.append(weights[0])
    t_len = translation.weights.shape[-2]
    stepwise = torch.cat(steps, dim=-2)[..., :t_len, :]
    assert_close(translation.weights, stepwise, atol=1e-10, rtol=0)
    assert not translation.weights[..., -1].any()
    assert_close(translation.weights.sum(-1), torch.ones_like(stepwise[..., 0]))
