"""What the columns of a file hold: sentences, or the numbers and codes of an export."""

import re
from collections.abc import Sequence

NUMBER = re.compile(r"[-+]?\d+(?:[.,]\d+)*(?:[eE][-+]?\d+)?")
ADDRESS = re.compile(r"https?://\S+")
CODE = re.compile(r"[a-z]{2,3}(?:[-_][A-Za-z]{2,4})?")  # of a language: en, eng, zh-CN


def check_columns(rows: Sequence[Sequence[str]], name: object) -> None:
    """See that the first two columns are sentences, not what else an export writes.

    Tatoeba's exports put the number of each sentence before it (``1276⇥Let's try.⇥4851⇥Essayons.``)
    or its language, others a score or an address. A column is judged as a whole: one number among
    sentences is a sentence. Two columns, numbers and their names, are pairs like any other.

    Args:
        rows: the cells of each line, at least two.
        name: of the file, for the error.

    Raises:
        ValueError: one of the first two columns holds no sentences.
    """
    columns = [[row[n].strip() for row in rows] for n in range(min(map(len, rows)))]
    contents = [_content(column) for column in columns]
    if contents[:2] == ["text", "text"] or sorted(contents) == ["numbers", "text"]:
        return
    seen = ", ".join(
        f"{n} {content} ({column[0][:40]!r})"
        for n, (content, column) in enumerate(zip(contents, columns, strict=True), start=1)
    )
    sentences = [str(n) for n, content in enumerate(contents, start=1) if content == "text"]
    keep = f"; keep only columns {' and '.join(sentences)}" if len(sentences) == 2 else ""
    raise ValueError(f"{name}: columns 1 source, 2 target wanted, got columns {seen}{keep}")


def _content(column: Sequence[str]) -> str:
    if all(NUMBER.fullmatch(cell) for cell in column):
        return "numbers"
    if all(ADDRESS.fullmatch(cell) for cell in column):
        return "addresses"
    # Of a single line, nobody can tell "no" from Norwegian.
    if len(column) > 1 and len(set(column)) == 1 and CODE.fullmatch(column[0]):
        return "a language code"
    return "text"
