"""Both colour themes: text and figures can be read."""

import pytest

# The contrast of every visible text with the nearest opaque ground behind it, as WCAG counts it.
# The glyphs of a player's picture are <use> elements in its own or the page's ink.
CONTRASTS = r"""() => {
  const canvas = document.createElement("canvas").getContext("2d", {willReadFrequently: true});
  const rgba = (colour) => {
    canvas.clearRect(0, 0, 1, 1);
    canvas.fillStyle = colour;
    canvas.fillRect(0, 0, 1, 1);
    return [...canvas.getImageData(0, 0, 1, 1).data];
  };
  const luminance = (colour) => {
    const [r, g, b] = colour.map((value) => value / 255)
      .map((value) => value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4);
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const ground = (element) => {
    for (let node = element; node; node = node.parentElement) {
      const colour = rgba(getComputedStyle(node).backgroundColor);
      if (colour[3] === 255) return colour;
    }
    return [255, 255, 255, 255];
  };
  const contrast = (ink, element) => {
    const [high, low] = [luminance(rgba(ink)), luminance(ground(element))].sort((a, b) => b - a);
    return (high + 0.05) / (low + 0.05);
  };
  const article = document.querySelector(".bd-article");
  const walker = document.createTreeWalker(article, NodeFilter.SHOW_TEXT);
  const texts = [];
  while (walker.nextNode()) {
    const text = walker.currentNode.data.trim();
    const element = walker.currentNode.parentElement;
    if (text && element.checkVisibility()
        && !element.closest("script, style, .headerlink, .copybtn, mjx-assistive-mml"))
      texts.push([text, contrast(getComputedStyle(element).color, element)]);
  }
  const pictures = [...article.querySelectorAll(".explore-picture")];
  return {
    texts,
    glyphs: pictures.flatMap((picture) => [...picture.querySelectorAll("use")]
      .filter((use) => !use.closest("[clip-path], [style*='stroke']"))
      .map((use) => contrast(getComputedStyle(use).fill, picture))),
    grounds: pictures.map((picture) => ground(picture).join()),
    page: ground(article).join(),
  };
}"""


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_text_can_be_read(section_page, theme):
    """All text, and all lettering of figures, has a contrast of at least 4.5."""
    section_page.emulate_media(color_scheme=theme)
    section_page.wait_for_function(
        "theme => document.documentElement.dataset.theme === theme", arg=theme
    )
    measured = section_page.evaluate(CONTRASTS)
    assert measured["texts"]
    assert [text for text in measured["texts"] if text[1] < 4.5] == []
    assert [contrast for contrast in measured["glyphs"] if contrast < 4.5] == []
    assert set(measured["grounds"]) <= {measured["page"]}, "a card behind a player"
