"""Each notebook as a file: readable anywhere, with outputs worth comparing."""

import ast
import re
import sys
import warnings

import nbformat
import pytest
import tomllib
import yaml
from book_files import NOTEBOOKS, ROOT, cells, name, outputs, read, texts
from IPython.core.inputtransformer2 import TransformerManager

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
# What is there once the first cell has run.
INSTALLED = {"attention_lib", "coursework"} | {
    re.match(r"[\w-]+", bound)[0].replace("-", "_") for bound in PROJECT["dependencies"]
}

pytestmark = pytest.mark.parametrize("path", NOTEBOOKS, ids=name)


def test_format(path):
    """Format 4.5 with an id of its own for each cell; ids are what tools find cells by."""
    notebook = read(path)
    assert (notebook["nbformat"], notebook["nbformat_minor"] >= 5) == (4, True)
    assert notebook["metadata"]["kernelspec"]["name"] == "python3"
    ids = [cell["id"] for cell in notebook["cells"]]
    assert len(ids) == len(set(ids)) and all(ids)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        nbformat.validate(nbformat.read(path, as_version=4))


def test_outputs_are_stored(path):
    """Without stored outputs nbval compares nothing, and GitHub shows nothing."""
    code = cells(path, "code")
    assert all(cell["execution_count"] for cell in code)
    printing = [
        cell
        for cell in code[1:]  # the first one prints only where it installed something
        if re.search(r"^\s*(print|explore)\(", cell["source"], re.M)
    ]
    assert printing and all(cell["outputs"] for cell in printing)


def test_outputs_are_fit_to_store(path):
    """No error, no address, no path, no sliders that would look for a kernel that is gone."""
    for cell, output in outputs(path):
        assert output["output_type"] != "error", cell["source"]
        assert not re.search(r"0x[0-9a-f]{6}|/(home|root|tmp|Users|usr)/", texts(output))
        assert not any("widget" in mime for mime in output.get("data", {}))
        assert output.get("name") != "stderr", texts(output)


def test_pictures_are_described(path):
    """A reader who cannot see the picture is told what it shows."""
    for cell, output in outputs(path):
        if "image/png" in output.get("data", {}) and "explore(" not in cell["source"]:
            assert cell["metadata"]["mystnb"]["image"]["alt"], cell["source"]
    for cell in cells(path, "code"):
        if "image" in cell["metadata"].get("mystnb", {}):  # and what is described is there
            assert any("image/png" in out.get("data", {}) for out in cell["outputs"]), cell[
                "source"
            ]
    for cell in cells(path, "code"):
        calls = re.findall(r"^explore\(.*?^\)", cell["source"], re.M | re.S)
        assert len(calls) == cell["source"].count("\nexplore("), "a call is not recognised"
        for call in calls:
            assert re.search(r'\balt="[^"]+', call), call


def test_first_cell_installs_from_the_books_repository(path):
    """Anywhere but here the library is installed, from the address in _config.yml."""
    repository = yaml.safe_load((ROOT / "_config.yml").read_text(encoding="utf-8"))["repository"]
    first = cells(path, "code")[0]
    assert f'"{repository["url"]}@{repository["branch"]}"' in first["source"]
    assert first["outputs"] == []


def test_notebook_runs_alone(path):
    """Opened from Colab, a notebook has the library and what that brings, and no file beside it."""
    for cell in cells(path, "code"):
        unknown = imported(cell["source"]) - INSTALLED - sys.stdlib_module_names
        assert not unknown, cell["source"]
        assert not re.search(r"\bopen\(|read_text|read_bytes|\.load\(", cell["source"])


def imported(source):
    """The packages that a cell imports; IPython's own lines are made Python first."""
    found = set()
    for node in ast.walk(ast.parse(TransformerManager().transform_cell(source))):
        if isinstance(node, ast.Import):
            found |= {alias.name.split(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            found.add("." * node.level + (node.module or "").split(".")[0])
    return found


def test_display_formulas_stand_alone(path):
    """Directly under a line of text, $$ becomes an inline formula with stray dollar signs."""
    for cell in cells(path, "markdown"):
        lines = cell["source"].split("\n")
        inside = False
        for number, line in enumerate(lines):
            if line.strip() == "$$":
                neighbour = lines[number + 1 : number + 2] if inside else lines[number - 1 : number]
                assert "".join(neighbour).strip() == "", f"{line} beside {neighbour}"
                inside = not inside
            else:
                assert "$$" not in line, line


def test_bold_text_does_not_end_in_punctuation(path):
    """**注意力（attention）**机制 would show its asterisks."""
    for cell in cells(path, "markdown"):
        for bold, after in re.findall(r"\*\*([^*]+)\*\*(\w?)", cell["source"]):
            assert not (after and re.search(r"[，。：；！？）】》”’]$", bold)), bold


def test_printed_numbers_are_compared(path):
    """nbval compares what a cell printed unless it is told not to, and every section prints."""
    compared = [
        cell
        for cell, output in outputs(path)
        if re.search(r"\d", texts(output))
        and not re.search(r"nbval|raises-exception", str(cell["metadata"]) + cell["source"], re.I)
    ]
    assert len(compared) >= 5


def test_measured_numbers_have_bounds(path):
    """The digits behind ≈ are not compared: the cell itself asserts what holds everywhere."""
    for cell, output in outputs(path):
        if "≈" in texts(output):
            python = TransformerManager().transform_cell(cell["source"])
            asserts = [node for node in ast.walk(ast.parse(python)) if isinstance(node, ast.Assert)]
            assert asserts, cell["source"]
            assert all(node.msg for node in asserts), f"what to look at?\n{cell['source']}"


def test_diagrams_show_what_cells_computed(path):
    """No number is written into a diagram: it shows what the section has computed."""
    for cell in cells(path, "code"):
        for node in ast.walk(ast.parse(TransformerManager().transform_cell(cell["source"]))):
            if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "diagram":
                written = [
                    part.value
                    for keyword in node.keywords
                    if keyword.arg != "digits"
                    for part in ast.walk(keyword.value)
                    if isinstance(part, ast.Constant) and isinstance(part.value, float)
                ]
                assert not written, cell["source"]
