"""Each notebook prints what is stored in it; its page shows what its sliders draw in Python."""

import gzip
import io
import json
import subprocess
import sys

import nbformat
import pytest
from book_site import ROOT
from PIL import Image, ImageChops

LARGEST_PAGE = 250_000  # bytes of HTML with all frames, gzipped; shared theme files not counted
# A line drawn twice may differ by a shade at its edges; a line elsewhere differs by its colour.
EDGE_SHADE = 48
DESK = {"width": 1280, "height": 900}

# Put before a notebook: keeps everything that it will explore.
KEEP = """
import importlib

def _keep_for_the_test(explorer):
    kept, make = [], explorer.__init__

    def make_and_keep(self, *arguments):
        make(self, *arguments)
        kept.append(self)

    explorer.__init__ = make_and_keep
    return kept

_explore = importlib.import_module("attention_lib.figures.explore")
_kept_for_the_test = _keep_for_the_test(_explore.Explorer)
"""
# Appended to it: Python's drawings for the ends and the middle of each slider, the other sliders
# at their start.
DRAW = """
def _draw_for_the_test(target):  # a function: the notebook's own variables stay as they are
    import json, pathlib
    from attention_lib.figures.player import PAGE_STYLE

    drawn = []
    for explorer in _kept_for_the_test:
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


def run_with_drawings(edition, section, folder):
    """Run a notebook under nbval, and then draw what its sliders show.

    Returns:
        What nbval says of it where an output is not the stored one, else an empty text; and for
        each player of the page its sliders, with some of their frames.
    """
    path = ROOT / "book" / edition / f"{section}.ipynb"
    if not path.exists():
        return "", []  # a page of text, without cells
    notebook = nbformat.read(path, as_version=4)
    target = folder / "frames.json"
    notebook.cells.insert(0, nbformat.v4.new_code_cell(KEEP))
    notebook.cells.append(nbformat.v4.new_code_cell(DRAW.replace("TARGET", repr(str(target)))))
    copy = folder / path.name
    nbformat.write(notebook, copy)
    command = [sys.executable, "-m", "pytest", "-c", ROOT / "pyproject.toml", "-q", copy]
    run = subprocess.run(command, capture_output=True, encoding="utf-8", cwd=folder)
    drawn = json.loads(target.read_text(encoding="utf-8")) if target.exists() else []
    return run.stdout + run.stderr if run.returncode else "", drawn


@pytest.fixture(scope="session")
def checked(once, tmp_path_factory, edition, section):
    """What ``run_with_drawings`` returns for a section."""
    folder = tmp_path_factory.mktemp("checked")
    return once(f"{edition}-{section}", lambda: run_with_drawings(edition, section, folder))


def test_notebook_prints_what_is_stored(checked):
    """Every cell runs, and what it prints is the same as ever, under nbval."""
    failure, _ = checked
    assert not failure, failure


def test_sliders_move_by_keyboard_to_what_python_draws(visit, checked, edition, section):
    """Home, End and the arrow keys lead to the picture and the sentence of the value shown."""
    _, drawn = checked
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
    handle.press("Home")
    for frame in slider["frames"]:  # the first, the one in the middle, the last
        if frame is slider["frames"][-1]:
            handle.press("End")
        else:
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
