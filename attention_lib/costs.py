"""What a layer over a sequence costs: convolution, recurrence and self-attention compared."""

from typing import NamedTuple


class LayerCosts(NamedTuple):
    """The costs of one layer that turns ``length`` tokens into as many."""

    multiplications: int
    sequential_steps: int
    longest_path: int


def layer_costs(length: int, d_model: int, kernel: int = 3) -> dict[str, LayerCosts]:
    r"""Multiplications, sequential steps and longest path of four layers, by formula.

    .. math::

        \text{convolution: } k n d^2 \qquad \text{recurrence: } 2 n d^2 \qquad
        \text{self-attention: } 2 n^2 d \ [{} + 3 n d^2 \text{ with its projections}]

    Counted are the multiplications inside matrix products, for one sequence and one head:

    - *convolution*: a kernel centred on each token, those with the zeros of the padding included;
    - *recurrence*: a plain recurrent network, one product for the input and one for the state;
    - *self-attention*: the scores and the weighted sum;
    - *self-attention with projections*: the three maps to queries, keys and values besides.

    Biases, the softmax and other work on single numbers are left out. *Sequential steps* have to
    wait for one another, however many processors there are. The *longest path* is the number of
    operations between the first token and an output at the last one: for the convolution, as
    many layers as must be stacked until the first token is seen there; for the recurrence, as
    many steps.

    Args:
        length: number of tokens, n.
        d_model: width of a token before and after the layer, d.
        kernel: width of the convolution, k.

    Returns:
        For each layer by name its ``LayerCosts``.

    Raises:
        ValueError: ``length`` or ``d_model`` is less than one, or ``kernel`` is even or less
            than three: centred on a token, it must reach as far to either side.

    Source: Vaswani et al., "Attention Is All You Need", 2017, section 4, where the projections
    are left out.

    >>> layer_costs(5, 2)["self-attention"]
    LayerCosts(multiplications=100, sequential_steps=1, longest_path=1)
    """
    if length < 1 or d_model < 1:
        raise ValueError(f"length and d_model must be at least 1, got {length} and {d_model}")
    if kernel < 3 or kernel % 2 == 0:
        raise ValueError(f"kernel must be odd and at least 3, got {kernel}")
    one_map = length * d_model**2  # a d × d matrix, applied to every token
    all_pairs = length**2 * d_model
    layers = max(1, -(-(length - 1) // (kernel // 2)))  # division rounded up
    return {
        "convolution": LayerCosts(kernel * one_map, 1, layers),
        "recurrence": LayerCosts(2 * one_map, length, length),
        "self-attention": LayerCosts(2 * all_pairs, 1, 1),
        "self-attention with projections": LayerCosts(2 * all_pairs + 3 * one_map, 1, 1),
    }
