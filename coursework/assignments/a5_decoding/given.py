"""What students are given: the encoding of one position."""

import torch


def position_encoding(position, d_model):
    """The sinusoidal encoding of one position, of shape (d_model,)."""
    columns = torch.arange(d_model)
    angles = position * 10000 ** (-2 * (columns // 2) / d_model)
    return torch.where(columns % 2 == 0, angles.sin(), angles.cos())
