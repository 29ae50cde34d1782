"""Look for solutions, oracles, rubrics, hidden numbers and the seed in what students can get.

``python -m coursework leaks _build/site release feedback`` names each file and line. It reads
through what changes a text on its way: the JSON of notebooks, HTML with its colours, scripts,
archives, and the search index, which has the words of a page without their order.
"""

import html
import io
import json
import re
import sys
import zipfile
from collections.abc import Iterable, Iterator, Set
from functools import cached_property
from itertools import islice
from pathlib import Path
from typing import NamedTuple

import numpy as np
import snowballstemmer

from coursework.assignments import assignment_names, find_assignment
from coursework.handing_out.confidential import (
    RUN,
    TOKEN,
    Published,
    hidden_numbers,
    plain,
    secret_texts,
    seed_spellings,
    tokens,
)
from coursework.questions.cases import Assignment, secret_seed

# With three decimals or more: coarser numbers meet by chance.
NUMBER = re.compile(r"[+-]?\d+\.(\d{3,})(?:e([+-]?\d{1,2}))?", re.IGNORECASE)
IN_A_ROW = 4
# Of the words of a secret, in the index of one page: a large part, and clearly more than a section
# of the book has that is about the same things.
MOST_WORDS, MARGIN = 0.8, 0.1


class Leak(NamedTuple):
    file: str
    line: int
    what: str

    def __str__(self) -> str:
        return f"{self.file}, line {self.line}: {self.what}"


