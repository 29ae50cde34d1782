import pytest
import torch
from torch import nn
from torch.utils.flop_counter import FlopCounterMode

from attention_lib import attend, dot_product_scores, layer_costs


def test_by_hand():
    """n = 5, d = 2, k = 3: 3·5·4, 2·5·4, 2·25·2 and that + 3·5·4; a kernel of 3 walks 4 layers."""
    assert layer_costs(5, 2, kernel=3) == {
        "convolution": (60, 1, 4),
        "recurrence": (40, 5, 5),
        "self-attention": (100, 1, 1),
        "self-attention with projections": (160, 1, 1),
    }


@pytest.mark.parametrize(
    ("length", "kernel", "layers"), [(1, 3, 1), (2, 3, 1), (9, 5, 4), (10, 5, 5), (9, 17, 1)]
)
def test_layers_that_a_convolution_needs(length, kernel, layers):
    """From the first token to the last there are n − 1 steps, k // 2 of them a layer."""
    assert layer_costs(length, 4, kernel)["convolution"].longest_path == layers


@pytest.mark.parametrize(("length", "d_model", "kernel"), [(1, 3, 3), (16, 8, 3), (24, 32, 5)])
def test_counts_are_those_of_torch(length, d_model, kernel):
    """PyTorch counts a multiplication and an addition for each of ours."""
    x = torch.randn(length, d_model)
    project = nn.Linear(d_model, 3 * d_model, bias=False)

    def project_and_attend():
        queries, keys, values = project(x).chunk(3, dim=-1)
        return attend(dot_product_scores(queries, keys), values)

    convolution = nn.Conv1d(d_model, d_model, kernel, padding="same", bias=False)
    recurrence = nn.RNN(d_model, d_model, bias=False)
    layers = {
        "convolution": lambda: convolution(x.T[None]),
        "recurrence": lambda: recurrence(x[:, None]),
        "self-attention": lambda: attend(dot_product_scores(x, x), x),
        "self-attention with projections": project_and_attend,
    }
    costs = layer_costs(length, d_model, kernel)
    assert costs.keys() == layers.keys()
    for name, layer in layers.items():
        with torch.no_grad(), FlopCounterMode(display=False) as counter:
            layer()
        assert counter.get_total_flops() == 2 * costs[name].multiplications, name


def test_bad_input_is_refused(readers_view):
    """The numbers that were given are named."""
    with pytest.raises(ValueError, match="0 and 4"):
        layer_costs(0, 4)
    with pytest.raises(ValueError, match="got 4"):
        layer_costs(8, 4, kernel=4)
    with pytest.raises(ValueError, match="got 1"):
        layer_costs(8, 4, kernel=1)
