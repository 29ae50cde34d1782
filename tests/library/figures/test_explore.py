import base64
import json
import re

import matplotlib.pyplot as plt
import nbformat
import numpy as np
import pytest
import torch
from nbclient import NotebookClient

from attention_lib import explore
from attention_lib.figures.player import PAGE_STYLE, tidy


def draw_line(height=2, dashed=False):
    figure, axis = plt.subplots(figsize=(4, 3))
    axis.plot([0, height], "--" if dashed else "-")
    return figure


def draw_inverse(x=1):
    figure, axis = plt.subplots(figsize=(4, 3))
    axis.set_title(f"{1 / x:.1f}")
    return figure, f"The inverse is {1 / x:.1f}."


@pytest.fixture(params=["live", "player", "still"])
def mode(request, monkeypatch):
    monkeypatch.setenv("EXPLORE", request.param)
    return request.param


def unpacked(player_html, number):
    """The picture, note and table of one frame of a player, as player.js puts them together."""
    data = json.loads(re.search(r'<script type="application/json">(.*)</script>', player_html)[1])
    text = {
        kind: "\n".join(data["lines"][line] for line in data[kind][number])
        for kind in ("pictures", "tables")
    }
    return text["pictures"], data["notes"][number], text["tables"]


def test_each_surface_gets_what_it_can_show(mode):
    """A widget needs a kernel and HTML would hide it; a stored widget would show an error."""
    bundle = explore(draw_line, height=[1, 2, 3])._repr_mimebundle_()
    special = {
        "live": {"application/vnd.jupyter.widget-view+json"},
        "player": {"text/html"},
        "still": set(),
    }
    assert set(bundle) == {"text/plain", "image/png"} | special[mode]
    assert bundle["text/plain"] == "height = 2"
    assert base64.b64decode(bundle["image/png"]).startswith(b"\x89PNG")


def test_the_player_holds_every_combination(monkeypatch):
    """Put together again, each frame is the drawing of its values; the last slider is fastest."""
    monkeypatch.setenv("EXPLORE", "player")
    explorer = explore(draw_line, height=[1, 2], dashed={"no": False, "yes": True})
    html = explorer._repr_mimebundle_()["text/html"]
    order = [(1, False), (1, True), (2, False), (2, True)]
    assert [tuple(values.values()) for values in explorer.grid()] == order
    pictures = [unpacked(html, number)[0] for number in range(4)]
    assert len(set(pictures)) == 4
    for picture, (height, dashed) in zip(pictures, order, strict=True):
        drawn = explorer.frame({"height": height, "dashed": dashed}, "svg", PAGE_STYLE).picture
        prefix = re.search(r'id="(explore-\d+-)', picture)[1]
        assert picture == tidy(drawn.decode(), prefix)


def test_the_player_says_and_tables_what_it_shows(monkeypatch):
    """Notes and numbers follow the slider, for readers who cannot see the picture."""
    monkeypatch.setenv("EXPLORE", "player")

    def draw_matrix(scale=1.0):
        figure, axis = plt.subplots()
        axis.imshow([[0, scale / 4]])
        axis.set_xticks([0, 1], ["il", "<eos>"])
        axis.set_yticks([0], ["he"])
        return figure, f"Largest: {scale / 4:.2f} & less"

    explorer = explore(draw_matrix, table="Numbers", alt="A 'matrix'", scale=[1.0, 2.0])
    html = explorer._repr_mimebundle_()["text/html"]
    _, note, table = unpacked(html, 1)
    assert note == "Largest: 0.50 & less"
    assert re.findall(r"<t[hd][^>]*>([^<]*)</t[hd]>", table) == [
        *("", "il", "&lt;eos&gt;"),
        *("he", "0.00", "0.50"),
    ]
    assert "Largest: 0.25 &amp; less</p>" in html
    assert 'aria-label="A &#x27;matrix&#x27;: scale = 1"' in html


