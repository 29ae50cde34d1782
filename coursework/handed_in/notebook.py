"""A student's notebook, read without trusting it: the sources of its code cells, or what is wrong.

Only the order and the text of the code cells count. Metadata, outputs and identifiers may be
lost, duplicated or forged without any effect.
"""

import json
from pathlib import Path

from coursework.questions.cases import Message

# Outputs are thrown away, so that a notebook with many figures is no reason to refuse it. Beyond
# this size, reading it would cost gigabytes of memory.
LARGEST_FILE = 64 * 2**20
LARGEST_CODE = 2**20


class Unreadable(Exception):
    """The file cannot be read as a notebook; ``reason`` says why, in both languages."""

    def __init__(self, reason: Message):
        super().__init__(reason.en)
        self.reason = reason


def read_cells(path: Path) -> list[str]:
    """The sources of the code cells, in order.

    Raises:
        FileNotFoundError: there is no such file.
        Unreadable: it is no notebook; the reason says what it is instead.
    """
    return cells_of(_parse(_content(path)))


def read_notebook(path: Path) -> dict:
    """The notebook as JSON, with a list of cells that can hold anything. Raises as read_cells."""
    notebook = _parse(_content(path))
    cells_of(notebook)
    return notebook


def cells_of(notebook: object) -> list[str]:
    """The sources of the code cells of a notebook that is parsed already."""
    cells = notebook.get("cells") if isinstance(notebook, dict) else None
    if not isinstance(cells, list):
        raise Unreadable(NOT_A_NOTEBOOK)
    sources = [_source(cell) for cell in cells if _is_code(cell)]
    if sum(map(len, sources)) > LARGEST_CODE:
        raise Unreadable(TOO_MUCH_CODE)
    return sources


def _content(path: Path) -> bytes:
    # A link could lead to a file of the instructor's, and a named pipe would never end.
    if path.is_symlink() or (path.exists() and not path.is_file()):
        raise Unreadable(NOT_A_FILE)
    if path.stat().st_size > LARGEST_FILE:
        raise Unreadable(TOO_LARGE)
    content = path.read_bytes()
    if not content.strip():
        raise Unreadable(EMPTY)
    return content


def _parse(content: bytes) -> object:
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise Unreadable(WRONG_ENCODING) from None
    try:
        return json.loads(text)
    except (ValueError, RecursionError):  # ValueError: also numbers of too many digits
        raise Unreadable(NOT_JSON) from None


def _is_code(cell: object) -> bool:
    return isinstance(cell, dict) and cell.get("cell_type") == "code"


def _source(cell: dict) -> str:
    source = cell.get("source", "")
    lines = source if isinstance(source, list) else [source]
    return "".join(line for line in lines if isinstance(line, str))


NOT_A_FILE = Message(
    "not-a-file", "提交的不是普通文件。", "What was handed in is not a plain file."
)
TOO_LARGE = Message(
    "too-large",
    "文件超过 64 MB。请清除输出后重新提交。",
    "The file is larger than 64 MB. Clear the outputs and hand it in again.",
)
EMPTY = Message("empty", "文件是空的。", "The file is empty.")
WRONG_ENCODING = Message(
    "wrong-encoding",
    "文件的编码不是 UTF-8。请在 Jupyter 中打开并重新保存。",
    "The file is not encoded in UTF-8. Open it in Jupyter and save it again.",
)
NOT_JSON = Message(
    "not-json",
    "文件不完整或已损坏：它不是有效的 JSON。",
    "The file is cut short or damaged: it is not valid JSON.",
)
NOT_A_NOTEBOOK = Message(
    "not-a-notebook",
    "文件是 JSON，但不是第 4 版格式的笔记本。",
    "The file is JSON, but not a notebook of format 4.",
)
TOO_MUCH_CODE = Message(
    "too-much-code",
    "代码单元的文本合计超过 1 MB。",
    "The code cells hold more than 1 MB of text.",
)
