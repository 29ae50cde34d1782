"""Reading what students hand in: any file gives its code cells or a reason."""

import json
import os

import pytest

from coursework.handed_in.notebook import LARGEST_FILE, Unreadable, cells_of, read_cells


def notebook(*cells):
    return {"nbformat": 4, "nbformat_minor": 5, "metadata": {}, "cells": list(cells)}


def code(source, **rest):
    return {"cell_type": "code", "source": source, "metadata": {}, "outputs": [], **rest}


def reason(path):
    with pytest.raises(Unreadable) as error:
        read_cells(path)
    assert error.value.reason.zh and error.value.reason.en
    return error.value.reason.name


def test_code_cells_come_in_order(tmp_path):
    """Code is read whether its lines are a list or one text; other cells are left out."""
    path = tmp_path / "name (1).ipynb"
    text = {"cell_type": "markdown", "source": "x = 3"}
    path.write_text(json.dumps(notebook(code("x = 1"), text, code(["y = 2\n", "z = 3"]))))
    assert read_cells(path) == ["x = 1", "y = 2\nz = 3"]


def test_metadata_plays_no_part():
    """Lost, forged and duplicated metadata and identifiers change nothing."""
    forged = {"nbgrader": {"grade": True, "points": 100, "grade_id": "q1", "solution": []}}
    cell = code("x = 1", id="same", metadata=forged)
    lost = {"cell_type": "code", "source": "x = 1"}
    assert cells_of(notebook(cell, cell, lost)) == ["x = 1"] * 3


def test_large_outputs_are_no_reason_to_refuse(tmp_path):
    """40 MB of output is honest work with many figures."""
    path = tmp_path / "large.ipynb"
    outputs = [{"output_type": "stream", "name": "stdout", "text": "x" * 40_000_000}]
    path.write_text(json.dumps(notebook(code("x = 1", outputs=outputs))))
    assert read_cells(path) == ["x = 1"]


def test_a_byte_order_mark_is_read_over(tmp_path):
    """Some editors of Windows put one in front."""
    path = tmp_path / "marked.ipynb"
    path.write_text(json.dumps(notebook(code("x = '注意力'")), ensure_ascii=False), "utf-8-sig")
    assert read_cells(path) == ["x = '注意力'"]


WHOLE = json.dumps(notebook(code("x = '注意力'")), ensure_ascii=False)


@pytest.mark.parametrize(
    "content, name",
    [
        (b"", "empty"),
        (b" \n", "empty"),
        (WHOLE.encode()[:-20], "not-json"),
        (b"x = 1", "not-json"),
        (b"[" * 200_000, "not-json"),
        (b'{"cells": ' + b"9" * 10_000 + b"}", "not-json"),
        (WHOLE.encode("gbk"), "wrong-encoding"),
        (WHOLE.encode("utf-16"), "wrong-encoding"),
        (b"PK\x03\x04\xff\xfe", "wrong-encoding"),
        (b"[]", "not-a-notebook"),
        (b"null", "not-a-notebook"),
        (b'{"cells": {"cell_type": "code"}}', "not-a-notebook"),
        (b'{"nbformat": 3, "worksheets": [{"cells": []}]}', "not-a-notebook"),
        (json.dumps(notebook(code("#" * 2**21))).encode(), "too-much-code"),
    ],
    ids=lambda value: value if isinstance(value, str) else None,
)
def test_what_is_no_notebook_is_told_why(content, name, tmp_path):
    """The reason names what the student can do something about."""
    path = tmp_path / "bad.ipynb"
    path.write_bytes(content)
    assert reason(path) == name


@pytest.mark.parametrize(
    "cell", [None, 3, "code", [], {}, {"cell_type": "code"}, code(None), code([1, None, {}])]
)
def test_senseless_cells_hold_no_code(cell):
    """Any JSON can stand where a cell should be."""
    assert "".join(cells_of(notebook(cell, code("x = 1")))) == "x = 1"


def test_only_plain_files_are_read(tmp_path):
    """A link could lead to the instructor's files, a pipe would never end."""
    (tmp_path / "secret").write_text(WHOLE)
    (tmp_path / "link.ipynb").symlink_to(tmp_path / "secret")
    os.mkfifo(tmp_path / "pipe.ipynb")
    (tmp_path / "folder.ipynb").mkdir()
    for name in ("link.ipynb", "pipe.ipynb", "folder.ipynb"):
        assert reason(tmp_path / name) == "not-a-file"
    with pytest.raises(FileNotFoundError):
        read_cells(tmp_path / "nothing.ipynb")


def test_files_that_would_fill_the_memory_are_refused(tmp_path):
    """The size is looked at before the file is read."""
    path = tmp_path / "huge.ipynb"
    with path.open("wb") as file:
        file.truncate(LARGEST_FILE + 1)
    assert reason(path) == "too-large"