def test_figures_of_a_page_share_no_ids(monkeypatch):
    """Clip paths and glyphs are found by id in the whole page, the first one wins."""
    monkeypatch.setenv("EXPLORE", "player")
    first, second = (
        set(re.findall(r' id="([^"]+)"', unpacked(html, 0)[0]))
        for html in (
            explore(draw_line, height=[2])._repr_mimebundle_()["text/html"] for _ in range(2)
        )
    )
    assert first and second and not first & second


def test_tidying_keeps_references_and_takes_the_pages_ink():
    """Ids that nothing refers to go, the others keep their target; black becomes currentColor."""
    svg = (
        '<?xml?>\n<svg><metadata>x</metadata><style>*{}</style><g id="axes_1"><path id="p"/>'
        '<use href="#p" style="fill: #000000"/><g clip-path="url(#c)"/></g>'
        '<clipPath id="c"/></svg>'
    )
    assert tidy(svg, "a-") == (
        '<svg><g><path id="a-p"/><use href="#a-p" style="fill: currentColor"/>'
        '<g clip-path="url(#a-c)"/></g><clipPath id="a-c"/></svg>'
    )


def live_view(explorer):
    """The widget that a kernel would show: its picture, its words and its sliders."""
    picture, words, *sliders = explorer.widget().children
    return picture, words, sliders


def test_a_moved_slider_draws_again():
    """With a kernel, the picture and the sentence are those of the new value."""
    explorer = explore(draw_inverse, labels={"x": "divisor"}, x=[2, 1, 4])
    picture, words, [slider] = live_view(explorer)
    assert (slider.description, slider.label) == ("divisor", "1")
    assert "The inverse is 1.0." in words.value
    before = picture.value
    slider.label = "4"
    assert picture.value == explorer.frame({"x": 4}, "png").picture != before
    assert "The inverse is 0.2." in words.value


def test_an_error_shows_at_the_slider_and_the_next_move_works():
    """The message says what failed for which value, and goes away again."""
    picture, words, [slider] = live_view(explore(draw_inverse, x=[1, 0, 2]))
    before = picture.value
    slider.label = "0"
    assert "ZeroDivisionError" in words.value and "[x = 0]" in words.value
    assert picture.value == before
    slider.label = "2"
    assert "ZeroDivisionError" not in words.value and "The inverse is 0.5." in words.value
    assert picture.value != before


def test_no_figure_stays_open(mode):
    """An open figure would be shown a second time, below the sliders."""
    explore(draw_line, height=[1, 2])._repr_mimebundle_()
    assert plt.get_fignums() == []
    with pytest.raises(RuntimeError, match="ZeroDivisionError"):
        explore(lambda x=1: (draw_line(), 1 / 0), x=[1])
    assert plt.get_fignums() == []


def test_other_cells_still_show_their_figures(mode):
    """A slider that is the first figure of a notebook must not silence the figures after it."""
    cells = [
        "import matplotlib.pyplot as plt\nfrom attention_lib import explore",
        "explore(lambda height=1: plt.plot([0, height])[0].figure, height=[1, 2])",
        "_ = plt.plot([0, 1])",
    ]
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(cell) for cell in cells])
    NotebookClient(notebook, kernel_name="python3").execute()
    assert ["image/png" in output.data for output in notebook.cells[2].outputs] == [True]


def test_the_build_stops_where_a_frame_cannot_be_drawn(monkeypatch):
    """The website draws all frames in advance: the error names the values, and comes at once."""
    monkeypatch.setenv("EXPLORE", "player")
    with pytest.raises(RuntimeError, match=r"ZeroDivisionError: .*\[x = 0\]"):
        explore(draw_inverse, x=[1, 0])


