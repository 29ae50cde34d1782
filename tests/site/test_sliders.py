"""Every slider of every page moves its picture, and the picture is the one that Python draws."""

import gzip
import io
import json
import os

import nbformat
import pytest
from book_site import ROOT
from nbclient import NotebookClient
from PIL import Image, ImageChops

LARGEST_PAGE = 250_000  # bytes of HTML with all frames, gzipped; shared theme files not counted
# A line drawn twice may differ by a shade at its edges; a line elsewhere differs by its colour.
EDGE_SHADE = 48
DESK = {"width": 1280, "height": 900}

# Appended to a notebook: Python's drawings for the ends and the middle of each slider, the other
# sliders at their start. `Out` holds what the cells displayed.
DRAW = """
def _draw_for_the_test(target):  # a function: the notebook's own variables stay as they are
    import json, pathlib
    from attention_lib.player import PAGE_STYLE

    drawn = []
    for explorer in [shown for shown in Out.values() if type(shown).__name__ == "Explorer"]:
        sliders = drawn.append([]) or drawn[-1]
        for name, by_label in explorer.choices.items():
            start = list(by_label.values()).index(explorer.start[name])
            slider = {"name": name, "start": start, "frames": []}
            sliders.append(slider)
            for position in sorted({0, len(by_label) // 2, len(by_label) - 1}):
                value = list(by_label.values())[position]
                frame = explorer.frame(explorer.start | {name: value}, "svg", PAGE_STYLE)
                slider["frames"].append({
                    "position": position,
                    "label": list(by_label)[position],
                    "svg": frame.picture.decode(),
                    "note": frame.note,
                })
    pathlib.Path(target).write_text(json.dumps(drawn), "utf-8")

_draw_for_the_test(TARGET)
"""


@pytest.fixture(scope="session")
def drawn(tmp_path_factory, edition, section):
    """What Python draws: for each player of the page, its sliders with some of their frames."""
    path = ROOT / "book" / edition / f"{section}.ipynb"
    if not path.exists():
        return []  # a page of text, without cells
    notebook = nbformat.read(path, as_version=4)
    target = tmp_path_factory.mktemp("drawn") / "frames.json"
    cell = nbformat.v4.new_code_cell(DRAW.replace("TARGET", repr(str(target))))
    notebook.cells.append(cell)
    NotebookClient(notebook, timeout=300, kernel_name="python3").execute(
        cwd=path.parent, env=os.environ | {"EXPLORE": "still"}
    )
    return json.loads(target.read_text(encoding="utf-8"))


def test_sliders_move_by_keyboard_to_what_python_draws(visit, drawn, edition, section):
    """Home, End and the arrow keys lead to the picture and the sentence of the value shown."""
    with visit(f"{edition}/{section}.html", viewport=DESK, color_scheme="light") as page:
        players = page.locator(".explore").all()
        assert len(players) == len(drawn)
        # Python's drawing is black where the page's is in the ink of its theme.
        page.add_style_tag(content=".explore-picture { color: #000 !important }")
        for player, sliders in zip(players, drawn, strict=True):
            assert player.locator("input").count() == len(sliders)
            for slider in sliders:
                move_and_compare(player, slider)
        assert page.faults == []


def move_and_compare(player, slider):
    handle = player.locator(f"input[name='{slider['name']}']")
    assert handle.input_value() == str(slider["start"])
    seen = set()
    for frame in slider["frames"]:
        handle.press("Home")
        for _ in range(frame["position"]):
            handle.press("ArrowRight")
        assert handle.get_attribute("aria-valuetext") == frame["label"]
        assert player.locator("output").all_inner_texts().count(frame["label"]) >= 1
        assert player.locator(".explore-note").inner_text() == frame["note"]
        assert frame["label"] in player.locator(".explore-picture").get_attribute("aria-label")
        picture = player.locator(".explore-picture")
        shown = screenshot(picture)
        seen.add(shown.tobytes())
        picture.evaluate("(box, svg) => { box.innerHTML = svg }", svg_element(frame["svg"]))
        difference = ImageChops.difference(shown, screenshot(picture)).getextrema()
        worst = max(high for _, high in difference)
        assert worst <= EDGE_SHADE, f"{slider['name']} at {frame['label']} differs by {worst}"
    assert len(seen) == len(slider["frames"]), f"{slider['name']} moves nothing"
    handle.press("Home")
    for _ in range(slider["start"]):
        handle.press("ArrowRight")


def svg_element(svg):
    return svg[svg.index("<svg") :]


def screenshot(locator):
    return Image.open(io.BytesIO(locator.screenshot(animations="disabled"))).convert("RGB")


def test_pages_are_light(site_folder, edition, section):
    """A reader on a phone loads a section with all its frames as fast as a photograph."""
    page = (site_folder / edition / f"{section}.html").read_bytes()
    assert len(gzip.compress(page)) <= LARGEST_PAGE
