import math

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from torch.testing import assert_close

from attention_lib import sinusoidal_positions


def test_an_odd_width_by_hand():
    """Frequencies 1, 10000^−.4 = .025119 and 10000^−.8 = .000631; the last sine stands alone."""
    expected = torch.tensor([0.841471, 0.540302, 0.025116, 0.999685, 0.000631])
    assert_close(sinusoidal_positions(2, 5)[1], expected, atol=1e-6, rtol=0)


def test_an_even_width_by_hand():
    """Frequencies 1 and .01 at position 2: sin 2, cos 2, sin .02, cos .02."""
    expected = torch.tensor([0.909297, -0.416147, 0.019999, 0.999800])
    assert_close(sinusoidal_positions(3, 4)[2], expected, atol=1e-6, rtol=0)


@given(st.integers(0, 40), st.integers(1, 33), st.integers(0, 3000))
def test_every_entry_is_the_formula(length, d_model, start):
    """Entry by entry with Python's own sine, at any length, any width and any start."""
    table = sinusoidal_positions(length, d_model, start)
    expected = [
        [
            (math.cos if column % 2 else math.sin)(position / 10000 ** (column // 2 * 2 / d_model))
            for column in range(d_model)
        ]
        for position in range(start, start + length)
    ]
    assert table.shape == (length, d_model) and table.dtype == torch.float32
    assert_close(table, torch.tensor(expected).reshape(length, d_model), atol=1e-6, rtol=0)


def test_a_longer_table_only_adds_rows():
    """A sequence of 9 after a table of 8: no table is too short, and no row ever changes."""
    assert torch.equal(sinusoidal_positions(9, 6)[:8], sinusoidal_positions(8, 6))


@given(st.integers(0, 300), st.integers(0, 20))
def test_start_is_a_slice_of_the_table(start, length):
    """A decoder that is fed token by token meets the same encodings as one fed at once."""
    whole = sinusoidal_positions(start + length, 7)
    assert torch.equal(sinusoidal_positions(length, 7, start=start), whole[start:])


@pytest.mark.parametrize("offset", [1, 7, 100])
def test_one_rotation_moves_every_position(offset):
    """In each pair of columns, a turn by offset · frequency leads from p to p + offset."""
    d_model, length = 8, 500
    table = sinusoidal_positions(length + offset, d_model).double()
    angles = offset * 10000 ** (-torch.arange(0, d_model, 2, dtype=torch.float64) / d_model)
    blocks = [
        torch.tensor([[math.cos(a), math.sin(a)], [-math.sin(a), math.cos(a)]]).double()
        for a in angles
    ]
    moved = table[:length] @ torch.block_diag(*blocks).T
    assert_close(moved, table[offset:], atol=1e-6, rtol=0)


def test_far_positions_keep_their_precision():
    """At a million and one, a frequency of .01 in float32 is off in the fourth decimal."""
    row = sinusoidal_positions(1, 4, start=1_000_001)[0]
    angles = (1_000_001, 10_000.01)  # frequencies 1 and 10000 ** (-2 / 4)
    by_hand = [function(angle) for angle in angles for function in (math.sin, math.cos)]
    assert_close(row, torch.tensor(by_hand), atol=1e-6, rtol=0)


def test_bad_input_is_refused(readers_view):
    """The numbers that were given are named."""
    with pytest.raises(ValueError, match="-1 and 0"):
        sinusoidal_positions(-1, 4)
    with pytest.raises(ValueError, match="3 and -2"):
        sinusoidal_positions(3, 4, start=-2)
    with pytest.raises(ValueError, match="d_model must be at least 1, got 0"):
        sinusoidal_positions(3, 0)
