"""Practice checks: what students run, from the wheel that they install."""

import functools

import pytest
import torch

from attention_lib import attend
from coursework.assignments import assignment_names, find_assignment
from coursework.assignments.a1_scores import ASSIGNMENT
from coursework.handing_out.refresh import write_practice
from coursework.practice import check
from coursework.practice.asked import asked_name
from coursework.practice.file import Practice, practice_path
from coursework.questions.call import answer
from coursework.questions.cases import PUBLIC_SEED
from coursework.questions.checks import judge
from coursework.sandbox.cells import run_cells
from tests.coursework.solutions.a1_wrong_solutions import WRONG


def defined(*cells):
    names, failed = run_cells([*ASSIGNMENT.solution_cells(), *cells], seconds=60)
    assert not failed
    return names


@pytest.mark.parametrize("name", assignment_names())
def test_generating_practice_again_changes_nothing(name):
    """What students install is what the assignments say today."""
    before, assignment = practice_path(name).read_bytes(), find_assignment(name)
    assert not write_practice(name, Practice.of(assignment.questions, assignment.forbidden))
    assert practice_path(name).read_bytes() == before


def test_a_changed_case_is_written(monkeypatch, tmp_path):
    """Other numbers, messages or points are a change; the last digits of an answer are none."""
    monkeypatch.setattr("coursework.practice.file.FOLDER", tmp_path)
    practice = Practice.of(ASSIGNMENT.questions)
    assert write_practice("a1_scores", practice)
    assert not write_practice("a1_scores", practice)
    answers = practice.questions["sdpa"].right
    answers[0].output[0] *= 1 + 1e-9
    assert practice.agrees_with(Practice.of(ASSIGNMENT.questions))
    answers[0].output[0] *= 2
    assert not practice.agrees_with(Practice.of(ASSIGNMENT.questions))
    case = practice.questions["sdpa"].cases[0]
    answers[0].output[0] /= 2
    assert practice.agrees_with(Practice.of(ASSIGNMENT.questions))
    practice.questions["sdpa"].cases[0] = type(case)(**(vars(case) | {"points": 2}))
    assert not practice.agrees_with(Practice.of(ASSIGNMENT.questions))


@pytest.mark.parametrize("question", ASSIGNMENT.questions, ids=lambda question: question.name)
def test_practice_and_marking_agree(question):
    """With the public seed, the stored checks say of each solution what marking says."""
    practice = Practice.unpack(practice_path("a1_scores").read_bytes())
    codes = [solution.code for solution in WRONG.get(question.function, {}).values()]
    for code in ["", *codes]:
        function = defined(code)[question.function]
        cases = question.cases(PUBLIC_SEED)
        answers = [answer(function, c.arguments, c.keywords, c.gradient_of) for c in cases]
        marked = [reason for _, reason in judge(question, cases, answers)]
        practised = practice.questions[question.function].judge(answers)
        assert [reason for _, reason in practised] == marked, code


@pytest.mark.parametrize(
    "language, sentence", [("zh", "分数没有缩放"), ("en", "The scores are not scaled")]
)
def test_practice_says_what_is_wrong(language, sentence, capsys):
    """In the notebook, the public cases say in the edition's language what is wrong."""
    check(defined(WRONG["sdpa"]["no scale"].code)["sdpa"], "a1_scores", language)
    printed = capsys.readouterr().out
    assert sentence in printed
    assert printed.count("✓") == 2 and printed.count("✗") == 3


def test_what_marking_forbids_is_forbidden_in_practice(capsys):
    """Nobody learns only from the marks that the library's whole answer does not count."""
    call = "torch.nn.functional.scaled_dot_product_attention"
    names = defined(f"def sdpa(q, k, v, mask=None):\n    return {call}(q, k, v, mask)")
    check(names["sdpa"], "a1_scores", "en")
    printed = capsys.readouterr().out
    assert printed.count("✗") == 5 and "✓" not in printed
    assert printed.count("calls what is forbidden") == 1  # what is wrong everywhere is told once
    ones = names["torch"].ones(1, 2, 2)
    assert names["sdpa"](ones, ones, ones).tolist() == ones.tolist()  # afterwards it works again


