"""How good a translation is, how well attention aligns, and how sure a number can be."""

import math
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import NamedTuple, SupportsFloat

import numpy as np
from jaxtyping import Float
from torch import Tensor

from attention_lib.corpus.pairs import Pair


def bleu(prediction: Sequence[str], reference: Sequence[str], max_n: int) -> float:
    r"""Score one translation against one reference by the words and phrases that they share.

    .. math::
        \exp\!\left(\min\!\left(0,\, 1 - \frac{\text{len}_\text{ref}}{\text{len}_\text{pred}}
        \right)\right) \prod_{n=1}^{N} p_n^{1/2^n}

    The precision p_n is the share of the prediction's n-grams that the reference has too. Each
    of the reference's n-grams can be matched only once: repeating a right word earns nothing.
    The first factor punishes predictions shorter than the reference.

    This is the textbook formula for one sentence. For a whole test set see
    :func:`corpus_scores`, whose numbers can be compared with those of others.

    Args:
        prediction, reference: the tokens, without marks.
        max_n: the longest n-grams to count. N is ``max_n``, or the length of a prediction that
            is shorter: n-grams longer than the prediction are left out.

    Returns:
        A number from 0 to 1. An empty prediction scores 0, and 1 if the reference is empty too.

    Raises:
        TypeError: a text instead of tokens, or something among them that is no word.
        ValueError: ``max_n`` is less than one.

    Source: Papineni et al., "BLEU: a Method for Automatic Evaluation of Machine Translation",
    2002; the exponents 1/2ⁿ, which are smaller for longer n-grams, from Zhang et al., "Dive into
    Deep Learning", section 10.7.

    >>> round(bleu("il est calme .".split(), "il est très calme .".split(), max_n=2), 4)
    0.7037
    """
    _check_tokens(prediction, "the prediction")
    _check_tokens(reference, "the reference")
    if max_n < 1:
        raise ValueError(f"max_n must be at least 1, got {max_n}")
    if not prediction:
        return float(not reference)
    score = math.exp(min(0.0, 1 - len(reference) / len(prediction)))
    for n in range(1, min(max_n, len(prediction)) + 1):
        predicted, wanted = _n_grams(prediction, n), _n_grams(reference, n)
        score *= ((predicted & wanted).total() / predicted.total()) ** (1 / 2**n)
    return score


def _n_grams(tokens: Sequence[str], n: int) -> Counter[tuple[str, ...]]:
    # Tuples, not joined words: "ab c" and "a bc" must stay different.
    return Counter(tuple(tokens[i : i + n]) for i in range(len(tokens) - n + 1))


class CorpusScores(NamedTuple):
    """BLEU and chrF of a test set, each from 0 to 100; printed to one decimal."""

    bleu: float
    chrf: float

    def __str__(self) -> str:
        return f"BLEU {self.bleu:.1f}, chrF {self.chrf:.1f}"


def corpus_scores(
    predictions: Sequence[Sequence[str]], references: Sequence[Sequence[str]]
) -> CorpusScores:
    """BLEU and chrF of a whole test set, as sacreBLEU computes them.

    This BLEU weighs n-grams of one to four words alike and counts them over all sentences
    before it divides, so that it is no mean of sentence scores. It takes the tokens as they are.

    Args:
        predictions, references: for each sentence the tokens, without marks.

    Returns:
        Both scores, from 0 to 100.

    Raises:
        TypeError: texts instead of lists of tokens.
        ValueError: no sentences, or not as many predictions as references.

    Source: Post, "A Call for Clarity in Reporting BLEU Scores", 2018; Popović, "chrF: character
    n-gram F-score for automatic MT evaluation", 2015.
    """
    from sacrebleu.metrics import BLEU, CHRF

    _check_sentences(predictions=predictions, references=references)
    hypotheses, wanted = (
        [" ".join(tokens) for tokens in sentences] for sentences in (predictions, references)
    )
    return CorpusScores(
        bleu=BLEU(tokenize="none", force=True).corpus_score(hypotheses, [wanted]).score,
        chrf=CHRF().corpus_score(hypotheses, [wanted]).score,
    )


def exact_match(predictions: Sequence[Sequence[str]], references: Sequence[Sequence[str]]) -> float:
    """The share of sentences that are right word for word.

    Raises:
        TypeError: texts instead of lists of tokens.
        ValueError: no sentences, or not as many predictions as references.

    >>> exact_match([["il", "dort"], ["oui"]], [["il", "dort"], ["non"]])
    0.5
    """
    _check_sentences(predictions=predictions, references=references)
    pairs = zip(predictions, references, strict=True)
    return sum(tuple(ours) == tuple(theirs) for ours, theirs in pairs) / len(references)


def token_accuracy(
    predictions: Sequence[Sequence[str]], references: Sequence[Sequence[str]]
) -> float:
    """The share of positions with the right word, over all sentences together.

    A position that only one of the two sentences has counts as wrong, so that neither a missing
    word nor one too many goes unnoticed.

    Raises:
        TypeError: texts instead of lists of tokens.
        ValueError: no sentences, or not as many predictions as references.

    >>> token_accuracy([["il", "dort"], ["oui"]], [["il", "lit", "."], ["oui"]])
    0.5
    """
    _check_sentences(predictions=predictions, references=references)
    right = positions = 0
    for ours, theirs in zip(predictions, references, strict=True):
        right += sum(a == b for a, b in zip(ours, theirs, strict=False))
        positions += max(len(ours), len(theirs))
    return right / positions if positions else 1.0


