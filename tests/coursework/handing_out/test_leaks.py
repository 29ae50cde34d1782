"""What students can get holds no solution, rubric or hidden number: leaks are planted and found."""

import argparse
import base64
import html
import inspect
import json
import urllib.parse
import zipfile

import numpy as np
import pytest
import snowballstemmer
import torch
from pygments import highlight
from pygments.formatters import HtmlFormatter
from pygments.lexers import PythonLexer
from safetensors.numpy import save

from coursework.__main__ import main
from coursework.assignments.a1_scores import ASSIGNMENT
from coursework.handing_out import leaks
from coursework.handing_out.confidential import ROOT, Published
from coursework.handing_out.leaks import Scanner
from coursework.handing_out.release import release
from coursework.handing_out.texts import Written, head_and_body, read_text
from coursework.questions.cases import PUBLIC_SEED
from tests.coursework import small_class

SEED = "a seed for tests"
QUESTION = ASSIGNMENT.questions[0]
SOLUTION = head_and_body(QUESTION.solution)[1]
LINE = "exponentials = torch.exp(scores - largest)"
ORACLE = inspect.getsource(QUESTION.oracle)
HIDDEN = QUESTION.cases(SEED)[0].arguments[0]
LARGE = QUESTION.cases(SEED)[2].arguments[0]
RUBRIC = {
    language: part.rubric
    for language in ("zh", "en")
    for part in read_text(ASSIGNMENT, language)
    if isinstance(part, Written)
}
MASKED_SOFTMAX = "the solution of a1_scores, masked_softmax"
NUMBERS = "a hidden case of a1_scores, masked_softmax"


@pytest.fixture(scope="module")
def scanner():
    return Scanner([ASSIGNMENT], SEED)


@pytest.fixture(scope="module")
def released(tmp_path_factory):
    course = tmp_path_factory.mktemp("course")
    for language in ("zh", "en"):
        release(ASSIGNMENT, course, language)
    return course / "release"


def notebook(*sources):
    """A notebook as Jupyter writes it, every line of a cell a string of its own."""
    cells = [{"cell_type": "code", "source": source.splitlines(True)} for source in sources]
    return json.dumps({"cells": cells}, indent=1)


def index(words, title="A page"):
    """A search index as Sphinx writes it: stems of words, and titles in full."""
    stem = snowballstemmer.stemmer("english").stemWord
    terms = {stem(word.lower()): 1 for word in words} | {"query": [0, 1]}
    content = {"alltitles": {title: [[0, None]]}, "docnames": ["a", "b"], "terms": terms}
    return f"Search.setIndex({json.dumps(content)})"


def words_of(text):
    chinese = [text[i : i + 2] for i in range(len(text) - 1) if text[i] >= "一"]
    return chinese + "".join(c if c.isalnum() or c == "_" else " " for c in text).split()


