import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from torch import nn
from torch.testing import assert_close

from attention_lib import MultiHeadAttention, causal_mask, padding_mask


def random_tokens(*shape, seed=0):
    generator = torch.Generator().manual_seed(seed)
    return torch.randn(*shape, dtype=torch.float64, generator=generator)


def pytorchs(ours):
    """PyTorch's module with the weights of ours: it keeps the three projections in one matrix."""
    theirs = nn.MultiheadAttention(
        ours.to_output.in_features, ours.heads, batch_first=True, dtype=torch.float64
    )
    projections = (ours.to_queries, ours.to_keys, ours.to_values)
    theirs.load_state_dict(
        {
            "in_proj_weight": torch.cat([layer.weight for layer in projections]),
            "in_proj_bias": torch.cat([layer.bias for layer in projections]),
            "out_proj.weight": ours.to_output.weight,
            "out_proj.bias": ours.to_output.bias,
        }
    )
    return theirs


@pytest.mark.parametrize("heads", [1, 2, 4])
@pytest.mark.parametrize("masked", ["nothing", "padding", "future"])
def test_agrees_with_pytorch(heads, masked):
    """Output and the weights of every head, to 1e-10 in float64 with the weights copied."""
    ours = MultiHeadAttention(8, heads).double()
    queries, keys, values = (random_tokens(3, 5, 8, seed=seed) for seed in range(3))
    lengths = torch.tensor([5, 2, 3])
    ours_mask, theirs_mask = {
        "nothing": (None, {}),
        "padding": (
            padding_mask(lengths, 5),
            {"key_padding_mask": ~padding_mask(lengths, 5)[:, 0]},  # theirs: True = ignore
        ),
        "future": (causal_mask(5), {"attn_mask": ~causal_mask(5)}),
    }[masked]
    output, weights = ours(queries, keys, values, ours_mask, return_weights=True)
    their_output, their_weights = pytorchs(ours)(
        queries, keys, values, **theirs_mask, average_attn_weights=False
    )
    assert weights.shape == (3, heads, 5, 5)
    assert_close(output, their_output, atol=1e-10, rtol=0)
    assert_close(weights, their_weights, atol=1e-10, rtol=0)


@given(
    heads=st.sampled_from([1, 2, 3]),
    q_len=st.integers(1, 4),
    k_len=st.integers(1, 5),
    seed=st.integers(0, 10**6),
    per_head=st.booleans(),
)
def test_both_paths_agree(heads, q_len, k_len, seed, per_head):
    """Asking for the weights changes neither the output nor its gradient, empty rows included."""
    attention = MultiHeadAttention(6, heads).double()
    queries = random_tokens(2, q_len, 6, seed=seed).requires_grad_()
    keys = random_tokens(2, k_len, 6, seed=seed + 1)
    axes = (2, heads, q_len, k_len) if per_head else (2, q_len, k_len)
    mask = torch.rand(axes, generator=torch.Generator().manual_seed(seed)) < 0.5
    fused = attention(queries, keys, keys, mask)
    explicit, weights = attention(queries, keys, keys, mask, return_weights=True)
    assert_close(fused, explicit, atol=1e-10, rtol=0)
    allowed = mask if per_head else mask[:, None].expand(2, heads, q_len, k_len)
    assert_close(weights.sum(-1), allowed.any(-1).double(), atol=1e-10, rtol=0)
    assert not weights[~allowed].any()
    gradients = [torch.autograd.grad(out.sum(), queries)[0] for out in (fused, explicit)]
    assert gradients[0].isfinite().all()
    assert_close(*gradients, atol=1e-10, rtol=0)


def test_the_scale_is_that_of_a_head():
    """Width 8, 2 heads: the product 2 is divided by √4; √8 would give .669762 and .330238."""
    attention = MultiHeadAttention(8, 2)
    for layer in (attention.to_queries, attention.to_keys):
        nn.init.eye_(layer.weight)
        nn.init.zeros_(layer.bias)
    query = torch.zeros(1, 1, 8)
    query[..., 0] = 2
    keys = torch.zeros(1, 2, 8)
    keys[0, 0, 0] = 1
    _, weights = attention(query, keys, keys, return_weights=True)
    assert_close(weights[0, 0, 0], torch.tensor([0.731059, 0.268941]), atol=1e-6, rtol=0)
    assert_close(weights[0, 1, 0], torch.tensor([0.5, 0.5]), atol=1e-6, rtol=0)


