import math
from dataclasses import replace

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from attention_lib import (
    alignment_error_rate,
    bleu,
    bootstrap_interval,
    corpus_scores,
    exact_match,
    token_accuracy,
)
from attention_lib.corpus.pairs import Pair

few_words = st.lists(st.sampled_from("abc"), max_size=7)


# BLEU


def test_bleu_of_the_book():
    """A B B C D against A B C D E F: p₁ 4/5, p₂ 3/4, p₃ 1/3, p₄ 0, and the shorter of the two."""
    prediction, reference = "A B B C D".split(), "A B C D E F".split()
    shortness = math.exp(1 - 6 / 5)
    p1, p2, p3 = 4 / 5, 3 / 4, 1 / 3
    by_hand = [shortness * p1**0.5]
    by_hand.append(by_hand[-1] * p2**0.25)
    by_hand.append(by_hand[-1] * p3**0.125)
    by_hand.append(0.0)
    found = [bleu(prediction, reference, max_n) for max_n in (1, 2, 3, 4)]
    assert found == pytest.approx(by_hand, abs=1e-12)
    assert found[0] == pytest.approx(0.7323, abs=1e-4)  # with a calculator


def test_repeating_a_right_word_earns_nothing():
    """The classic case: seven times "the" against a reference with two of them has p₁ = 2/7."""
    found = bleu(["the"] * 7, "the cat is on the mat".split(), 1)
    assert found == pytest.approx((2 / 7) ** 0.5, abs=1e-12)


def test_only_shortness_is_punished():
    """Two words too many cost precision alone: p₁ = 2/4, no factor below or above one."""
    assert bleu("a b c d".split(), "a b".split(), 1) == pytest.approx(0.5**0.5, abs=1e-12)


def test_short_predictions():
    """Longer n-grams are left out; an empty one scores nothing, unless nothing was wanted."""
    assert bleu(["va"], ["va"], 4) == 1
    assert bleu(["va", "!"], ["va", "!"], 4) == 1
    assert bleu(["va"], ["va", "!"], 4) == pytest.approx(math.exp(-1), abs=1e-12)
    assert bleu([], ["va"], 4) == 0
    assert bleu(["va"], [], 4) == 0
    assert bleu([], [], 4) == 1


def test_words_are_not_glued_together():
    """As one string, the bigram of "ab c" would match that of "a bc"; as words, nothing does."""
    # p₁ is 1/3 by the last word; the bigrams (ab, c) and (c, x) against (a, bc) and (bc, x).
    assert bleu(["ab", "c", "x"], ["a", "bc", "x"], 2) == 0
    assert bleu(["ab", "c", "x"], ["a", "bc", "x"], 1) == pytest.approx((1 / 3) ** 0.5)


@given(prediction=few_words, reference=few_words, max_n=st.integers(1, 6))
def test_bleu_lies_between_zero_and_one(prediction, reference, max_n):
    """For every pair of sentences; and it is one for equal ones of any length."""
    assert 0 <= bleu(prediction, reference, max_n) <= 1
    assert bleu(reference, reference, max_n) == 1
    if max_n <= len(prediction) and prediction != reference and len(prediction) < len(reference):
        assert bleu(prediction, reference, max_n) < 1


def test_bleu_refuses_text_and_bad_n(readers_view):
    """A text would be counted by its letters."""
    with pytest.raises(TypeError, match="'il dort'"):
        bleu("il dort", ["il", "dort"], 2)
    with pytest.raises(TypeError, match="'il dort'"):
        bleu(["il", "dort"], "il dort", 2)
    with pytest.raises(TypeError, match="'il', 5"):
        bleu(["il", 5], ["il"], 2)
    with pytest.raises(ValueError, match="got 0"):
        bleu(["il"], ["il"], 0)


# Test sets


def test_corpus_scores_by_hand():
    """BLEU over the whole set: n-grams 8/9, 6/7, 4/5 and 2/3 of equal weight; no shortness."""
    references = ["he sees the red car".split(), "she has left .".split()]
    predictions = ["he sees the red car".split(), "she had left .".split()]
    scores = corpus_scores(predictions, references)
    # Per sentence: 5+3 of 9 words, 4+1 of 7 pairs, 3+0 of 5 triples, 2+0 of 3 quadruples.
    by_hand = 100 * (8 / 9 * 5 / 7 * 3 / 5 * 2 / 3) ** (1 / 4)
    assert scores.bleu == pytest.approx(by_hand, abs=1e-6)
    assert 0 < scores.chrf < 100
    assert str(scores) == f"BLEU {by_hand:.1f}, chrF {scores.chrf:.1f}"


def test_chrf_by_hand():
    """Words of one letter: "a" against "b" shares nothing, and equal sentences everything."""
    assert corpus_scores([["a"]], [["b"]]).chrf == 0
    assert str(corpus_scores([["il", "dort", "bien", "."]], [["il", "dort", "bien", "."]])) == (
        "BLEU 100.0, chrF 100.0"
    )


