"""Attention pooling: scores become weights, weights average the values."""

import torch
from jaxtyping import Bool, Float
from torch import Tensor


def masked_softmax(
    scores: Float[Tensor, "*axes q_len k_len"], mask: Bool[Tensor, "..."] | None = None
) -> Float[Tensor, "*axes q_len k_len"]:
    r"""Turn each query's scores into weights over the keys that it may attend to.

    .. math:: \alpha_{qk} = \frac{m_{qk}\exp s_{qk}}{\sum_j m_{qj}\exp s_{qj}}

    A key is left out where the mask is False or its score is −∞. A query with no key left
    gets zero weights, and finite gradients. Scores of less than 32 bits are normalised in
    float32 and cast back. The scores given are never changed.

    Args:
        scores: shape ``(..., q_len, k_len)``.
        mask: Boolean, True = may attend; broadcasts to the shape of ``scores``.

    Returns:
        Weights of the shape and dtype of ``scores``; each row sums to one, or is all zero.

    Raises:
        TypeError: the mask is not Boolean.
        ValueError: the mask does not broadcast to the shape of the scores.

    >>> masked_softmax(torch.tensor([[0.0, 0.0, 9.0]]), torch.tensor([True, True, False]))
    tensor([[0.5000, 0.5000, 0.0000]])
    """
    precise = scores.to(torch.promote_types(scores.dtype, torch.float32))
    if mask is not None:
        check_mask(mask, scores.shape)
        precise = torch.where(mask, precise, -torch.inf)
    # The softmax of a row of −∞ only would be 0/0, and NaN in its gradient as well. Such a row is
    # given equal scores first and zero weights after.
    nothing_allowed = precise.detach().amax(dim=-1, keepdim=True) == -torch.inf
    if _some(nothing_allowed):
        precise = precise.masked_fill(nothing_allowed, 0.0)
        weights = precise.softmax(dim=-1).masked_fill(nothing_allowed, 0.0)
    else:
        weights = precise.softmax(dim=-1)
    return weights.to(scores.dtype)


def attend(
    scores: Float[Tensor, "... q_len k_len"],
    values: Float[Tensor, "... k_len d_value"],
    mask: Bool[Tensor, "..."] | None = None,
) -> tuple[Float[Tensor, "... q_len d_value"], Float[Tensor, "... q_len k_len"]]:
    r"""Attention pooling: average the values, weighted by the softmax of the scores.

    .. math:: o_q = \sum_k \alpha_{qk} v_k, \qquad \alpha = \mathrm{masked\_softmax}(s, m)

    Every kind of attention is a way to compute ``scores``, followed by this function.

    Args:
        scores: how well each key matches each query, shape ``(..., q_len, k_len)``.
        values: shape ``(..., k_len, d_value)``; leading axes broadcast with those of ``scores``.
        mask: Boolean, True = may attend; broadcasts to the shape of ``scores``.

    Returns:
        ``(output, weights)`` of shapes ``(..., q_len, d_value)`` and ``(..., q_len, k_len)``;
        the output has the dtype of ``values``, the weights that of ``scores``.

    Raises:
        TypeError: the mask is not Boolean.
        ValueError: scores and values disagree on the number of keys, or the mask does not
            broadcast to the scores.

    >>> output, weights = attend(torch.zeros(1, 2), torch.tensor([[1.0], [3.0]]))
    >>> output.item()
    2.0
    """
    if scores.ndim < 2 or values.ndim < 2 or scores.shape[-1] != values.shape[-2]:
        raise ValueError(
            "scores (..., q_len, k_len) and values (..., k_len, d_value) must agree on k_len, "
            f"got {tuple(scores.shape)} and {tuple(values.shape)}"
        )
    weights = masked_softmax(scores, mask)
    return weights.to(values.dtype) @ values, weights


def check_mask(mask: Tensor, shape: tuple[int, ...]) -> None:
    """Refuse a mask that is not Boolean or does not broadcast to the shape of the scores."""
    if mask.dtype != torch.bool:
        raise TypeError(f"a mask must be torch.bool (True = may attend), got {mask.dtype}")
    try:
        mask.expand(shape)
    except RuntimeError:
        raise ValueError(
            f"a mask of shape {tuple(mask.shape)} does not broadcast to scores of shape "
            f"{tuple(shape)}"
        ) from None


def _some(rows: Tensor) -> bool:
    """Whether any row is marked; yes where to look is impossible or costs more than the answer.

    The work that a "no" saves is most of the time of a softmax. While ``torch.export`` or ``vmap``
    records the computation there are no numbers to look at, and a GPU would have to be waited for.
    """
    if torch.compiler.is_compiling() or rows.device.type != "cpu":
        return True
    try:
        return bool(rows.any())
    except RuntimeError:  # inside vmap
        return True