@pytest.mark.parametrize(
    ("draw", "arguments", "error", "told"),
    [
        (draw_line, {}, ValueError, "at least one slider"),
        (draw_line, {"height": []}, ValueError, "no choices.*'height'"),
        (draw_line, {"height": [1, 3]}, ValueError, r"height starts at 2, not one of \['1', '3'\]"),
        (draw_line, {"width": [1]}, ValueError, "'width' with a default"),
        (lambda x: draw_line(), {"x": [1]}, ValueError, "'x' with a default"),
        (draw_line, {"height": [2, 2.0001]}, ValueError, "read the same"),
        (draw_line, {"height": [2], "labels": {"hieght": "h"}}, ValueError, "hieght"),
        (lambda x=1: None, {"x": [1]}, TypeError, "figure, got NoneType"),
        (lambda x=1: (x, "no figure"), {"x": [1]}, TypeError, "figure, got int"),
        (lambda x=1: 1 / 0, {"x": [1]}, RuntimeError, r"ZeroDivisionError.*\[x = 1\]"),
    ],
)
def test_mistakes_show_when_explore_is_called(mode, draw, arguments, error, told):
    """Not later, at display, where Jupyter would swallow the exception."""
    with pytest.raises(error, match=told):
        explore(draw, **arguments)


@pytest.mark.parametrize(
    ("default", "choices", "position"),
    [
        (0.3, np.linspace(0.1, 1, 10), 2),
        (0.3, [0.1 * step for step in range(1, 11)], 2),
        (0.3, np.linspace(0.1, 1, 10, dtype=np.float32), 2),
        (np.float32(0.3), [0.1, 0.2, 0.3], 2),
        (0.3, torch.linspace(0.1, 1, 10), 2),
        (torch.tensor(0.3), [0.1, 0.2, 0.3], 2),
        (np.float64(10.1), np.float32([10.0, 10.1, 10.2]), 1),
        (np.float64(0.3), np.float32([0.3]), 0),
        (0.0, np.arange(-1, 1.05, 0.1), 10),
        (1e-9, [1e-12, 1e-9, 1e-6, 1.0], 1),
        (2, [1.0, 2.0], 1),
        (2.0, range(4), 2),
        (np.int64(2), [1, 2], 1),
        (1_000_001, [1_000_000, 1_000_001], 1),
        (True, {"off": False, "on": True}, 1),
        (None, [1, None, "a"], 1),
        (np.array([1.0, 2.0]), [np.array([0.0, 2.0]), np.array([1.0, 2.0])], 1),
        (torch.tensor([1.0, 2.0]), {"a": torch.zeros(3), "b": torch.tensor([1.0, 2.0])}, 1),
        ((np.eye(2), "x"), {"a": (np.zeros((2, 2)), "x"), "b": (np.eye(2), "x")}, 1),
    ],
)
def test_the_start_is_the_choice_that_it_nearly_is(mode, default, choices, position):
    """A number that was computed is rarely the one that was typed; arrays are choices, too."""

    def draw(x=default):
        return draw_line()

    explorer = explore(draw, x=choices)
    assert [slider.start for slider in explorer.sliders] == [position]
    explorer._repr_mimebundle_()


@pytest.mark.parametrize(
    ("default", "choices"),
    [
        (0.35, np.linspace(0.1, 1, 10)),
        (0.0, [1e-3, 1.0]),
        (1e-3, [1e-6, 1.0]),
        (1_000_002, [1_000_000, 1_000_001]),
        (np.array([1.0, 3.0]), [np.array([1.0, 2.0]), np.array([[1.0, 3.0]])]),
        (np.array([1.0, 2.0]), [np.array([1.0, 2.0, 3.0])]),
        ("a", [np.array([1.0, 2.0])]),
        (np.nan, [1.0, 2.0]),
    ],
)
def test_a_start_that_is_no_choice_is_refused(default, choices):
    """Near is not close: the slider would show another value than the picture."""

    def draw(x=default):
        return draw_line()

    with pytest.raises(ValueError, match="x starts at"):
        explore(draw, x=choices)


def test_an_unknown_mode_is_refused(monkeypatch):
    """A typing error in the environment must not silently pick another surface."""
    monkeypatch.setenv("EXPLORE", "palyer")
    with pytest.raises(ValueError, match=r"'palyer'.*live, player, still"):
        explore(draw_line, height=[2])
