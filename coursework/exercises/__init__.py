"""The exercises of the book's sections that have a check: one question a section.

They are no coursework. Nothing here is released or marked, and the solutions stand in the book.
"""

from coursework.exercises.additive_attention import ADDITIVE_ATTENTION
from coursework.exercises.multi_head import MULTI_HEAD
from coursework.exercises.positions import POSITIONS
from coursework.exercises.scaled_dot_product import SCALED_DOT_PRODUCT
from coursework.questions.cases import Question

EXERCISES: dict[str, Question] = {
    "03_scoring_functions": SCALED_DOT_PRODUCT,
    "04_bahdanau_attention": ADDITIVE_ATTENTION,
    "05_multi_head_attention": MULTI_HEAD,
    "06_self_attention_and_position": POSITIONS,
}
