"""A player in a browser: what ``player.py`` packs, ``player.js`` unpacks."""

from pathlib import Path

import matplotlib.pyplot as plt
import pytest

from attention_lib import explore, show_heatmaps
from attention_lib.figures import player

SCRIPT = Path(player.__file__).with_suffix(".js").read_text(encoding="utf-8")
STYLE = Path(player.__file__).with_suffix(".css").read_text(encoding="utf-8")


def draw(scale=0.5, token="$$"):
    figure = show_heatmaps([[scale, scale / 2]], key_labels=[token, "</script>"])
    return figure, f"{scale} of <{token}>"


@pytest.fixture
def page(browser, monkeypatch):
    """A page that holds one player of six frames, and the faults that its scripts meet."""
    monkeypatch.setenv("EXPLORE", "player")
    explorer = explore(
        draw,
        labels={"scale": "size & scale"},
        alt="Two 'weights'",
        table="Numbers",
        scale=[0.25, 0.5, 1.0],
        token=["a", "$$"],
    )
    plt.close("all")
    html = explorer._repr_mimebundle_()["text/html"]
    with browser.new_context() as context:
        page = context.new_page()
        page.faults = []
        page.on("pageerror", lambda error: page.faults.append(str(error)))
        page.set_content(f"<style>{STYLE}</style>{html}<script>{SCRIPT}</script>")
        yield page


def shown(page):
    """Settings, sentence and numbers: all that a reader who cannot see the picture gets."""
    cells = page.locator(".explore-table").locator("th, td").all_text_contents()
    return (
        page.locator(".explore-picture").get_attribute("aria-label"),
        page.locator(".explore-note").inner_text(),
        [cell for cell in cells if cell],
        page.locator("output").all_inner_texts(),
    )


def test_a_moved_slider_shows_its_frame(page):
    """Picture, sentence, numbers and settings are those of the new positions, and come back."""
    picture = page.locator(".explore-picture")
    first, first_picture = shown(page), picture.inner_html()
    assert first == (
        "Two 'weights': size & scale = 0.5, token = $$",
        "0.5 of <$$>",
        ["$$", "</script>", "0", "0.50", "0.25"],
        ["0.5", "$$"],
    )
    scale, token = page.locator("input").all()
    scale.press("ArrowRight")
    token.press("ArrowLeft")
    assert shown(page) == (
        "Two 'weights': size & scale = 1, token = a",
        "1.0 of <a>",
        ["a", "</script>", "0", "1.00", "0.50"],
        ["1", "a"],
    )
    assert picture.locator("svg").count() == 1 and picture.inner_html() != first_picture
    scale.press("ArrowLeft")
    token.press("ArrowRight")
    assert shown(page) == first and picture.inner_html() == first_picture
    assert page.faults == []
