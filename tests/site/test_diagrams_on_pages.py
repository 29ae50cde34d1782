"""Diagrams on the pages: readable on a phone and at a desk, in both themes."""

import pytest

PHONE = {"width": 360, "height": 740}
DESK = {"width": 1280, "height": 900}
SMALLEST = 11  # pixels, the size of a letter

# For each diagram of the page that is shown: the smallest text, in pixels; the pairs of texts that
# overlap; and the texts that leave their drawing.
LOOK = """() => [...document.querySelectorAll(".diagram svg")]
  .filter(svg => svg.getBoundingClientRect().width)
  .map(svg => {
    const texts = [...svg.querySelectorAll("text")];
    const boxes = texts.map(text => [text.textContent, text.getBoundingClientRect()]);
    const apart = (a, b) => a.right <= b.left + 1 || b.right <= a.left + 1
      || a.bottom <= b.top + 4 || b.bottom <= a.top + 4;
    const whole = svg.getBoundingClientRect();
    return {
      smallest: Math.min(...texts.map(
        text => parseFloat(getComputedStyle(text).fontSize) * text.getScreenCTM().a)),
      overlapping: boxes.flatMap(([one, a], i) => boxes.slice(i + 1)
        .filter(([, b]) => !apart(a, b)).map(([other]) => [one, other])),
      outside: boxes.filter(([, a]) => a.left < whole.left - 1 || a.right > whole.right + 1)
        .map(([text]) => text),
      narrow: svg.classList.contains("narrow"),
    };
  })"""


def test_diagrams_are_readable(visit, edition, section):
    """Letters of 11 pixels at least, none upon another, none cut off; the layout that fits."""
    for viewport in (PHONE, DESK):
        with visit(f"{edition}/{section}.html", viewport=viewport) as page:
            found = page.evaluate(LOOK)
            assert len(found) == page.locator(".diagram").count()
            for diagram in found:
                assert diagram["smallest"] >= SMALLEST, diagram
                assert diagram["overlapping"] == [] and diagram["outside"] == [], diagram
                assert not (diagram["narrow"] and viewport is DESK)


@pytest.mark.parametrize(
    ("theme", "query"), [("light", "rgb(0, 114, 178)"), ("dark", "rgb(86, 180, 233)")]
)
def test_diagrams_follow_the_theme(visit, theme, query):
    """The colour of a role is the theme's, and words are in the ink of the page."""
    with visit("en/02_attention_pooling.html", color_scheme=theme, viewport=DESK) as page:
        name = page.locator(".diagram .wide .query.name text").first
        assert name.evaluate("text => getComputedStyle(text).fill") == query
        words = page.locator(".diagram .wide text.num").first
        ink = page.locator(".bd-article p").first.evaluate("p => getComputedStyle(p).color")
        assert words.evaluate("text => getComputedStyle(text).fill") == ink
