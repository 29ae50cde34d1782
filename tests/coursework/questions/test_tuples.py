"""Answers of several tensors: what is accepted, what is told apart, what is refused."""

import dataclasses

import numpy as np
import pytest
import torch

from coursework.questions.call import answer
from coursework.questions.cases import Case, Message, Mistake, Question
from coursework.questions.checks import judge
from coursework.questions.wire import LENGTH, Answer, pack
from coursework.sandbox.walls import Sandbox

NUMBERS = np.array([[1.0, -2.0], [3.0, 4.0]])


def double_and_square(x):
    return 2 * x, x**2


QUESTION = Question(
    name="a pair",
    solution=double_and_square,
    oracle=double_and_square,
    make_cases=lambda rng: [
        Case(Message("pair", "一对", "A pair"), 1, (NUMBERS,), gradient_of=(0,), keeps_inputs=True)
    ],
    mistakes=(
        Mistake(Message("swapped", "顺序颠倒", "The order is inverted"), lambda x: (x**2, 2 * x)),
        Mistake(Message("cube", "立方", "A cube"), lambda x: (2 * x, x**3)),
    ),
)

ANSWERS = {
    "a tuple": (double_and_square, None),
    "a list": (lambda x: [2 * x, x * x], None),
    "a tensor": (lambda x: torch.stack([2 * x, x**2]), "not-a-tuple"),
    "one": (lambda x: (2 * x,), "not-a-tuple"),
    "three": (lambda x: (2 * x, x**2, x), "not-a-tuple"),
    "none": (lambda x: (), "not-a-tuple"),
    "nothing": (lambda x: None, "not-a-tuple"),
    "nested": (lambda x: (2 * x, (x**2,)), "not-a-tuple"),
    "a number inside": (lambda x: (2 * x, 1.0), "not-a-tuple"),
    "complex inside": (lambda x: (2 * x, x.to(torch.complex64)), "not-a-tuple"),
    "a million": (lambda x: [x[:0]] * 10**6, "not-a-tuple"),
    "a large one inside": (lambda x: (2 * x, torch.zeros(1).expand(10**12)), "too-large"),
    "large together": (lambda x: [torch.zeros(1).expand(2**20)] * 3, "too-large"),
    "other shape": (lambda x: (2 * x, (x**2).flatten()), "shape"),
    "NaN in the second": (lambda x: (2 * x, x.sqrt() ** 4), "not-finite"),
    "other values in the second": (lambda x: (2 * x, x**2 + 1), "values"),
    "other values in the first": (lambda x: (3 * x, x**2), "values"),
    "a known mistake": (lambda x: (x * x, x + x), "swapped"),
    "a known mistake in the second": (lambda x: (x + x, x * x * x), "cube"),
    "second detached": (lambda x: (2 * x, x.detach() ** 2), "gradient"),
    "both detached": (lambda x: (2 * x.detach(), x.detach() ** 2), "no-gradient"),
    "in place": (lambda x: (2 * x, x.data.square_()), "in-place"),
}


@pytest.mark.parametrize("name", ANSWERS)
def test_answers_of_several_tensors_are_told_apart(name):
    """A pair or a list of two is right; whatever else comes back has the reason that it needs."""
    function, wanted = ANSWERS[name]
    cases = QUESTION.cases("a seed")
    given = answer(function, (NUMBERS,), {}, (0,), largest=2**24)
    for received in (given, Answer.unpack(given.pack()[LENGTH.size :])):
        (verdict,) = judge(QUESTION, cases, [received])
        assert (verdict.reason and verdict.reason.name) == wanted


def test_a_tuple_where_one_tensor_is_wanted():
    """What returns its weights beside its output is told to return one tensor."""
    single = dataclasses.replace(QUESTION, oracle=lambda x: 2 * x, mistakes=())
    (verdict,) = judge(single, single.cases("a seed"), [answer(lambda x: (2 * x,), (NUMBERS,), {})])
    assert verdict.reason.name == "not-a-tensor"


def test_gradients_are_those_of_all_outputs():
    """The sum of the squares of 2x and x² has the derivative 8x + 4x³."""
    given = answer(double_and_square, (NUMBERS,), {}, (0,))
    assert np.allclose(given.gradients[0], 8 * NUMBERS + 4 * NUMBERS**3)


@pytest.mark.parametrize("claimed", [3, 10**12, -1, "2", [2], True])
def test_replies_that_claim_other_numbers_of_outputs_are_harmless(claimed):
    """A forged count of outputs is refused, or is an answer that does not fit."""
    forged = pack({"outputs": claimed, "inputs": 0, "gradients": []}, [NUMBERS, NUMBERS])
    try:
        received = Answer.unpack(forged[LENGTH.size :])
    except (TypeError, ValueError):
        return
    (verdict,) = judge(QUESTION, QUESTION.cases("a seed"), [received])
    assert verdict.reason.name in ("not-a-tuple", "malformed")


def test_numbers_and_words_reach_the_function():
    """Keywords that are no arrays, and tuples on the way back, pass through the pipe."""
    code = """
def f(x, base, name):
    return x * base, x * len(name)
"""
    with Sandbox([code], without_walls=True) as sandbox:
        given = sandbox.answer("f", [NUMBERS], {"base": 0.5, "name": "four"})
    assert np.array_equal(given.output, (NUMBERS / 2, NUMBERS * 4))
