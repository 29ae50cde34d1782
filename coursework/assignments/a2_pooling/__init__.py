"""Assignment 2: scores of two kinds, additive and of a kernel, and how a width is chosen."""

from coursework.assignments.a2_pooling.additive import ADDITIVE_SCORES
from coursework.assignments.a2_pooling.kernel import KERNEL_REGRESSION
from coursework.assignments.a2_pooling.widths import MEASURE_ERRORS
from coursework.questions.cases import Assignment

ASSIGNMENT = Assignment(
    name="a2_pooling",
    imports="import math\n\nimport torch",
    questions=(ADDITIVE_SCORES, KERNEL_REGRESSION, MEASURE_ERRORS),
)
