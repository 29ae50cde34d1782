"""Practice checks: what a student runs before handing in, and a reader in a section of the book.

    from coursework.practice import check
    check(masked_softmax, "a1_scores", language="en")
    check(my_attention, "03_scoring_functions", language="en")

The judging is the same code as for the marks, with other numbers.
"""

import sys
from collections.abc import Callable
from itertools import groupby
from operator import itemgetter

from coursework.practice.asked import asked_name, no_such_name, not_found
from coursework.practice.details import NOTHING, Overheard, detail_lines
from coursework.practice.file import Practice, practice_names, practice_path
from coursework.practice.library import without_library
from coursework.questions.call import answer
from coursework.questions.cases import LANGUAGES
from coursework.questions.forbidden import forbidden


def check(function: Callable, of: str, language: str = "en", name: str | None = None) -> None:
    """Print for each practice case whether the function is right, and if not, what is wrong.

    Args:
        function: the student's own, under the name that is asked for: a function or anything else
            that can be called, such as a lambda, a partial, a class or a module of PyTorch. A
            section of the book asks for one function only, and takes it under any name.
        of: an assignment, such as "a1_scores", or a section, such as "03_scoring_functions".
        language: "zh" or "en".
        name: that is asked for, where it cannot be seen from the function and the notebook.

    Raises:
        TypeError: ``function`` cannot be called.
        ValueError: there are no checks of this name or in this language, or the assignment does
            not ask for a function of this name.
    """
    if not callable(function):
        raise TypeError(f"check wants a function, such as masked_softmax, got {function!r}")
    if language not in LANGUAGES:
        raise ValueError(f"language is one of {', '.join(LANGUAGES)}, got {language!r}")
    if of not in practice_names():
        raise ValueError(f"there are checks of {', '.join(practice_names())}; got {of!r}")
    practice = Practice.unpack(practice_path(of).read_bytes())
    namespace = sys._getframe(1).f_globals
    if len(practice.questions) == 1:
        (question,) = practice.questions.values()
        overheard = Overheard(function)
    else:
        name = name or asked_name(function, practice.questions, namespace, of, language)
        if name not in practice.questions:
            raise ValueError(getattr(no_such_name(of, [*practice.questions], name), language))
        question = practice.questions[name]
        overheard = Overheard(function, without_library(function))
    with forbidden(practice.forbidden):
        answers = [
            answer(overheard, case.arguments, case.keywords, case.gradient_of)
            for case in question.cases
        ]
    if overheard.returned_nothing():
        print(getattr(NOTHING, language))
        return
    parameters = overheard.parameters()
    lines = []  # for each case, its title and what is wrong
    for (case, reason), given, right, result in zip(
        question.judge(answers), answers, question.right, overheard.results, strict=True
    ):
        title = f"{'✗' if reason else '✓'} {getattr(case.title, language)}"
        below = []
        if reason:
            below.append(getattr(reason, language))
            below += detail_lines(reason, case, given, right, result, parameters, language)
        lines.append((title, below))
    for below, cases in groupby(lines, key=itemgetter(1)):  # one mistake is told once
        print(*(title for title, _ in cases), *(f"    {line}" for line in below), sep="\n")
    if name and namespace.get("__name__") == "__main__" and namespace.get(name) is not function:
        print(getattr(not_found(name), language))
