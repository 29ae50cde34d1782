"""The copy of a submission that formgrader shows to whoever marks the written answers.

It is opened in the instructor's browser, where a script of a student's could change marks: no
output is kept but plain text and pictures, and no HTML. Cells to be marked are put into place
even where their metadata was lost, so that every answer has a box for its points.
"""

import json
import re
from pathlib import Path

from coursework.handed_in.notebook import cells_of, read_notebook
from coursework.marking.concerns import concerns
from coursework.marking.marks import Marks

LOOK_AT = "**请看一眼 / To look at**"
SAFE_OUTPUTS = ("text/plain", "image/png")
LIVELY = "href|csname|require|style|class|cssId|data"
LOST = (
    "**{name}**：笔记本里找不到这一题的单元标记，请在上文查找答案。"
    " / The cell of this answer has lost its mark: look for the answer above."
)


def reading_copy(path: Path, marks: Marks, written: dict[str, float]) -> bytes:
    """The notebook, with a box for each written answer and for each automatic question.

    Raises:
        FileNotFoundError, Unreadable: there is no notebook to be shown.
    """
    notebook = read_notebook(path)
    cells, placed = [], set()
    for cell in notebook["cells"]:
        if not isinstance(cell, dict):
            continue
        name = _grade_id(cell)
        first = name in written and name not in placed
        placed |= {name} if first else set()
        cells.append(_cell(cell, _box(name, written[name], True) if first else {}))
    for name in written:
        if name not in placed:
            cells.append(_markdown(LOST.format(name=name), _box(name, written[name], True)))
    if look := concerns(marks, cells_of(notebook)):
        lines = (f"- {': '.join(filter(None, each))}" for each in look)
        cells.append(_markdown("\n".join([LOOK_AT, "", *lines]), {}))
    for question in marks.questions:
        name = question.question.function
        cells.append(_markdown(_verdicts(question), _box(name, question.out_of, False)))
    for number, cell in enumerate(cells):
        cell["id"] = f"cell-{number}"
    copy = {"cells": cells, "metadata": {}, "nbformat": 4, "nbformat_minor": 5}
    return json.dumps(copy, ensure_ascii=False).encode("utf-8", "replace")


def _grade_id(cell: dict) -> str | None:
    metadata = cell.get("metadata")
    nbgrader = metadata.get("nbgrader") if isinstance(metadata, dict) else None
    name = nbgrader.get("grade_id") if isinstance(nbgrader, dict) else None
    return name if isinstance(name, str) else None


def _box(name: str, points: float, by_hand: bool) -> dict:
    return {
        "nbgrader": {
            "cell_type": "markdown",
            "grade": True,
            "grade_id": name,
            "locked": not by_hand,
            "points": points,
            "schema_version": 3,
            "solution": by_hand,
            "task": False,
        }
    }


def _cell(cell: dict, metadata: dict) -> dict:
    source = _text(cell.get("source"))
    if cell.get("cell_type") != "code":
        return _markdown(source, metadata)
    outputs = cell.get("outputs")
    return {
        "cell_type": "code",
        "execution_count": None,
        "metadata": metadata,
        "outputs": [s for o in outputs if (s := _safe(o))] if isinstance(outputs, list) else [],
        "source": source,
    }


def without_tags(text: str) -> str:
    """Text for pages that escape nothing: a space keeps a tag from being one.

    Formulas and code stay readable, which they do not where < is written as HTML has it.

    >>> without_tags("<b>x</b> $a<b$ 1<2")
    '< b>x< /b> $a< b$ 1<2'
    """
    return re.sub(r"<(?=[A-Za-z/!?])", "< ", text)


def _markdown(source: str, metadata: dict) -> dict:
    # Nor is a link one, for it could hold a script.
    harmless = re.sub(r"\](?=[(:])", "] ", without_tags(source))
    # And MathJax makes links and styles of these commands in a formula.
    harmless = re.sub(rf"\\(?={LIVELY})", r"\\ ", harmless)
    return {"cell_type": "markdown", "metadata": metadata, "source": harmless}


def _safe(output: object) -> dict | None:
    """What is harmless of an output."""
    if not isinstance(output, dict):
        return None
    if output.get("output_type") == "stream":
        text = _text(output.get("text"))
        return {"output_type": "stream", "name": "stdout", "text": text[:10_000]}
    data = output.get("data")
    kept = (
        {kind: _text(data.get(kind)) for kind in SAFE_OUTPUTS if data.get(kind)}
        if (isinstance(data, dict))
        else {}
    )
    if not re.fullmatch(r"[A-Za-z0-9+/=\s]{1,2000000}", kept.get("image/png", "A")):
        del kept["image/png"]
    if "text/plain" in kept:
        kept["text/plain"] = kept["text/plain"][:10_000]
    return {"output_type": "display_data", "data": kept, "metadata": {}} if kept else None


def _text(source: object) -> str:
    lines = source if isinstance(source, list) else [source]
    return "".join(line for line in lines if isinstance(line, str))


def _verdicts(question) -> str:
    lines = [f"**{question.question.name}**: {question.points} / {question.out_of}", ""]
    for case, reason in question.verdicts:
        why = f": {reason.zh} / {reason.en}" if reason else ""
        lines.append(f"- {'✗' if reason else '✓'} {case.title.zh} / {case.title.en}{why}")
    return "\n".join(lines)
