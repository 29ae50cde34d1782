import pytest
import torch
import torch.nn.functional as F
from hypothesis import given
from hypothesis import strategies as st
from torch.testing import assert_close

from attention_lib import attend, dot_product_scores, masked_softmax, padding_mask

SCORES = torch.tensor([[[0.0, 1, 2, 3], [1, 1, 1, 1]], [[3, 1, 0, -1], [0, 0, 0, 0]]])


@st.composite
def attention_inputs(draw):
    """Scores, values and a mask of random sizes, with rows that allow nothing among them."""
    batch, q_len, k_len = (draw(st.integers(1, 4)) for _ in range(3))
    generator = torch.Generator().manual_seed(draw(st.integers(0, 10**6)))

    def normal(*shape):
        return torch.randn(*shape, dtype=torch.float64, generator=generator)

    spread = draw(st.sampled_from([0.1, 1.0, 30.0]))
    mask = torch.rand(batch, q_len, k_len, generator=generator) < draw(st.sampled_from([0.3, 0.8]))
    return normal(batch, q_len, k_len) * spread, normal(batch, k_len, 3), mask


def test_one_length_per_sequence():
    """Softmax over the real keys only; expected values by hand, e.g. 1/(1+e) = .268941."""
    weights = masked_softmax(SCORES, padding_mask(torch.tensor([2, 3]), 4))
    expected = [
        [[0.268941, 0.731059, 0, 0], [0.5, 0.5, 0, 0]],
        [[0.843795, 0.114195, 0.042010, 0], [1 / 3, 1 / 3, 1 / 3, 0]],
    ]
    assert_close(weights, torch.tensor(expected), atol=1e-6, rtol=0)


def test_a_query_without_keys_gets_zero_weights():
    """Length 0 must not average the padding."""
    weights = masked_softmax(SCORES, padding_mask(torch.tensor([[1, 4], [2, 0]]), 4))
    expected = [
        [[1, 0, 0, 0], [0.25, 0.25, 0.25, 0.25]],
        [[0.880797, 0.119203, 0, 0], [0, 0, 0, 0]],
    ]
    assert_close(weights, torch.tensor(expected), atol=1e-6, rtol=0)


def test_the_callers_scores_are_not_overwritten():
    """Scores printed after the call are the scores from before it."""
    scores = SCORES.clone()
    masked_softmax(scores, padding_mask(torch.tensor([1, 2]), 4))
    assert torch.equal(scores, SCORES)


def test_true_means_may_attend():
    """Inverting the mask would give 4, a mask of 0s and 1s added to the scores 1.858."""
    scores = dot_product_scores(torch.tensor([[1.0, 0]]), torch.tensor([[1.0, 0], [0, 1], [1, 1]]))
    mask = torch.tensor([True, True, False])
    output, weights = attend(scores, torch.tensor([[1.0], [2], [4]]), mask)
    assert_close(weights, torch.tensor([[0.669762, 0.330238, 0]]), atol=1e-6, rtol=0)
    assert output.item() == pytest.approx(1.330238, abs=1e-6)


@given(attention_inputs())
def test_agrees_with_scaled_dot_product_attention(inputs):
    """PyTorch's own function is the oracle, over random masks, to 1e-10 in float64."""
    _, values, mask = inputs
    batch, q_len, k_len = mask.shape
    generator = torch.Generator().manual_seed(0)
    queries = torch.randn(batch, q_len, 4, dtype=torch.float64, generator=generator)
    keys = torch.randn(batch, k_len, 4, dtype=torch.float64, generator=generator)
    mask[..., 0] = True  # the oracle's answer for a row with nothing allowed is not ours
    ours, _ = attend(dot_product_scores(queries, keys), values, mask)
    theirs = F.scaled_dot_product_attention(queries, keys, values, attn_mask=mask)
    assert_close(ours, theirs, atol=1e-10, rtol=0)


