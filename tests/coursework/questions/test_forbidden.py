"""The library's own attention is refused however it is called, and nothing else is."""

import importlib
import warnings

import pytest
import torch
from torch.nn import functional as F

from coursework.questions.forbidden import ATTENTION, forbidden

copied_before = F.scaled_dot_product_attention
multi_head_before = F.multi_head_attention_forward
X = torch.linspace(-1, 1, 24).reshape(1, 2, 3, 4)
MASK = torch.ones(3, 3).tril().bool()
aten = torch.ops.aten


def in_a_map():
    return torch.vmap(copied_before)(X, X, X)


def without_modes():
    with torch._C.DisableTorchFunction(), torch.utils._python_dispatch._disable_current_modes():
        return copied_before(X, X, X)


def in_inference_mode():
    with torch.inference_mode():
        return F.scaled_dot_product_attention(*(torch.ones(1, 2, 3, 4) for _ in range(3)))


def in_mixed_precision():
    with torch.autocast("cpu"):
        return F.scaled_dot_product_attention(X, X, X)


def chosen(backend=torch.nn.attention.SDPBackend.MATH):
    with torch.nn.attention.sdpa_kernel(backend):
        return F.scaled_dot_product_attention(X, X, X)


def nested():
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # a prototype
        pair = torch.nested.nested_tensor([X[0], X[0]], layout=torch.jagged)
    return copied_before(*[pair.transpose(1, 2)] * 3).to_padded_tensor(0)


def attention_layer(**more):
    layer = torch.nn.MultiheadAttention(4, 2, batch_first=True)
    return layer(X[0], X[0], X[0], **more)[0]


def layer_around_it(train=True):
    layer = torch.nn.TransformerEncoderLayer(4, 2, 8, batch_first=True).train(train)
    return layer(X[0])


def decoder_around_it():
    return torch.nn.TransformerDecoderLayer(4, 2, 8, batch_first=True)(X[0], X[0])


def multi_head(function):
    w = torch.ones(12, 4)
    x = X[0].transpose(0, 1)
    return function(x, x, x, 4, 2, w, None, None, None, False, 0.0, w[:4], None)[0]


def other_package(name):
    layer = importlib.import_module(name).MultiheadAttention(4, 2, batch_first=True)
    return layer(X[0], X[0], X[0])[0]


def flexible():
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # slow when it is not compiled
        return torch.nn.attention.flex_attention.flex_attention(X, X, X)


def for_export():
    return importlib.import_module("torch.onnx.ops").attention(X, X, X, softmax_precision=1)[0]


CALLS = {
    "by its name": lambda: F.scaled_dot_product_attention(X, X, X),
    "with a mask": lambda: F.scaled_dot_product_attention(X, X, X, MASK),
    "with gradients": lambda: F.scaled_dot_product_attention(X.clone().requires_grad_(), X, X),
    "in double precision": lambda: F.scaled_dot_product_attention(*[X.double()] * 3),
    "a copy made before": lambda: copied_before(X, X, X, MASK),
    "a joined name": lambda: getattr(F, "scaled_dot" + "_product_attention")(X, X, X),
    "from a dictionary": lambda: vars(F)["scaled_dot_product_attention"](X, X, X),
    "below": lambda: torch._C._nn.scaled_dot_product_attention(X, X, X),
    "its operator": lambda: aten.scaled_dot_product_attention(X, X, X),
    "its overload": lambda: aten.scaled_dot_product_attention.default(X, X, X),
    "a part of it": lambda: torch._scaled_dot_product_attention_math(X, X, X)[0],
    "another part": lambda: aten._scaled_dot_product_flash_attention_for_cpu(X, X, X)[0],
    "decomposed": lambda: aten.scaled_dot_product_attention.default.decompose(X, X, X),
    "mapped": in_a_map,
    "differentiated": lambda: torch.func.grad(lambda x: copied_before(x, X, X).sum())(X),
    "without modes": without_modes,
    "in inference mode": in_inference_mode,
    "in mixed precision": in_mixed_precision,
    "a backend": chosen,
    "nested tensors": nested,
    "a layer": attention_layer,
    "a layer without weights": lambda: attention_layer(need_weights=False),
    "a layer around it": layer_around_it,
    "a layer around it, in use": lambda: layer_around_it(train=False),
    "a decoder's layer": decoder_around_it,
    "several heads": lambda: multi_head(F.multi_head_attention_forward),
    "several heads, copied before": lambda: multi_head(multi_head_before),
    "of another package": lambda: other_package("torch.ao.nn.quantizable"),
    "flexible": flexible,
    "for export": for_export,
}
ALLOWED = {
    "softmax": lambda: torch.softmax(X @ X.mT, -1) @ X,
    "exponentials": lambda: (X @ X.mT - (X @ X.mT).logsumexp(-1, keepdim=True)).exp() @ X,
    "einsum": lambda: torch.einsum("bhqd,bhkd->bhqk", X, X).softmax(-1),
    "linear layers": lambda: torch.nn.Linear(4, 4)(X),
    "batches": lambda: torch.bmm(X[0], X[0].mT),
    "a norm": lambda: torch.nn.LayerNorm(4)(X),
    "a map": lambda: torch.vmap(lambda x: x.softmax(-1))(X),
}


@pytest.mark.parametrize("name", CALLS)
def test_it_is_refused_under_any_name(name):
    """And works again afterwards, so that the call is right in itself."""
    with forbidden(ATTENTION), pytest.raises(PermissionError, match="is the whole answer"):
        CALLS[name]()
    assert torch.isfinite(CALLS[name]()).all()


@pytest.mark.parametrize("name", ALLOWED)
def test_what_it_is_made_of_is_allowed(name):
    """Softmax, products and layers are what answers are written with."""
    outside = ALLOWED[name]
    torch.manual_seed(0)
    expected = outside()
    torch.manual_seed(0)
    with forbidden(ATTENTION):
        assert torch.equal(outside(), expected)


def test_one_may_be_forbidden_without_the_other():
    """And an unknown name is not silently allowed."""
    with forbidden(["torch.nn.MultiheadAttention"]):
        F.scaled_dot_product_attention(X, X, X)
        with pytest.raises(PermissionError, match=r"torch\.nn\.MultiheadAttention is the whole"):
            attention_layer()
    with pytest.raises(KeyError, match="softmax"), forbidden(["torch.softmax"]):
        pass


def test_nothing_is_said_about_it(recwarn):
    """A student who runs the practice checks sees no warnings of PyTorch."""
    with forbidden(ATTENTION):
        pass
    assert not list(recwarn)
