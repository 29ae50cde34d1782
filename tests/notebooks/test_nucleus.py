"""Section 8's check of a nucleus names each mistake, and its functions do what the library does."""

import pytest
import torch
from book_files import EDITIONS, ROOT, cells

SECTION = "08_decoding.ipynb"


def run(edition, *beginnings):
    """The names that the cells with these beginnings define, without what they print."""
    names = {"torch": torch}
    for beginning in beginnings:
        (source,) = [
            cell["source"]
            for cell in cells(ROOT / "book" / edition / SECTION, "code")
            if cell["source"].startswith(beginning)
        ]
        exec(source.split("\n\n\nprint(")[0].split("\n\n\nFIVE")[0], names)
    return names


@pytest.fixture(scope="module")
def check_nucleus():
    """The function as the section has it."""
    return run("en", "def keep(", "def check_nucleus(")["check_nucleus"]


def nucleus(kept, *, back=True, divided=True):
    """A student's function, from the words kept: given what is sorted, and the limit."""

    def cut(p, top_p):
        ordered, places = p.sort(dim=-1, descending=True)
        left = ordered * kept(ordered, top_p)
        left = torch.zeros_like(p).scatter(-1, places, left) if back else left
        return left / left.sum(dim=-1, keepdim=True) if divided else left

    return cut


def before(ordered, top_p):
    return ordered.cumsum(dim=-1) - ordered < top_p


def up_to(ordered, top_p):
    return ordered.cumsum(dim=-1) <= top_p


def up_to_but_one(ordered, top_p):
    kept = up_to(ordered, top_p)
    kept[:, 0] = True
    return kept


def one_more(ordered, top_p):
    kept = before(ordered, top_p)
    return kept | kept.roll(1, dims=-1)


def by_itself(ordered, top_p):
    return ordered >= 1 - top_p  # every word by its own probability


def everything(ordered, top_p):
    return torch.ones_like(ordered, dtype=torch.bool)


def over_the_batch(p, top_p):
    """Sorted along the wrong axis: the rows of the batch are mixed."""
    ordered, places = p.sort(dim=0, descending=True)
    left = ordered * (ordered.cumsum(dim=0) - ordered < top_p)
    return torch.zeros_like(p).scatter(0, places, left)


def evened_out(p, top_p):
    left = nucleus(before)(p, top_p)
    return (left > 0) / (left > 0).sum(dim=-1, keepdim=True) * (1 + 1e-6 * left)


CUTS = [
    ("all right", nucleus(before)),
    ("a row is left empty", nucleus(up_to, divided=False)),
    ("a row is left empty", nucleus(up_to)),  # divided by zero
    ("shape (3, 5) wanted, got (5,)", lambda p, top_p: nucleus(before)(p, top_p)[0]),
    ("the tail is still there", nucleus(everything)),
    ("probabilities have lost their words", nucleus(before, back=False)),
    ("the word that crosses the limit is missing", nucleus(up_to_but_one)),
    ("the word that crosses the limit is missing", nucleus(by_itself)),
    ("words left: [3, 1, 3] wanted, got [4, 2, 4]", nucleus(one_more)),
    ("what is left does not add up to 1", nucleus(before, divided=False)),
    ("the probabilities left are not in proportion", evened_out),
]


@pytest.mark.parametrize(("message", "cut"), CUTS)
def test_mistake_is_named(check_nucleus, message, cut):
    """A reader who makes this mistake is told so; who makes none is told that."""
    assert check_nucleus(cut).startswith(message)


def test_mixed_rows_do_not_pass(check_nucleus):
    """Sorted along the batch, nothing is right; the check may say so in several ways."""
    assert check_nucleus(over_the_batch) != "all right"


@pytest.mark.parametrize("edition", EDITIONS)
def test_the_draft_is_wrong_and_the_solution_right(edition):
    """What a reader is given does not pass, in either edition; the folded solution does."""
    names = run(edition, "def keep(", "def check_nucleus(", "def nucleus(", "def solved(")
    right = names["check_nucleus"](names["solved"])
    assert right == {"en": "all right", "zh": "全对"}[edition]
    assert names["check_nucleus"](names["nucleus"]) != right


@pytest.mark.parametrize("edition", EDITIONS)
def test_what_is_kept_by_hand(edition):
    """Worked out with a pen: of .5 .25 .15 .07 .03, two words, or those that reach .8."""
    keep, p = run(edition, "def keep(")["keep"], torch.tensor([0.03, 0.25, 0.5, 0.07, 0.15])
    assert torch.allclose(keep(p, top_k=2), torch.tensor([0, 1 / 3, 2 / 3, 0, 0]))
    assert torch.allclose(keep(p, top_p=0.8), torch.tensor([0, 25, 50, 0, 15]) / 90)
    assert torch.allclose(keep(p, top_p=0.5), torch.tensor([0.0, 0, 1, 0, 0]))
    assert torch.allclose(keep(p), p)
