import pytest
import torch

from attention_lib import attend, causal_mask, padding_mask

T, F = True, False


def test_one_length_per_sequence_gives_a_mask_that_broadcasts_over_queries():
    """A (batch, key) mask would line up with (query, key): the middle axis keeps it from that."""
    mask = padding_mask(torch.tensor([2, 1]), 2)
    assert mask.tolist() == [[[T, T]], [[T, F]]]

    # Batch, queries and keys all number two, so a wrong broadcast would pass unnoticed.
    _, weights = attend(torch.zeros(2, 2, 2), torch.zeros(2, 2, 1), mask)
    assert weights.tolist() == [[[0.5, 0.5], [0.5, 0.5]], [[1, 0], [1, 0]]]


def test_one_length_per_query():
    """Lengths may differ from query to query."""
    mask = padding_mask(torch.tensor([[1, 3], [2, 0]]), 3)
    assert mask.tolist() == [[[T, F, F], [T, T, T]], [[T, T, F], [F, F, F]]]


def test_no_sequences_give_an_empty_mask():
    """An empty batch is no error."""
    assert padding_mask(torch.zeros(0, dtype=torch.long), 3).shape == (0, 1, 3)


def test_causal_mask_of_a_square_is_the_lower_triangle():
    """Each position sees itself and what came before."""
    assert causal_mask(3).tolist() == [[T, F, F], [T, T, F], [T, T, T]]


@pytest.mark.parametrize(
    ("q_len", "values", "averages"),
    [
        # Uniform weights over the keys allowed: means by hand.
        (2, [1.0, 2, 3, 4, 5], [2.5, 3]),
        (1, [1.0, 2, 3, 4, 5], [3]),
        (5, [1.0, 2], [0, 0, 0, 1, 1.5]),
    ],
)
def test_causal_mask_is_aligned_at_the_bottom_right(q_len, values, averages):
    """The last query sees every key, also when decoding with a cache brings one query only."""
    values = torch.tensor(values)[:, None]
    scores = torch.zeros(q_len, len(values))
    output, _ = attend(scores, values, causal_mask(q_len, len(values)))
    torch.testing.assert_close(output[:, 0], torch.tensor(averages, dtype=torch.float32))


@pytest.mark.parametrize(
    ("lengths", "error", "told"),
    [
        (torch.tensor([1.0]), TypeError, "torch.float32"),
        (torch.tensor([True]), TypeError, "torch.bool"),
        (torch.tensor(2), ValueError, r"\(\)"),
        (torch.tensor([4]), ValueError, "3.*4"),
        (torch.tensor([-1]), ValueError, "-1"),
    ],
)
def test_unusable_lengths_are_refused(readers_view, lengths, error, told):
    """The message names what was given."""
    with pytest.raises(error, match=told):
        padding_mask(lengths, 3)


def test_negative_sizes_are_refused(readers_view):
    """The message names both lengths."""
    with pytest.raises(ValueError, match=r"-1.*2"):
        causal_mask(-1, 2)
