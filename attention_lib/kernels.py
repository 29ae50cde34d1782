"""Kernel regression as attention: the nearer a key, the more its value counts."""

import math

import torch
from jaxtyping import Float
from torch import Tensor, nn

from attention_lib.attention import attend
from attention_lib.scores import check_same_width


def _gaussian(u: Tensor) -> Tensor:
    return -u.square() / 2


def _boxcar(u: Tensor) -> Tensor:
    return torch.zeros_like(u).masked_fill(u > 1, -torch.inf)


def _triangular(u: Tensor) -> Tensor:
    return _log_inside_window(u, 1 - u)


def _epanechnikov(u: Tensor) -> Tensor:
    return _log_inside_window(u, 1 - u.square())


def _log_inside_window(u: Tensor, height: Tensor) -> Tensor:
    # Outside the window the height is replaced before the logarithm and the score after it:
    # otherwise the gradient there would be 0 · NaN.
    outside = u >= 1
    return height.masked_fill(outside, 1.0).log().masked_fill(outside, -torch.inf)


# Logarithms of the kernels, of the distance in widths, up to a constant: the constant cancels
# in the softmax.
LOG_KERNELS = {
    "gaussian": _gaussian,
    "boxcar": _boxcar,
    "triangular": _triangular,
    "epanechnikov": _epanechnikov,
}


def kernel_scores(
    queries: Float[Tensor, "... q_len d"],
    keys: Float[Tensor, "... k_len d"],
    width: float | Float[Tensor, ""],
    kernel: str = "gaussian",
) -> Float[Tensor, "... q_len k_len"]:
    r"""Scores whose attention pooling is the Nadaraya–Watson kernel estimate.

    .. math:: s_{qk} = \log K(u), \qquad u = \lVert q - k \rVert / h

    with the width :math:`h` and, up to a constant factor,

    - ``gaussian``: :math:`K(u) = \exp(-u^2/2)`,
    - ``boxcar``: :math:`K(u) = 1` for :math:`u \le 1`, else 0,
    - ``triangular``: :math:`K(u) = \max(0, 1-u)`,
    - ``epanechnikov``: :math:`K(u) = \max(0, 1-u^2)`.

    The last three have a compact window: a key outside it scores −∞ and gets no weight.

    Args:
        queries: shape ``(..., q_len, d)``.
        keys: shape ``(..., k_len, d)``; leading axes broadcast with those of ``queries``.
        width: positive, in the unit of the queries and keys; a tensor when it is learned.
        kernel: one of the four names.

    Returns:
        Scores of shape ``(..., q_len, k_len)``, in float32 for half-precision inputs.

    Raises:
        ValueError: the width is not positive and finite, the kernel is unknown, or queries
            and keys differ in width.

    Source: Nadaraya, "On Estimating Regression", 1964; Watson, "Smooth Regression Analysis",
    1964.

    >>> keys, values = torch.tensor([[0.0], [1.0], [2.0]]), torch.tensor([[1.0], [2.0], [3.0]])
    >>> output, weights = attend(kernel_scores(torch.tensor([[0.5]]), keys, width=1.0), values)
    >>> round(output.item(), 4)
    1.733
    """
    _check_width(width)
    _check_kernel(kernel)
    check_same_width(queries, keys)
    # The square of a distance overflows half precision beyond 256, and a far query would lose
    # even its nearest key: the scores are computed, and returned, in at least float32.
    precise = torch.promote_types(queries.dtype, torch.float32)
    difference = queries.to(precise).unsqueeze(-2) - keys.to(precise).unsqueeze(-3)
    # vector_norm, unlike the square root of a sum of squares, has a finite gradient at zero.
    distance = torch.linalg.vector_norm(difference, dim=-1)
    return LOG_KERNELS[kernel](distance / width)


