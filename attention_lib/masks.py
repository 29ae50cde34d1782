"""Which keys a query may attend to: Boolean masks, True = may attend."""

import torch
from jaxtyping import Bool, Int
from torch import Tensor


def padding_mask(
    lengths: Int[Tensor, " batch"] | Int[Tensor, "batch q_len"], k_len: int
) -> Bool[Tensor, "batch q_len k_len"]:
    """Allow the first ``lengths`` keys and forbid the padding after them.

    Args:
        lengths: how many keys are real. One number per sequence, shape ``(batch,)``, or one
            per query, shape ``(batch, q_len)``.
        k_len: the padded number of keys.

    Returns:
        Shape ``(batch, 1, k_len)`` for one length per sequence, so that the mask broadcasts
        over the queries and never lines up with them by accident; ``(batch, q_len, k_len)``
        for one length per query.

    Raises:
        TypeError: ``lengths`` are not whole numbers.
        ValueError: ``lengths`` has another number of axes, or a length lies outside 0…k_len.

    >>> padding_mask(torch.tensor([2, 0]), 3).int()
    tensor([[[1, 1, 0]],
    <BLANKLINE>
            [[0, 0, 0]]], dtype=torch.int32)
    """
    if lengths.ndim not in (1, 2):
        raise ValueError(
            f"lengths must have shape (batch,) or (batch, q_len), got {tuple(lengths.shape)}"
        )
    check_lengths(lengths, 0, k_len)
    per_query = lengths if lengths.ndim == 2 else lengths[:, None]
    return torch.arange(k_len, device=lengths.device) < per_query[:, :, None]


def causal_mask(
    q_len: int, k_len: int | None = None, *, device: torch.device | str | None = None
) -> Bool[Tensor, "q_len k_len"]:
    """Allow each query the keys up to its own position, and no later one.

    The mask is aligned at the bottom right: the last query sees every key. This is what
    decoding with a cache needs, where the newest query comes with all keys so far.
    ``F.scaled_dot_product_attention(is_causal=True)`` aligns at the top left; the two agree
    when ``q_len == k_len``.

    Args:
        q_len: number of queries.
        k_len: number of keys; the same as ``q_len`` when left out.
        device: where to make the mask; PyTorch's default when left out.

    Returns:
        Shape ``(q_len, k_len)``. When there are more queries than keys, the first ones may
        attend to nothing.

    Raises:
        ValueError: a length is negative.

    >>> causal_mask(2, 3).int()
    tensor([[1, 1, 0],
            [1, 1, 1]], dtype=torch.int32)
    """
    k_len = q_len if k_len is None else k_len
    if min(q_len, k_len) < 0:
        raise ValueError(f"lengths must not be negative, got q_len = {q_len}, k_len = {k_len}")
    return torch.ones(q_len, k_len, dtype=torch.bool, device=device).tril(diagonal=k_len - q_len)


def word_mask(source_lengths: Int[Tensor, " batch"], s_len: int) -> Bool[Tensor, "batch 1 s_len"]:
    """What a decoder may attend to: the words of the source, not the end mark after them.

    A source is its words, one end mark, then padding; ``source_lengths`` count words and end mark.
    Attention that finds nothing to look at likes to rest on the end mark, and pictures of the
    alignment then show a bright last column that means nothing.

    Args:
        source_lengths: number of tokens with the end mark, shape ``(batch,)``.
        s_len: the padded number of tokens.

    Returns:
        Shape ``(batch, 1, s_len)``; all False for an empty sentence.

    Raises:
        ValueError: a length is less than one, and has no room for the end mark, or more than
            ``s_len``.

    >>> word_mask(torch.tensor([3]), 4).int()
    tensor([[[1, 1, 0, 0]]], dtype=torch.int32)
    """
    check_lengths(source_lengths, 1, s_len)
    return padding_mask(source_lengths - 1, s_len)


def check_lengths(lengths: Int[Tensor, "..."], least: int, most: int) -> None:
    """Refuse lengths that no row of a padded batch can have.

    While ``torch.export`` records the computation, and on the meta device, there are no numbers to
    look at, and only their type is checked.

    Args:
        lengths: number of tokens in each row.
        least: 0, or 1 where the end mark is counted.
        most: the padded number of tokens.

    Raises:
        TypeError: ``lengths`` are not whole numbers.
        ValueError: a length lies outside of ``least``…``most``.
    """
    if lengths.dtype == torch.bool or lengths.is_floating_point() or lengths.is_complex():
        raise TypeError(f"lengths must be integers, got {lengths.dtype}")
    if torch.compiler.is_compiling() or lengths.is_meta or not lengths.numel():
        return
    shortest, longest = (bound.item() for bound in lengths.aminmax())
    if not (least <= shortest and longest <= most):
        counted = ", the end mark counted," if least else ""
        raise ValueError(
            f"lengths{counted} must lie between {least} and the padded width, {most}, got "
            f"{shortest}…{longest}"
        )
