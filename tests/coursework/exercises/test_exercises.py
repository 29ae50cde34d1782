"""The checks of the book's sections: what they say about right and wrong solutions."""

import math
import re

import pytest
import torch

from coursework.__main__ import main
from coursework.exercises import EXERCISES
from coursework.handing_out.refresh import write_practice
from coursework.practice import check
from coursework.practice.file import Practice, practice_names, practice_path
from coursework.questions.call import answer
from coursework.questions.cases import PUBLIC_SEED
from coursework.questions.checks import compare, judge, known_mistakes, right_answers
from tests import extent
from tests.coursework.exercises.exercise_additive_attention import step
from tests.coursework.exercises.exercise_multi_head import in_heads, residual_in_place
from tests.coursework.exercises.exercise_scaled_dot_product import (
    filled,
    scaled_in_place_and_again,
    sentence,
)
from tests.coursework.exercises.exercise_solutions import RIGHT, WRONG

SEEDS = [PUBLIC_SEED, "one seed", "another seed"]
of_sections = pytest.mark.parametrize("section", EXERCISES)
in_both_languages = pytest.mark.parametrize("language", ["zh", "en"])


def answers(function, cases):
    return [answer(function, c.arguments, c.keywords, c.gradient_of) for c in cases]


@pytest.fixture(scope="module")
def asked():
    """The cases of a section, with what is right and what known mistakes give, once each."""
    known = {}

    def of(section, seed):
        if (section, seed) not in known:
            question = EXERCISES[section]
            cases = question.cases(seed)
            both = right_answers(question, cases), known_mistakes(question, cases)
            known[section, seed] = cases, *both
        return known[section, seed]

    return of


def reasons(function, cases, right, mistakes):
    verdicts = compare(cases, answers(function, cases), right, lambda: mistakes)
    return {case.title.name: reason.name for case, reason in verdicts if reason}


@of_sections
def test_generating_practice_again_changes_nothing(section):
    """What readers install is what the questions say today."""
    before = practice_path(section).read_bytes()
    assert not write_practice(section, Practice.of([EXERCISES[section]]))
    assert practice_path(section).read_bytes() == before


@of_sections
def test_reference_is_right_for_many_seeds(section):
    """No seed makes a case on which the solution of the book fails."""
    question = EXERCISES[section]
    for seed in extent.SEEDS:
        cases = question.cases(f"seed {seed}")
        verdicts = judge(question, cases, answers(question.solution, cases))
        assert not [reason for _, reason in verdicts if reason]


@pytest.mark.parametrize(
    "section, title", [(section, title) for section in WRONG for title in WRONG[section]]
)
def test_wrong_solutions_are_told_what_is_wrong(section, title, asked):
    """Each wrong solution fails the cases it should, with the reason that is meant for it."""
    function, expected = WRONG[section][title]
    for seed in SEEDS:
        assert reasons(function, *asked(section, seed)) == expected, seed


@pytest.mark.parametrize(
    "section, title", [(section, title) for section in RIGHT for title in RIGHT[section]]
)
def test_right_solutions_in_other_words_are_right(section, title, asked):
    """What is judged is what a function computes, not how it is written."""
    for seed in SEEDS:
        assert reasons(RIGHT[section][title], *asked(section, seed)) == {}, seed


@of_sections
def test_every_mistake_is_told_from_every_other(section, asked):
    """Each known mistake is named by its own reason: none hides behind another."""
    cases, right, mistakes = asked(section, PUBLIC_SEED)
    for reason, given in mistakes:
        verdicts = compare(cases, given, right, lambda: mistakes)
        found = {verdict.reason.name for verdict in verdicts if verdict.reason}
        assert found and found <= {reason.name, "RuntimeError"}, reason


@of_sections
def test_every_reason_is_said_in_both_languages(section):
    """A reader reads the reason in the language of the edition."""
    question = EXERCISES[section]
    said = [mistake.reason for mistake in question.mistakes]
    said += [case.title for case in question.cases(PUBLIC_SEED)]
    for reason in said:
        assert any("一" <= character <= "鿿" for character in reason.zh), reason
        assert not any("一" <= character <= "鿿" for character in reason.en), reason


