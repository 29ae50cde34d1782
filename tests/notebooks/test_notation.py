"""The table of notation: every letter stands where the table says, under the name that it says."""

import re

import pytest
from book_files import EDITIONS, ROOT, cells

DISPLAY, INLINE = r"\n\$\$\n(.+?)\n\$\$", r"(?<!\$)\$([^$\n]+)\$(?!\$)"
GREEK = "alpha beta gamma delta eta lambda tau ell mu sigma omega Pi".split()
# In the formulas of several sections, but explained wherever they stand: e and b of logarithms and
# biases, i and j that count, a small number.
LOCAL = {"a", "b", "e", "i", "j", "varepsilon"}


def notebooks(edition):
    """The path of each section, by its number."""
    paths = (ROOT / "book" / edition).glob("0*.ipynb")
    return {int(path.name[:2]): path for path in paths}


def is_table(cell):
    return re.match("## (Table of notation|符号表)", cell["source"])


def letters(formula):
    """The letters of a formula: no names of functions, no words, no commands for the look."""
    formula = re.sub(r"\\(text|operatorname|mathrm|begin|end)\{[^}]*\}", " ", formula)
    commands = re.findall(r"\\([A-Za-z]+)", formula)
    latin = re.sub(r"\\[A-Za-z]+", " ", formula)
    return {name for name in commands if name in {*GREEK, "varepsilon"}} | set(
        re.findall("[A-Za-z]", latin)
    )


def letters_of(path):
    """All letters in the formulas of a section; the table itself counts for nothing."""
    found = set()
    for cell in cells(path, "markdown"):
        if not is_table(cell):
            for display, inline in re.findall(f"{DISPLAY}|{INLINE}", cell["source"], re.S):
                found |= letters(display or inline)
    return found


def table(edition):
    """The rows: letters, names in the code, numbers of sections."""
    (cell,) = filter(is_table, cells(notebooks(edition)[0], "markdown"))
    rows = []
    for line in re.findall(r"^\| (\$.+) \|$", cell["source"], re.M):
        symbols, _, names, _, where = line.split(" | ")
        first = [re.sub(r"\(.*|_.*|\^.*", "", symbol) for symbol in re.findall(INLINE, symbols)]
        sections = set()
        for span in re.split("[,、]", where):
            start, _, end = span.strip().partition("–")
            sections |= set(range(int(start), int(end or start) + 1))
        rows.append(
            (set().union(*map(letters, first)), set(re.findall(r"`([^`]+)`", names)), sections)
        )
    return rows


def test_letters_by_hand():
    """Bold and subscripts aside; \\operatorname{softmax} has no letters."""
    formula = r"\mathbf{c}_t = \operatorname{softmax}_j \alpha_{tj}\, \sin(\omega p)"
    assert letters(formula) == {"c", "t", "j", "alpha", "omega", "p"}


@pytest.mark.parametrize("edition", EDITIONS)
def test_letters_stand_where_the_table_says(edition):
    """Every section listed has one of the row's letters, and every letter is in one of them."""
    used = {number: letters_of(path) for number, path in notebooks(edition).items()}
    assert len(table(edition)) > 25
    for symbols, _, sections in table(edition):
        assert symbols
        for section in sections:
            assert symbols & used[section], f"{symbols} are in no formula of section {section}"
        missing = symbols - set().union(*(used[section] for section in sections))
        assert not missing, f"{missing} not in {sections}"


@pytest.mark.parametrize("edition", EDITIONS)
def test_names_are_those_of_the_code(edition):
    """Every name stands in the code of one of the sections listed."""
    for symbols, names, sections in table(edition):
        code = "\n".join(
            cell["source"]
            for section in sections
            for cell in cells(notebooks(edition)[section], "code")
        )
        for name in names:
            assert re.search(rf"\b{name}\b", code), f"{name} ({symbols}) not in {sections}"


@pytest.mark.parametrize("edition", EDITIONS)
def test_no_letter_of_several_sections_is_missing(edition):
    """What a reader meets again in another section can be looked up."""
    explained = LOCAL.union(*(symbols for symbols, _, _ in table(edition)))
    used = [letters_of(path) for number, path in notebooks(edition).items() if number]
    again = {letter for one in used for letter in one if sum(letter in each for each in used) > 1}
    assert again <= explained, again - explained
