"""The translator that comes with the library is what its docstring says."""

import pytest
import torch

from attention_lib import exact_match, grammar_corpus, trained_translator, translate
from attention_lib.translation.trained import WEIGHTS


@pytest.fixture(scope="module")
def model():
    return trained_translator()


def test_quality(model):
    """Over 98 % right to the last word: of both parts that no training pair is in."""
    corpus = grammar_corpus()
    for part in ("test", "compositional"):
        found = translate(model, [pair.source for pair in corpus[part]])
        right = exact_match([each.tokens for each in found], [pair.target for pair in corpus[part]])
        assert right > 0.98, part


def test_ready_to_use(model):
    """In float32 and eval(), with every word of the corpus; a model of its own at each call."""
    assert not model.training
    assert {parameter.dtype for parameter in model.parameters()} == {torch.float32}
    words = {word for pair in grammar_corpus()["train"] for word in pair.source}
    assert words <= set(model.source_vocabulary.words)
    with torch.no_grad():
        next(model.parameters()).zero_()
    assert next(trained_translator().parameters()).any()


def test_size():
    """Under half a megabyte: it is installed with the library."""
    assert WEIGHTS.stat().st_size < 500_000
