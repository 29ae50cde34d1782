"""Figures speak the language of their edition: no English label stands in a Chinese one."""

import ast
import functools
import html
import json
import re

import pytest
from book_files import NOTEBOOKS, ROOT, cells, name, outputs
from IPython.core.inputtransformer2 import TransformerManager
from test_nbval import OneNotebook

from attention_lib import diagram, grammar_corpus, tokenize
from tests.library.figures.diagram_examples import EXAMPLES

CHINESE = [path for path in NOTEBOOKS if path.parent.name == "zh"]

# Names that are written in Latin letters in a Chinese text as well.
NAMES = set("Transformer Bahdanau Nadaraya Watson Epanechnikov Adam sacreBLEU KiB".split())
NAMES |= set("softmax tanh sin cos exp log ln view transpose".split())
# By rule: names in code, marks such as <bos>, abbreviations (GRU, BLEU, MB), lines of ten letters
# with one capital, on which section 5 trains.
RULES = r"\w*_\w+|<\w+>|[A-Z]{2,}|(?=\w{10}\b)[a-h]*[A-H][a-h]*"


# Words of the sentences that could be labels just as well: as labels they would be English.
LABELS = set("attention image key keys leave letter letters mean name part question read".split())
LABELS |= set("cache course left picture problem right stop test".split())


@functools.cache
def tokens():
    """The words of the sentences that are translated, and of the headlines of section 6."""
    found = {"dog", "bites", "man"}
    for pair in (pair for part in grammar_corpus().values() for pair in part):
        found |= {*pair.source, *pair.target}
    return found - LABELS


def foreign(text):
    """The words of a label in Latin letters that are no names: two letters or more, no formula."""
    plain = re.sub(r"\$[^$]*\$", " ", text)
    plain = re.sub(rf"(?<![\w<])(?:{RULES})(?![\w>])", " ", plain, flags=re.ASCII)
    words = re.findall(r"[A-Za-zÀ-ÖØ-öø-ÿ][\wÀ-ÖØ-öø-ÿ'’-]*", plain, re.ASCII)
    return [
        word
        for word in words
        if len(word) > 1 and word not in NAMES and not {word.lower(), *tokenize(word)} & tokens()
    ]


@pytest.mark.parametrize("path", CHINESE, ids=name)
def test_chinese_figures_speak_chinese(path, executed):
    """Axes, titles, legends, ticks, and what stands beside a slider."""
    _, shown = executed(path)
    assert shown, "a cell fails: see test_outputs.py"
    found = {text: foreign(text) for text in shown["words"] if foreign(text)}
    assert shown["words"] and not found, f"words that are not Chinese: {found}"


def drawn(svg):
    """The texts of a picture in SVG, those for a screen reader among them."""
    found = re.findall(r"<(?:text|tspan|title|desc)\b[^>]*>([^<]+)<", svg)
    return {html.unescape(text) for text in found}


@pytest.mark.parametrize("path", CHINESE, ids=name)
def test_chinese_diagrams_speak_chinese(path):
    """What the notebook itself writes into a diagram; its other words are in the library."""
    for cell, output in outputs(path):
        for kind in ("image/svg+xml", "text/html"):
            texts = drawn("".join(output.get("data", {}).get(kind, "")))
            found = {text: foreign(text) for text in texts if foreign(text)}
            assert not found, f"words that are not Chinese: {found}\n{cell['source']}"


def said(language, content):
    """The foreign words in the simplest diagram."""
    picture = diagram("attention_pooling", language=language, **content)
    return {word for text in drawn(picture.svg() + picture.html()) for word in foreign(text)}


def test_an_english_word_in_a_diagram_is_found():
    """A label that the notebook hands over, and all words where the language is the wrong one."""
    content = EXAMPLES["attention_pooling"]
    assert said("zh", content) == set()
    assert said("zh", content | {"labels": ["red", "a weight"]}) == {"weight"}
    assert {"key", "weight"} <= said("en", content)


@pytest.mark.parametrize("path", NOTEBOOKS, ids=name)
def test_diagrams_are_drawn_in_the_language_of_the_edition(path):
    for cell in cells(path, "code"):
        for node in ast.walk(ast.parse(TransformerManager().transform_cell(cell["source"]))):
            if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "diagram":
                spoken = [k.value.value for k in node.keywords if k.arg == "language"]
                assert spoken == [path.parent.name], cell["source"]


FIGURE = """
import matplotlib.pyplot as plt
from attention_lib import explore

def draw(width=1):
    figure, axis = plt.subplots()
    axis.plot([1, 2], [1, 2], label="weights")
    axis.plot([2, 1], [1, 2], label="GRU 的 softmax")
    axis.set(xlabel="the key", ylabel="值", title="$d_k$ 维")
    axis.set(xticks=[1, 2], xticklabels=["red", "la"], yticks=[1, 2], yticklabels=["one", "二"])
    axis.legend()
    return figure, f"Width {width}, 最大的权重是 0.5。"

explore(draw, labels={"width": "slider"}, width={"narrow": 1, "宽": 2})
draw()[0].suptitle("Figure")
"""


def test_an_english_label_is_found(tmp_path):
    """Planted among Chinese ones, in a notebook that is run as those of the book are."""
    book = OneNotebook(tmp_path)
    book.write("", FIGURE)
    book.run()
    said = json.loads((tmp_path / "frames.json").read_text(encoding="utf-8"))["words"]
    assert {"GRU 的 softmax", "值", "$d_k$ 维", "red", "la", "二", "宽"} <= set(said)
    found = {word for text in said for word in foreign(text)}
    assert found == {"key", "weights", "one", "Width", "slider", "narrow", "Figure"}


def test_labels_are_no_tokens():
    """No word of a term of the course passes because some sentence holds it."""
    glossary = (ROOT / "book/en/summary.md").read_text(encoding="utf-8")
    terms = " ".join(re.findall(r"^(\S[^(\n]*?) \(.+\)$", glossary, re.M)).lower()
    assert {"query", "weights", "attention"} <= set(re.findall(r"\w+", terms))
    assert set(re.findall(r"\w+", terms)) & tokens() <= {"the", "of", "out"}


def test_what_is_a_name_and_what_is_not():
    """Tokens, code, marks, formulas and units pass; a term of the course never does."""
    for text in (
        "d_model",
        "<eos>",
        "marie's cat is black .",
        "l' homme",
        "bdgAfhcegb：前面",
        "a",
        "$\\mathrm{softmax}$",
        "占 4.5 MB",
        "前一个词",
        "Nadaraya–Watson",
        "don't",
    ):
        assert foreign(text) == [], text
    for text in ("weight", "Query", "token", "head 1", "loss", "attention weights", "Position"):
        assert foreign(text), text
