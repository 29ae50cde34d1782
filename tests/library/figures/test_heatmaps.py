import warnings

import pytest
import torch

from attention_lib import show_heatmaps
from attention_lib.figures import fonts

TOKENS = ["il", "est", "calme", ".", "<eos>"]


def test_labels_stand_on_their_cells():
    """Tick positions are 0…n−1 and label i is token i, rows for queries, columns for keys."""
    weights = torch.rand(3, 5)
    axis = show_heatmaps(weights, query_labels=["a", "b", "c"], key_labels=TOKENS).axes[0]
    assert axis.get_xticks().tolist() == [0, 1, 2, 3, 4]
    assert [label.get_text() for label in axis.get_xticklabels()] == TOKENS
    assert [label.get_text() for label in axis.get_yticklabels()] == ["a", "b", "c"]
    assert (axis.get_xlabel(), axis.get_ylabel()) == ("keys", "queries")
    assert torch.equal(torch.tensor(axis.images[0].get_array().data), weights)


def test_panels_share_one_colour_scale():
    """The same colour is the same weight in every panel; two heads show two panels."""
    figure = show_heatmaps(torch.stack([torch.eye(2), torch.eye(2) / 4]), titles=["one", "two"])
    images = [image for axis in figure.axes for image in axis.images]
    assert [image.get_clim() for image in images] == [(0, 1), (0, 1)]
    assert [axis.get_title() for axis in figure.axes[:2]] == ["one", "two"]


def test_all_zero_weights_can_be_drawn():
    """Nothing attended to is a picture too: without colour, without a warning."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        figure = show_heatmaps(torch.zeros(2, 2))
        figure.canvas.draw()
    assert figure.axes[0].images[0].get_clim() == (0, 1)


def test_drawing_warns_of_nothing_and_leaves_gradients_alone():
    """Weights may still belong to a graph; accented tokens need no font beyond the default."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        weights = torch.rand(7, 2, 2, requires_grad=True)
        figure = show_heatmaps(weights, key_labels=["l'été", "−1"], columns=3)
        figure.canvas.draw()
    assert weights.grad is None and len([axis for axis in figure.axes if axis.images]) == 7


def drawn_labels(key_labels):
    """The texts under the columns, drawn with warnings, such as missing glyphs, as errors."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        figure = show_heatmaps(torch.eye(len(key_labels)), key_labels=key_labels)
        figure.canvas.draw()
    return [label.get_text() for label in figure.axes[0].get_xticklabels()]


def test_labels_without_a_font_become_positions(monkeypatch):
    """Where no font has Chinese, no label turns into boxes and the others stay as they are."""
    monkeypatch.setattr(fonts, "HAN_FAMILIES", ("No such family",))
    assert drawn_labels(["go", "走", "."]) == ["go", "1", "."]


def test_an_installed_font_draws_what_the_default_lacks(monkeypatch):
    """STIX has mathematics that matplotlib's default font has not; it stands for a Chinese font."""
    letter = chr(min(fonts.known("STIXGeneral") - fonts.known("DejaVu Sans")))
    monkeypatch.setattr(fonts, "HAN_FAMILIES", ())
    assert drawn_labels([letter, "−1"]) == ["0", "−1"]
    monkeypatch.setattr(fonts, "HAN_FAMILIES", ("STIXGeneral",))
    assert drawn_labels([letter, "−1"]) == [letter, "−1"]


def test_bad_input_is_refused(readers_view):
    """Numbers of labels, panels and axes are named."""
    with pytest.raises(ValueError, match="4 key_labels for 5 columns"):
        show_heatmaps(torch.rand(3, 5), key_labels=TOKENS[:4])
    with pytest.raises(ValueError, match="1 query_labels for 3 rows"):
        show_heatmaps(torch.rand(3, 5), query_labels=["a"])
    with pytest.raises(ValueError, match="1 titles for 2 panels"):
        show_heatmaps(torch.rand(2, 3, 5), titles=["a"])
    with pytest.raises(ValueError, match=r"\(1, 2, 3, 5\)"):
        show_heatmaps(torch.rand(1, 2, 3, 5))
