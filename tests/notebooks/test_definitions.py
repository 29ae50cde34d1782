"""The definitions that a section shows are the same functions as the library's."""

import ast

import pytest
import torch
from book_files import EDITIONS, ROOT, cells

from attention_lib import attend, kernel_scores, sinusoidal_positions


def definition(path, name):
    """The function of that name as the notebook defines it."""
    found = [
        node
        for cell in cells(path, "code")
        if f"def {name}(" in cell["source"]
        for node in ast.parse(cell["source"]).body
        if getattr(node, "name", None) == name
    ]
    assert len(found) == 1, f"{name} is defined {len(found)} times in {path}"
    namespace = {"torch": torch}
    exec(ast.unparse(found[0]), namespace)
    return namespace[name]


@pytest.mark.parametrize("edition", EDITIONS)
def test_nadaraya_watson(edition):
    """Section 2's three lines are attend(kernel_scores(...)) with a Gaussian kernel."""
    shown = definition(ROOT / "book" / edition / "02_attention_pooling.ipynb", "nadaraya_watson")
    generator = torch.Generator().manual_seed(0)
    queries, keys, values = (
        torch.randn(count, 1, generator=generator, dtype=torch.float64) for count in (4, 9, 9)
    )
    for width in (0.1, 1.0, 3.0):
        output, _ = attend(kernel_scores(queries, keys, width), values)
        torch.testing.assert_close(shown(queries, keys, values, width), output, atol=1e-12, rtol=0)


@pytest.mark.parametrize("edition", EDITIONS)
def test_sinusoids(edition):
    """Section 6's table is sinusoidal_positions, for odd widths and long sequences too."""
    path = ROOT / "book" / edition / "06_self_attention_and_position.ipynb"
    shown = definition(path, "sinusoids")
    for length, d_model in ((1, 1), (3, 4), (7, 5), (50, 33), (5000, 64)):
        expected = sinusoidal_positions(length, d_model)
        torch.testing.assert_close(shown(length, d_model), expected, atol=0, rtol=0)