def alignment_error_rate(
    weights: Float[Tensor, "t_len s_len"] | Sequence[Float[Tensor, "_ _"]],
    gold: Pair | Sequence[Pair],
) -> float:
    r"""Compare attention with a word alignment made by hand or by rule.

    .. math:: 1 - \frac{|A \cap S| + |A \cap P|}{|A| + |S|}

    A links each target word with the source word of its largest weight; S are the sure links
    and P the possible ones, S among them. Sure links that are missing cost, and so do links that
    are not even possible; possible ones are free. The links of all sentences are counted
    together.

    Args:
        weights: for each pair one matrix ``(t_len, s_len)``, rows and columns for the end marks
            included, computed with the pair's own target. They are left out of A, and so is a
            word without any weight. Layers and heads have to be averaged before, or one of them
            chosen.
        gold: the pairs with their links.

    Returns:
        A number from 0 to 1, the smaller the better.

    Raises:
        TypeError: a pair of texts instead of tokens.
        ValueError: not as many matrices as pairs, none at all, a matrix of another shape than
            its pair's, weights that are not finite, or a pair without links.

    Source: Och and Ney, "A Systematic Comparison of Various Statistical Alignment Models", 2003.

    >>> import torch
    >>> pair = Pair(("he", "sleeps"), ("il", "dort"), frozenset({(0, 0), (1, 1)}),
    ...             frozenset({(0, 0), (1, 1)}))
    >>> weights = torch.tensor([[0.9, 0.1, 0.0], [0.7, 0.3, 0.0], [0.5, 0.5, 0.0]])
    >>> alignment_error_rate(weights, pair)
    0.5
    """
    if isinstance(gold, Pair):
        weights, gold = [weights], [gold]
    _check_same_number(weights=weights, gold=gold)
    hits = links = 0
    for number, (matrix, pair) in enumerate(zip(weights, gold, strict=True)):
        found = _strongest_links(matrix, pair, number)
        hits += len(found & pair.sure) + len(found & pair.possible)
        links += len(found) + len(pair.sure)
    return 1 - hits / links if links else 0.0


def _strongest_links(matrix: Tensor, pair: Pair, number: int) -> set[tuple[int, int]]:
    _check_tokens(pair.source, f"the source of sentence {number}")
    _check_tokens(pair.target, f"the target of sentence {number}")
    wanted = (len(pair.target) + 1, len(pair.source) + 1)
    if tuple(matrix.shape) != wanted:
        raise ValueError(
            f"weights of sentence {number}: (t_len, s_len) = {wanted} wanted, its words and the "
            f"end marks, got {tuple(matrix.shape)}"
        )
    if not matrix.isfinite().all():
        raise ValueError(f"weights of sentence {number} are not all finite")
    if not pair.possible:
        raise ValueError(f"sentence {number} has no links to compare with: no alignment is known")
    largest = matrix[:-1, :-1].max(dim=-1)
    return {
        (target, source)
        for target, (weight, source) in enumerate(
            zip(largest.values.tolist(), largest.indices.tolist(), strict=True)
        )
        if weight > 0
    }


def bootstrap_interval(
    values: Iterable[SupportsFloat], level: float = 0.95, resamples: int = 1000, seed: int = 0
) -> tuple[float, float]:
    """Where the mean may lie, judged by drawing from the values again and again.

    Each resample draws as many values as there are, with replacement; the interval holds the
    middle share ``level`` of the means of all resamples.

    Args:
        values: one number for each sentence, such as its BLEU, or 1 and 0 for right and wrong.
        level: the share of means inside, more than 0 and less than 1.
        resamples: how many times to draw.
        seed: the same seed gives the same interval.

    Returns:
        The lower and the upper end.

    Raises:
        TypeError: a text instead of numbers.
        ValueError: no values, one that is not finite, or another argument out of range.

    Source: Efron, "Bootstrap Methods: Another Look at the Jackknife", 1979; for translation:
    Koehn, "Statistical Significance Tests for Machine Translation Evaluation", 2004.
    """
    values = list(values)
    if any(isinstance(value, str) for value in values):
        raise TypeError(f"numbers wanted, got the text {values[0]!r}")
    values = np.asarray(values, dtype=float)
    if values.ndim != 1 or not len(values) or not np.isfinite(values).all():
        raise ValueError(f"finite numbers wanted, at least one, got {values}")
    if not 0 < level < 1:
        raise ValueError(f"level must be more than 0 and less than 1, got {level}")
    if resamples < 1:
        raise ValueError(f"resamples must be at least 1, got {resamples}")
    generator = np.random.default_rng(seed)
    means = [generator.choice(values, len(values)).mean() for _ in range(resamples)]
    low, high = np.quantile(means, [(1 - level) / 2, (1 + level) / 2])
    return float(low), float(high)


def _check_sentences(**lists: Sequence[Sequence[str]]) -> None:
    for name, sentences in lists.items():
        if isinstance(sentences, str):
            raise TypeError(f"{name}: a list of sentences wanted, got the text {sentences!r}")
        for number, tokens in enumerate(sentences):
            _check_tokens(tokens, f"sentence {number} of the {name}")
    _check_same_number(**lists)


def _check_tokens(tokens: Sequence[str], name: str) -> None:
    # A text is a sequence of letters, and would pass for a sentence of one-letter words.
    if isinstance(tokens, str):
        raise TypeError(
            f"{name}: a list of tokens wanted, got the text {tokens!r}: tokenize it first"
        )
    if not isinstance(tokens, Sequence) or not all(isinstance(token, str) for token in tokens):
        raise TypeError(f"{name}: a list of tokens wanted, got {tokens!r}")


def _check_same_number(**lists: Sequence) -> None:
    (one, other), (count, other_count) = lists, map(len, lists.values())
    if count != other_count or not count:
        raise ValueError(
            f"as many {one} as {other} wanted, and at least one, got {count} and {other_count}"
        )
