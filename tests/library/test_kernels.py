import math

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from torch.testing import assert_close

from attention_lib import KernelRegression, attend, kernel_scores

KEYS = torch.tensor([[0.0], [1.0], [2.0]])
VALUES = torch.tensor([[1.0], [2.0], [3.0]])
KERNELS = ("gaussian", "boxcar", "triangular", "epanechnikov")
COMPACT = KERNELS[1:]

# The kernels as textbooks write them, normalised to area one: the constant must cancel.
DENSITIES = {
    "gaussian": lambda u: np.exp(-(u**2) / 2) / math.sqrt(2 * math.pi),
    "boxcar": lambda u: 0.5 * (np.abs(u) <= 1),
    "triangular": lambda u: np.maximum(0, 1 - np.abs(u)),
    "epanechnikov": lambda u: 0.75 * np.maximum(0, 1 - u**2),
}


def estimate(query, width, kernel="gaussian", dtype=torch.float32):
    scores = kernel_scores(
        torch.tensor([[query]], dtype=dtype), KEYS.to(dtype), width=width, kernel=kernel
    )
    return attend(scores, VALUES.to(dtype))


def test_three_points_by_hand():
    """exp(−.125) = .882497 twice and exp(−1.125) = .324652: 1.733043 with a calculator."""
    output, weights = estimate(0.5, width=1.0)
    assert output.item() == pytest.approx(1.733043, abs=1e-6)
    total = 2 * 0.882497 + 0.324652
    by_hand = torch.tensor([[0.882497, 0.882497, 0.324652]]) / total
    assert_close(weights, by_hand, atol=1e-6, rtol=0)


@pytest.mark.parametrize("kernel", KERNELS)
@given(seed=st.integers(0, 10**6), width=st.floats(0.3, 5))
def test_agrees_with_the_textbook_formula(kernel, seed, width):
    """Σ K((x−xᵢ)/h) yᵢ / Σ K((x−xᵢ)/h), computed by NumPy in two dimensions of space."""
    generator = np.random.default_rng(seed)
    queries, keys = generator.uniform(0, 2, (4, 2)), generator.uniform(0, 2, (6, 2))
    values = generator.normal(size=(6, 1))
    distance = np.sqrt(((queries[:, None] - keys[None]) ** 2).sum(-1))
    amounts = DENSITIES[kernel](distance / width)
    total = amounts.sum(1, keepdims=True)
    expected = np.divide(amounts @ values, total, out=np.zeros((4, 1)), where=total > 0)
    scores = kernel_scores(*map(torch.from_numpy, (queries, keys)), width, kernel)
    output, _ = attend(scores, torch.from_numpy(values))
    assert_close(output, torch.from_numpy(expected), atol=1e-10, rtol=0)


@pytest.mark.parametrize("dtype", [torch.float32, torch.float16, torch.bfloat16])
@pytest.mark.parametrize("query", [50.0, 400.0])
def test_a_far_query_gives_the_nearest_value(query, dtype):
    """Exponentiating first would give 0/0, and a squared distance of 400 overflows float16."""
    output, _ = estimate(query, width=1.0, dtype=dtype)
    assert output.dtype == dtype and output.item() == 3


@pytest.mark.parametrize("kernel", COMPACT)
def test_an_empty_window_gives_zero_weights(kernel):
    """Nothing near, nothing averaged: zero, not NaN."""
    output, weights = estimate(50.0, width=1.0, kernel=kernel)
    assert not weights.any() and not output.any()


def test_the_edge_of_the_window():
    """At exactly one width the boxcar still counts a key; the others have come down to zero."""
    for kernel, expected in (("boxcar", [1, 1, 0]), ("triangular", [1, 0, 0])):
        _, weights = estimate(0.0, width=1.0, kernel=kernel)
        assert (weights[0] > 0).int().tolist() == expected


