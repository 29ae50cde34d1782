"""What must not reach students: solutions, oracles, rubrics, the seed, and what is made from it.

Not every line of a solution is a secret. What the library itself says is none. A line that a
section of the book shows, such as the formula of scaled dot products, is none by itself, but half
of a solution is, even there.
"""

import base64
import inspect
import json
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from urllib.parse import quote

import numpy as np

from coursework.handing_out.texts import Written, head_and_body, read_text
from coursework.questions.cases import LANGUAGES, PUBLIC_SEED, Assignment

ROOT = Path(__file__).parents[2]
# Words, numbers, Chinese characters and operators. What differs between a notebook, a web page
# and a script is left out: quotes, commas, backslashes, and what Markdown makes of * and $.
TOKEN = re.compile(r"[A-Za-z_]\w*|\d+(?:\.\d+)?|[一-鿿]|[@~+/=<>\[\].%|&^-]", re.ASCII)
RUN = 8  # as many tokens in a row are no accident


def tokens(text: str) -> list[str]:
    return TOKEN.findall(text.lower())


def plain(text: str) -> str:
    r"""Text without the escapes of JSON and of scripts, in lines as before.

    >>> plain(r'"a = 1\n", "\u4e2d"')
    '"a = 1 ", "中"'
    """
    text = re.sub(r"\\+u([0-9a-fA-F]{4})", lambda match: chr(int(match[1], 16)), text)
    return re.sub(r"\\+[nrt]", " ", text)


@dataclass(frozen=True)
class SecretText:
    """A text that students should not read."""

    what: str  # such as "the solution of a1_scores, sdpa"
    text: str

    @cached_property
    def runs(self) -> frozenset[tuple[str, ...]]:
        words = tokens(plain(self.text))
        return frozenset(tuple(words[i : i + RUN]) for i in range(len(words) - RUN + 1))

    @cached_property
    def words(self) -> frozenset[str]:
        """Words, and pairs of Chinese characters, as a search index has them.

        Shorter words are hardly more than the "and" and "for" that an index leaves out.
        """
        found = {token for token in tokens(plain(self.text)) if re.match("[a-z_]{4}", token)}
        chinese = re.findall("[一-鿿]+", self.text)
        return frozenset(found | {run[i : i + 2] for run in chinese for i in range(len(run) - 1)})


def secret_texts(assignment: Assignment) -> Iterator[SecretText]:
    for question in assignment.questions:
        place = f"{assignment.name}, {question.function}"
        yield SecretText(f"the solution of {place}", head_and_body(question.solution)[1])
        try:
            oracle = inspect.getsource(question.oracle)
        except TypeError:  # a function of PyTorch has no source in Python, and is no secret
            continue
        yield SecretText(f"the oracle of {place}", oracle)
    for language in LANGUAGES:
        for part in read_text(assignment, language):
            if isinstance(part, Written):
                what = f"the rubric of {assignment.name}, {part.name} ({language})"
                yield SecretText(what, part.rubric)


def seed_spellings(seed: str) -> frozenset[str]:
    r"""How somebody would write the instructor's seed, in lower case.

    >>> {"12345678", "0xbc614e", "3132333435363738"} <= seed_spellings("12345678")
    True
    """
    content = seed.encode()
    texts = {seed, seed[::-1], quote(seed)}
    texts |= {quoted[1:-1] for quoted in (repr(seed), ascii(seed), json.dumps(seed))}
    texts |= {json.dumps(seed, ensure_ascii=False)[1:-1], repr(content)[2:-1]}
    for between in ("", " ", ":", "\\x"):  # \x has one backslash more in JSON
        texts.add(content.hex("|").replace("|", between))
    for between in (", ", ",", " "):
        texts |= {between.join(map(str, content)), between.join(map(hex, content))}
    coded = {base64.b64encode(content), base64.urlsafe_b64encode(content)}
    texts |= {one.decode().rstrip("=") for one in coded}
    if seed.isdecimal():
        texts |= {hex(int(seed)), str(int(seed))}
    return frozenset(text.lower() for text in texts if len(text) >= 8)


def hidden_numbers(assignment: Assignment, seed: str) -> Iterator[tuple[str, np.ndarray]]:
    """The arrays of floating-point numbers in the hidden cases that are not in the public ones."""
    for question in assignment.questions:
        public = {array.tobytes() for array in _arrays(question.cases(PUBLIC_SEED))}
        for array in _arrays(question.cases(seed)):
            if array.tobytes() not in public and np.unique(array).size > 3:
                yield f"a hidden case of {assignment.name}, {question.function}", array


def _arrays(cases: Iterable) -> Iterator[np.ndarray]:
    for case in cases:
        for value in (*case.arguments, *case.keywords.values()):
            if isinstance(value, np.ndarray) and value.dtype.kind == "f":
                yield value


def shown(cell: dict) -> str:
    """What a cell of a section says, and how its picture is described."""
    image = cell["metadata"].get("mystnb", {}).get("image", {})
    return "".join(cell["source"]) + "\n" + image.get("alt", "")


@dataclass(frozen=True)
class Published:
    """What anybody may read: the library, and the sections of the book."""

    library: str
    sections: tuple[str, ...]

    @classmethod
    def here(cls) -> "Published":
        library = [path.read_text("utf-8") for path in sorted(ROOT.glob("attention_lib/**/*.py"))]
        sections = [
            "\n".join(map(shown, json.loads(path.read_text("utf-8"))["cells"]))
            for path in sorted(ROOT.glob("book/*/*.ipynb"))
        ]
        return cls("\n".join(library), tuple(sections))

    @cached_property
    def library_runs(self) -> frozenset[tuple[str, ...]]:
        return SecretText("", self.library).runs

    @cached_property
    def book_runs(self) -> frozenset[tuple[str, ...]]:
        return SecretText("", "\n".join(self.sections)).runs

    @cached_property
    def section_words(self) -> tuple[frozenset[str], ...]:
        return tuple(SecretText("", section).words for section in self.sections)
