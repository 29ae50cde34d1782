"""Position encodings: what tells self-attention where a token stands."""

import torch
from jaxtyping import Float
from torch import Tensor


def sinusoidal_positions(
    length: int, d_model: int, start: int = 0
) -> Float[Tensor, "length d_model"]:
    r"""The sinusoidal position encodings of positions ``start`` to ``start + length - 1``.

    .. math::

        P_{p,2i} = \sin(\omega_i p), \qquad P_{p,2i+1} = \cos(\omega_i p), \qquad
        \omega_i = 10000^{-2i/d_\text{model}}

    With an odd ``d_model``, the last sine has no cosine beside it.

    Args:
        length: how many positions.
        d_model: width of an encoding, that of the embeddings to which it is added.
        start: the first position, for a sequence that arrives in pieces.

    Returns:
        The table in float32, shape ``(length, d_model)``.

    Raises:
        ValueError: ``length`` or ``start`` is negative, or ``d_model`` less than one.

    Source: Vaswani et al., "Attention Is All You Need", 2017, section 3.5.

    >>> sinusoidal_positions(1, 4, start=2)
    tensor([[ 0.9093, -0.4161,  0.0200,  0.9998]])
    """
    if length < 0 or start < 0:
        raise ValueError(f"length and start must not be negative, got {length} and {start}")
    if d_model < 1:
        raise ValueError(f"d_model must be at least 1, got {d_model}")
    # In float32, the angle of a position of many digits would lose those that sine needs; and not
    # every device has float64.
    double = {"dtype": torch.float64, "device": "cpu"}
    positions = torch.arange(start, start + length, **double).unsqueeze(-1)
    columns = torch.arange(d_model, **double)
    angles = positions * 10000 ** (-2 * (columns // 2) / d_model)
    table = torch.where(columns % 2 == 0, angles.sin(), angles.cos())
    return table.float().to(torch.get_default_device())
