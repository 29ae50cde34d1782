"""Assignment 4: its wrong solutions and its rewrites, from one module for each half."""

from tests.coursework.solutions.a4_wrong_attention import (
    ATTENTION,
    ATTENTION_REWRITES,
    LOUDNESS,
    LOUDNESS_REWRITES,
)
from tests.coursework.solutions.a4_wrong_positions import (
    SHIFT,
    SHIFT_REWRITES,
    TABLE,
    TABLE_REWRITES,
)

WRONG = {
    "sinusoidal_positions": TABLE,
    "shift_positions": SHIFT,
    "causal_self_attention": ATTENTION,
    "measure_loudness": LOUDNESS,
}
REWRITES = TABLE_REWRITES | SHIFT_REWRITES | ATTENTION_REWRITES | LOUDNESS_REWRITES
