"""A player in a browser: what ``player.py`` packs, ``player.js`` unpacks."""

from contextlib import contextmanager
from pathlib import Path

import matplotlib.pyplot as plt
import pytest

from attention_lib import explore, show_heatmaps
from attention_lib.figures import player

SCRIPT = Path(player.__file__).with_suffix(".js").read_text(encoding="utf-8")
STYLE = Path(player.__file__).with_suffix(".css").read_text(encoding="utf-8")


def draw(scale=0.5, token="$$"):
    figure = show_heatmaps([[scale, scale / 2]], key_labels=[token, "</script>"])
    return figure, f"{scale} of <{token}></script>"


@pytest.fixture
def player_html(monkeypatch):
    """A player of six frames."""
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
    return explorer._repr_mimebundle_()["text/html"]


@contextmanager
def opened(browser, html, **options):
    with browser.new_context(**options) as context:
        page = context.new_page()
        page.faults = []
        page.on("pageerror", lambda error: page.faults.append(str(error)))
        page.set_content(f"<style>{STYLE}</style>{html}<script>{SCRIPT}</script>")
        yield page


START = (
    "Two 'weights': size & scale = 0.5, token = $$",
    "0.5 of <$$></script>",
    ["$$", "</script>", "0", "0.50", "0.25"],
    ["0.5", "$$"],
)


def shown(page):
    """Settings, sentence and numbers: all that a reader who cannot see the picture gets."""
    cells = page.locator(".explore-table").locator("th, td").all_text_contents()
    return (
        page.locator(".explore-picture").get_attribute("aria-label"),
        page.locator(".explore-note").inner_text(),
        [cell for cell in cells if cell],
        page.locator("output").all_inner_texts(),
    )


def test_a_moved_slider_shows_its_frame(browser, player_html):
    """Picture, sentence, numbers and settings are those of the new positions, and come back."""
    with opened(browser, player_html) as page:
        picture = page.locator(".explore-picture")
        first = picture.inner_html()
        assert shown(page) == START
        scale, token = page.locator("input").all()
        scale.press("ArrowRight")
        token.press("ArrowLeft")
        assert shown(page) == (
            "Two 'weights': size & scale = 1, token = a",
            "1.0 of <a></script>",
            ["a", "</script>", "0", "1.00", "0.50"],
            ["1", "a"],
        )
        assert picture.locator("svg").count() == 1 and picture.inner_html() != first
        scale.press("ArrowLeft")
        token.press("ArrowRight")
        assert shown(page) == START and picture.inner_html() == first
        assert page.faults == []


def test_without_scripts_the_first_frame_is_there(browser, player_html):
    """The same that the script then shows, under sliders that cannot be moved."""
    with opened(browser, player_html) as page:
        first = page.locator(".explore-picture").inner_html()
    with opened(browser, player_html, java_script_enabled=False) as page:
        assert shown(page) == START
        assert page.locator(".explore-picture").inner_html() == first
        assert page.locator("input:disabled").count() == 2
