"""Assignment 3: several attentions side by side, each in a subspace of its own."""

from coursework.assignments.a3_multi_head.attention import MULTI_HEAD_ATTENTION
from coursework.assignments.a3_multi_head.one_head import MEASURE_HEAD
from coursework.assignments.a3_multi_head.split import SPLIT_HEADS
from coursework.questions.cases import Assignment

ASSIGNMENT = Assignment(
    name="a3_multi_head",
    imports="import math\n\nimport torch",
    questions=(SPLIT_HEADS, MULTI_HEAD_ATTENTION, MEASURE_HEAD),
    forbidden=(
        "torch.nn.functional.scaled_dot_product_attention",
        "torch._C._nn.scaled_dot_product_attention",
        "torch.nn.functional.multi_head_attention_forward",
        "torch.nn.MultiheadAttention",
    ),
)