class KernelRegression(nn.Module):
    """Kernel regression that learns its width from the data that it averages.

    The width is learned by leave-one-out: each point is predicted from all the others. A point
    that may attend to itself predicts itself perfectly as the width shrinks to nothing, and
    nothing would be learned.

    Args:
        keys: where the data were taken, shape ``(k_len, d)``; at least two points.
        values: what was seen there, shape ``(k_len, d_value)``.
        width: the width to start from, positive.
        kernel: one of the names that ``kernel_scores`` knows.

    Raises:
        ValueError: as ``kernel_scores``; fewer than two points; keys and values differ in number.

    >>> keys = torch.linspace(0, 3, 31)[:, None]
    >>> model = KernelRegression(keys, keys.sin()).fit()
    >>> bool(model.width < 0.2), model(torch.tensor([[1.5]])).shape
    (True, torch.Size([1, 1]))
    """

    def __init__(
        self,
        keys: Float[Tensor, "k_len d"],
        values: Float[Tensor, "k_len d_value"],
        width: float = 1.0,
        kernel: str = "gaussian",
    ):
        super().__init__()
        _check_width(width)
        _check_kernel(kernel)
        if keys.ndim != 2 or values.ndim != 2 or len(keys) != len(values) or len(keys) < 2:
            raise ValueError(
                "keys (k_len, d) and values (k_len, d_value) must hold the same k_len ≥ 2 points, "
                f"got {tuple(keys.shape)} and {tuple(values.shape)}"
            )
        self.kernel = kernel
        self.register_buffer("keys", keys)
        self.register_buffer("values", values)
        # Learned as a logarithm, a width stays positive whatever the gradient does.
        self.log_width = nn.Parameter(keys.new_tensor(math.log(width)))

    @property
    def width(self) -> Float[Tensor, ""]:
        """The kernel width, positive, in the unit of the keys."""
        return self.log_width.exp()

    def forward(self, queries: Float[Tensor, "q_len d"]) -> Float[Tensor, "q_len d_value"]:
        """Estimate the value at each query; zero where a compact window holds no key."""
        return attend(self._scores(queries), self.values)[0]

    def leave_one_out(self) -> Float[Tensor, "k_len d_value"]:
        """Estimate the value at each key from all the other keys."""
        others = ~torch.eye(len(self.keys), dtype=torch.bool, device=self.keys.device)
        return attend(self._scores(self.keys), self.values, others)[0]

    def leave_one_out_error(self) -> Float[Tensor, ""]:
        """Mean squared difference between each value and its estimate from the others."""
        return (self.leave_one_out() - self.values).square().mean()

    def fit(self, steps: int = 40) -> "KernelRegression":
        """Learn the width by minimising the leave-one-out error.

        Args:
            steps: how many steps of gradient descent (Rprop); forty settle a single number.

        Returns:
            The model itself, with the learned width.

        Raises:
            ValueError: the kernel is the boxcar, whose weights jump: the gradient is zero
                everywhere and says nothing about the width.
        """
        if self.kernel == "boxcar":
            raise ValueError(
                "a boxcar's width cannot be learned by gradient: its weights do not change "
                "smoothly with the width; use 'gaussian', 'triangular' or 'epanechnikov'"
            )
        # Rprop goes by the sign of the gradient and keeps a step size of its own: with one
        # parameter it settles fast, and the largest step keeps it in the valley it started in.
        optimizer = torch.optim.Rprop([self.log_width], lr=0.1, step_sizes=(1e-6, 0.4))
        best_error, best = torch.inf, self.log_width.detach().clone()
        for step in range(steps + 1):
            error = self.leave_one_out_error()
            if error < best_error:
                best_error, best = error.item(), self.log_width.detach().clone()
            if step < steps:
                optimizer.zero_grad()
                error.backward()
                optimizer.step()
        # A step may lead to windows so narrow that all are empty. There is no way back from
        # there, where the error is flat, but to the best width on the way.
        with torch.no_grad():
            self.log_width.copy_(best)
        return self

    def _scores(self, queries: Tensor) -> Tensor:
        return kernel_scores(queries, self.keys, self.width, self.kernel)


def _check_width(width: float | Tensor) -> None:
    if isinstance(width, Tensor) and (torch.compiler.is_compiling() or width.is_meta):
        return  # there is no number to look at
    number = width.item() if isinstance(width, Tensor) else width
    if not 0 < number < math.inf:
        raise ValueError(f"a width must be positive and finite, got {number}")


def _check_kernel(kernel: str) -> None:
    if kernel not in LOG_KERNELS:
        raise ValueError(f"unknown kernel {kernel!r}, must be one of {', '.join(LOG_KERNELS)}")
