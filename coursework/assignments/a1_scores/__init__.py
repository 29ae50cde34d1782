"""Assignment 1: the masked softmax, and scaled dot-product attention built on it."""

from coursework.assignments.a1_scores.dot_product import SDPA
from coursework.assignments.a1_scores.scaling import MEASURE_SCALING
from coursework.assignments.a1_scores.softmax import MASKED_SOFTMAX
from coursework.questions.cases import Assignment
from coursework.questions.forbidden import ATTENTION

ASSIGNMENT = Assignment(
    name="a1_scores",
    imports="import math\n\nimport torch",
    questions=(MASKED_SOFTMAX, SDPA, MEASURE_SCALING),
    forbidden=ATTENTION,
)