class Scanner:
    """Finds what the assignments keep from students.

    Args:
        assignments: whose secrets are looked for.
        seed: the instructor's; without it, neither it nor the numbers of hidden cases are looked
            for.
        published: what is no secret.
    """

    def __init__(
        self, assignments: Iterable[Assignment], seed: str | None = None, published=None
    ) -> None:
        assignments = list(assignments)
        self.published = published or Published.here()
        self.texts = [text for each in assignments for text in secret_texts(each)]
        self.numbers = [
            numbers for each in assignments if seed for numbers in hidden_numbers(each, seed)
        ]
        self.seed_spellings = seed_spellings(seed) if seed else frozenset()
        self.secret_of_run = {
            run: text for text in self.texts for run in text.runs - self.published.library_runs
        }
        self.first_words = {run[0] for run in self.secret_of_run}

    def scan(self, paths: Iterable[Path]) -> Iterator[Leak]:
        """The leaks in files, folders, and the files in archives.

        Raises:
            FileNotFoundError: one of the paths does not exist. Nothing scanned is nothing proved.
        """
        for path in paths:
            if not path.exists():
                raise FileNotFoundError(f"{path} does not exist, so that there is nothing to scan")
            for file in sorted(path.rglob("*")) if path.is_dir() else [path]:
                if file.is_file():
                    yield from self.scan_content(str(file), file.read_bytes())

    def scan_content(self, name: str, content: bytes) -> Iterator[Leak]:
        """The leaks in the content of one file, each secret once."""
        if zipfile.is_zipfile(io.BytesIO(content)):
            with zipfile.ZipFile(io.BytesIO(content)) as archive:
                for inside in archive.namelist():
                    yield from self.scan_content(f"{name}, {inside}", archive.read(inside))
            return
        text = content.decode("utf-8", errors="replace")
        found, escapes_undone = {}, plain(text)
        for view in (escapes_undone, without_tags(escapes_undone)):
            for what, position in (*self._texts(view), *self._numbers(view)):
                found.setdefault(what, view.count("\n", 0, position) + 1)
        for what in (*self._index(name, text), *self._bytes(content)):
            found.setdefault(what, 1)
        for line in self._seed(text):
            found.setdefault("the seed", line)
        for what, line in found.items():
            yield Leak(name, line, what)

    def _seed(self, text: str) -> Iterator[int]:
        """The lines in which the instructor's seed stands, as it is or as it would be coded.

        With and without escapes and tags: a seed may hold what looks like them.
        """
        for view in (text, plain(text), html.unescape(text), without_tags(text)):
            view = view.lower()
            for position in map(view.find, self.seed_spellings):
                if position >= 0:
                    yield view.count("\n", 0, position) + 1

    def _texts(self, view: str) -> Iterator[tuple[str, int]]:
        """Secret texts, of which a run of tokens is there that no section of the book shows.

        Half of all runs are a leak even where the book shows each of them.
        """
        words, shown, leaked = tokens(view), {}, set()
        for i, word in enumerate(words):
            if word not in self.first_words:
                continue
            run = tuple(words[i : i + RUN])
            secret = self.secret_of_run.get(run)
            if secret is None or secret in leaked:
                continue
            there = shown.setdefault(secret, set())
            there.add(run)
            many = 2 * len(there) >= len(secret.runs - self.published.library_runs)
            if run not in self.published.book_runs or many:
                leaked.add(secret)
                yield secret.what, next(islice(TOKEN.finditer(view.lower()), i, None)).start()

    def _numbers(self, view: str) -> Iterator[tuple[str, int]]:
        """Hidden cases, of which several numbers stand there one after the other."""
        if not self.numbers:
            return
        matches = list(NUMBER.finditer(view))
        values = np.array([float(match[0]) for match in matches])
        # A number stands for all that are printed like it.
        decimals = np.array([len(match[1]) - int(match[2] or 0) for match in matches], dtype=float)
        slack = 0.51 * 10.0**-decimals + 1e-6 * np.abs(values)
        whats, hidden, order = self._sorted_numbers
        first = np.searchsorted(hidden[order], values - slack)
        last = np.searchsorted(hidden[order], values + slack, side="right")
        for i in np.flatnonzero(last > first):
            for start in order[first[i] : last[i]]:
                here, there = slice(i, i + IN_A_ROW), slice(start, start + IN_A_ROW)
                run = hidden[there]
                if (
                    len(values[here]) == len(run) == len(set(run)) == IN_A_ROW
                    and (np.abs(run - values[here]) <= slack[here]).all()
                ):
                    yield whats[start], matches[i].start()

    @cached_property
    def _sorted_numbers(self) -> tuple[list[str], np.ndarray, np.ndarray]:
        """All hidden numbers, whose they are, and their order. A gap ends each array."""
        whats, pieces = [], []
        for what, array in self.numbers:
            pieces += [array.ravel().astype(float), np.array([np.nan])]
            whats += [what] * (array.size + 1)
        hidden = np.concatenate(pieces)
        return whats, hidden, np.argsort(hidden)

    def _bytes(self, content: bytes) -> Iterator[str]:
        """Hidden cases that are stored as arrays."""
        for what, array in self.numbers:
            for kind in ("<f4", "<f8"):
                start = array.ravel()[: 2 * IN_A_ROW].astype(kind)
                if len(set(start)) >= IN_A_ROW and start.tobytes() in content:
                    yield what

    def _index(self, name: str, text: str) -> Iterator[str]:
        """Secret texts of which one page of a search index has most words."""
        if not name.endswith("searchindex.js"):
            return
        index = json.loads(text[text.index("(") + 1 : text.rindex(")")])
        pages = [set() for _ in index["docnames"]]
        for term, where in index["terms"].items():
            for page in [where] if isinstance(where, int) else where:
                pages[page].add(term)
        stem = snowballstemmer.stemmer("english").stemWord
        for secret in self.texts:
            book = [_share(secret.words, words) for words in self.published.section_words]
            stems = {stem(word) for word in secret.words}
            if max(_share(stems, page) for page in pages) > max(
                MOST_WORDS, max(book, default=0) + MARGIN
            ):
                yield secret.what


def _share(words: Set[str], there: Set[str]) -> float:
    return len(words & there) / len(words)


def without_tags(text: str) -> str:
    """What a web page says, in lines as before."""
    text = re.sub(r"<[^<>]*>", lambda tag: "\n" * tag[0].count("\n"), text)
    return html.unescape(html.unescape(text))


def add_arguments(parser) -> None:
    parser.add_argument(
        "paths", nargs="+", type=Path, metavar="PATH", help="files and folders that students get"
    )


def run(arguments) -> int:
    """Print the leaks, one a line; 1 if there is any."""
    try:
        seed = secret_seed()
    except LookupError as error:
        print(f"Neither hidden numbers nor the seed are looked for: {error}", file=sys.stderr)
        seed = None
    scanner = Scanner(map(find_assignment, assignment_names()), seed)
    leaks = list(scanner.scan(arguments.paths))
    for leak in leaks:
        print(leak)
    return int(bool(leaks))