def test_a_mask_per_sequence_is_not_taken_for_one_per_head():
    """Batch, heads and both lengths are all two: a wrong axis would pass unnoticed."""
    attention = MultiHeadAttention(4, 2)
    tokens = torch.zeros(2, 2, 4)
    mask = padding_mask(torch.tensor([2, 1]), 2)
    _, weights = attention(tokens, tokens, tokens, mask, return_weights=True)
    assert weights[0].tolist() == [[[0.5, 0.5]] * 2] * 2
    assert weights[1].tolist() == [[[1, 0]] * 2] * 2


def test_dropout_rests_in_eval():
    """In eval, two calls are the same to the bit, and those of a module without dropout."""
    dropping = MultiHeadAttention(8, 2, dropout=0.5)
    plain = MultiHeadAttention(8, 2)
    plain.load_state_dict(dropping.state_dict())
    tokens = random_tokens(2, 16, 8).float()
    assert not torch.equal(dropping(tokens, tokens, tokens), dropping(tokens, tokens, tokens))
    _, weights = dropping(tokens, tokens, tokens, return_weights=True)
    assert_close(weights.sum(-1), torch.ones(2, 2, 16))  # returned before dropout
    dropping.eval()
    first, second = (dropping(tokens, tokens, tokens) for _ in range(2))
    assert torch.equal(first, second) and torch.equal(first, plain(tokens, tokens, tokens))


def test_training_changes_nothing_without_dropout():
    """train() and eval() agree, with padding, in shape and numbers, and nothing is NaN."""
    attention = MultiHeadAttention(8, 2)
    tokens, mask = random_tokens(2, 5, 8).float(), padding_mask(torch.tensor([2, 0]), 5)
    training = attention(tokens, tokens, tokens, mask)
    assert torch.equal(training, attention.eval()(tokens, tokens, tokens, mask))
    assert training.shape == (2, 5, 8) and training.isfinite().all()
    assert_close(training[1], attention.to_output.bias.expand(5, 8))


def test_the_future_has_no_gradient():
    """The output of position 1 does not depend on positions 2 and 3."""
    attention = MultiHeadAttention(4, 2).double()
    tokens = random_tokens(1, 4, 4).requires_grad_()
    attention(tokens, tokens, tokens, causal_mask(4))[0, 1].sum().backward()
    assert tokens.grad[0, :2].abs().sum(-1).all() and not tokens.grad[0, 2:].any()


def test_the_number_of_heads_costs_no_parameters():
    """Four matrices of 12 × 12 and their biases, by hand 4 · (144 + 12), for every number."""
    for heads in (1, 2, 3, 4, 6, 12):
        attention = MultiHeadAttention(12, heads)
        assert sum(parameter.numel() for parameter in attention.parameters()) == 624


@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16])
def test_half_precision(dtype):
    """Both paths run, keep the dtype and agree as far as sixteen bits go."""
    attention = MultiHeadAttention(8, 2).to(dtype)
    tokens, mask = random_tokens(2, 5, 8).to(dtype), padding_mask(torch.tensor([3, 0]), 5)
    fused = attention(tokens, tokens, tokens, mask)
    explicit, _ = attention(tokens, tokens, tokens, mask, return_weights=True)
    assert fused.dtype == explicit.dtype == dtype
    assert_close(fused, explicit, atol=0.02, rtol=0.02)


@pytest.mark.parametrize(
    ("arguments", "told"),
    [((10, 3), "10.*3"), ((8, 0), "8.*0"), ((8, 2, 1.5), "1.5")],
)
def test_bad_sizes_are_refused(readers_view, arguments, told):
    """At construction, naming both numbers."""
    d_model, heads, *dropout = arguments
    with pytest.raises(ValueError, match=told):
        MultiHeadAttention(d_model, heads, **dict(zip(["dropout"], dropout, strict=False)))


def test_bad_inputs_are_refused(readers_view):
    """Shapes and dtypes given and wanted are named."""
    attention = MultiHeadAttention(8, 2)
    tokens = torch.zeros(2, 3, 8)
    with pytest.raises(ValueError, match=r"\(2, 3, 8\), \(2, 4, 8\) and \(2, 3, 8\)"):
        attention(tokens, torch.zeros(2, 4, 8), tokens)
    with pytest.raises(ValueError, match=r"8.*\(2, 3, 6\)"):
        attention(torch.zeros(2, 3, 6), tokens, tokens)
    with pytest.raises(ValueError, match=r"\(3, 3, 3\)|\(3, 1, 3, 3\)"):
        attention(tokens, tokens, tokens, torch.ones(3, 3, 3, dtype=torch.bool))
    with pytest.raises(TypeError, match="int64"):
        attention(tokens, tokens, tokens, torch.ones(3, 3, dtype=torch.long))
