"""The rotation that takes the encoding of a position to that of another, a fixed way along."""

import numpy as np
import torch

from coursework.assignments.a4_positions.table import positions_oracle
from coursework.questions.cases import Case, Message, Mistake, Question


def shift_positions(encodings, offset):
    """Turn encodings (..., d_model), of any positions p, into those of positions p + offset.

    The width is even. The map is linear: it rotates each pair of columns 2i and 2i + 1.
    """
    d_model = encodings.shape[-1]
    frequencies = 10000 ** (-torch.arange(0, d_model, 2) / d_model)
    sin, cos = torch.sin(offset * frequencies), torch.cos(offset * frequencies)
    sines, cosines = encodings[..., 0::2], encodings[..., 1::2]
    turned = torch.stack([sines * cos + cosines * sin, cosines * cos - sines * sin], dim=-1)
    return turned.flatten(-2)


def shift_cases(rng: np.random.Generator) -> list[Case]:
    def encodings(d_model, first=0, rows=6):
        return positions_oracle(rows, d_model, first).numpy().astype(np.float32)

    def far():
        return int(rng.integers(4, 30))

    mixed = rng.permutation(encodings(8, int(rng.integers(30, 90)), rows=7))
    vectors = rng.standard_normal((2, 5, 6)).astype(np.float32)
    return [
        Case(
            Message("forward", "从位置 0、1、2……向前移", "Forward from positions 0, 1, 2, ..."),
            1,
            (encodings(8),),
            {"offset": far()},
        ),
        Case(
            Message("backward", "打乱的位置，向后移", "Positions in any order, backward"),
            1,
            (mixed,),
            {"offset": -int(rng.integers(3, 25))},
        ),
        Case(
            Message("linear", "线性：任意向量，带批量轴", "Linear: any vectors, with a batch axis"),
            1,
            (vectors,),
            {"offset": far()},
            keeps_inputs=True,
        ),
        Case(
            Message("gradient", "对输入的梯度", "The gradient of the input"),
            1,
            (vectors[0],),
            {"offset": far()},
            gradient_of=(0,),
        ),
    ]


def shift_oracle(encodings, offset):
    """A turn of the complex numbers cosine + i sine."""
    pairs = encodings.double().unflatten(-1, (-1, 2)).flip(-1)
    numbers = torch.view_as_complex(pairs.contiguous())
    i = torch.arange(numbers.shape[-1], dtype=torch.float64)
    angles = offset * 10000 ** (-i / len(i))
    turned = numbers * torch.polar(torch.ones_like(angles), angles)
    return torch.view_as_real(turned).flip(-1).flatten(-2)


