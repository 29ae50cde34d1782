import pytest
import torch
from torch import nn
from torch.testing import assert_close

from attention_lib import AdditiveScores, attend, dot_product_scores, padding_mask


def test_the_scale_is_that_of_the_vectors():
    """Width 4: the product 2 is divided by √4, and the weights are those of 1 against 0."""
    scores = dot_product_scores(torch.tensor([[2.0, 0, 0, 0]]), torch.eye(2, 4))
    assert scores.tolist() == [[1, 0]]
    assert_close(scores.softmax(-1), torch.tensor([[0.731059, 0.268941]]), atol=1e-6, rtol=0)


def test_leading_axes_broadcast():
    """One set of keys may serve a whole batch of queries."""
    queries, keys = torch.randn(3, 5, 2, 4), torch.randn(5, 7, 4)
    scores = dot_product_scores(queries, keys)
    assert scores.shape == (3, 5, 2, 7)
    assert_close(scores[1, 4, 0, 6], queries[1, 4, 0] @ keys[4, 6] / 2)


@pytest.fixture
def additive():
    """Identity maps and w = (1, 1): scores are tanh(q₁ + k₁) + tanh(q₂ + k₂)."""
    module = AdditiveScores(2, 2, 2)
    for layer in (module.to_queries, module.to_keys):
        nn.init.eye_(layer.weight)
    nn.init.ones_(module.to_scores.weight)
    return module


def test_additive_scores_by_hand(additive):
    """tanh 1 = .761594, tanh 2 = .964028: weights and output follow with a calculator."""
    queries = torch.tensor([[[1.0, 0]]])
    keys = torch.tensor([[[0.0, 0], [1, 0], [0, 1]]])
    values = torch.tensor([[[1.0], [2], [4]]])
    scores = additive(queries, keys)
    assert_close(scores, torch.tensor([[[0.761594, 0.964028, 1.523188]]]), atol=1e-6, rtol=0)
    output, weights = attend(scores, values)
    assert_close(weights, torch.tensor([[[0.229039, 0.280431, 0.490530]]]), atol=1e-6, rtol=0)
    assert output.item() == pytest.approx(2.752022, abs=1e-6)
    shorter, _ = attend(scores, values, padding_mask(torch.tensor([2]), 3))
    assert shorter.item() == pytest.approx(1.550436, abs=1e-6)


def test_additive_scores_take_unequal_widths():
    """The reason to use them; every pair equals the formula for that pair alone."""
    module = AdditiveScores(d_query=3, d_key=5, d_hidden=4).double()
    queries = torch.randn(2, 6, 3, dtype=torch.float64)
    keys = torch.randn(2, 7, 5, dtype=torch.float64)
    scores = module(queries, keys)
    assert scores.shape == (2, 6, 7)
    hidden = module.to_queries.weight @ queries[1, 2] + module.to_keys.weight @ keys[1, 3]
    expected = module.to_scores.weight[0] @ hidden.tanh()
    assert_close(scores[1, 2, 3], expected, atol=1e-12, rtol=0)


def test_widths_that_differ_are_refused(readers_view):
    """Both shapes, or both widths, are named."""
    with pytest.raises(ValueError, match=r"\(2, 3\).*\(5, 4\)"):
        dot_product_scores(torch.zeros(2, 3), torch.zeros(5, 4))
    with pytest.raises(ValueError, match=r"3 and .*5, got 3 and 4"):
        AdditiveScores(3, 5, 4)(torch.zeros(1, 2, 3), torch.zeros(1, 2, 4))
    with pytest.raises(ValueError, match="0"):
        AdditiveScores(3, 0, 4)
