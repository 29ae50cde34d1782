"""Section 7's check of a reader's blocks: what is right passes, and each mistake is named."""

import re

import pytest
import torch
from book_files import ROOT, cells
from torch import nn

import attention_lib
from coursework.practice.blocks import check_block, is_right

SECTION = ROOT / "book" / "en" / "07_transformer.ipynb"
OWN = {
    re.search(r"is_right\((\w+)\)", cell["source"]).group(1): cell["source"].split("\n\n\ncheck")[0]
    for cell in cells(SECTION, "code")
    if cell["source"].startswith("if not is_right(")
}

# For each block, a change of its source (old, new), and what the reader is told.
FAULTS = {
    "FeedForward": [
        ("torch.relu(self.to_hidden(x))", "self.to_hidden(x)", "no ReLU between the two layers"),
        ("self.to_output(torch.relu(", "torch.relu(self.to_output(", "after the second layer"),
        ("torch.relu(self.to_hidden(x))", "F.gelu(self.to_hidden(x))", "differs from"),
        ("return self.to_output", "self.to_output", "is a return missing?"),
        ("return ", "return x + ", "which is the work of Residual"),
        ("nn.Linear(d_model, d_ff)", "nn.Linear(d_model, d_ff, bias=False)", "no parameter to_hi"),
        ("nn.Linear(d_ff, d_model)", "nn.Linear(d_ff, d_ff)", "should have the shape (8, 12)"),
        ("self.to_output = ", "self.more = self.to_output = ", "more parameters than wanted: more"),
        ("self.to_hidden = ", "to_hidden = ", "no parameter to_hidden.weight"),
        ("super().__init__()", "", "__init__ raises AttributeError"),
        ("self.to_hidden(x)", "self.to_hiden(x)", "forward raises AttributeError"),
        ("return ", 'raise NotImplementedError("your turn") #', "not written yet"),
    ],
    "LayerNorm": [
        ("dim=-1", "dim=1", "averages over the wrong axis"),
        ("dim=-1", "dim=(1, 2)", "each token by itself"),
        ("centred.square().mean(dim=-1,", "x.var(dim=-1,", "divided by d − 1"),
        ("centred = x - x.mean(dim=-1, keepdim=True)", "centred = x", "mean is not subtracted"),
        ("(variance + self.eps).sqrt()", "(variance + self.eps)", "not its root"),
        ("(variance + self.eps).sqrt()", "(variance.sqrt() + self.eps)", "under the root"),
        ("self.weight * normed + self.bias", "normed", "not multiplied by weight"),
    ],
    "Residual": [
        ("return x + sublayer(self.norm(x))", "return sublayer(self.norm(x))", "x is not added"),
        ("return self.norm(x + sublayer(x))", "return self.norm(sublayer(x))", "=False: x is not"),
        ("sublayer(self.norm(x))", "sublayer(x)", "nothing is normalised"),
        ("if self.norm_first", "if not self.norm_first", "the norm is in the other place"),
        (
            "return x + sublayer(self.norm(x))",
            "x = self.norm(x); return x + sublayer(x)",
            "carries",
        ),
        ("self.norm(x + sublayer(x))", "x + self.norm(sublayer(x))", "only the output of the"),
    ],
    "EncoderLayer": [
        ("(x, x, x, mask)", "(x, x, x)", "with a padding mask: the mask is not used"),
        ("return self.feed_forward_residual(x, self.feed_forward)", "return x", "is missing"),
        (
            "self.feed_forward_residual(x, self.feed_forward)",
            "self.feed_forward(x)",
            "feed-forward",
        ),
        (
            "lambda x: self.self_attention(x, x, x",
            "lambda y: self.self_attention(y, x, x",
            "queries",
        ),
        ("Residual(d_model, norm_first)", "Residual(d_model, False)", "differs from"),
    ],
    "DecoderLayer": [
        ("(y, y, y, past)", "(y, y, y)", "later words can be seen"),
        ("causal_mask(y.shape[1])", "causal_mask(y.shape[1]).T", "the wrong way round"),
        ("causal_mask(y.shape[1])", "causal_mask(y.shape[1]).tril(-1)", "hides one too many"),
        (", memory_mask),", "),", "does not use the mask of the source"),
        ("(y, memory, memory, memory_mask)", "(y, y, y)", "come from memory"),
        ("return self.feed_forward_residual(y, self.feed_forward)", "return y", "is missing"),
    ],
    "TokenEmbedding": [
        ("entries / math.sqrt(d_model)", "entries", "standard deviation of 1/√d = 0.35"),
        ("math.sqrt(d_model) * self.weight[tokens]", "self.weight[tokens]", "not multiplied by √d"),
        (" + positions", "", "no positions are added"),
        (
            "* self.weight[tokens] + positions",
            "* (self.weight[tokens] + positions)",
            "the embedding",
        ),
        (", d_model, start)", ", d_model)", "start is not used"),
        ("x @ self.weight.T", "x @ self.weight.T * self.weight.shape[1] ** 0.5", "not multiplied"),
        ("x @ self.weight.T", "x @ self.weight", "scores: forward raises RuntimeError"),
    ],
    "Transformer": [
        ("padding_mask(source_lengths - 1,", "padding_mask(source_lengths,", "sees the end mark"),
        ("layer(y, memory, words)", "layer(y, memory)", "it sees the end mark and the padding"),
        ("layer(x, padding_mask(source_lengths, source.shape[1]))", "layer(x)", "sees the padding"),
        ("return self.encoder_norm(x)", "return x", "encoder_norm is missing"),
        ("self.decoder_norm(y)", "y", "decoder_norm is missing"),
        ("in self.encoder:", "in self.encoder[:1]:", "differs from"),
        ("x = layer(x, padding", "layer(x, padding", "looks up the embedded source"),
        ("for _ in range(config.layers)", "for _ in range(1)", "no parameter encoder, decoder"),
    ],
}


