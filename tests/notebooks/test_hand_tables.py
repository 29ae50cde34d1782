"""Tables that are worked out by hand: right as arithmetic, and computed by the cell after them."""

import itertools
import math
import re

import pytest
from book_files import NOTEBOOKS, name, read, texts

# Headings of a column of exponentials. On its left are the scores, on its right their shares.
EXPONENTIAL = r"e\^\{s_i\}|K\(u\)|取指数|exponential"
NUMBER = r"[−-]?\d+(?:\.\d+)?"


def by_hand(notebook):
    """For each such table its rows (score, exponential, share), and what the next cell prints."""
    for number, cell in enumerate(notebook["cells"]):
        if cell["cell_type"] != "markdown":
            continue
        after = itertools.dropwhile(
            lambda each: each["cell_type"] == "markdown", notebook["cells"][number:]
        )
        printed = "".join(map(texts, next(after, {"outputs": []})["outputs"]))
        for block in re.findall(r"(?:^\|.*\|\n?){3,}", cell["source"], re.M):
            headings, _, *rows = [
                [each.strip() for each in row.strip("|").split("|")] for row in block.splitlines()
            ]
            place = [i for i, each in enumerate(headings) if re.search(EXPONENTIAL, each)]
            if place:
                columns = [
                    (next(filter(value, row[place[0] - 1 :: -1]), ""), *row[place[0] :][:2])
                    for row in rows
                ]
                yield columns, printed


def value(text):
    found = re.search(NUMBER, text)
    return found and found[0].replace("−", "-")


def near(one, other, shown):
    """Whether two numbers agree to the digits that are shown, but for one in the last."""
    return abs(one - other) <= 1.5 * 10.0 ** -len(value(shown).partition(".")[2])


def wrong(notebook):
    """What does not hold, as sentences."""
    for (*rows, (_, total, whole)), printed in by_hand(notebook):
        counted = [row for row in rows if value(row[1])]  # a masked key has no exponential
        amounts = [float(value(exponential)) for _, exponential, _ in counted]
        if not near(sum(amounts), float(value(total)), total) or float(value(whole)) != 1:
            yield f"the total {total}"
        computed = [f"{float(each):.4f}" for each in re.findall(r"\d+\.\d+(?:e-\d+)?", printed)]
        for (score, exponential, share), amount in zip(counted, amounts, strict=True):
            exact = math.exp(float(value(score)))
            slack = 10.0 ** -len(value(score).partition(".")[2]) * exact if "." in score else 0
            if abs(exact - amount) > slack + 1e-4:
                yield f"{exponential} for the exponential of {score}"
            if not near(amount / sum(amounts), float(value(share)), share):
                yield f"{share} for {amount} of {sum(amounts)}"
            if f"{float(value(share)):.4f}" not in computed:
                yield f"{share} is not in {printed}"


@pytest.mark.parametrize("path", NOTEBOOKS, ids=name)
def test_tables_by_hand_are_right_and_computed(path):
    """Exponentials, their shares and their total; and the same shares in the output."""
    assert [*wrong(read(path))] == []


def test_tables_are_found():
    """In each section that works out weights; a heading of another wording would hide its table."""
    found = {path.name[:2] for path in NOTEBOOKS if [*by_hand(read(path))]}
    assert found >= {"00", "02", "03", "06"}


@pytest.mark.parametrize(
    ("old", "new"), [("7.3891", "7.3981"), ("0.6652", "0.6562"), ("11.1073", "11.1173")]
)
def test_a_wrong_digit_is_found(old, new):
    """Planted in the table of the softmax: an exponential, a probability, the total."""
    notebook = read(next(path for path in NOTEBOOKS if path.name.startswith("00")))
    for cell in notebook["cells"]:
        if cell["cell_type"] == "markdown":
            cell["source"] = cell["source"].replace(old, new)
    assert [*wrong(notebook)]
