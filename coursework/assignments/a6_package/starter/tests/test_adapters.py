"""The practice checks. The marks come from the same checks of other data."""

import adapters
import pytest

from coursework.practice.file import Practice, practice_path
from coursework.practice.library import without_library
from coursework.questions.call import answer
from coursework.questions.forbidden import forbidden

PRACTICE = Practice.unpack(practice_path("a6_package").read_bytes())
CHECKS = [
    pytest.param(name, number, id=f"{name}-{case.title.name}")
    for name, question in PRACTICE.questions.items()
    for number, case in enumerate(question.cases)
]


@pytest.mark.parametrize("name, number", CHECKS)
def test_adapter(name, number):
    """Each adapter gives what is asked for; if not, the message says what is wrong."""
    question, function = PRACTICE.questions[name], without_library(getattr(adapters, name))
    with forbidden(PRACTICE.forbidden):
        answers = [answer(function, c.arguments, c.keywords, c.gradient_of) for c in question.cases]
    case, reason = question.judge(answers)[number]
    if reason:
        pytest.fail(f"{case.title.zh}: {reason.zh}\n{case.title.en}: {reason.en}", pytrace=False)
