"""The definitions that a section shows are the same functions as the library's."""

import ast
import math
import re
from collections import Counter

import pytest
import torch
from book_files import EDITIONS, ROOT, cells
from torch import nn

from attention_lib import (
    AdditiveScores,
    DecoderLayer,
    EncoderLayer,
    FeedForward,
    MultiHeadAttention,
    Pair,
    RecurrentTranslator,
    Residual,
    Transformer,
    TransformerConfig,
    Vocabulary,
    attend,
    bleu,
    causal_mask,
    dot_product_scores,
    kernel_scores,
    make_batch,
    masked_softmax,
    padding_mask,
    sinusoidal_positions,
)

SECTION_3 = "03_scoring_functions.ipynb"
SECTION_4 = "04_bahdanau_attention.ipynb"
SECTION_7 = "07_transformer.ipynb"
SECTION_8 = "08_decoding.ipynb"
BLOCKS = ("FeedForward", "LayerNorm", "Residual", "EncoderLayer", "DecoderLayer")
BLOCKS += ("TokenEmbedding", "Transformer")


def definition(path, name, **known):
    """The function or class of that name as the notebook defines it, in terms of what is known."""
    found = [
        node
        for cell in cells(path, "code")
        if re.search(rf"(def|class) {name}\(", cell["source"])
        for node in ast.parse(cell["source"]).body
        if getattr(node, "name", None) == name
    ]
    assert len(found) == 1, f"{name} is defined {len(found)} times in {path}"
    namespace = {"torch": torch, "nn": nn, **known}
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
def test_softmax_over_allowed(edition):
    """Section 3's three lines are masked_softmax, with a row that may attend to nothing too."""
    shown = definition(ROOT / "book" / edition / SECTION_3, "softmax_over_allowed")
    scores = torch.randn(4, 5, 6, generator=torch.Generator().manual_seed(0)).double()
    mask = padding_mask(torch.tensor([6, 3, 1, 0]), 6).expand_as(scores)
    torch.testing.assert_close(
        shown(scores, mask), masked_softmax(scores, mask), atol=1e-12, rtol=0
    )


@pytest.mark.parametrize("edition", EDITIONS)
def test_scaled_dot_product(edition):
    """Section 3's line is dot_product_scores."""
    shown = definition(ROOT / "book" / edition / SECTION_3, "scaled_dot_product")
    queries, keys = torch.randn(2, 3, 4, 8, generator=torch.Generator().manual_seed(0)).double()
    torch.testing.assert_close(
        shown(queries, keys), dot_product_scores(queries, keys), atol=1e-12, rtol=0
    )


@pytest.mark.parametrize("edition", EDITIONS)
def test_additive_scores(edition):
    """Section 3's two lines are AdditiveScores with the same parameters."""
    shown = definition(ROOT / "book" / edition / SECTION_3, "additive_scores")
    generator = torch.Generator().manual_seed(0)
    queries = torch.randn(3, 2, generator=generator).double()
    keys = torch.randn(4, 5, generator=generator).double()
    module = AdditiveScores(2, 5, 8).double()
    # The section multiplies rows.
    W_q, W_k = module.to_queries.weight.T, module.to_keys.weight.T
    w = module.to_scores.weight[0]
    torch.testing.assert_close(
        shown(queries, keys, W_q, W_k, w), module(queries, keys), atol=1e-12, rtol=0
    )


@pytest.mark.parametrize("edition", EDITIONS)
def test_decoder_step(edition):
    """Section 4's step, repeated, is RecurrentTranslator.decode: logits, state and weights."""
    shown = definition(ROOT / "book" / edition / SECTION_4, "decoder_step", attend=attend)
    torch.manual_seed(0)
    model = RecurrentTranslator(
        Vocabulary(["a b c d e f g".split()]),
        Vocabulary(["u v w x y z".split()]),
        d_embedding=6,
        d_encoder=4,
        d_decoder=7,
        d_hidden=5,
    ).double()
    source, lengths = torch.tensor([[4, 5, 6, 7, 2], [8, 9, 2, 0, 0], [2, 0, 0, 0, 0]]), [5, 3, 1]
    target = torch.tensor([[1, 4, 5, 6], [1, 7, 8, 9], [1, 4, 9, 5]])
    memory = model.encode(source, torch.tensor(lengths))
    logits, last, weights = model.decode(target, memory, torch.tensor(lengths), return_weights=True)
    state = torch.zeros(3, 7, dtype=torch.float64)
    mask = padding_mask(torch.tensor(lengths) - 1, 5)
    for t, word in enumerate(target.T):
        step, state, looked = shown(model, word, state, memory.values, mask)
        torch.testing.assert_close(step, logits[:, t], atol=1e-12, rtol=0)
        torch.testing.assert_close(looked, weights[:, t], atol=1e-12, rtol=0)
    torch.testing.assert_close(state, last.hidden, atol=1e-12, rtol=0)