PLANTED = {
    "a notebook": ("a.ipynb", notebook("import torch", f"x = 1\n{LINE}\ny = 2"), MASKED_SOFTMAX),
    "other indentation": ("a.py", SOLUTION.replace("    ", "\t\t"), MASKED_SOFTMAX),
    "other line breaks": ("a.txt", LINE.replace(" ", "\n"), MASKED_SOFTMAX),
    "escaped HTML": ("a.html", f"<pre>{html.escape(SOLUTION)}</pre>", MASKED_SOFTMAX),
    "entities": ("a.html", "".join(f"&#{ord(c)};" for c in LINE), MASKED_SOFTMAX),
    "escaped twice": ("a.html", html.escape(html.escape(ORACLE)), "the oracle of a1_scores"),
    "coloured HTML": ("a.html", highlight(LINE, PythonLexer(), HtmlFormatter()), MASKED_SOFTMAX),
    "HTML in a notebook": (
        "a.ipynb",
        json.dumps({"text/html": highlight(LINE, PythonLexer(), HtmlFormatter())}),
        MASKED_SOFTMAX,
    ),
    "a script": ("a.js", f"const a = {json.dumps(json.dumps(ORACLE))};", "the oracle of a1"),
    "a title in the index": ("searchindex.js", index([], LINE), MASKED_SOFTMAX),
    "the words of a solution": ("searchindex.js", index(words_of(SOLUTION)), MASKED_SOFTMAX),
    "the words of a rubric": (
        "searchindex.js",
        index(words_of(RUBRIC["en"])),
        "the rubric of a1_scores, why-scale (en)",
    ),
    "Chinese words": (
        "searchindex.js",
        index(words_of(RUBRIC["zh"])),
        "the rubric of a1_scores, why-scale (zh)",
    ),
    "a rubric": ("a.md", RUBRIC["zh"], "the rubric of a1_scores, why-scale (zh)"),
    "a rubric, escaped": (
        "a.json",
        json.dumps(RUBRIC["zh"]),
        "the rubric of a1_scores, why-scale (zh)",
    ),
    "a rubric on a page": (
        "a.html",
        f"<ul><li>{RUBRIC['en'].replace('$d$', '<em>d</em>')}</li></ul>",
        "the rubric of a1_scores, why-scale (en)",
    ),
    "a printed tensor": ("a.html", f"<pre>{torch.tensor(HIDDEN)}</pre>", NUMBERS),
    "numbers in JSON": ("a.json", json.dumps(HIDDEN.tolist()), NUMBERS),
    "numbers in scientific form": ("a.txt", str([f"{x:.4e}" for x in LARGE.flat]), NUMBERS),
    "an array": ("a.safetensors", save({"a": HIDDEN}), NUMBERS),
    "an array of doubles": ("a.npy", HIDDEN.astype(np.float64).tobytes(), NUMBERS),
}


@pytest.mark.parametrize("name", PLANTED)
def test_a_planted_leak_is_found(name, scanner):
    """However it is written, with the file and what it is."""
    file, content, what = PLANTED[name]
    content = content if isinstance(content, bytes) else content.encode()
    found = list(scanner.scan_content(file, content))
    assert [leak.file for leak in found] == [file] and found[0].what.startswith(what), found


ODD_SEED = 'a "seed" <of> 种子\\x & more'
SEED_CODED = {
    "as it is": str,
    "in quotes": repr,
    "in ASCII": ascii,
    "in JSON": json.dumps,
    "in JSON, as it is": lambda seed: json.dumps(seed, ensure_ascii=False),
    "in HTML": html.escape,
    "in entities": lambda seed: "".join(f"&#{ord(c)};" for c in seed),
    "in capitals": str.upper,
    "backwards": lambda seed: seed[::-1],
    "in hexadecimal": lambda seed: seed.encode().hex(),
    "in capital hexadecimal": lambda seed: seed.encode().hex(" ").upper(),
    "as bytes": lambda seed: str(list(seed.encode())),
    "as a tensor": lambda seed: str(torch.tensor(list(seed.encode())).tolist()),
    "in base 64": lambda seed: base64.b64encode(seed.encode()).decode(),
    "in an address": urllib.parse.quote,
    "an environment": lambda seed: (
        repr(f"PATH=/bin\0COURSEWORK_SEED={seed}\0HOME=/".encode())
        if seed.isascii()
        else f"COURSEWORK_SEED={seed}"
    ),
}


@pytest.mark.parametrize("seed", [SEED, ODD_SEED, "1234567890"])
@pytest.mark.parametrize("coded", SEED_CODED)
def test_the_seed_is_found(coded, seed):
    """Whoever has it has all cases; an error of a cell may hold it in any form."""
    (leak,) = Scanner([], seed).scan_content("a.html", f"a\n{SEED_CODED[coded](seed)}".encode())
    assert (leak.what, leak.line) == ("the seed", 2)


def test_the_seed_as_a_number_is_found():
    """In hexadecimal it is a number as well."""
    (leak,) = Scanner([], "1234567890").scan_content("a.txt", b"seed = 0x499602D2")
    assert leak.what == "the seed"


def test_the_seed_is_found_in_a_page_of_feedback(tmp_path):
    """Where a student's cell failed, its page repeats what the cell said."""
    course = small_class.make(tmp_path)
    said = (1, "KeyError", f"b'COURSEWORK_SEED={SEED}\\0'")
    record = course.record("ada", "a1_scores")
    content = json.loads(record.read_text()) | {"failed_cells": [said]}
    record.write_text(json.dumps(content))
    assert main(["feedback", "a1_scores", "--course", str(course.root)]) == 0
    found = list(Scanner([ASSIGNMENT], SEED).scan([course.root / "feedback"]))
    assert [leak.what for leak in found] == ["the seed"]
    assert "ada" in found[0].file


