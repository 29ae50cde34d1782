"""The library's attention and Transformer made of torch.nn's parts, with the same weights."""

import torch
from torch import nn

from attention_lib import causal_mask, padding_mask, sinusoidal_positions

KINDS = "weight", "bias"


def pytorchs_attention(ours):
    """nn.MultiheadAttention with the weights of ours."""
    theirs = nn.MultiheadAttention(
        ours.to_output.in_features, ours.heads, dropout=ours.dropout, batch_first=True
    )
    projections = ours.to_queries, ours.to_keys, ours.to_values
    theirs.load_state_dict(
        {f"in_proj_{kind}": torch.cat([getattr(p, kind) for p in projections]) for kind in KINDS}
        | {f"out_proj.{kind}": getattr(ours.to_output, kind) for kind in KINDS}
    )
    return theirs


class TorchTranslator(nn.Module):
    """The same Transformer made of nn.Transformer's layers, with the weights of ours."""

    def __init__(self, ours):
        super().__init__()
        config = ours.config
        sizes = config.d_model, config.heads, config.d_ff
        options = {"dropout": 0.0, "batch_first": True, "norm_first": True}
        self.d_model = config.d_model
        self.embeddings = nn.ParameterList(
            [
                ours.source_embedding.weight.detach().clone(),
                ours.target_embedding.weight.detach().clone(),
            ]
        )
        self.encoder = nn.ModuleList(
            nn.TransformerEncoderLayer(*sizes, **options) for _ in ours.encoder
        )
        self.decoder = nn.ModuleList(
            nn.TransformerDecoderLayer(*sizes, **options) for _ in ours.decoder
        )
        self.norms = nn.ModuleList(nn.LayerNorm(config.d_model) for _ in range(2))
        for theirs, layer in zip(
            [*self.encoder, *self.decoder], [*ours.encoder, *ours.decoder], strict=True
        ):
            theirs.load_state_dict(state_of(layer))

    def embed(self, number, tokens):
        positions = sinusoidal_positions(tokens.shape[1], self.d_model)
        return self.embeddings[number][tokens] * self.d_model**0.5 + positions

    def encode(self, source, lengths):
        x, ignored = self.embed(0, source), ~padding_mask(lengths, source.shape[1])[:, 0]
        for layer in self.encoder:
            x = layer(x, src_key_padding_mask=ignored)
        return self.norms[0](x)

    def decode(self, target, memory, lengths):
        x, ignored = self.embed(1, target), ~padding_mask(lengths - 1, memory.shape[1])[:, 0]
        future = ~causal_mask(target.shape[1])
        for layer in self.decoder:
            x = layer(
                x, memory, tgt_mask=future, memory_key_padding_mask=ignored, tgt_is_causal=True
            )
        return self.norms[1](x) @ self.embeddings[1].T

    def forward(self, source, lengths, target):
        return self.decode(target, self.encode(source, lengths), lengths)


def state_of(layer):
    """The parameters of one of our layers under PyTorch's names."""
    attentions = {"self_attn": layer.self_attention}
    residuals = [layer.self_attention_residual, layer.feed_forward_residual]
    if hasattr(layer, "cross_attention"):
        attentions["multihead_attn"] = layer.cross_attention
        residuals.insert(1, layer.cross_attention_residual)
    parts = {"linear1": layer.feed_forward.to_hidden, "linear2": layer.feed_forward.to_output}
    parts |= {f"norm{number}": each.norm for number, each in enumerate(residuals, start=1)}
    parts |= {f"{name}.out_proj": each.to_output for name, each in attentions.items()}
    state = {
        f"{name}.{kind}": getattr(part, kind) for name, part in parts.items() for kind in KINDS
    }
    for name, each in attentions.items():
        projections = each.to_queries, each.to_keys, each.to_values
        state |= {
            f"{name}.in_proj_{kind}": torch.cat([getattr(p, kind) for p in projections])
            for kind in KINDS
        }
    return state
