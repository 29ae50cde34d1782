import dataclasses

import pytest
import torch
from torch import nn
from torch.testing import assert_close

from attention_lib import (
    DecoderLayer,
    EncoderLayer,
    TokenEmbedding,
    Transformer,
    TransformerConfig,
    Vocabulary,
    causal_mask,
    padding_mask,
    sinusoidal_positions,
)

ENGLISH = Vocabulary(["a b c d e f g".split()])
FRENCH = Vocabulary(["u v w x y z".split()])
SOURCE, LENGTHS = torch.tensor([[4, 5, 6, 7, 2], [8, 9, 2, 0, 0]]), torch.tensor([5, 3])
TARGET = torch.tensor([[1, 4, 5, 6], [1, 7, 8, 9]])


def make(**options):
    torch.manual_seed(0)
    options = {"d_model": 8, "heads": 2, "layers": 2, "d_ff": 16} | options
    return Transformer(TransformerConfig(ENGLISH, FRENCH, **options)).double()


def random_tokens(*shape, seed=0):
    generator = torch.Generator().manual_seed(seed)
    return torch.randn(*shape, dtype=torch.float64, generator=generator)


def shaken(layer):
    """All parameters random: a new LayerNorm changes little, and its place would not show."""
    generator = torch.Generator().manual_seed(1)
    for parameter in layer.parameters():
        parameter.data = torch.randn(parameter.shape, generator=generator).to(parameter) / 2
    return layer.eval()


def pytorchs(ours):
    """PyTorch's layer of the same kind, with the weights of ours."""
    decoder = isinstance(ours, DecoderLayer)
    theirs = (nn.TransformerDecoderLayer if decoder else nn.TransformerEncoderLayer)(
        ours.self_attention.to_output.in_features,
        ours.self_attention.heads,
        ours.feed_forward.to_hidden.out_features,
        dropout=0.0,
        batch_first=True,
        norm_first=ours.feed_forward_residual.norm_first,
        dtype=torch.float64,
    )
    attentions = {"self_attn": ours.self_attention}
    residuals = [ours.self_attention_residual, ours.feed_forward_residual]
    if decoder:
        attentions["multihead_attn"] = ours.cross_attention
        residuals.insert(1, ours.cross_attention_residual)
    parts = {"linear1": ours.feed_forward.to_hidden, "linear2": ours.feed_forward.to_output}
    parts |= {f"norm{number}": each.norm for number, each in enumerate(residuals, start=1)}
    parts |= {f"{name}.out_proj": attention.to_output for name, attention in attentions.items()}
    state = {
        f"{name}.{kind}": getattr(part, kind)
        for name, part in parts.items()
        for kind in ("weight", "bias")
    }
    for name, attention in attentions.items():
        projections = (attention.to_queries, attention.to_keys, attention.to_values)
        for kind in ("weight", "bias"):
            state[f"{name}.in_proj_{kind}"] = torch.cat([getattr(p, kind) for p in projections])
    theirs.load_state_dict(state)
    return theirs.train()  # dropout is 0; in eval, PyTorch's fast path zeroes padded rows


@pytest.mark.parametrize("norm_first", [True, False])
def test_encoder_layer_agrees_with_pytorch(norm_first):
    """To 1e-10 in float64, with the weights copied and padding in the batch."""
    ours = shaken(EncoderLayer(8, 2, 16, norm_first=norm_first).double())
    tokens, mask = random_tokens(3, 5, 8), padding_mask(torch.tensor([5, 2, 3]), 5)
    expected = pytorchs(ours)(tokens, src_key_padding_mask=~mask[:, 0])
    output, _ = ours(tokens, mask, return_weights=True)
    for each in (ours(tokens, mask), output):
        assert_close(each, expected, atol=1e-10, rtol=0)