@pytest.mark.parametrize("kernel", ["gaussian", "triangular", "epanechnikov"])
def test_gradients_are_right_and_finite(kernel):
    """Checked against differences; a query on top of a key and keys outside included.

    The boxcar's scores are constant but for jumps, and have no gradient.
    """
    keys = torch.tensor([[0.0], [1.3], [4.0]], dtype=torch.float64)
    queries = torch.tensor([[0.25], [1.9], [9.0]], dtype=torch.float64, requires_grad=True)
    width = torch.tensor(1.1, dtype=torch.float64, requires_grad=True)
    values = torch.tensor([[1.0], [2.0], [4.0]], dtype=torch.float64)
    assert torch.autograd.gradcheck(
        lambda q, w: attend(kernel_scores(q, keys, w, kernel), values)[0], (queries, width)
    )
    on_top = keys.clone().requires_grad_()
    attend(kernel_scores(on_top, keys, width, kernel), values)[0].sum().backward()
    assert on_top.grad.isfinite().all() and width.grad.isfinite()


def test_a_point_that_sees_itself_learns_nothing():
    """In sample, the error vanishes as the width shrinks; left out, it does not."""
    values = torch.tensor([[0.0], [1.0], [4.0]])
    sharp = KernelRegression(KEYS, values, width=0.1)
    assert (sharp(KEYS) - values).square().mean() < 1e-20
    # From its neighbours: 0 is taken for 1, 1 for the mean of 0 and 4, 4 for 1.
    assert sharp.leave_one_out_error().item() == pytest.approx((1 + 1 + 9) / 3, abs=1e-4)


def test_the_learned_width_is_where_leave_one_out_is_best():
    """The oracle is a plain search over many widths with the formula in NumPy."""
    generator = np.random.default_rng(3)
    x = np.sort(generator.uniform(0, 5, 40))
    y = np.sin(2 * x) + 0.3 * generator.normal(size=40)

    def left_out_error(width):
        amounts = DENSITIES["gaussian"]((x[:, None] - x[None]) / width)
        np.fill_diagonal(amounts, 0)
        return ((amounts @ y / amounts.sum(1) - y) ** 2).mean()

    widths = np.geomspace(0.1, 1, 400)
    best = widths[np.argmin([left_out_error(width) for width in widths])]
    keys, values = (torch.tensor(column)[:, None] for column in (x, y))
    model = KernelRegression(keys, values).fit()
    assert model.width.item() == pytest.approx(best, rel=0.01)
    assert model.leave_one_out_error().item() == pytest.approx(left_out_error(best), rel=1e-4)


@pytest.mark.parametrize("kernel", ["triangular", "epanechnikov"])
def test_compact_kernels_learn_too(kernel):
    """Their weights change continuously, so the error falls."""
    keys = torch.linspace(0, 5, 60)[:, None]
    model = KernelRegression(keys, torch.sin(2 * keys), width=2.0, kernel=kernel)
    before = model.leave_one_out_error().item()
    assert model.fit().leave_one_out_error().item() < before / 10


def test_the_data_travel_with_the_model():
    """Keys and values are buffers: saved with the width, moved and cast with the model."""
    model = KernelRegression(KEYS, VALUES, width=0.7)
    assert set(model.state_dict()) == {"log_width", "keys", "values"}
    assert model.double()(KEYS.double()).dtype == torch.float64


@pytest.mark.parametrize("width", [0, -1.0, math.nan, math.inf, torch.tensor(-2.0)])
def test_a_width_that_is_not_positive_is_refused(readers_view, width):
    """The message names it."""
    with pytest.raises(ValueError, match=f"{float(width):g}"):
        kernel_scores(KEYS, KEYS, width)


def test_other_bad_input_is_refused(readers_view):
    """Each message names what was given and what was wanted."""
    with pytest.raises(ValueError, match=r"'cosine'.*gaussian, boxcar, triangular, epanechnikov"):
        kernel_scores(KEYS, KEYS, 1.0, "cosine")
    with pytest.raises(ValueError, match=r"\(3, 1\).*\(3, 2\)"):
        kernel_scores(KEYS, torch.zeros(3, 2), 1.0)
    with pytest.raises(ValueError, match=r"\(3, 1\).*\(2, 1\)"):
        KernelRegression(KEYS, VALUES[:2])
    with pytest.raises(ValueError, match=r"\(1, 1\)"):
        KernelRegression(KEYS[:1], VALUES[:1])
    with pytest.raises(ValueError, match="boxcar"):
        KernelRegression(KEYS, VALUES, kernel="boxcar").fit()
