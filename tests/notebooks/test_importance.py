"""Section 5's check of ``importance`` names each mistake; readers are shown just a few of them."""

import copy

import pytest
import torch
from book_files import ROOT, cells

SECTION = ROOT / "book" / "en" / "05_multi_head_attention.ipynb"
DEFINED = (
    "LENGTH, LETTERS, D_MODEL",
    "class Reader",
    "def train",
    "def silenced",
    "half_trained =",
)
# What trains the section's own models and prints what they do.
NOT_NEEDED = ("\nmodels =", "\nnear, far = jobs(", "\nprint(check_importance")


@pytest.fixture(scope="module")
def section():
    """What the section defines for the exercise, without the models that it trains before."""
    exec("import copy, torch\nfrom torch import nn\nimport torch.nn.functional as F", names := {})
    exec("from attention_lib import MultiHeadAttention", names)
    for start in DEFINED:
        (source,) = [c["source"] for c in cells(SECTION, "code") if c["source"].startswith(start)]
        for end in NOT_NEEDED:
            source = source.split(end)[0]
        if start == "half_trained =":
            generator = torch.Generator().manual_seed(2)
            names["test_lines"] = names["make_lines"](200, generator)
        exec(source, names)
    return names


def rises(section, model, lines, part="columns", restored=True, of="loss"):
    """Written out once more: what a student's loop over the heads would give."""
    measured, quiet = [], copy.deepcopy(model)
    for head in range(4):
        quiet = copy.deepcopy(model) if restored else quiet
        weight, block = quiet.attention.to_output.weight, slice(8 * head, 8 * head + 8)
        if part == "columns":
            weight[:, block] = 0
        else:
            weight[block] = 0
        loss, right = section["loss_and_right"](quiet, lines)
        measured.append(loss if of == "loss" else right.mean())
    before, share = section["loss_and_right"](model, lines)
    return torch.stack(measured) - (before if of == "loss" else share.mean())


WRONG = {
    "rows of weight were set to zero, not columns": lambda *given: rises(*given, part="rows"),
    "wrong sign: it should be after minus before": lambda *given: -rises(*given),
    "the heads are in reverse order": lambda *given: rises(*given).flip(0),
    "these are right answers": lambda *given: -rises(*given, of="right"),
    "a head was still silent at the next one's turn": lambda *given: rises(*given, restored=False),
    "the numbers are wrong": lambda *given: 2 * rises(*given),
    "this is the loss, not its rise": lambda section, *given: (
        rises(section, *given) + section["loss_and_right"](*given)[0]
    ),
    "all right": rises,
}


@pytest.mark.parametrize("message", WRONG)
def test_mistake_is_named(section, message):
    """Whoever makes this mistake is told so; who makes none is told that."""
    given = section["check_importance"](lambda *given: WRONG[message](section, *given))
    assert given == message


def test_changed_model_is_noticed(section):
    """A function that leaves heads silent spoils all that is measured afterwards."""

    def spoils(model, lines):
        found = rises(section, model, lines)
        model.attention.to_output.weight[:, :8] = 0
        return found

    assert section["check_importance"](spoils) == "the model was changed, and not restored"
