from typing import NamedTuple

import pytest
import torch
from torch import nn
from torch.testing import assert_close

from attention_lib import translate
from attention_lib.vocabulary import EOS, PAD, UNK, Vocabulary

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
    translation.weights[0] = 1


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
