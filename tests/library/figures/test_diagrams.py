"""Diagrams: their words, the order in which they are read, and the numbers that they are given."""

import re
import xml.etree.ElementTree as ET
from itertools import product

import numpy as np
import pytest
import torch
from diagram_examples import EXAMPLES

from attention_lib import diagram
from attention_lib.figures.diagrams.diagram import DRAWINGS, LANGUAGES
from attention_lib.figures.roles import ROLES, ROLES_ON_DARK

EVERY = [*product(EXAMPLES, LANGUAGES)]
# The text is 328 pixels wide on a phone of 360, and 688 at a desk of 1280. There, letters of 14 may
# shrink to 11.
NARROW, WIDE = 328 * 14 / 11, 688 * 14 / 11


def drawn(name, language="en", **options):
    return diagram(name, language=language, **EXAMPLES[name], **options)


def named_parts(svg):
    """The sentences of the parts, in the order of the document."""
    groups = ET.fromstring(svg).iter("{http://www.w3.org/2000/svg}g")
    return [group.get("aria-label") for group in groups if group.get("role") == "img"]


def test_every_diagram_is_drawn_here():
    """A new diagram comes with an example."""
    assert EXAMPLES.keys() == DRAWINGS.keys()


@pytest.mark.parametrize(("name", "language"), EVERY)
def test_reading_order_is_data_flow(name, language):
    """A screen reader meets no part before those that it is computed from, in either layout."""
    shown = drawn(name, language)
    for picture in (shown.wide, shown.narrow):
        order = {key: place for place, key in enumerate(picture.parts)}
        assert picture.arrows
        assert [pair for pair in picture.arrows if order[pair[0]] >= order[pair[1]]] == []
        read = named_parts(picture.svg(shown.title, shown.description))
        assert [line for line in picture.spoken if line in read] == read
        assert len(read) == len(picture.parts)


@pytest.mark.parametrize(("name", "language"), EVERY)
def test_both_layouts_say_the_same(name, language):
    """A reader with a phone misses no part; and the narrow layout fits a phone."""
    shown = drawn(name, language)
    assert set(shown.narrow.spoken) == set(shown.wide.spoken)
    assert shown.narrow.parts.keys() == shown.wide.parts.keys()
    for picture, widest in ((shown.narrow, NARROW), (shown.wide, WIDE)):
        left, _, right, _ = picture.edges()
        assert right - left <= widest


@pytest.mark.parametrize(("name", "language"), EVERY)
def test_what_is_displayed_is_well_formed(name, language, monkeypatch):
    """The page's layouts and the file are XML, described, without ids that two could share."""
    monkeypatch.setenv("EXPLORE", "player")
    bundle = drawn(name, language)._repr_mimebundle_()
    svgs = re.findall(r"<svg.+?</svg>", bundle["text/html"])
    assert len(svgs) == 2
    for svg in (*svgs, bundle["image/svg+xml"]):
        first, second = list(ET.fromstring(svg))[:2]
        assert first.tag.endswith("title") and first.text
        assert second.tag.endswith("desc") and second.text.endswith(("。", "."))
        assert not re.search(r'\bid="|url\(', svg)
    assert bundle["text/plain"].splitlines()[0] == first.text


def test_a_stored_diagram_has_no_page(monkeypatch):
    """JupyterLab trusts no stored page: it would show the words of the drawing in a heap."""
    monkeypatch.setenv("EXPLORE", "still")
    assert drawn("attention_pooling")._repr_mimebundle_().keys() == {"text/plain", "image/svg+xml"}


@pytest.mark.parametrize(("name", "language"), EVERY)
def test_words_are_in_the_language(name, language):
    """No Chinese in an English diagram; a Chinese title."""
    shown = drawn(name, language)
    han = re.findall("[一-鿿]", repr(shown) + shown.description)
    assert bool(han) == (language == "zh")
    assert re.search("[一-鿿]", shown.title) or language == "en"


def test_numbers_are_those_given():
    """Each strip holds its numbers, rounded, from a tensor, an array or a list."""
    content = EXAMPLES["attention_pooling"]
    others = {
        "keys": torch.tensor(content["keys"], requires_grad=True),
        "weights": np.array(content["weights"]),
    }
    shown = diagram("attention_pooling", language="en", **content | others)
    assert repr(shown) == repr(drawn("attention_pooling"))
    said = [
        "query: 2.0, 0.0",
        *("red, key: 1.0, 0.0", "red, score: 1.41", "red, weight: 0.80", "red, value: 1.0"),
        *("car, key: 0.0, 1.0", "car, score: 0.00", "car, weight: 0.20", "car, value: 3.0"),
        "output: 1.40",
    ]
    assert named_parts(shown.svg()) == said
    boxes = re.findall(r'class="num"[^>]*>([^<]+)<', shown.svg())
    assert boxes == re.findall(r"\d\.\d+", " ".join(said))


