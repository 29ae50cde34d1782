"""What a reader sees of cells: short ones, set-up folded away, a question before a slider."""

import ast
import re

import pytest
from book_files import NOTEBOOKS, cells, name, read
from IPython.core.inputtransformer2 import TransformerManager

LONGEST = 30  # lines; what is longer and not taught in full folds away
FOLDED = {"hide-input", "hide-cell", "remove-input", "remove-cell"}


def too_long(cell):
    """Whether a reader has to scroll past it: a class or a function that is taught is let pass."""
    if cell["cell_type"] != "code" or FOLDED & set(cell["metadata"].get("tags", [])):
        return False
    if len(cell["source"].splitlines()) <= LONGEST:
        return False
    tree = ast.parse(TransformerManager().transform_cell(cell["source"]))
    parts = [node for node in tree.body if not isinstance(node, ast.Import | ast.ImportFrom)]
    return not (len(parts) == 1 and isinstance(parts[0], ast.FunctionDef | ast.ClassDef))


def unasked(cells):
    """The sliders that no question stands before: in the nearest text above, last of all."""
    found, text = [], ""
    for cell in cells:
        if cell["cell_type"] == "markdown":
            text = cell["source"]
        elif any(line.startswith("explore(") for line in cell["source"].splitlines()):
            if not {"?", "？"} & set(text):
                found.append(cell["id"])
            text = ""  # a second slider below the same text has to ask a question of its own
    return found


def swallowed(text):
    """What a page takes for an HTML element and does not show: <bos> outside code and formulas."""
    shown = re.sub(r"```.*?```|`[^`]*`|\$[^$]*\$", "", text, flags=re.DOTALL)
    tags = re.findall(r"</?([A-Za-z]\w*)[^>\n]*>", shown)
    return sorted({*tags} - {"details", "summary"})


@pytest.mark.parametrize("path", NOTEBOOKS, ids=name)
def test_no_word_is_taken_for_an_element(path):
    """A mark such as <bos> stands in backticks, or it is not there on the page."""
    found = {c["id"]: swallowed(c["source"]) for c in cells(path, "markdown")}
    assert not {cell: words for cell, words in found.items() if words}


def test_a_swallowed_word_is_found():
    """As it once stood in sections 7 and 8."""
    assert swallowed('the mask for "<bos> la voiture"') == ["bos"]
    assert swallowed("the mask for `<bos> la` and $a <b> c$\n\n<details>\n</details>") == []


@pytest.mark.parametrize("path", NOTEBOOKS, ids=name)
def test_visible_cells_are_short(path):
    """What does not fit on a screen is not read; a class that is taught may be longer."""
    found = {c["id"]: len(c["source"].splitlines()) for c in cells(path, "code") if too_long(c)}
    assert not found, f"cells of so many lines: {found}; cut them, or tag them hide-input"


@pytest.mark.parametrize("path", NOTEBOOKS, ids=name)
def test_setting_up_folds_away(path):
    """A page begins with its subject: how it installs and imports is there on demand."""
    for cell in cells(path, "code")[:2]:
        assert "hide-input" in cell["metadata"].get("tags", []), cell["source"]


@pytest.mark.parametrize("path", NOTEBOOKS, ids=name)
def test_sliders_answer_a_question(path):
    """Who moves a slider without a question sees something move."""
    found = unasked(read(path)["cells"])
    assert not found, f"sliders without a question before them: {found}"


def cell(kind, source, *tags):
    return {"cell_type": kind, "id": "id", "source": source, "metadata": {"tags": [*tags]}}


BODY = "\n".join(f"    x = {number}" for number in range(LONGEST))


@pytest.mark.parametrize(
    ("source", "tags", "found"),
    [
        ("\n".join(["x = 1"] * 30), [], False),
        ("\n".join(["x = 1"] * 31), [], True),
        ("\n".join(["x = 1"] * 31), ["hide-input"], False),
        (f"import torch\n\n\nclass Taught:\n{BODY}", [], False),
        (f"def taught():\n{BODY}", [], False),
        (f"def taught():\n{BODY}\n\n\nprint(taught())", [], True),
    ],
    ids=["short", "long", "folded", "class", "function", "function_and_more"],
)
def test_a_long_cell_is_found(source, tags, found):
    assert too_long(cell("code", source, *tags)) == found


def test_a_slider_without_a_question_is_found():
    """A question two texts above, or before the slider above, is none of its own."""
    asked, said = cell("markdown", "Which one? Move it."), cell("markdown", "Move it.")
    slider, code = cell("code", "explore(\n    draw,\n)"), cell("code", "print(1)")
    assert unasked([asked, code, slider]) == []
    assert unasked([asked, said, slider]) == ["id"]
    assert unasked([asked, slider, slider]) == ["id"]