@given(attention_inputs())
def test_rows_sum_to_one_or_to_zero(inputs):
    """Weights are a distribution over the allowed keys, or nothing where none is allowed."""
    scores, _, mask = inputs
    weights = masked_softmax(scores, mask)
    assert (weights >= 0).all() and not weights[~mask].any()
    assert_close(weights.sum(-1), mask.any(-1).to(weights.dtype), atol=1e-12, rtol=0)


@given(attention_inputs(), st.randoms(use_true_random=False))
def test_keys_have_no_order(inputs, random):
    """Keys, values and mask permuted together give the same output."""
    scores, values, mask = inputs
    order = random.sample(range(scores.shape[-1]), scores.shape[-1])
    output, _ = attend(scores, values, mask)
    shuffled, _ = attend(scores[..., order], values[:, order], mask[..., order])
    assert_close(output, shuffled, atol=1e-12, rtol=0)


@given(attention_inputs(), st.integers(1, 5))
def test_longer_padding_changes_nothing(inputs, extra):
    """Appending masked keys leaves the output as it was, whatever their scores are."""
    scores, values, mask = inputs
    output, _ = attend(scores, values, mask)
    padded, _ = attend(
        F.pad(scores, (0, extra), value=1e3),
        F.pad(values, (0, 0, 0, extra), value=7.0),
        F.pad(mask, (0, extra), value=False),
    )
    assert_close(output, padded, atol=1e-12, rtol=0)


@given(attention_inputs())
def test_gradients_are_right_and_finite(inputs):
    """Checked against differences, with rows that allow nothing among the inputs."""
    scores, values, mask = inputs
    scores = scores.clamp(-3, 3).requires_grad_()
    assert torch.autograd.gradcheck(
        lambda s, v: attend(s, v, mask)[0], (scores, values.requires_grad_())
    )


def test_no_nan_reaches_the_gradient_of_an_empty_row():
    """Scores of −∞ in every place: zero weights, zero gradient."""
    scores = torch.full((2, 3), -torch.inf, requires_grad=True)
    masked_softmax(scores).sum().backward()
    assert torch.equal(scores.grad, torch.zeros(2, 3))


def test_a_score_that_is_no_number_is_not_hidden():
    """NaN in an allowed place is a fault of the caller's and has to show."""
    assert masked_softmax(torch.tensor([[0.0, torch.nan]])).isnan().all()
    masked = masked_softmax(torch.tensor([[0.0, torch.nan]]), torch.tensor([True, False]))
    assert masked.tolist() == [[1, 0]]


@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16])
def test_half_precision_is_normalised_in_float32(dtype):
    """Many small weights would add up badly in sixteen bits; the dtype comes back as it was."""
    scores = torch.linspace(-4, 4, 300).to(dtype)[None]
    weights = masked_softmax(scores, torch.ones(300, dtype=torch.bool))
    assert weights.dtype == dtype
    assert_close(weights, scores.float().softmax(-1).to(dtype), atol=0, rtol=0)
    output, _ = attend(scores, torch.ones(300, 1, dtype=dtype))
    assert output.dtype == dtype and output.item() == pytest.approx(1, abs=0.02)


@pytest.mark.parametrize("dtype", [torch.int64, torch.uint8, torch.float32])
def test_a_mask_of_numbers_is_refused(readers_view, dtype):
    """0s and 1s mean "add" to one function and "ignore" to another; the dtype is named."""
    with pytest.raises(TypeError, match=str(dtype)):
        masked_softmax(SCORES, torch.ones(4, dtype=dtype))


@pytest.mark.parametrize("shape", [(3,), (2, 1, 5), (3, 2, 2, 4)])
def test_a_mask_that_does_not_fit_is_refused(readers_view, shape):
    """Neither may it stretch the scores; both shapes are named."""
    with pytest.raises(ValueError) as caught:
        masked_softmax(SCORES, torch.ones(shape, dtype=torch.bool))
    assert str(tuple(shape)) in str(caught.value) and "(2, 2, 4)" in str(caught.value)


def test_scores_and_values_must_agree(readers_view):
    """Both shapes are named."""
    with pytest.raises(ValueError, match=r"\(2, 2, 4\).*\(2, 3, 1\)"):
        attend(SCORES, torch.zeros(2, 3, 1))
