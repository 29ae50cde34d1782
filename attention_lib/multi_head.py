"""Multi-head attention: several attentions side by side, each in a subspace of its own."""

import torch.nn.functional as F
from einops import rearrange
from jaxtyping import Bool, Float
from torch import Tensor, nn

from attention_lib.attention import check_mask, masked_softmax
from attention_lib.cache import KeyValueCache
from attention_lib.masks import causal_mask
from attention_lib.scores import dot_product_scores


class MultiHeadAttention(nn.Module):
    r"""Attend with several heads, and merge what they find.

    .. math::
        \mathrm{head}_i = \mathrm{attend}\!\left(
            \frac{(Q W^Q_i)(K W^K_i)^\top}{\sqrt{d_\text{head}}},\; V W^V_i\right), \qquad
        \mathrm{output} = [\mathrm{head}_1; \dots; \mathrm{head}_h]\, W^O

    The heads share the width of the model, ``d_head = d_model / heads``, so that the number of
    parameters is the same for every number of heads.

    Args:
        d_model: width of queries, keys, values and output.
        heads: number of heads; must divide ``d_model``.
        dropout: in training, the share of attention weights set to zero.

    Raises:
        ValueError: ``heads`` does not divide ``d_model``, or ``dropout`` is not in [0, 1).

    Source: Vaswani et al., "Attention Is All You Need", 2017, section 3.2.2.

    >>> import torch
    >>> attention = MultiHeadAttention(d_model=8, heads=2)
    >>> tokens = torch.zeros(1, 5, 8)
    >>> output, weights = attention(tokens, tokens, tokens, return_weights=True)
    >>> output.shape, weights.shape
    (torch.Size([1, 5, 8]), torch.Size([1, 2, 5, 5]))
    """

    def __init__(self, d_model: int, heads: int, *, dropout: float = 0.0):
        super().__init__()
        if heads < 1 or d_model < 1 or d_model % heads:
            raise ValueError(
                f"the heads must share d_model evenly, got d_model = {d_model} and heads = {heads}"
            )
        if not 0 <= dropout < 1:
            raise ValueError(f"dropout must be at least 0 and less than 1, got {dropout}")
        self.heads = heads
        self.dropout = dropout
        self.to_queries = nn.Linear(d_model, d_model)
        self.to_keys = nn.Linear(d_model, d_model)
        self.to_values = nn.Linear(d_model, d_model)
        self.to_output = nn.Linear(d_model, d_model)

    def forward(
        self,
        queries: Float[Tensor, "batch q_len d_model"],
        keys: Float[Tensor, "batch new_k_len d_model"] | None = None,
        values: Float[Tensor, "batch new_k_len d_model"] | None = None,
        mask: Bool[Tensor, "..."] | None = None,
        *,
        causal: bool = False,
        cache: KeyValueCache | None = None,
        return_weights: bool = False,
    ) -> (
        Float[Tensor, "batch q_len d_model"]
        | tuple[Float[Tensor, "batch q_len d_model"], Float[Tensor, "batch heads q_len k_len"]]
    ):
        """Attend from each query to the keys it may see.

        Args:
            queries: shape ``(batch, q_len, d_model)``.
            keys, values: shape ``(batch, k_len, d_model)``; left out where ``cache`` holds all.
            mask: Boolean, True = may attend; broadcasts to ``(batch, q_len, k_len)``, the same
                for all heads, or to ``(batch, heads, q_len, k_len)``.
            causal: hide from each query the keys after its position as well, as
                ``causal_mask(q_len, k_len)`` does.
            cache: keys and values of earlier calls; those of this call are added to it, and
                ``k_len`` counts all.
            return_weights: also return the weights of every head, before dropout.

        Returns:
            The output, shape ``(batch, q_len, d_model)``; with ``return_weights`` a pair of it
            and the weights, shape ``(batch, heads, q_len, k_len)``. A query that may attend to
            nothing has zero weights, and only the bias of ``to_output`` as output.

        Raises:
            TypeError: the mask is not Boolean.
            ValueError: shapes do not fit each other, the mask does not broadcast, or there are
                neither keys nor a cache.
        """
        self._check_shapes(queries, keys, values, cache)
        q = self._split(self.to_queries(queries))
        if cache is None:
            cache = KeyValueCache()
        if keys is not None:
            cache.append(self._split(self.to_keys(keys)), self._split(self.to_values(values)))
        k, v = cache.keys, cache.values
        if mask is not None:
            if mask.ndim == 3:
                mask = mask.unsqueeze(1)  # the same for all heads
            check_mask(mask, (*q.shape[:-1], k.shape[-2]))
        if return_weights:
            mask = _with_causal(mask, causal, q, k)
            weights = masked_softmax(dot_product_scores(q, k), mask)
            # A dropout of zero would copy all the weights.
            dropped = F.dropout(weights, self.dropout, self.training) if self.dropout else weights
            found = dropped @ v
        else:
            found = _fused_attention(q, k, v, mask, causal, self.dropout if self.training else 0.0)
        output = self.to_output(rearrange(found, "batch heads len d -> batch len (heads d)"))
        return (output, weights) if return_weights else output

    def project(
        self,
        keys: Float[Tensor, "batch k_len d_model"],
        values: Float[Tensor, "batch k_len d_model"],
    ) -> KeyValueCache:
        """The part of ``forward`` that does not depend on the queries, as a ``cache`` for it.

        Where the same keys are looked up again and again, as in decoding word by word, this is
        done once.
        """
        cache = KeyValueCache()
        cache.append(self._split(self.to_keys(keys)), self._split(self.to_values(values)))
        return cache

    def _split(self, projected: Tensor) -> Tensor:
        return rearrange(projected, "batch len (heads d) -> batch heads len d", heads=self.heads)

    def _check_shapes(
        self,
        queries: Tensor,
        keys: Tensor | None,
        values: Tensor | None,
        cache: KeyValueCache | None,
    ) -> None:
        d_model = self.to_output.in_features
        if keys is None and values is None:
            if cache is None or not cache.length:
                raise ValueError("keys and values wanted, or a cache that holds some; got neither")
            batch = cache.keys.shape[0]
            if queries.ndim != 3 or queries.shape[::2] != (batch, d_model):
                raise ValueError(
                    f"queries ({batch}, q_len, {d_model}) wanted for this cache, got "
                    f"{tuple(queries.shape)}"
                )
            return
        fits = (
            keys is not None
            and values is not None
            and queries.ndim == keys.ndim == 3
            and keys.shape == values.shape
            and queries.shape[0] == keys.shape[0]
            and queries.shape[-1] == keys.shape[-1] == d_model
        )
        if not fits:
            given = (each if each is None else tuple(each.shape) for each in (keys, values))
            raise ValueError(
                f"queries (batch, q_len, {d_model}), keys and values (batch, k_len, {d_model}) "
                "wanted, got {}, {} and {}".format(tuple(queries.shape), *given)
            )


