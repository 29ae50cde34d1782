"""The exercises of all sections, each with wrong solutions and with right ones in other words.

They are written in another way than the mistakes that a question knows, so that a mistake is
recognised by what it computes.
"""

from tests.coursework.exercises import (
    exercise_additive_attention,
    exercise_multi_head,
    exercise_positions,
    exercise_scaled_dot_product,
)

SOLUTIONS = {
    "03_scoring_functions": exercise_scaled_dot_product,
    "04_bahdanau_attention": exercise_additive_attention,
    "05_multi_head_attention": exercise_multi_head,
    "06_self_attention_and_position": exercise_positions,
}
WRONG = {section: module.WRONG for section, module in SOLUTIONS.items()}
RIGHT = {section: module.RIGHT for section, module in SOLUTIONS.items()}
