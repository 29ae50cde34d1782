"""Assignment 3: several attentions side by side, each in a subspace of its own."""

from coursework.assignments.a3_multi_head.attention import MULTI_HEAD_ATTENTION
from coursework.assignments.a3_multi_head.one_head import MEASURE_HEAD
from coursework.assignments.a3_multi_head.split import SPLIT_HEADS
from coursework.questions.cases import Assignment
from coursework.questions.forbidden import ATTENTION

ASSIGNMENT = Assignment(
    name="a3_multi_head",
    imports="import math\n\nimport torch",
    questions=(SPLIT_HEADS, MULTI_HEAD_ATTENTION, MEASURE_HEAD),
    forbidden=ATTENTION,
)
