import warnings
from itertools import pairwise

import matplotlib.pyplot as plt
import nbformat
import numpy as np
import pytest
import torch
from matplotlib.figure import Figure
from nbclient import NotebookClient

from attention_lib import explore, show_heatmaps
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


CHINESE = "注意力权重：查询、键和值的热图（√d ≈ 8，αβγ）。"


def test_chinese_comes_out_wherever_it_stands(monkeypatch, caplog):
    """Ticks, titles and names of axes, with no Chinese font installed, and no glyph missing.

    Bold text, too, without a word: what matplotlib logs would stand in the notebook.
    """
    monkeypatch.setattr(fonts, "HAN_FAMILIES", ())
    with warnings.catch_warnings():
        warnings.simplefilter("error")  # matplotlib warns of each glyph that it has not
        figure = show_heatmaps(
            torch.eye(2),
            key_labels=["走", "。"],
            query_labels=["走", "<eos>"],
            titles=[CHINESE],
            xlabel=CHINESE,
            ylabel=CHINESE,
            scale_label=CHINESE,
        )
        figure.canvas.draw()
        explore(lambda n=1: titled(CHINESE), n=[1, 2])
    assert [text.get_text() for text in figure.axes[0].get_xticklabels()] == ["走", "。"]
    assert figure.axes[1].get_ylabel() == CHINESE
    assert [record.message for record in caplog.records if record.levelname == "WARNING"] == []


NEIGHBOURS = {
    "short": (["i", "see", "the", "red", "car", "."], False),
    "a long one between short ones": (["yesterday", "i", "was", "at", "school", "."], True),
    "Chinese is wide": (["昨天", "学校", "图书馆", "自行车", "报纸", "。"], True),
    "few and long": (["yesterday", "school"], False),
}


@pytest.mark.parametrize("kind", NEIGHBOURS)
def test_labels_under_the_columns_do_not_run_into_each_other(kind):
    """They stand upright where they would, by their extent as drawn; else they lie across."""
    labels, upright = NEIGHBOURS[kind]
    figure = show_heatmaps(torch.eye(len(labels)), key_labels=labels)
    figure.canvas.draw()
    texts = figure.axes[0].get_xticklabels()
    assert {text.get_rotation() for text in texts} == {90.0 if upright else 0.0}
    boxes = [text.get_window_extent() for text in texts]
    assert all(one.x1 <= other.x0 for one, other in pairwise(boxes))


def titled(text):
    figure, axis = plt.subplots()
    axis.set(title=text, xlabel=text)
    axis.text(0, 0, text, weight="bold", style="italic")
    return figure


def test_the_font_has_what_a_page_of_chinese_needs():
    """All of GB 2312's first level, from 啊 to 座, by Python's own table; a rare character not."""
    first_level = b"".join(
        bytes((row, column)) for row in range(176, 216) for column in range(161, 255)
    )
    text = first_level[: 2 * 3755].decode("gb2312")
    assert text[0] == "啊" and text[-1] == "座"
    han = fonts.known(fonts.han_family())
    assert set(map(ord, text)) <= han and ord("龘") not in han


def test_labels_without_a_font_become_positions(monkeypatch):
    """Where no font has a script, no label turns into boxes and the others stay as they are."""
    monkeypatch.setattr(fonts, "HAN_FAMILIES", ("No such family",))
    assert drawn_labels(["go", "ไป", "."]) == ["go", "1", "."]


def test_an_installed_font_draws_what_the_default_lacks(monkeypatch):
    """STIX has mathematics that matplotlib's default font has not; it stands for a Chinese font."""
    letter = chr(min(fonts.known("STIXGeneral") - fonts.known("DejaVu Sans")))
    monkeypatch.setattr(fonts, "HAN_FAMILIES", ())
    assert drawn_labels([letter, "−1"]) == ["0", "−1"]
    monkeypatch.setattr(fonts, "HAN_FAMILIES", ("STIXGeneral",))
    assert drawn_labels([letter, "−1"]) == [letter, "−1"]


ODD_TEXTS = ["$$", "$x$", r"$\frac{", "a_b^c", "\\alpha", r"\$", "US$ or A$", "two\nlines", "{}%"]


def test_labels_are_no_formulas(tmp_path):
    """A token may look like a formula, a right one or a wrong one: it is shown as it is."""
    odd = len(ODD_TEXTS)
    figure = show_heatmaps(
        torch.eye(odd).expand(odd, odd, odd),
        query_labels=ODD_TEXTS,
        key_labels=ODD_TEXTS,
        titles=ODD_TEXTS,
    )
    for form in ("png", "svg"):
        figure.savefig(tmp_path / f"figure.{form}")
    for axis, title in zip(figure.axes, ODD_TEXTS, strict=False):
        assert [label.get_text() for label in axis.get_xticklabels()] == ODD_TEXTS
        assert [label.get_text() for label in axis.get_yticklabels()] == ODD_TEXTS
        assert axis.get_title() == title
    # Matplotlib names each text that it draws in a comment: a formula would have lost its dollars.
    drawn = (tmp_path / "figure.svg").read_text(encoding="utf-8")
    assert drawn.count("<!-- $x$ -->") == 2 * odd + 1


WEIGHTS = [[0.75, 0.25, 0.0], [0.5, 0.25, 0.25]]