@in_both_languages
@of_sections
def test_the_installed_check_says_the_reasons(section, language, capsys):
    """In the notebook, under any name, a line for each case and the reason below it."""
    question = EXERCISES[section]
    function, expected = next(iter(WRONG[section].values()))
    check(function, section, language=language)
    lines = capsys.readouterr().out.splitlines()
    for case in question.cases(PUBLIC_SEED):
        wrong = case.title.name in expected
        assert f"{'✗' if wrong else '✓'} {getattr(case.title, language)}" in lines
    known = {mistake.reason.name: mistake.reason for mistake in question.mistakes}
    for name in set(expected.values()) & set(known):
        assert f"    {getattr(known[name], language)}" in lines
    check(question.solution, section, language=language)
    printed = capsys.readouterr().out.splitlines()
    assert [line[0] for line in printed] == ["✓"] * len(question.cases(PUBLIC_SEED))


@pytest.mark.parametrize(
    "section, starting",
    [
        ("03_scoring_functions", lambda queries, keys, values, lengths: None),
        ("04_bahdanau_attention", lambda state, values, mask, W_q, W_k, w: (None, None)),
    ],
)
def test_before_anything_is_written(section, starting, capsys):
    """A friendly line instead of an error for each case."""
    for language in ("zh", "en"):
        check(starting, section, language=language)
    assert capsys.readouterr().out.splitlines() == [
        "还没有作答：函数没有返回结果。",
        "Not answered yet: the function returns nothing.",
    ]


DETAILS = {
    "shape": (
        "03_scoring_functions",
        lambda *given: sentence()(*given)[0],
        r"形状应为 \(2, 3, (\d)\)，得到 \(3, \1\)。",
        r"Shape: \(2, 3, (\d)\) wanted, got \(3, \1\).",
    ),
    "shapes": (
        "04_bahdanau_attention",
        lambda *given: (step()(*given)[1],) * 2,
        r"形状应为 \(2, 5\)、\(2, 4\)，得到 \(2, 4\)、\(2, 4\)。",
        r"Shape: \(2, 5\), \(2, 4\) wanted, got \(2, 4\), \(2, 4\).",
    ),
    "first number": (
        "06_self_attention_and_position",
        lambda length, d_model, start=0: torch.full((length, d_model), 0.5),
        r"输出的 \[0, 0\] 应为 0.0000，得到 0.5000。",
        r"The output \[0, 0\]: 0.0000 wanted, got 0.5000.",
    ),
    "which output": (
        "04_bahdanau_attention",
        step(context=lambda weights, values: 2 * weights @ values),
        r"第 1 个输出的 \[0, 0\] 应为 .*，得到 .*\n    第 2 个输出是对的。",
        r"Output 1 \[0, 0\]: .* wanted, got .*\n    Output 2 is right.",
    ),
    "NaN": (
        "03_scoring_functions",
        lambda *given: sentence()(*given).index_fill(1, torch.tensor(0), math.nan),
        r"输出的 \[0, 0, 0\] 应为 .*，得到 nan。",
        r"The output \[0, 0, 0\]: .* wanted, got nan.",
    ),
    "error": (
        "05_multi_head_attention",
        lambda queries, keys, values, heads, **layers: queries @ keys,
        "RuntimeError: Expected size for first two dimensions",
        "RuntimeError: Expected size for first two dimensions",
    ),
    "changed input": (
        "05_multi_head_attention",
        residual_in_place,
        "被改动的输入：queries。",
        "Inputs changed: queries.",
    ),
    "changed input of a wrong answer": (
        "03_scoring_functions",
        scaled_in_place_and_again,
        "而不是 √d。\n    被改动的输入：queries。",
        "instead of √d.\n    Inputs changed: queries.",
    ),
}


@pytest.mark.parametrize("title", DETAILS)
def test_practice_adds_details(title, capsys):
    """Where no known mistake explains it: shapes, numbers, errors, and which input was changed."""
    section, function, zh, en = DETAILS[title]
    for language, pattern in (("zh", zh), ("en", en)):
        check(function, section, language=language)
        assert re.search(pattern, capsys.readouterr().out)


def test_a_mistake_that_is_known_needs_no_details(capsys):
    """The reason is enough, and no number tells the answer."""
    check(filled(-1e6), "03_scoring_functions")
    check(in_heads(dim=1), "05_multi_head_attention")
    printed = capsys.readouterr().out
    assert "finite number" in printed and "wanted" not in printed


def test_one_command_writes_all_practice_checks(monkeypatch, tmp_path, capsys):
    """Of the assignments and the sections, and it says which have changed."""
    installed = practice_names()
    monkeypatch.setattr("coursework.practice.file.FOLDER", tmp_path)
    assert main(["refresh"]) == 0
    assert practice_names() == installed
    assert capsys.readouterr().out.count("the practice checks have changed") == len(installed)
