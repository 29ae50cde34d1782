"""What is said about right and wrong solutions, run in this process: they are our own."""

import functools

import numpy as np
import pytest

from coursework.questions.call import answer
from coursework.questions.cases import PUBLIC_SEED
from coursework.questions.checks import compare, judge, known_mistakes, right_answers
from coursework.sandbox.cells import run_cells
from tests import extent
from tests.coursework.solutions import solutions

SEEDS = ["one seed", "another seed", "a third seed"]
QUESTIONS = [
    pytest.param(assignment, question, id=f"{assignment.name}-{question.function}")
    for assignment, question in solutions.questions()
]
WRONG = [
    pytest.param(assignment, question, wrong, id=f"{question.function}-{title}")
    for assignment, question in solutions.questions()
    for title, wrong in solutions.wrong(question).items()
]
REWRITES = [
    pytest.param(assignment, question, code, id=f"{question.function}-{title}")
    for assignment, question in solutions.questions()
    for title, code in solutions.rewrites(question).items()
]


def defined_by(assignment, code=""):
    """What is defined when the student's code follows the reference."""
    defined, failed = run_cells([*assignment.solution_cells(), code], seconds=60)
    assert not failed
    return defined


@functools.cache
def asked(question, seed):
    """The cases, with what is right and what the known mistakes give: once for all solutions."""
    cases = question.cases(seed)
    return cases, right_answers(question, cases), known_mistakes(question, cases)


def reasons(question, defined, seed):
    """The reason for each case that a function fails."""
    cases, right, mistakes = asked(question, seed)
    function = defined[question.function]
    answers = [answer(function, c.arguments, c.keywords, c.gradient_of) for c in cases]
    verdicts = compare(cases, answers, right, lambda: mistakes)
    return {case.title.name: reason.name for case, reason in verdicts if reason}


@pytest.mark.parametrize("assignment, question, wrong", WRONG)
def test_wrong_solutions_are_told_what_is_wrong(assignment, question, wrong):
    """Each wrong solution fails the cases it should, with the reason that is meant for it."""
    for seed in SEEDS:
        found = reasons(question, defined_by(assignment, wrong.code), seed)
        told = {case: reason for case, reason in found.items() if case not in wrong.by_chance}
        assert told == wrong.reasons, seed


@pytest.mark.parametrize("assignment, question, code", REWRITES)
def test_right_solutions_in_other_words_get_full_marks(assignment, question, code):
    """What is marked is what a function computes, not how it is written."""
    for seed in SEEDS:
        assert reasons(question, defined_by(assignment, code), seed) == {}, seed


@pytest.mark.parametrize("assignment, question", QUESTIONS)
def test_reference_gets_full_marks_for_many_seeds(assignment, question):
    """No secret seed makes a case on which a right answer fails."""
    function = defined_by(assignment)[question.function]
    for seed in extent.SEEDS:
        cases = question.cases(f"seed {seed}")
        answers = [answer(function, c.arguments, c.keywords, c.gradient_of) for c in cases]
        assert not [reason for _, reason in judge(question, cases, answers) if reason]


@pytest.mark.parametrize("assignment, question", QUESTIONS)
def test_cases_follow_from_the_seed(assignment, question):
    """The same seed makes the same cases anywhere; another seed makes others, worth the same."""

    def numbers(seed):
        given = [v for c in question.cases(seed) for v in (*c.arguments, *c.keywords.values())]
        return [v.tobytes() if isinstance(v, np.ndarray) else v for v in given]

    assert numbers("one seed") == numbers("one seed")
    assert numbers("one seed") != numbers("another seed")
    points = [[case.points for case in question.cases(seed)] for seed in SEEDS]
    assert points[0] == points[1] == points[2]


@pytest.mark.parametrize("assignment, question", QUESTIONS)
def test_every_reason_is_said_in_both_languages(assignment, question):
    """A student reads the reason in the language of the edition."""
    said = [mistake.reason for mistake in question.mistakes]
    said += [case.title for case in question.cases(PUBLIC_SEED)]
    for reason in said:
        assert any("一" <= character <= "鿿" for character in reason.zh), reason
        assert not any("一" <= character <= "鿿" for character in reason.en), reason


@pytest.mark.parametrize("assignment, question", QUESTIONS)
def test_every_known_mistake_is_met_by_a_wrong_solution(assignment, question):
    """No message is left that no test has seen."""
    wrong = solutions.wrong(question).values()
    met = {reason for solution in wrong for reason in solution.reasons.values()}
    assert {mistake.reason.name for mistake in question.mistakes} <= met


@pytest.mark.parametrize("assignment, question", QUESTIONS)
def test_there_are_enough_solutions(assignment, question):
    """Thirty ways to be wrong and five to be right; ten and three where something is measured."""
    measured = question.function.startswith(("measure_", "count_", "run_growth"))
    wrong, right = (10, 3) if measured else (30, 5)
    assert len(solutions.wrong(question)) >= wrong
    assert len(solutions.rewrites(question)) >= right
