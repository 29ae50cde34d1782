"""Practice checks as a file, of an assignment or a section: numbers and messages, no solution.

Students and readers install these files with the library. They hold the cases of the public seed,
what is right, and what the known mistakes answer: all that judging needs.
"""

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import zip_longest
from pathlib import Path

import numpy as np
import torch

from coursework.questions.cases import PUBLIC_SEED, Case, Message, Question
from coursework.questions.checks import Explanation, Verdict, compare, known_mistakes, right_answers
from coursework.questions.wire import LENGTH, Answer, pack, unpack

FOLDER = Path(__file__).parent / "data"


@dataclass(frozen=True)
class PracticeQuestion:
    """The practice checks of one question."""

    cases: Sequence[Case]
    right: Sequence[Answer]
    mistakes: Sequence[Explanation]

    @classmethod
    def of(cls, question: Question) -> "PracticeQuestion":
        cases = question.cases(PUBLIC_SEED)
        torch.manual_seed(0)  # some questions measure by drawing at random
        # Judging compares only this much.
        right = [replace(each, inputs=()) for each in right_answers(question, cases)]
        mistakes = [
            Explanation(reason, [replace(each, inputs=(), gradients=()) for each in answers])
            for reason, answers in known_mistakes(question, cases)
        ]
        return cls(cases, right, mistakes)

    def judge(self, answers: Sequence[Answer]) -> list[Verdict]:
        return compare(self.cases, answers, self.right, lambda: self.mistakes)


@dataclass(frozen=True)
class Practice:
    """The practice checks of several questions, by the names of the functions that they check."""

    questions: dict[str, PracticeQuestion]
    forbidden: tuple[str, ...]

    @classmethod
    def of(cls, questions: Iterable[Question], forbidden: tuple[str, ...] = ()) -> "Practice":
        return cls({each.function: PracticeQuestion.of(each) for each in questions}, forbidden)

    def pack(self) -> bytes:
        arrays = []

        def among_arrays(value):
            """What JSON cannot say is stored as an array."""
            if isinstance(value, Answer):
                value = np.frombuffer(value.pack()[LENGTH.size :], dtype=np.uint8)
            if not isinstance(value, np.ndarray):
                raise TypeError(f"a case holds arrays, numbers and text, got {type(value)}")
            arrays.append(value)
            return {"array": len(arrays) - 1}

        questions = {
            name: {
                "cases": [vars(case) for case in each.cases],
                "right": each.right,
                "mistakes": each.mistakes,
            }
            for name, each in self.questions.items()
        }
        plain = json.dumps(
            {"questions": questions, "forbidden": self.forbidden}, default=among_arrays
        )
        return pack(json.loads(plain), arrays)[LENGTH.size :]

    @classmethod
    def unpack(cls, content: bytes) -> "Practice":
        header, arrays = unpack(content)

        def array(value):
            return arrays[value["array"]] if isinstance(value, dict) else value

        def answer(value):
            return Answer.unpack(array(value).tobytes())

        def case(values):
            values["title"] = Message(*values["title"])
            values["arguments"] = tuple(map(array, values["arguments"]))
            values["keywords"] = {name: array(v) for name, v in values["keywords"].items()}
            values["gradient_of"] = tuple(values["gradient_of"])
            return Case(**values)

        questions = {
            name: PracticeQuestion(
                [case(each) for each in stored["cases"]],
                [answer(each) for each in stored["right"]],
                [
                    Explanation(Message(*reason), [answer(each) for each in answers])
                    for reason, answers in stored["mistakes"]
                ],
            )
            for name, stored in header["questions"].items()
        }
        return cls(questions, tuple(header["forbidden"]))

    def agrees_with(self, other: "Practice") -> bool:
        """Whether both are the same but for the last digits, which differ between processors."""
        return all(
            _agree(*both) for both in zip_longest(_leaves(self.pack()), _leaves(other.pack()))
        )


def _leaves(content: bytes) -> Iterator[dict | np.ndarray]:
    """All headers and arrays of a packed file, in order."""
    header, arrays = unpack(content)
    yield header
    for array in arrays:
        if array.dtype == np.uint8:
            yield from _leaves(array.tobytes())
        else:
            yield array


def _agree(a: object, b: object) -> bool:
    if isinstance(a, np.ndarray) and isinstance(b, np.ndarray):
        return a.shape == b.shape and np.allclose(a, b, rtol=1e-3, atol=1e-4, equal_nan=True)
    return type(a) is type(b) and a == b


def practice_names() -> list[str]:
    """The assignments and sections that there are checks of."""
    return sorted(path.stem for path in FOLDER.glob("*.safetensors"))


def practice_path(name: str) -> Path:
    return FOLDER / f"{name}.safetensors"
