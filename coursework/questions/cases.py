"""What an assignment is made of: questions, and cases that are generated from a seed.

The public seed gives the practice checks, the instructor's secret seed the cases that count.
The code that makes them is the same, so that whoever reads it learns what is checked, but not
with which numbers.
"""

import hashlib
import inspect
import os
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np

LANGUAGES = ("zh", "en")
PUBLIC_SEED = "practice"
SECRET_VARIABLE = "COURSEWORK_SEED"


class Message(NamedTuple):
    """Something to tell a student, with a name that tests and tables can use."""

    name: str
    zh: str
    en: str


@dataclass(frozen=True)
class Case:
    """One call of the student's function, and what is looked at."""

    title: Message
    points: int
    arguments: tuple[np.ndarray, ...]
    keywords: dict[str, np.ndarray | float | str] = field(default_factory=dict)
    gradient_of: tuple[int, ...] = ()  # positions of the arguments whose gradients are compared
    keeps_inputs: bool = False  # whether changing an argument in place is a fault
    tolerance: float = 1e-5  # of each number, absolute
    relative: float = 1e-4  # and beside it, relative; larger where the function draws at random


class Mistake(NamedTuple):
    """A wrong answer that many give. An answer that equals it is told the reason."""

    reason: Message
    function: Callable


@dataclass(frozen=True)
class Question:
    name: str
    solution: Callable  # what a good student writes; its name is the name that is looked for
    oracle: Callable  # computes what is expected, in another way and in double precision
    make_cases: Callable[[np.random.Generator], list[Case]]
    mistakes: tuple[Mistake, ...]

    @property
    def function(self) -> str:
        return self.solution.__name__

    def cases(self, seed: str) -> list[Case]:
        """The same cases for the same seed, on every machine."""
        digest = hashlib.sha256(f"{seed}/{self.name}".encode()).digest()
        return self.make_cases(np.random.default_rng(int.from_bytes(digest[:16], "big")))


@dataclass(frozen=True)
class Assignment:
    name: str
    imports: str  # the first cell, which every copy of the notebook starts with
    questions: tuple[Question, ...]
    forbidden: tuple[str, ...] = ()  # functions of PyTorch that would be the whole answer

    def solution_cells(self) -> list[str]:
        """The reference, as the cells of a notebook."""
        return [self.imports, *(inspect.getsource(q.solution) for q in self.questions)]


def secret_seed() -> str:
    """The instructor's seed, from the environment, so that no file of the course holds it."""
    seed = os.environ.get(SECRET_VARIABLE, "")
    if len(seed) < 8 or seed == PUBLIC_SEED:
        raise LookupError(
            f"set {SECRET_VARIABLE} to a secret of at least 8 characters, got {len(seed)}: "
            "the cases that count are made from it"
        )
    return seed