@pytest.mark.parametrize("edition", EDITIONS)
def test_sentence_bleu(edition):
    """Section 4's formula is bleu, for sentences short, long, repetitive and all wrong."""
    path = ROOT / "book" / edition / SECTION_4
    shown = definition(path, "sentence_bleu", math=math, Counter=Counter)
    sentences = [text.split() for text in ("a", "a b", "a a b", "a b c d e", "b a d c e f", "x")]
    for prediction in sentences:
        for reference in sentences:
            for max_n in (1, 2, 4):
                assert shown(prediction, reference, max_n) == bleu(prediction, reference, max_n)


@pytest.mark.parametrize("edition", EDITIONS)
@pytest.mark.parametrize("heads", [1, 2, 4])
def test_multi_head(edition, heads):
    """Section 5's class is MultiHeadAttention: the same parameters, the same output and weights."""
    path = ROOT / "book" / edition / "05_multi_head_attention.ipynb"
    parts = {name: definition(path, name) for name in ("split_heads", "merge_heads")}
    parts |= {"attend": attend, "dot_product_scores": dot_product_scores}
    torch.manual_seed(0)
    expected = MultiHeadAttention(8, heads).double()
    shown = definition(path, "MultiHead", **parts)(8, heads).double()
    shown.load_state_dict(expected.state_dict())
    queries, keys, values = (torch.randn(3, length, 8).double() for length in (4, 5, 5))
    padding = padding_mask(torch.tensor([5, 2, 0]), 5)
    for mask in (None, padding, causal_mask(4, 5)):
        for ours, theirs in zip(
            shown(queries, keys, values, mask),
            expected(queries, keys, values, mask, return_weights=True),
            strict=True,
        ):
            torch.testing.assert_close(ours, theirs, atol=1e-12, rtol=0)


@pytest.mark.parametrize("edition", EDITIONS)
def test_sinusoids(edition):
    """Section 6's table is sinusoidal_positions, for odd widths and long sequences too."""
    path = ROOT / "book" / edition / "06_self_attention_and_position.ipynb"
    shown = definition(path, "sinusoids")
    for length, d_model in ((1, 1), (3, 4), (7, 5), (50, 33), (5000, 64)):
        expected = sinusoidal_positions(length, d_model)
        torch.testing.assert_close(shown(length, d_model), expected, atol=0, rtol=0)


def shaken(module):
    """All parameters random, in float64: a new norm changes little, and would not show."""
    generator = torch.Generator().manual_seed(1)
    for parameter in module.double().parameters():
        parameter.data = torch.randn(parameter.shape, generator=generator).double() / 2
    return module


def random(*shape):
    return torch.randn(*shape, generator=torch.Generator().manual_seed(0)).double()


@pytest.mark.parametrize("edition", EDITIONS)
def test_feed_forward(edition):
    """Section 7's line is the feed-forward network of the layers."""
    shown = definition(ROOT / "book" / edition / SECTION_7, "feed_forward")
    module, x = shaken(FeedForward(4, 7)), random(2, 3, 4)
    parts = module.to_hidden.weight.T, module.to_hidden.bias  # the section multiplies rows
    parts += module.to_output.weight.T, module.to_output.bias
    torch.testing.assert_close(shown(x, *parts), module(x), atol=1e-12, rtol=0)


