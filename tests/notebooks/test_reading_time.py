"""How long a section takes is counted, and the index says so."""

import re

import pytest
import reading_time
from book_files import EDITIONS, ROOT


def cell(kind, source, tags=(), **more):
    return {"cell_type": kind, "source": [source], "metadata": {"tags": [*tags]}, **more}


def test_a_notebook_by_hand():
    """Prose at 130 words or 220 characters a minute, 12 lines of code, pictures and exercises."""
    picture = {"output_type": "display_data", "data": {"image/png": "", "text/plain": ""}}
    notebook = {
        "cells": [
            cell("markdown", "word " * 260 + "字" * 110),  # 2 + 0.5 minutes
            cell("code", "a\n" * 24, outputs=[]),  # 2
            cell("code", "a\n" * 24, ["hide-input"], outputs=[picture]),  # the picture: 1.5
            cell(
                "markdown", "word " * 130 + "\n\n## Exercises\n\n**Exercise 1: one.** Do it."
            ),  # 1
            cell("code", "a\n" * 24, outputs=[picture]),  # a solution
            cell("markdown", "**练习 2：二。** " + "字" * 999),
        ]
    }
    assert reading_time.minutes(notebook) == pytest.approx((7.0, 20.0))


@pytest.mark.parametrize("edition", EDITIONS)
def test_the_index_says_what_is_counted(edition):
    """Within ten minutes, so that a sentence more changes nothing; and every section has a row."""
    index = (ROOT / "book" / edition / "index.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| \{doc\}`(\w+)` \|.*\| (\d+) \| (\d+) \|$", index, re.M)
    counted = reading_time.sections()
    assert [name for name, *_ in rows] == list(counted)
    for name, *stated in rows:
        reading, exercises = counted[name]
        for said, minutes in zip(map(int, stated), (reading, reading + exercises), strict=True):
            assert abs(said - minutes) <= 10, (
                f"{name}: {minutes:.0f} minutes, the index says {said}"
            )


@pytest.mark.parametrize(("edition", "minutes"), [("zh", "分钟"), ("en", "minutes")])
def test_the_index_says_at_which_rates(edition, minutes):
    """A reader who is faster or slower can correct the times."""
    index = (ROOT / "book" / edition / "index.md").read_text(encoding="utf-8")
    (said,) = re.findall(r"^.*reading_time\.py.*$", index, re.M)
    numbers = set(map(float, re.findall(r"(?<![\w.])\d+(?:\.\d+)?", said)))
    assert minutes in said
    assert numbers == {
        reading_time.WORDS_A_MINUTE,
        reading_time.CHARACTERS_A_MINUTE,
        60 / reading_time.LINES_A_MINUTE,  # seconds
        reading_time.MINUTES_A_PICTURE,
        reading_time.MINUTES_AN_EXERCISE,
    }