def test_the_line_is_named(scanner):
    """Somebody has to take it out again."""
    text = f"one\ntwo\n    {LINE}\nfour"
    assert [leak.line for leak in scanner.scan_content("a.py", text.encode())] == [3]
    page = notebook("one", f"two\n{LINE}")
    (leak,) = scanner.scan_content("a.ipynb", page.encode())
    assert LINE in page.splitlines()[leak.line - 1]


def test_archives_are_opened(scanner, tmp_path):
    """A wheel, or a zip in a zip, hides nothing."""
    with zipfile.ZipFile(tmp_path / "inner.zip", "w") as inner:
        inner.writestr("coursework/assignments/a1.py", SOLUTION)
    with zipfile.ZipFile(tmp_path / "outer.whl", "w", zipfile.ZIP_DEFLATED) as outer:
        outer.write(tmp_path / "inner.zip", "inner.zip")
    (leak,) = scanner.scan([tmp_path / "outer.whl"])
    assert leak.file.endswith("outer.whl, inner.zip, coursework/assignments/a1.py")
    assert leak.what == MASKED_SOFTMAX


def test_what_students_get_is_clean(scanner, released, wheel):
    """The release in both editions, the wheel with its practice checks, and the book's sections."""
    assert list(scanner.scan([released, wheel, ROOT / "book"])) == []


def test_the_source_is_not_clean(scanner, released):
    """The instructor's notebooks, from which the release is made, hold all that is looked for."""
    found = {leak.what for leak in scanner.scan([released.parent / "source"])}
    for question in ASSIGNMENT.questions:
        assert f"the solution of a1_scores, {question.function}" in found
    assert {f"the rubric of a1_scores, why-scale ({edition})" for edition in RUBRIC} <= found


def test_public_numbers_are_no_leak():
    """What the practice cases have as well is there to be read."""
    public = QUESTION.cases(PUBLIC_SEED)[0].arguments[0]
    scanner = Scanner([ASSIGNMENT], PUBLIC_SEED)
    assert list(scanner.scan_content("a.json", json.dumps(public.tolist()).encode())) == []


def test_a_section_may_show_a_line_but_not_the_solution():
    """A formula that the book teaches is no secret; a whole solution is one even there."""
    published = Published(library="", sections=(SOLUTION,))
    scanner = Scanner([ASSIGNMENT], published=published)
    assert list(scanner.scan_content("a.py", LINE.encode())) == []
    (leak,) = scanner.scan_content("a.py", SOLUTION.encode())
    assert leak.what == MASKED_SOFTMAX


def test_what_the_library_says_is_no_secret():
    """Everybody has the library."""
    scanner = Scanner([ASSIGNMENT], published=Published(library=SOLUTION, sections=()))
    assert list(scanner.scan_content("a.py", SOLUTION.encode())) == []


def test_the_command(monkeypatch, tmp_path, capsys):
    """It prints a line for each leak, ends with 1 if there is one, and says what it cannot see."""
    parser = argparse.ArgumentParser()
    leaks.add_arguments(parser)
    (tmp_path / "clean.md").write_text("nothing")
    monkeypatch.delenv("COURSEWORK_SEED", raising=False)
    assert leaks.run(parser.parse_args([str(tmp_path)])) == 0
    out, error = capsys.readouterr()
    assert out == "" and error.startswith(
        "Neither hidden numbers nor the seed are looked for: set COURSEWORK"
    )
    (tmp_path / "numbers.md").write_text(f"{HIDDEN.tolist()}")
    monkeypatch.setenv("COURSEWORK_SEED", SEED)
    assert leaks.run(parser.parse_args([str(tmp_path)])) == 1
    assert capsys.readouterr() == (f"{tmp_path}/numbers.md, line 1: {NUMBERS}\n", "")
    with pytest.raises(FileNotFoundError, match="nowhere does not exist"):
        leaks.run(parser.parse_args([str(tmp_path / "nowhere")]))