def _with_causal(mask: Tensor | None, causal: bool, q: Tensor, k: Tensor) -> Tensor | None:
    """The mask, and no future either. For a single new query, all keys are past."""
    if not causal or q.shape[2] == 1:
        return mask
    past = causal_mask(q.shape[2], k.shape[2], device=q.device)
    return past if mask is None else mask & past


def _fused_attention(
    q: Tensor, k: Tensor, v: Tensor, mask: Tensor | None, causal: bool, dropout: float
) -> Tensor:
    """The same output in one fused step, which never holds all the weights in memory."""
    if mask is None and causal and q.shape[2] == k.shape[2]:
        # PyTorch's own causal mask costs half the products; it agrees with ours for a square.
        return F.scaled_dot_product_attention(q, k, v, dropout_p=dropout, is_causal=True)
    mask = _with_causal(mask, causal, q, k)
    if mask is None:
        return F.scaled_dot_product_attention(q, k, v, dropout_p=dropout)
    # PyTorch leaves open what a row with nothing allowed gives, and some releases give NaN: such
    # a row may see everything, and its output is then set to zero.
    nothing_allowed = ~mask.any(dim=-1, keepdim=True)
    found = F.scaled_dot_product_attention(
        q, k, v, attn_mask=mask | nothing_allowed, dropout_p=dropout
    )
    return found.masked_fill(nothing_allowed, 0.0)