@pytest.mark.parametrize("norm_first", [True, False])
def test_decoder_layer_agrees_with_pytorch(norm_first):
    """The same for the decoder, whose three sub-layers have a norm each."""
    ours = shaken(DecoderLayer(8, 2, 16, norm_first=norm_first).double())
    tokens, source = random_tokens(3, 4, 8), random_tokens(3, 5, 8, seed=1)
    mask = padding_mask(torch.tensor([5, 2, 3]), 5)
    expected = pytorchs(ours)(
        tokens, source, tgt_mask=~causal_mask(4), memory_key_padding_mask=~mask[:, 0]
    )
    projected = ours.cross_attention.project(source, source)
    output, _, _ = ours(tokens, projected, mask, return_weights=True)
    for each in (ours(tokens, projected, mask), output):
        assert_close(each, expected, atol=1e-10, rtol=0)


@pytest.mark.parametrize("norm_first", [True, False])
def test_the_whole_agrees_with_pytorchs_layers(norm_first):
    """Embeddings, positions, layers, last norms and logits, put together by hand."""
    model = shaken(make(norm_first=norm_first))
    padding = ~padding_mask(LENGTHS, 5)[:, 0]
    no_word = ~padding_mask(LENGTHS - 1, 5)[:, 0]  # the end mark is hidden from the decoder

    def embed(matrix, tokens):
        return matrix[tokens] * 8**0.5 + sinusoidal_positions(tokens.shape[1], 8).double()

    source = embed(model.source_embedding.weight, SOURCE)
    for layer in model.encoder:
        source = pytorchs(layer)(source, src_key_padding_mask=padding)
    target = embed(model.target_embedding.weight, TARGET)
    if norm_first:
        norm = model.encoder_norm
        source = nn.functional.layer_norm(source, (8,), norm.weight, norm.bias)
    for layer in model.decoder:
        target = pytorchs(layer)(
            target, source, tgt_mask=~causal_mask(4), memory_key_padding_mask=no_word
        )
    if norm_first:
        norm = model.decoder_norm
        target = nn.functional.layer_norm(target, (8,), norm.weight, norm.bias)
    expected = target @ model.target_embedding.weight.T
    assert_close(model(SOURCE, LENGTHS, TARGET), expected, atol=1e-10, rtol=0)


def test_one_matrix_embeds_and_scores():
    """By hand: row 1 times √4 is (0, 4, 0, 0); with (1, 1, 1, 1) the rows give 1, 2 and 4."""
    embedding = TokenEmbedding(3, 4)
    embedding.weight.data = torch.tensor([[1.0, 0, 0, 0], [0, 2, 0, 0], [0, 0, 3, 1]])
    assert embedding(torch.tensor([[1]])).tolist() == [[[0, 4, 0, 0]]]
    assert embedding.scores(torch.ones(1, 1, 4)).tolist() == [[[1, 2, 4]]]
    assert sum(parameter.numel() for parameter in embedding.parameters()) == 12


def test_the_target_matrix_exists_once():
    """Embeddings of 11 and 10 tokens, 8 wide; the rest by hand; no further matrix for logits."""
    attention, feed_forward, norm = 4 * (8 * 8 + 8), (8 * 16 + 16) + (16 * 8 + 8), 2 * 8
    encoder = 2 * (attention + feed_forward + 2 * norm) + norm
    decoder = 2 * (2 * attention + feed_forward + 3 * norm) + norm
    parameters = sum(parameter.numel() for parameter in make().parameters())
    assert parameters == 11 * 8 + 10 * 8 + encoder + decoder


def test_embeddings_start_as_large_as_positions():
    """Root mean squares: 1 for the embedding, √½ for sines and cosines; neither drowns."""
    torch.manual_seed(0)
    embedded = TokenEmbedding(1000, 64)(torch.arange(1000)[None])
    positions = sinusoidal_positions(1000, 64)
    assert_close(embedded.square().mean().sqrt(), torch.tensor(1.0), atol=0.02, rtol=0)
    assert_close(positions.square().mean().sqrt(), torch.tensor(0.5**0.5), atol=0.02, rtol=0)


