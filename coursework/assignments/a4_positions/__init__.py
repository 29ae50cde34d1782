"""Assignment 4: positions that attention can tell apart, and causal self-attention."""

from coursework.assignments.a4_positions.loudness import LOUDNESS
from coursework.assignments.a4_positions.self_attention import SELF_ATTENTION
from coursework.assignments.a4_positions.shift import SHIFT
from coursework.assignments.a4_positions.table import POSITIONS
from coursework.questions.cases import Assignment
from coursework.questions.forbidden import ATTENTION

ASSIGNMENT = Assignment(
    name="a4_positions",
    imports="import math\n\nimport torch",
    questions=(POSITIONS, SHIFT, SELF_ATTENTION, LOUDNESS),
    forbidden=ATTENTION,
)