def test_tokens_are_taken_as_they_are():
    """sacreBLEU's own tokenizer would cut the point off: four words of four would be five."""
    words = ["a", "b", "c", "d."]
    scores = corpus_scores([words], [["a", "b", "c", "d", "."]])
    # 3/4, 2/3 and 1/2 of n-grams, and no quadruple: sacreBLEU takes 1/2 of one for none found.
    by_hand = math.exp(1 - 5 / 4) * (3 / 4 * 2 / 3 * 1 / 2 * 1 / 2) ** (1 / 4)
    assert scores.bleu == pytest.approx(100 * by_hand, abs=1e-6)


def test_exact_match_and_token_accuracy_by_hand():
    """Lists and tuples are alike; of 3 + 2 + 4 positions 3 + 1 + 1 are right."""
    predictions = [["il", "dort", "."], ["oui", "non"], ["a", "x"]]
    references = [("il", "dort", "."), ("oui",), ("a", "b", "c", "d")]
    assert exact_match(predictions, references) == pytest.approx(1 / 3)
    assert token_accuracy(predictions, references) == pytest.approx(5 / 9)
    assert token_accuracy([[]], [[]]) == exact_match([[]], [[]]) == 1


TOKENS = ["il", "dort", "."]


@pytest.mark.parametrize("measure", [corpus_scores, exact_match, token_accuracy])
@pytest.mark.parametrize(
    ("bad", "told"),
    [
        (["il dort ."], "sentence 0 of the {}.*the text 'il dort .'"),  # a text for a sentence
        (TOKENS, "sentence 0 of the {}.*the text 'il'"),  # one sentence for a list of them
        ("il dort .", "{}: a list of sentences wanted, got the text"),
        ([TOKENS, "va !"], "sentence 1 of the {}.*the text 'va !'"),
        ([[TOKENS]], "sentence 0 of the {}.*list of tokens"),  # a list too many
        ([b"il dort ."], "sentence 0 of the {}.*list of tokens"),
        ([[4, 5, 2]], "sentence 0 of the {}.*list of tokens"),
        ([torch.tensor([4, 5, 2])], "sentence 0 of the {}.*list of tokens"),
        ([7], "sentence 0 of the {}.*list of tokens"),
    ],
)
def test_text_is_refused(readers_view, measure, bad, told):
    """On either side, and where both are text: its letters would be compared, with good marks."""
    good = [TOKENS] * len(bad)
    with pytest.raises(TypeError, match=told.format("predictions")):
        measure(bad, good)
    with pytest.raises(TypeError, match=told.format("references")):
        measure(good, bad)
    with pytest.raises(TypeError, match=told.format("predictions")):
        measure(bad, bad)


@pytest.mark.parametrize("measure", [corpus_scores, exact_match, token_accuracy])
def test_different_numbers_of_sentences_are_refused(readers_view, measure):
    """Both numbers are named; a score of no sentences is none."""
    with pytest.raises(ValueError, match=r"predictions.*references.*got 2 and 1"):
        measure([["a"], ["b"]], [["a"]])
    with pytest.raises(ValueError, match="got 0 and 0"):
        measure([], [])


# Alignments

RED_CAR = Pair(  # the article is possibly chosen by the noun
    source=("the", "red", "car"),
    target=("la", "voiture", "rouge"),
    sure=frozenset({(1, 2), (2, 1)}),
    possible=frozenset({(0, 0), (0, 2), (1, 2), (2, 1)}),
)
SLEEPS = Pair(
    source=("he", "sleeps"),
    target=("il", "dort"),
    sure=frozenset({(0, 0), (1, 1)}),
    possible=frozenset({(0, 0), (1, 1)}),
)


def attending(sources, s_len):
    """Rows of which .6 go to the given source and the rest to the others; then the end mark's."""
    matrix = torch.full((len(sources) + 1, s_len), 0.4 / (s_len - 1))
    for target, source in enumerate(sources):
        matrix[target, source] = 0.6
    return matrix


@pytest.mark.parametrize(
    ("sources", "rate"),
    [
        # A with 3 links, S with 2: the rate is 1 − (|A∩S| + |A∩P|) / 5.
        ([0, 2, 1], 1 - (2 + 3) / 5),  # all right
        ([2, 2, 1], 1 - (2 + 3) / 5),  # the other possible link of the article
        ([1, 2, 1], 1 - (2 + 2) / 5),  # the article by an impossible link
        ([0, 1, 2], 1 - (0 + 1) / 5),  # noun and adjective exchanged
        ([1, 0, 0], 1.0),  # nothing right
    ],
)
def test_alignment_error_rate_by_hand(sources, rate):
    """After Och and Ney, for one sentence with sure and with possible links."""
    assert alignment_error_rate(attending(sources, 4), RED_CAR) == pytest.approx(rate, abs=1e-12)