def test_lit_parts_stand_out():
    """The part of the moment is drawn as ever, all others step back."""
    svg = drawn("attention_pooling", lit="key").svg()
    faded = {
        group.get("aria-label"): "dim" in group.get("class")
        for group in ET.fromstring(svg).iter("{http://www.w3.org/2000/svg}g")
        if group.get("role") == "img"
    }
    assert {label for label, dim in faded.items() if not dim} == {
        "red, key: 1.0, 0.0",
        "car, key: 0.0, 1.0",
    }
    assert "dim" not in re.sub("<style>.*</style>", "", drawn("attention_pooling").svg())


def test_a_step_can_be_lit():
    """All scores of one step, and no other part."""
    svg = drawn("sequence_with_attention", lit="score:1").svg()
    assert [
        group.get("aria-label")
        for group in ET.fromstring(svg).iter("{http://www.w3.org/2000/svg}g")
        if group.get("role") == "img" and "dim" not in group.get("class")
    ] == ["the, score 2: 0.00", "red, score 2: 1.41", "car, score 2: −1.41"]


@pytest.mark.parametrize(
    ("call", "error", "told"),
    [
        ({"name": "pooling"}, ValueError, "no diagram is named 'pooling'; there are: attention_"),
        ({"language": "fr"}, ValueError, "language='fr' must be one of zh, en"),
        ({"lit": "kye"}, ValueError, "has no part kye; it has: query, key, score"),
        ({"colour": 1}, TypeError, r"diagram\('attention_pooling'\): .*'colour'"),
        ({"query": ...}, TypeError, "missing a required argument: 'query'"),
    ],
)
def test_mistakes_are_named(call, error, told, readers_view):
    """What was given, and what there is."""
    call = {"name": "attention_pooling", "language": "en"} | EXAMPLES["attention_pooling"] | call
    with pytest.raises(error, match=told):
        diagram(**{key: given for key, given in call.items() if given is not ...})


def contrast(colour, ground):
    """WCAG 2.1: the ratio of luminances."""

    def luminance(code):
        parts = [int(code[i : i + 2], 16) / 255 for i in (1, 3, 5)]
        linear = [p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts]
        return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]

    high, low = sorted((luminance(colour), luminance(ground)), reverse=True)
    return (high + 0.05) / (low + 0.05)


def test_roles_stand_out_in_both_themes():
    """At least 3:1 against the page, what WCAG asks of graphics and of bold text."""
    assert ROLES.keys() == ROLES_ON_DARK.keys()
    for light, dark in zip(ROLES.values(), ROLES_ON_DARK.values(), strict=True):
        assert contrast(light, "#ffffff") >= 3 and contrast(dark, "#14181e") >= 3


def test_links_are_for_the_website(monkeypatch):
    """There a part leads to the section that teaches it; in a notebook the pages are not there."""
    shown = drawn("transformer")
    monkeypatch.setenv("EXPLORE", "player")
    assert 'href="04_bahdanau_attention.html"' in shown.html() and "<a " not in shown.svg()
    monkeypatch.setenv("EXPLORE", "live")
    assert "<a " not in shown.html()


@pytest.mark.parametrize("layout", ["wide", "narrow"])
def test_the_cache_frames_what_was_kept(layout):
    """The keys and values of earlier steps stand in the frames, those of the new token below."""
    shown = drawn("cache")
    picture = getattr(shown, layout)
    svg = ET.fromstring(picture.svg(shown.title, shown.description))
    rects = svg.iter("{http://www.w3.org/2000/svg}rect")
    frames = [rect for rect in rects if rect.get("class") == "frame"]
    assert len(frames) == 2
    for frame, part in zip(frames, ("key", "value"), strict=True):
        x, y, width, height = (float(frame.get(side)) for side in ("x", "y", "width", "height"))
        kept, new = picture.parts[f"{part}:0"], picture.parts[f"{part}:1"]
        assert x < kept.x and kept.x + kept.width < x + width
        assert y < kept.y and kept.y + kept.height < y + height < new.y


@pytest.mark.parametrize("layout", ["wide", "narrow"])
def test_gru_has_an_arrow_for_each_letter_of_its_formulas(layout):
    """r and z are made of x and h; n of x, r and h; the new state of z, n and h."""
    letters = {"x": "input", "h": "state", "r": "reset", "z": "update", "n": "candidate"}
    formulas = {"reset": "xh", "update": "xh", "candidate": "xrh", "new": "znh"}
    wanted = {(letters[letter], part) for part, used in formulas.items() for letter in used}
    assert set(getattr(drawn("gru"), layout).arrows) == wanted