def test_the_library_is_not_there_in_practice_either(capsys):
    """Nobody passes with what marking refuses: by what is called, under any name."""
    cells = (
        "from attention_lib import masked_softmax as theirs, show_heatmaps",
        "def masked_softmax(scores, mask, dim=-1):\n    return theirs(scores, mask)",
        "def sdpa(*a, **k):\n    show_heatmaps(torch.eye(2))\n    return right(*a, **k)",
    )
    names, _ = run_cells(
        [*ASSIGNMENT.solution_cells(), "right, right_softmax = sdpa, masked_softmax", *cells], 60
    )
    check(names["masked_softmax"], "a1_scores", "en")
    printed = capsys.readouterr().out
    assert printed.count("✗") == 5 and "✓" not in printed
    assert "attention_lib is not there when answers are marked" in printed
    check(lambda *a, **k: names["right_softmax"](*a, **k), "a1_scores", name="masked_softmax")
    names["masked_softmax"] = names["right_softmax"]
    check(names["sdpa"], "a1_scores")
    assert capsys.readouterr().out.count("✓") == 10
    lengths = torch.tensor([1])
    check(lambda *a: attend(*a[:3], lengths), "03_scoring_functions")  # a section allows it
    assert "not there" not in capsys.readouterr().out


def test_the_name_is_found_in_the_notebook():
    """What has no name of its own, or another one, answers to the name that it was given."""
    asked = ("masked_softmax", "sdpa")

    def sdpa(): ...

    def mine(): ...

    partial = functools.partial(sdpa)

    def name(function, namespace):
        return asked_name(function, asked, namespace, "a1_scores", "en")

    assert name(partial, {"masked_softmax": partial, "other": partial}) == "masked_softmax"
    assert name(sdpa, {}) == "sdpa"
    assert name(sdpa, {"masked_softmax": sdpa}) == "masked_softmax"
    assert name(sdpa, {"masked_softmax": sdpa, "sdpa": sdpa}) == "sdpa"
    with pytest.raises(ValueError, match="under the names masked_softmax, sdpa: say by name="):
        name(mine, {"masked_softmax": mine, "sdpa": mine})
    with pytest.raises(ValueError, match="got a function named partial"):
        name(partial, {"sdpa": None})
    with pytest.raises(ValueError, match="a1_scores 要的是 masked_softmax, sdpa；得到的函数名为 m"):
        asked_name(mine, asked, {}, "a1_scores", "zh")


@pytest.mark.parametrize(
    "language, told", [("zh", "评分时按名字 sdpa 找"), ("en", "by the name sdpa")]
)
def test_what_marking_would_not_find_is_told(language, told, capsys):
    """In a notebook, a function under another name than its own passes, and is warned about."""
    cell = f"check(sdpa, 'a1_scores', {language!r})\nkept = sdpa\nsdpa = None\n"
    cell += f"check(kept, 'a1_scores', {language!r})"
    names = defined()
    exec(cell, names | {"check": check})
    printed = capsys.readouterr().out
    assert printed.count("✓") == 10 and printed.count("⚠") == 1
    assert told in printed.splitlines()[-1]


def test_an_error_without_words_is_told(capsys):
    """An exception that cannot be written, or pretends to have no class, is named all the same."""
    cell = (
        "class Wordless(Exception):\n    def __str__(self):\n        raise ValueError\n"
        "    __class__ = property(__str__)\n\ndef sdpa(q, k, v, mask=None):\n    raise Wordless"
    )
    check(defined(cell)["sdpa"], "a1_scores")
    assert "    Wordless: " in capsys.readouterr().out


def test_wrong_use_is_told():
    """Errors name what was given and what there is."""

    def sdpa(): ...

    with pytest.raises(TypeError, match=r"check wants a function.*got 'sdpa'"):
        check("sdpa", "a1_scores")
    with pytest.raises(ValueError, match=r"checks of 03_scoring.*, a1_scores.*got 'a9'"):
        check(sdpa, "a9")
    with pytest.raises(ValueError, match=r"asks for masked_softmax, sdpa.* named len"):
        check(len, "a1_scores")
    with pytest.raises(ValueError, match=r"要的是 masked_softmax, sdpa.*函数名为 sdap"):
        check(sdpa, "a1_scores", language="zh", name="sdap")
    with pytest.raises(ValueError, match="zh, en, got 'fr'"):
        check(sdpa, "a1_scores", language="fr")