def test_links_are_pooled_over_sentences():
    """(0 + 1 + 2 + 2) / (5 + 4): the mean of the two rates, .4, would be another number."""
    matrices = [attending([0, 1, 2], 4), attending([0, 1], 3)]
    rate = alignment_error_rate(matrices, [RED_CAR, SLEEPS])
    assert rate == pytest.approx(1 - 5 / 9, abs=1e-12)


def test_end_marks_are_left_out():
    """Weight on the source's end mark wins no link, and the target's end mark has none."""
    weights = torch.tensor([[0.3, 0.1, 0.6], [0.1, 0.2, 0.7], [0.9, 0.1, 0.0]])
    assert alignment_error_rate(weights, SLEEPS) == 0


def test_a_word_without_weight_has_no_link():
    """ "il" attends to nothing: A is {(1, 1)}, and the rate 1 − (1 + 1) / (1 + 2)."""
    weights = torch.tensor([[0.0, 0.0, 0.0], [0.1, 0.9, 0.0], [0.0, 0.0, 0.0]])
    assert alignment_error_rate(weights, SLEEPS) == pytest.approx(1 / 3, abs=1e-12)


def test_bad_alignments_are_refused(readers_view):
    """The shape given and the shape wanted are named, and the sentence."""
    with pytest.raises(ValueError, match=r"sentence 1.*\(3, 3\).*got \(2, 2\)"):
        alignment_error_rate([attending([0, 2, 1], 4), torch.eye(2)], [RED_CAR, SLEEPS])
    with pytest.raises(ValueError, match=r"\(4, 4\).*got \(2, 3, 4, 4\)"):
        alignment_error_rate(torch.ones(2, 3, 4, 4), RED_CAR)
    with pytest.raises(ValueError, match=r"weights as gold.*got 1 and 2"):
        alignment_error_rate([torch.eye(3)], [SLEEPS, SLEEPS])
    with pytest.raises(ValueError, match=r"sentence 0.*finite"):
        alignment_error_rate(torch.eye(3) * torch.nan, SLEEPS)
    with pytest.raises(ValueError, match=r"sentence 0.*no links"):
        alignment_error_rate(torch.eye(3), Pair(("he", "sleeps"), ("il", "dort")))
    with pytest.raises(TypeError, match=r"source of sentence 0.*the text 'he'"):
        alignment_error_rate(torch.eye(3), replace(SLEEPS, source="he"))
    with pytest.raises(TypeError, match=r"target of sentence 0.*the text 'il'"):
        alignment_error_rate(torch.eye(3), replace(SLEEPS, target="il"))


# Intervals


def test_the_interval_agrees_with_the_binomial_distribution():
    """Of 80 ones and 20 zeros the mean of a resample is binomial, with n = 100 and p = .8.

    Its quantiles are hundredths; with 1,000 resamples an end may lie one hundredth beside.
    """
    values = [1] * 80 + [0] * 20
    cumulative, quantiles = 0.0, {}
    for k in range(101):
        cumulative += math.comb(100, k) * 0.8**k * 0.2 ** (100 - k)
        for q in (0.025, 0.975):
            if cumulative >= q:
                quantiles.setdefault(q, k / 100)
    assert quantiles == {0.025: 0.72, 0.975: 0.88}
    low, high = bootstrap_interval(values)
    assert low == pytest.approx(0.72, abs=0.0101) and high == pytest.approx(0.88, abs=0.0101)


def test_the_interval_is_that_of_the_mean():
    """About 1.96 standard errors to both sides, far narrower than the values themselves."""
    values = np.random.default_rng(5).normal(3.0, 2.0, 400)
    low, high = bootstrap_interval(values, resamples=4000)
    error = values.std() / 20
    assert low == pytest.approx(values.mean() - 1.96 * error, abs=0.15 * error)
    assert high == pytest.approx(values.mean() + 1.96 * error, abs=0.15 * error)


def test_interval_seed_and_level():
    """The same seed gives the same interval; a higher level a wider one around it."""
    values = [0.1, 0.9, 0.4, 0.8, 0.3, 0.7]
    narrow, wide = bootstrap_interval(values, level=0.5), bootstrap_interval(values, level=0.99)
    assert bootstrap_interval(values, level=0.5) == narrow
    assert bootstrap_interval(values, level=0.5, seed=1) != narrow
    assert wide[0] < narrow[0] < sum(values) / 6 < narrow[1] < wide[1]
    assert bootstrap_interval([True]) == (1, 1)


@pytest.mark.parametrize("text", ["101", ["1", "0"]])
def test_text_has_no_mean(readers_view, text):
    """Its digits would be numbers."""
    with pytest.raises(TypeError, match="numbers wanted, got the text '1'"):
        bootstrap_interval(text)


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (([],), "at least one"),
        (([0.5, math.nan],), "nan"),
        (([0.5], 95), "level.*95"),
        (([0.5], 0.95, 0), "resamples.*0"),
    ],
)
def test_bad_intervals_are_refused(readers_view, arguments, told):
    """Each message names what was given."""
    with pytest.raises(ValueError, match=told):
        bootstrap_interval(*arguments)