def own_blocks(edition):
    """The seven classes that section 7 ends with when its reader has written none."""
    names = dict.fromkeys(BLOCKS) | {"nn": nn, "torch": torch, "math": math}
    names |= {"is_right": lambda block: False, "check_block": lambda block, language: None}
    names |= {each.__name__: each for each in (MultiHeadAttention, causal_mask, padding_mask)}
    names["sinusoidal_positions"] = sinusoidal_positions
    for cell in cells(ROOT / "book" / edition / SECTION_7, "code"):
        if cell["source"].startswith("if not is_right("):
            exec(cell["source"], names)
    return {name: names[name] for name in BLOCKS}


def assert_alike(library, own, *given, theirs=None):
    """With the same parameters, the same output; the library may want its input in another form."""
    own.double().load_state_dict(library.state_dict())
    torch.testing.assert_close(own(*given), library(*(theirs or given)), atol=1e-12, rtol=0)


@pytest.mark.parametrize("edition", EDITIONS)
def test_own_parts(edition):
    """Section 7's feed-forward network, norm and residual are PyTorch's and the library's."""
    own, x = own_blocks(edition), random(2, 5, 8)
    assert_alike(shaken(FeedForward(8, 12)), own["FeedForward"](8, 12), x)
    assert_alike(shaken(nn.LayerNorm(8)), own["LayerNorm"](8), 3 * x + 1)
    for first in (True, False):
        assert_alike(
            shaken(Residual(8, norm_first=first)),
            own["Residual"](8, norm_first=first),
            x,
            torch.sin,
        )


@pytest.mark.parametrize("first", [True, False])
@pytest.mark.parametrize("edition", EDITIONS)
def test_own_layers(edition, first):
    """Section 7's layers are the library's, with padding in the batch, the norm first and last."""
    own, x, notes = own_blocks(edition), random(2, 4, 8), random(2, 5, 8)
    mask = padding_mask(torch.tensor([4, 3]), 4)
    layer = shaken(EncoderLayer(8, 2, 16, norm_first=first))
    assert_alike(layer, own["EncoderLayer"](8, 2, 16, first), x, mask)
    layer = shaken(DecoderLayer(8, 2, 16, norm_first=first))
    memory, mask = (
        layer.cross_attention.project(notes, notes),
        padding_mask(torch.tensor([5, 3]), 5),
    )
    mine = own["DecoderLayer"](8, 2, 16, first)
    assert_alike(layer, mine, x, notes, mask, theirs=(x, memory, mask))


@pytest.mark.parametrize("edition", EDITIONS)
def test_own_transformer(edition):
    """Section 7's Transformer is the library's, with sentences of several lengths."""
    words = Vocabulary(["a b c d e".split()])
    config = TransformerConfig(words, words)
    inputs = torch.tensor([[4, 5, 6, 2], [7, 2, 0, 0]]), torch.tensor([4, 2])
    target = torch.tensor([[1, 4, 5], [1, 6, 0]])
    library, own = shaken(Transformer(config)), own_blocks(edition)["Transformer"](config).double()
    own.load_state_dict(library.state_dict())
    expected = library(*inputs, target)
    torch.testing.assert_close(own(*inputs, target), expected, atol=1e-9, rtol=0)


@pytest.mark.parametrize("edition", EDITIONS)
def test_own_blocks_are_short(edition):
    """A reader who writes all seven classes writes at most 150 lines."""
    sources = [cell["source"] for cell in cells(ROOT / "book" / edition / SECTION_7, "code")]
    own = [source for source in sources if source.startswith("if not is_right(")]
    assert len(own) == len(BLOCKS)
    classes = [ast.parse(source).body[0].body[0] for source in own]
    assert sum(node.end_lineno - node.lineno + 1 for node in classes) <= 150


@pytest.mark.parametrize("edition", EDITIONS)
def test_largest_gap(edition):
    """Section 8's test passes what decodes as it was trained, and stops what loses its place."""
    path = ROOT / "book" / edition / SECTION_8
    both = definition(path, "whole_and_steps", make_batch=make_batch)
    shown = definition(path, "largest_gap", whole_and_steps=both)
    hers = definition(path, "HerTransformer", Transformer=Transformer)
    words = Vocabulary(["a b c d e".split()])
    pairs = [Pair(("a", "b"), ("c", "d", "e")), Pair(("d",), ("a",))]
    config = TransformerConfig(words, words, d_model=8, heads=2)
    assert shown(Transformer(config), pairs) < 1e-4
    assert shown(hers(config), pairs) > 1e-3