def test_dropout_rests_in_eval():
    """In training two calls differ; in eval they are the same, and those of no dropout."""
    dropping, plain = make(dropout=0.5), make()
    plain.load_state_dict(dropping.state_dict())
    batch = (SOURCE, LENGTHS, TARGET)
    assert not torch.equal(dropping(*batch), dropping(*batch))
    dropping.eval()
    assert torch.equal(dropping(*batch), dropping(*batch))
    assert torch.equal(dropping(*batch), plain(*batch))


@pytest.mark.parametrize("layer_type", [EncoderLayer, DecoderLayer])
@pytest.mark.parametrize("norm_first", [True, False])
def test_dropout_spares_the_residual_path(layer_type, norm_first):
    """With all sub-layers silent, dropout has nothing to drop: the tokens pass whole."""
    layer = layer_type(8, 2, 16, dropout=0.5, norm_first=norm_first).double()
    for name, parameter in layer.named_parameters():
        if "to_output" in name:
            nn.init.zeros_(parameter)
    tokens, arguments = random_tokens(2, 3, 8), []
    if layer_type is DecoderLayer:
        arguments = [layer.cross_attention.project(tokens, tokens)]
    expected = tokens if norm_first else nn.functional.layer_norm(tokens, (8,))
    # The norm of what is normed already changes it by its epsilon of 1e-5.
    assert_close(layer(tokens, *arguments), expected, atol=1e-4, rtol=0)


def test_all_attention_weights():
    """Shapes with layers and heads; rows sum to one; no future, no padding, no end mark."""
    model = make().train()
    weights = model.attention_weights(SOURCE, LENGTHS, TARGET)
    assert weights.encoder.shape == (2, 2, 2, 5, 5)
    assert weights.masked.shape == (2, 2, 2, 4, 4)
    assert weights.cross.shape == (2, 2, 2, 4, 5)
    for each in weights:
        assert_close(each.sum(dim=-1), torch.ones_like(each[..., 0]))
    assert not weights.masked.triu(1).any()
    assert not weights.encoder[1, ..., 3:].any() and weights.encoder[1, ..., :3].all()
    assert not weights.cross[1, ..., 2:].any() and not weights.cross[0, ..., 4:].any()
    memory = model.encode(SOURCE, LENGTHS)
    *_, cross = model.decode(TARGET, memory, LENGTHS, return_weights=True)
    assert_close(weights.cross, cross, atol=1e-10, rtol=0)


def test_the_layers_are_not_mixed_up():
    """Silent self-attention in the second layer of the encoder alone: only its row is even."""
    model = make()
    nn.init.zeros_(model.encoder[1].self_attention.to_queries.weight)
    nn.init.zeros_(model.encoder[1].self_attention.to_queries.bias)
    weights = model.attention_weights(SOURCE[:1], LENGTHS[:1], TARGET[:1])
    even = torch.full((2, 5, 5), 0.2, dtype=torch.float64)
    assert_close(weights.encoder[0, 1], even)
    assert not torch.allclose(weights.encoder[0, 0], even)


@pytest.mark.parametrize(
    ("options", "told"),
    [
        ({"d_model": 10, "heads": 3}, "10.*3"),
        ({"layers": 0}, "got 8, 0 and 16"),
        ({"d_ff": 0}, "got 8, 2 and 0"),
        ({"dropout": 1.0}, r"1\.0"),
    ],
)
def test_bad_sizes_are_refused(options, told):
    """At construction, naming the numbers."""
    with pytest.raises(ValueError, match=told):
        make(**options)


def test_a_configuration_is_frozen_and_small():
    """It cannot change under a model that was made from it, and stays readable: eight fields."""
    config = TransformerConfig(ENGLISH, FRENCH)
    assert len(dataclasses.fields(config)) <= 8
    with pytest.raises(dataclasses.FrozenInstanceError):
        config.heads = 2