def blocks(name, source):
    """All blocks, this one with another source."""
    names = dict.fromkeys(OWN) | {"nn": nn, "torch": torch, "F": nn.functional}
    names |= vars(attention_lib) | {"math": __import__("math")}
    names["is_right"] = lambda block: False
    for each, own in OWN.items():
        exec(source if each == name else own, names)
    return names[name]


@pytest.mark.parametrize("name", OWN)
def test_a_right_block_passes(name, capsys):
    """The section's own classes, in both languages."""
    block = blocks(name, OWN[name])
    assert is_right(block)
    check_block(block, language="zh")
    check_block(block)
    zh, en = capsys.readouterr().out.splitlines()
    assert (zh, en) == (f"✓ {name}: 与库里的结果一致", f"✓ {name}: the same as the library's")


@pytest.mark.parametrize(
    ("name", "old", "new", "told"), [(name, *fault) for name in FAULTS for fault in FAULTS[name]]
)
def test_a_mistake_is_named(name, old, new, told, capsys):
    """Whoever writes this is told so, in the language of the edition."""
    assert old in OWN[name]
    block = blocks(name, OWN[name].replace(old, new))
    assert not is_right(block)
    check_block(block)
    check_block(block, language="zh")
    en, zh = capsys.readouterr().out.splitlines()
    assert en.startswith(f"✗ {name}: ") and told in en
    assert zh.startswith(f"✗ {name}: ") and re.search("[一-鿿]", zh)


def test_a_draft_is_told_where_to_begin(capsys):
    """A class without parts, as the section hands it out."""

    class DecoderLayer(nn.Module):
        def __init__(self, d_model, heads, d_ff):
            super().__init__()

    check_block(DecoderLayer)
    told = capsys.readouterr().out
    assert "begin with them" in told and "cross_attention" in told and len(told) < 250


def test_random_numbers_are_left_alone():
    """A check between two draws changes neither."""
    torch.manual_seed(3)
    expected = torch.rand(4)[2:]
    torch.manual_seed(3)
    torch.rand(2)
    is_right(blocks("FeedForward", OWN["FeedForward"]))
    assert torch.equal(torch.rand(2), expected)


@pytest.mark.parametrize(
    ("block", "language", "error", "told"),
    [
        (nn.Linear(2, 2), "en", TypeError, "a class made of nn.Module wanted"),
        (int, "en", TypeError, "a class made of nn.Module wanted"),
        (nn.Linear, "en", ValueError, "FeedForward, LayerNorm"),
        (nn.LayerNorm, "fr", ValueError, "language is one of zh, en"),
    ],
)
def test_what_cannot_be_checked(block, language, error, told):
    with pytest.raises(error, match=told):
        check_block(block, language)
