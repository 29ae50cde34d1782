"""Scoring functions: how well a key matches a query."""

import math

import torch
from jaxtyping import Float
from torch import Tensor, nn


def dot_product_scores(
    queries: Float[Tensor, "... q_len d_head"], keys: Float[Tensor, "... k_len d_head"]
) -> Float[Tensor, "... q_len k_len"]:
    r"""Scaled dot-product scores.

    .. math:: s_{qk} = \frac{q \cdot k}{\sqrt{d_\text{head}}}

    Without the scale, the variance of the scores would grow with ``d_head``.

    Args:
        queries: shape ``(..., q_len, d_head)``.
        keys: shape ``(..., k_len, d_head)``; leading axes broadcast with those of ``queries``.

    Returns:
        Scores of shape ``(..., q_len, k_len)``.

    Raises:
        ValueError: queries and keys differ in width.

    Source: Vaswani et al., "Attention Is All You Need", 2017, section 3.2.1.

    >>> dot_product_scores(torch.tensor([[2.0, 0, 0, 0]]), torch.eye(4)[:2])
    tensor([[1., 0.]])
    """
    check_same_width(queries, keys)
    # The queries are scaled, not the scores, of which there are k_len / d_head times as many.
    return queries / math.sqrt(queries.shape[-1]) @ keys.transpose(-2, -1)


class AdditiveScores(nn.Module):
    r"""Additive scores: a network with one hidden layer looks at each query with each key.

    .. math:: s_{qk} = w^\top \tanh(W_q q + W_k k)

    Queries and keys may differ in width.

    Args:
        d_query: width of a query.
        d_key: width of a key.
        d_hidden: width of the hidden layer.

    Raises:
        ValueError: a width is less than one; on calling, the queries or keys have another
            width than the module was made for.

    Source: Bahdanau, Cho and Bengio, "Neural Machine Translation by Jointly Learning to Align
    and Translate", 2014, appendix A.1.2.

    >>> AdditiveScores(2, 5, 8)(torch.zeros(1, 3, 2), torch.zeros(1, 4, 5)).shape
    torch.Size([1, 3, 4])
    """

    def __init__(self, d_query: int, d_key: int, d_hidden: int):
        super().__init__()
        if min(d_query, d_key, d_hidden) < 1:
            raise ValueError(f"widths must be at least 1, got {d_query}, {d_key} and {d_hidden}")
        self.to_queries = nn.Linear(d_query, d_hidden, bias=False)
        self.to_keys = nn.Linear(d_key, d_hidden, bias=False)
        self.to_scores = nn.Linear(d_hidden, 1, bias=False)

    def forward(
        self, queries: Float[Tensor, "... q_len d_query"], keys: Float[Tensor, "... k_len d_key"]
    ) -> Float[Tensor, "... q_len k_len"]:
        widths = (queries.shape[-1], keys.shape[-1])
        if widths != (self.to_queries.in_features, self.to_keys.in_features):
            raise ValueError(
                f"made for queries of width {self.to_queries.in_features} and keys of width "
                f"{self.to_keys.in_features}, got {widths[0]} and {widths[1]}"
            )
        return self.compare(queries, self.to_keys(keys))

    def compare(
        self,
        queries: Float[Tensor, "... q_len d_query"],
        projected_keys: Float[Tensor, "... k_len d_hidden"],
    ) -> Float[Tensor, "... q_len k_len"]:
        """The scores for keys that ``to_keys`` has projected already.

        A decoder asks the same keys at every step: projected once, they cost nothing after.
        """
        hidden = self.to_queries(queries).unsqueeze(-2) + projected_keys.unsqueeze(-3)
        return self.to_scores(torch.tanh(hidden)).squeeze(-1)


def check_same_width(queries: Tensor, keys: Tensor) -> None:
    """Refuse queries and keys that cannot be compared with each other."""
    if queries.ndim < 2 or keys.ndim < 2 or queries.shape[-1] != keys.shape[-1]:
        raise ValueError(
            "queries (..., q_len, d) and keys (..., k_len, d) must have the same width d, got "
            f"{tuple(queries.shape)} and {tuple(keys.shape)}"
        )
