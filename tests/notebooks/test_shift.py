"""Section 7's check of a shifted target names each mistake; readers are shown just one of them."""

import pytest
import torch
from book_files import ROOT, cells

from attention_lib import BOS, EOS, PAD

SECTION = ROOT / "book" / "en" / "07_transformer.ipynb"


@pytest.fixture(scope="module")
def check_shift():
    """The function as the section has it."""
    (source,) = [
        cell["source"]
        for cell in cells(SECTION, "code")
        if cell["source"].startswith("def check_shift")
    ]
    names = {"BOS": BOS, "EOS": EOS, "PAD": PAD}
    exec(source.split("\n\n\nprint(")[0], names)
    return names["check_shift"]


def padded(rows):
    width = max(map(len, rows))
    return torch.tensor([[*row, *[PAD] * (width - len(row))] for row in rows])


def shifted(reads, labels, count=lambda row: len(row) + 1):
    """A student's function, from what it makes of one translation."""

    def shift(rows):
        lengths = torch.tensor([count(row) for row in rows])
        return padded([reads(row) for row in rows]), padded([labels(row) for row in rows]), lengths

    return shift


def begun(row):
    return [BOS, *row]


def ended(row):
    return [*row, EOS]


def last_column_cut(rows):
    whole = padded([[BOS, *row, EOS] for row in rows])
    return whole[:, :-1], whole[:, 1:], torch.tensor([len(row) + 1 for row in rows])


def padding_counted(rows):
    reads, labels, _ = shifted(begun, ended)(rows)
    return reads, labels, torch.full((len(rows),), labels.shape[1])


def one_word_late(rows):
    reads, labels, lengths = shifted(begun, ended)(rows)
    return reads, labels.roll(1, dims=1), lengths


SHIFTS = {
    "all right": shifted(begun, ended),
    "labels equal the input: without a shift the model learns to repeat": shifted(begun, begun),
    "BOS among the labels: nobody has to predict it": shifted(begun, lambda row: [BOS, *row, EOS]),
    "EOS in the input: after the end there is nothing to write": last_column_cut,
    "the input does not begin with BOS": shifted(lambda row: row, ended),
    "EOS is missing among the labels: the model never learns to stop": shifted(
        begun, lambda row: row
    ),
    "lengths count EOS, not padding: [3, 5, 2], got [5, 5, 5]": padding_counted,
    f"labels {[[5, 6, EOS, PAD, PAD], [7, 8, 9, 10, EOS], [11, EOS, PAD, PAD, PAD]]} wanted": (
        one_word_late
    ),
    "the input should be BOS, the words, padding": shifted(lambda row: [BOS, *row[::-1]], ended),
}


@pytest.mark.parametrize("message", SHIFTS)
def test_mistake_is_named(check_shift, message):
    """Whoever makes this mistake is told so; who makes none is told that."""
    assert check_shift(SHIFTS[message]) == message
