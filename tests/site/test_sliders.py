"""Pages show what the notebooks displayed under nbval, and what their sliders draw in Python."""

import gzip
import io

from book_site import EDITIONS, source
from PIL import Image, ImageChops

LARGEST_PAGE = 250_000  # bytes of HTML with all frames, gzipped; shared theme files not counted
# A line drawn twice may differ by a shade at its edges; a line elsewhere differs by its colour.
EDGE_SHADE = 48
DESK = {"width": 1280, "height": 900}


def test_nothing_is_executed_twice(built):
    """The build takes the outputs of every notebook from the run that nbval has compared."""
    assert built.count("notebooks executed: 0") == len(EDITIONS), built


def test_sliders_move_by_keyboard_to_what_python_draws(visit, executed, edition, section):
    """Home, End and the arrow keys lead to the picture and the sentence of the value shown."""
    path = source(edition, section)
    _, shown = executed(path) if path.suffix == ".ipynb" else ("", {"sliders": []})
    drawn = shown["sliders"]
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
