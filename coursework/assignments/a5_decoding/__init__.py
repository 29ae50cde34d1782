"""Assignment 5: decoding one token at a time, with the keys and values of the past in a cache."""

import inspect

from coursework.assignments.a5_decoding.counting import COUNT
from coursework.assignments.a5_decoding.given import position_encoding
from coursework.assignments.a5_decoding.sequence import DECODE
from coursework.assignments.a5_decoding.step import STEP
from coursework.questions.cases import Assignment
from coursework.questions.forbidden import ATTENTION

ASSIGNMENT = Assignment(
    name="a5_decoding",
    imports="import math\n\nimport torch\n\n\n" + inspect.getsource(position_encoding),
    questions=(STEP, DECODE, COUNT),
    forbidden=ATTENTION,
)
