"""Section 6: the table of sinusoidal positions. It is asked for in an assignment as well."""

import numpy as np
import torch

from coursework.assignments.a4_positions.table import (
    BACKWARDS,
    HALF_EXPONENT,
    START_ADDED,
    START_IGNORED,
)
from coursework.assignments.a4_positions.table import (
    POSITIONS as ASSIGNED,
)
from coursework.questions.cases import Case, Message, Mistake, Question


def my_positions(length, d_model, start=0):
    positions = torch.arange(start, start + length)[:, None]
    frequencies = 10000.0 ** (-torch.arange(0, d_model, 2) / d_model)
    table = torch.zeros(length, d_model)
    table[:, 0::2] = torch.sin(positions * frequencies)
    table[:, 1::2] = torch.cos(positions * frequencies[: d_model // 2])
    return table


def make_cases(rng: np.random.Generator) -> list[Case]:
    def case(name, zh, en, **asked):
        return Case(Message(name, zh, en), 1, (), {"length": int(rng.integers(4, 9))} | asked)

    return [
        case("even", "维度 4，从位置 0 数起", "Dimension 4, counted from position 0", d_model=4),
        case(
            "odd",
            "奇数维：余弦比正弦少一列",
            "An odd dimension: one column of cosines fewer than of sines",
            d_model=2 * int(rng.integers(2, 5)) + 1,
        ),
        case(
            "start",
            "从后面的位置数起",
            "Counted from a later position",
            d_model=8,
            start=int(rng.integers(3, 40)),
        ),
    ]


FREQUENCIES = Message(
    "half-exponent",
    "频率不对：指数只有应有的一半。应当是 −2i/d，所以 d = 4 时频率是 1 和 0.01。",
    "The frequencies are off: the exponents are half of what they should be, which is −2i/d. "
    "With d = 4 the frequencies are 1 and 0.01.",
)
TOO_MANY_COSINES = Message(
    "too-many-cosines",
    "维度为奇数时，余弦比正弦少一列：要截掉多余的频率。",
    "With an odd dimension there is one column of cosines fewer than of sines: cut the "
    "surplus frequency off.",
)


def as_many_cosines(length, d_model, start=0):
    angles = (torch.arange(length)[:, None] + start) * 10000.0 ** (
        -torch.arange(0, d_model, 2) / d_model
    )
    table = torch.zeros(length, d_model)
    table[:, 0::2], table[:, 1::2] = angles.sin(), angles.cos()
    return table


def from_zero(mistake: Mistake) -> Mistake:
    """The same mistake beside a start that is ignored, which comes to light afterwards."""

    def table(length, d_model, start=0):
        return mistake.function(length, d_model)

    return Mistake(mistake.reason, table)


KNOWN = tuple(
    Mistake(FREQUENCIES if mistake.reason == HALF_EXPONENT else mistake.reason, mistake.function)
    for mistake in ASSIGNED.mistakes
)

ABOUT_START = (START_IGNORED, START_ADDED, BACKWARDS)

POSITIONS = Question(
    name="06 my_positions",
    solution=my_positions,
    oracle=ASSIGNED.oracle,
    make_cases=make_cases,
    mistakes=(
        *KNOWN,
        *(from_zero(each) for each in KNOWN if each.reason not in ABOUT_START),
        Mistake(TOO_MANY_COSINES, as_many_cosines),
    ),
)