@pytest.mark.parametrize(
    "weights",
    [
        WEIGHTS,
        tuple(map(tuple, WEIGHTS)),
        np.array(WEIGHTS),
        np.array(WEIGHTS, dtype=np.float16),
        np.asfortranarray(WEIGHTS),
        list(map(np.array, WEIGHTS)),
        list(map(torch.tensor, WEIGHTS)),
        [torch.tensor(row, requires_grad=True) for row in WEIGHTS],
        torch.tensor(WEIGHTS, requires_grad=True),
        torch.nn.Parameter(torch.tensor(WEIGHTS)),
        torch.tensor(WEIGHTS, dtype=torch.float64),
        torch.tensor(WEIGHTS, dtype=torch.bfloat16),
        torch.tensor(WEIGHTS, dtype=torch.float16, requires_grad=True),
        torch.tensor(WEIGHTS).to_sparse(),
    ],
)
def test_any_kind_of_numbers_can_be_drawn(readers_view, weights):
    """Whoever has weights sees them: quarters are exact in every floating-point type."""
    axis = show_heatmaps(weights, key_labels=["a", "b", "c"]).axes[0]
    assert axis.images[0].get_array().tolist() == WEIGHTS


@pytest.mark.parametrize("mask", [[[True, False]], np.array([[1, 0]]), torch.tensor([[1, 0]]) > 0])
def test_masks_and_counts_can_be_drawn(readers_view, mask):
    """True is one and False is zero."""
    assert show_heatmaps(mask).axes[0].images[0].get_array().tolist() == [[1, 0]]


def test_panels_may_come_in_a_list(readers_view):
    """The heads of several models, say, which nobody wants to stack first."""
    figure = show_heatmaps([torch.eye(2), np.eye(2) / 4])
    assert figure.axes[1].images[0].get_array().tolist() == [[0.25, 0], [0, 0.25]]


def test_weights_that_are_no_numbers_leave_the_scale_alone(readers_view):
    """Softmax over nothing gives NaN, which must not take the colours of the other weights."""
    image = show_heatmaps([[np.nan, 0.5], [np.inf, 0.25]]).axes[0].images[0]
    assert image.get_clim() == (0, 0.5)


@pytest.mark.parametrize(
    ("weights", "error", "told"),
    [
        (None, TypeError, "real numbers.*NoneType"),
        ("weights", TypeError, "real numbers.*str"),
        ([["a", "b"]], TypeError, "real numbers.*list"),
        (torch.eye(2) * 1j, TypeError, "real numbers.*complex64"),
        (torch.eye(2, device="meta"), TypeError, "meta device"),
        ([[1.0], [0.5, 0.5]], ValueError, "rows of equal length"),
        ([], ValueError, r"got \(0,\)"),
        (np.zeros((0, 3)), ValueError, r"got \(0, 3\)"),
        ([0.5, 0.5], ValueError, r"got \(2,\)"),
        (0.5, ValueError, r"got \(\)"),
    ],
)
def test_what_is_no_matrix_is_refused(readers_view, weights, error, told):
    """The message says what was wanted and what was given."""
    with pytest.raises(error, match=told):
        show_heatmaps(weights)


# How a cell may end, and how many pictures it shows.
CELLS = {
    "show_heatmaps(weights)": 1,
    "_ = show_heatmaps(weights)": 1,
    "figure = show_heatmaps(weights)": 1,
    "figure = show_heatmaps(weights)\nfigure.axes[0].set_title('later')\nfigure": 1,
    "figure": 1,  # once more, in a cell of its own
    "for _ in range(2):\n    show_heatmaps(weights)": 2,
    "show_heatmaps(weights)\nshow_heatmaps(weights)": 2,
    "_ = show_heatmaps(weights)\n_ = plt.subplots()\nplt.show()": 2,
    "display(show_heatmaps(weights))": 1,
    "show_heatmaps(weights);": 1,
}


def test_a_cell_shows_a_figure_once():
    """A notebook shows the last value of a cell, and then every figure that is still open."""
    imports = "import matplotlib.pyplot as plt\nfrom attention_lib import show_heatmaps"
    sources = (imports, "weights = [[1.0]]", *CELLS)
    cells = [nbformat.v4.new_code_cell(source) for source in sources]
    notebook = nbformat.v4.new_notebook(cells=cells)
    NotebookClient(notebook, kernel_name="python3").execute()
    shown = {
        cell.source: sum("image/png" in output.get("data", {}) for output in cell.outputs)
        for cell in cells[2:]
    }
    assert shown == CELLS
    texts = {
        output.data["text/plain"]
        for cell in notebook.cells
        for output in cell.outputs
        if "data" in output
    }
    assert texts == {"<Figure size 320x300 with 2 Axes>", "<Figure size 640x480 with 1 Axes>"}


def test_the_margins_follow_the_colour_scale():
    """Figures of one shape share their margins, unless the numbers beside the scale are longer."""
    show_heatmaps(torch.eye(2))
    figure = show_heatmaps(torch.eye(2) * 1.3e-4)
    figure.canvas.draw()
    assert figure.axes[-1].get_tightbbox().x1 <= figure.bbox.width


def test_a_figure_is_drawn_once_to_be_saved(monkeypatch, tmp_path):
    """A layout that is at work draws a figure twice, and a slider then lags."""
    draws = []
    draw = Figure.draw
    monkeypatch.setattr(Figure, "draw", lambda *args: draws.append(1) or draw(*args))
    for _ in range(2):  # when the margins are not known yet, and when they are
        show_heatmaps(torch.eye(2), titles=["once"]).savefig(tmp_path / "figure.png")
    assert len(draws) == 2


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
