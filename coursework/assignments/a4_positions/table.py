"""The table of sinusoidal positions, for any length, width and start."""

import numpy as np
import torch

from coursework.questions.cases import Case, Message, Mistake, Question


def sinusoidal_positions(length, d_model, start=0):
    """The encodings of positions start to start + length - 1, of shape (length, d_model).

    Even columns are sines, odd columns cosines, and columns 2i and 2i + 1 turn at the
    frequency 10000 ** (-2i / d_model).
    """
    pairs = torch.arange((d_model + 1) // 2, dtype=torch.float64)
    angles = torch.arange(start, start + length).unsqueeze(1) * 10000 ** (-2 * pairs / d_model)
    waves = torch.stack([angles.sin(), angles.cos()], dim=-1).flatten(1)
    return waves[:, :d_model].float()  # an odd width has one sine without its cosine


def positions_cases(rng: np.random.Generator) -> list[Case]:
    def length():
        return int(rng.integers(4, 9))

    return [
        Case(
            Message("small", "小例子：从位置 0 开始", "A small example, from position 0"),
            1,
            (),
            {"length": length(), "d_model": 2 * int(rng.integers(3, 6))},
        ),
        Case(
            Message("odd", "奇数宽度", "An odd width"),
            1,
            (),
            {"length": length(), "d_model": 2 * int(rng.integers(2, 5)) + 1},
        ),
        Case(
            Message("start", "从后面的位置开始", "A later start"),
            1,
            (),
            {"length": length(), "d_model": 8, "start": int(rng.integers(3, 40))},
        ),
        Case(
            Message("far", "很靠后的位置", "Positions far out"),
            1,
            (),
            {"length": length(), "d_model": 12, "start": int(rng.integers(2000, 3000))},
            tolerance=2e-3,  # angles in float32 are good enough
        ),
    ]


def positions_oracle(length, d_model, start=0):
    """One number after the other, as the formula says."""
    table = np.empty((length, d_model))
    for row in range(length):
        for column in range(d_model):
            angle = (start + row) / 10000 ** ((column - column % 2) / d_model)
            table[row, column] = np.cos(angle) if column % 2 else np.sin(angle)
    return torch.tensor(table)


def table_with(frequency=None, first=0, waves=(torch.sin, torch.cos), turn=1.0):
    """The table with another frequency of a column, first position, or pair of waves."""

    def table(length, d_model, start=0):
        columns = torch.arange(d_model, dtype=torch.float64)
        pairs = torch.div(columns, 2, rounding_mode="floor")
        rate = 10000 ** -((frequency or (lambda i, j, d: 2 * i / d))(pairs, columns, d_model))
        angles = turn * (torch.arange(length)[:, None] + start + first) * rate
        return torch.where(columns % 2 == 0, waves[0](angles), waves[1](angles))

    return table


def other_base(base):
    return table_with(lambda i, j, d: 2 * i / d * np.log(base) / np.log(10000))


def halves(waves=(torch.sin, torch.cos)):
    """All waves of one kind on the left, all of the other on the right."""

    def table(length, d_model, start=0):
        n = (d_model + 1) // 2
        rate = 10000 ** (-2 * torch.arange(n, dtype=torch.float64) / d_model)
        angles = (torch.arange(length)[:, None] + start) * rate
        return torch.cat([waves[0](angles), waves[1](angles)], dim=-1)[:, :d_model]

    return table


RIGHT = table_with()

SWAPPED = Message(
    "sine-and-cosine-swapped",
    "正弦和余弦放反了：偶数列（从 0 数起）是正弦，奇数列是余弦。",
    "Sine and cosine have changed places: even columns, counted from 0, are sines.",
)
HALVES = Message(
    "halves-side-by-side",
    "正弦全在左半边，余弦全在右半边：它们应当逐列交错。",
    "All sines stand on the left and all cosines on the right: they should alternate by column.",
)
ONE_WAVE = Message(
    "one-wave",
    "所有列用了同一种波：偶数列应为正弦，奇数列应为余弦。",
    "All columns are the same kind of wave: even ones should be sines, odd ones cosines.",
)
BASE = Message(
    "base", "底数不对：应当是 10000。", "The base of the frequencies is another one than 10000."
)
BY_COLUMN = Message(
    "frequency-by-column",
    "每一列都有自己的频率：第 2i 列和第 2i + 1 列应当共用一个频率。",
    "Each column has a frequency of its own: columns 2i and 2i + 1 should share one.",
)
HALF_EXPONENT = Message(
    "exponent-without-2",
    "指数少了因子 2：应当是 2i/d_model。",
    "The exponent lacks its factor 2: it is 2i/d_model.",
)
TWICE_EXPONENT = Message(
    "exponent-twice",
    "因子 2 乘了两次：2i 已经是列号。",
    "The factor 2 of the exponent is there twice: 2i is the number of the column already.",
)
FAST = Message(
    "frequencies-inverted",
    "频率用反了：后面的列应当变化得更慢，指数是负的。",
    "The frequencies are inverted: later columns turn more slowly, the exponent is negative.",
)
SAME_FREQUENCY = Message(
    "one-frequency",
    "所有列用了同一个频率。",
    "All columns turn at the same frequency.",
)
FROM_ONE = Message(
    "positions-from-1",
    "位置错了一格：第一行是 start 的编码，从 0 数起。",
    "The positions are off by one: the first row is the encoding of start, counted from 0.",
)
START_IGNORED = Message(
    "start-ignored",
    "参数 start 没有起作用：表总是从位置 0 开始。",
    "The argument start has no effect: the table always begins at position 0.",
)
START_ADDED = Message(
    "start-added-to-encoding",
    "start 加在了编码上，而不是位置上。",
    "The start is added to the encodings, not to the positions.",
)
BACKWARDS = Message(
    "positions-backwards",
    "start 的符号不对：位置应当是 start、start + 1、……",
    "The start has the wrong sign: positions are start, start + 1, and so on.",
)
WIDTH = Message(
    "width-rounded",
    "奇数宽度时，指数中的 d_model 被取成了相邻的偶数。",
    "With an odd width, the exponent divides by the even number beside d_model.",
)
LAST_COLUMN = Message(
    "last-column-empty",
    "奇数宽度时，最后一列没有填上：那里应当是一个正弦。",
    "With an odd width the last column stays empty: it should be a sine.",
)
NO_COLUMN = Message(
    "column-missing",
    "奇数宽度时，少了最后一列。",
    "With an odd width, the last column is missing.",
)
TRANSPOSED_TABLE = Message(
    "table-transposed",
    "表转置了：每个位置应当是一行。",
    "The table is transposed: each position should be a row.",
)


def clear_last(length, d_model, start=0):
    table = RIGHT(length, d_model, start)
    if d_model % 2:
        table[:, -1] = 0
    return table


POSITIONS = Question(
    name="1 sinusoidal_positions",
    solution=sinusoidal_positions,
    oracle=positions_oracle,
    make_cases=positions_cases,
    mistakes=(
        Mistake(SWAPPED, table_with(waves=(torch.cos, torch.sin))),
        Mistake(ONE_WAVE, table_with(waves=(torch.sin, torch.sin))),
        Mistake(ONE_WAVE, table_with(waves=(torch.cos, torch.cos))),
        Mistake(HALVES, halves()),
        Mistake(HALVES, halves((torch.cos, torch.sin))),
        *(Mistake(BASE, other_base(base)) for base in (10, 1000, 100_000, np.e)),
        Mistake(BY_COLUMN, table_with(lambda i, j, d: j / d)),
        Mistake(HALF_EXPONENT, table_with(lambda i, j, d: i / d)),
        Mistake(TWICE_EXPONENT, table_with(lambda i, j, d: 4 * i / d)),
        Mistake(TWICE_EXPONENT, table_with(lambda i, j, d: 2 * j / d)),
        Mistake(FAST, table_with(lambda i, j, d: -2 * i / d)),
        Mistake(SAME_FREQUENCY, table_with(lambda i, j, d: 0 * i)),
        Mistake(FROM_ONE, table_with(first=1)),
        Mistake(FROM_ONE, table_with(first=-1)),
        Mistake(START_IGNORED, lambda length, d_model, start=0: RIGHT(length, d_model)),
        Mistake(START_ADDED, lambda length, d_model, start=0: RIGHT(length, d_model) + start),
        Mistake(BACKWARDS, lambda length, d_model, start=0: RIGHT(length, d_model, -start)),
        Mistake(WIDTH, table_with(lambda i, j, d: 2 * i / (d + d % 2))),
        Mistake(WIDTH, table_with(lambda i, j, d: 2 * i / (d - d % 2))),
        Mistake(LAST_COLUMN, clear_last),
        Mistake(
            NO_COLUMN,
            lambda length, d_model, start=0: RIGHT(length, d_model, start)[:, : d_model // 2 * 2],
        ),
        Mistake(TRANSPOSED_TABLE, lambda length, d_model, start=0: RIGHT(length, d_model, start).T),
    ),
)