def rotation_with(angle=lambda rate, offset, rows: offset * rate, signs=(1, -1), exponent=2):
    """Rotate pairs of columns by another angle, or with other signs of the sines."""

    def rotate(encodings, offset):
        d = encodings.shape[-1]
        rate = 10000 ** (-exponent * torch.arange(d // 2, dtype=torch.float64) / d)
        angles = angle(rate, offset, torch.arange(encodings.shape[-2])[:, None])
        a, b = encodings[..., 0::2].double(), encodings[..., 1::2].double()
        s, c = angles.sin(), angles.cos()
        return torch.stack([a * c + signs[0] * b * s, b * c + signs[1] * a * s], -1).flatten(-2)

    return rotate


def rotate_halves(encodings, offset):
    """The left half of the columns is taken for sines, the right half for cosines."""
    n = encodings.shape[-1] // 2
    paired = torch.stack([encodings[..., :n], encodings[..., n:]], -1).flatten(-2)
    turned = rotation_with()(paired, offset)
    return torch.cat([turned[..., 0::2], turned[..., 1::2]], -1)


def roll(encodings, offset):
    return torch.roll(encodings, -offset, dims=-2)


DIRECTION = Message(
    "turned-backwards",
    "旋转方向反了：得到的是位置 p − offset 的编码。",
    "The rotation turns the other way: it gives the encoding of position p - offset.",
)
SIGN = Message(
    "no-rotation",
    "两个公式中的符号相同：cos(a + b) = cos a cos b − sin a sin b，这里有一个减号。",
    "Both formulas have the same sign, which is no rotation: "
    "cos(a + b) = cos a cos b - sin a sin b.",
)
NO_FREQUENCY = Message(
    "angle-without-frequency",
    "所有的列对都转了同样的角度：第 i 对应当转 offset 乘以它自己的频率。",
    "All pairs of columns turn by the same angle: pair i turns by the offset times its own "
    "frequency.",
)
EXPONENT = Message(
    "exponent",
    "频率的指数不对：第 i 对的频率是 10000 的 −2i/d_model 次方。",
    "The exponent of the frequencies is wrong: pair i has 10000 to the power -2i/d_model.",
)
FREQUENCY_UP = Message(
    "frequencies-inverted",
    "频率用反了：后面的列对应当转得更慢。",
    "The frequencies are inverted: later pairs of columns turn more slowly.",
)
UNCHANGED = Message(
    "not-moved",
    "编码没有移动：输出等于输入。",
    "The encodings have not moved: the output equals the input.",
)
ADDED = Message(
    "encoding-added",
    "加上了 offset 的编码：移动位置是旋转，不是相加。",
    "The encoding of the offset is added: moving is a rotation, not an addition.",
)
HALF_PAIRS = Message(
    "pairs-of-halves",
    "配对错了：相邻的第 2i 列和第 2i + 1 列才是一对，而不是左右两半。",
    "The wrong columns are paired: 2i and 2i + 1 beside each other, not the two halves.",
)
BY_ROW = Message(
    "angle-by-row",
    "旋转的角度随行号变化：所有行都应当转同样的角度，与它们的位置无关。",
    "The angle depends on the number of the row: all rows turn alike, wherever they stand.",
)
ROLLED = Message(
    "rows-rolled",
    "移动的是表的行，而不是编码：输入的行可以是任意位置。",
    "The rows of the table are shifted, not the encodings: rows may be of any positions.",
)
FORWARD_ONLY = Message(
    "sign-of-offset-lost",
    "offset 的符号丢了：负数应当向后移。",
    "The sign of the offset is lost: a negative one moves backward.",
)
PAIR_SWAPPED = Message(
    "sine-and-cosine-swapped",
    "正弦和余弦的角色颠倒了：偶数列是正弦。",
    "Sines and cosines have changed places: even columns are the sines.",
)
ONE_MORE = Message(
    "offset-off-by-one",
    "移动的距离差了一格。",
    "The way that the encodings move is off by one.",
)


def add_encoding(encodings, offset):
    if offset >= 0:
        return encodings + positions_oracle(1, encodings.shape[-1], offset)
    return encodings - positions_oracle(1, encodings.shape[-1], -offset)


SHIFT = Question(
    name="2 shift_positions",
    solution=shift_positions,
    oracle=shift_oracle,
    make_cases=shift_cases,
    mistakes=(
        Mistake(DIRECTION, rotation_with(lambda rate, offset, rows: -offset * rate)),
        Mistake(SIGN, rotation_with(signs=(1, 1))),
        Mistake(SIGN, rotation_with(signs=(-1, -1))),
        Mistake(
            NO_FREQUENCY,
            rotation_with(lambda rate, offset, rows: offset * torch.ones_like(rate)),
        ),
        Mistake(EXPONENT, rotation_with(exponent=1)),
        Mistake(EXPONENT, rotation_with(exponent=4)),
        Mistake(FREQUENCY_UP, rotation_with(exponent=-2)),
        Mistake(UNCHANGED, lambda encodings, offset: 1 * encodings),
        Mistake(ADDED, add_encoding),
        Mistake(HALF_PAIRS, rotate_halves),
        Mistake(BY_ROW, rotation_with(lambda rate, offset, rows: (rows + offset) * rate)),
        Mistake(BY_ROW, rotation_with(lambda rate, offset, rows: rows * offset * rate)),
        Mistake(ROLLED, roll),
        Mistake(ROLLED, lambda encodings, offset: roll(encodings, -offset)),
        Mistake(FORWARD_ONLY, rotation_with(lambda rate, offset, rows: abs(offset) * rate)),
        Mistake(
            PAIR_SWAPPED,
            lambda encodings, offset: rotation_with()(
                encodings.unflatten(-1, (-1, 2)).flip(-1).flatten(-2), offset
            ),
        ),
        Mistake(ONE_MORE, rotation_with(lambda rate, offset, rows: (offset + 1) * rate)),
        Mistake(ONE_MORE, rotation_with(lambda rate, offset, rows: (offset - 1) * rate)),
    ),
)
