"""Devices and precisions that this machine does not have, as far as they can be simulated."""

import pytest
import torch
from torch.testing import assert_close
from torch.utils._python_dispatch import TorchDispatchMode

from attention_lib import (
    KernelRegression,
    MultiHeadAttention,
    RecurrentTranslator,
    Transformer,
    TransformerConfig,
    Vocabulary,
    attend,
    beam_search,
    causal_mask,
    greedy_search,
    translate,
)

ENGLISH, FRENCH = Vocabulary(["a b c d".split()]), Vocabulary(["u v w".split()])
SOURCE, LENGTHS = torch.tensor([[4, 5, 6, 2], [7, 2, 0, 0]]), torch.tensor([4, 2])
TARGET = torch.tensor([[1, 4, 5], [1, 6, 0]])


def transformer():
    torch.manual_seed(0)
    sizes = {"d_model": 8, "heads": 2, "layers": 2, "d_ff": 16}
    return Transformer(TransformerConfig(ENGLISH, FRENCH, **sizes))


def recurrent(query="state"):
    torch.manual_seed(0)
    sizes = {"d_embedding": 6, "d_encoder": 4, "d_decoder": 8, "d_hidden": 5}
    return RecurrentTranslator(ENGLISH, FRENCH, query=query, **sizes)


MAKERS = {
    "transformer": transformer,
    "recurrent": recurrent,
    "no attention": lambda: recurrent(None),
}


@pytest.fixture(params=MAKERS)
def model(request):
    return MAKERS[request.param]()


class OneDevice(TorchDispatchMode):
    """Refuses operations that mix tensors of two devices, as a GPU does."""

    def __torch_dispatch__(self, func, types, args=(), kwargs=None):
        given = torch.utils._pytree.tree_leaves((args, kwargs))
        # A single number may live anywhere, and a copy goes from one device to another.
        devices = {t.device.type for t in given if isinstance(t, torch.Tensor) and t.ndim}
        if len(devices) > 1 and "copy" not in func.__name__:
            raise AssertionError(f"{func.__name__} of tensors on {sorted(devices)}")
        return func(*args, **(kwargs or {}))


def test_the_check_of_devices_sees_a_mixture():
    """Otherwise the tests below could not fail."""
    with pytest.raises(AssertionError, match=r"add.*cpu.*meta"), OneDevice():
        torch.ones(2, device="meta") + torch.ones(2)


def test_a_transformer_follows_its_device(readers_view):
    """On the meta device, which has shapes and no numbers, whole and word by word."""
    model = transformer().to("meta")
    source, lengths, target = (each.to("meta") for each in (SOURCE, LENGTHS, TARGET))
    with OneDevice():
        assert model(source, lengths, target).device.type == "meta"
        memory = model.encode(source, lengths)
        _, state = model.decode(target[:, :1], memory, lengths)
        logits, _, weights = model.decode(
            target[:, 1:], memory, lengths, state, return_weights=True
        )
        looked = model.attention_weights(source, lengths, target)
    assert logits.device.type == weights.device.type == looked.masked.device.type == "meta"
    assert weights.shape == (2, 2, 2, 2, 4)


def test_kernel_regression_follows_its_device(readers_view):
    """Scores, estimate and leave-one-out error of points on the meta device stay there."""
    points = torch.zeros(5, 1, device="meta")
    model = KernelRegression(points, points)
    with OneDevice():
        assert model(points[:2]).device.type == "meta"
        assert model.leave_one_out_error().device.type == "meta"


def test_masks_follow_the_device():
    """A causal mask is made where it is wanted."""
    assert causal_mask(2, 3, device="meta").device.type == "meta"


class WithoutFloat64(torch.Tensor):
    """A tensor on a device that has no float64; ``cpu`` brings it to one that has."""

    @classmethod
    def __torch_function__(cls, func, types, args=(), kwargs=None):
        result = super().__torch_function__(func, types, args, kwargs or {})
        if func is torch.Tensor.cpu:
            return result.as_subclass(torch.Tensor)
        if isinstance(result, torch.Tensor) and result.dtype == torch.float64:
            raise TypeError(f"{func.__name__}: this device has no float64")
        return result


@pytest.mark.parametrize("search", [greedy_search, lambda *given: beam_search(*given, beam=3)])
def test_search_needs_no_float64_of_the_device(model, search, monkeypatch):
    """The sums of log-probabilities are double, and kept elsewhere."""
    with pytest.raises(TypeError, match="no float64"):
        torch.ones(2).as_subclass(WithoutFloat64).double()
    expected = search(model, SOURCE, LENGTHS)
    decode, seen = model.decode, []

    def decode_there(*given, **named):
        logits, *rest = decode(*given, **named)
        seen.append(logits)
        return logits.as_subclass(WithoutFloat64), *rest

    monkeypatch.setattr(model, "decode", decode_there)
    assert search(model, SOURCE, LENGTHS) == expected and seen


def test_an_empty_batch_gives_an_empty_result(model, readers_view):
    """No sentences: no logits, no translations, and no complaint."""
    nothing, none = torch.zeros(0, 3, dtype=torch.long), torch.zeros(0, dtype=torch.long)
    assert model(nothing, none, nothing).shape == (0, 3, len(FRENCH))
    assert greedy_search(model, nothing, none) == beam_search(model, nothing, none, 2) == []
    assert translate(model, []) == []


@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16])
def test_half_precision_translates(model, dtype):
    """Logits stay in the model's precision; what is decided from them does not overflow."""
    half = model.to(dtype).eval()
    assert half(SOURCE, LENGTHS, TARGET).dtype == dtype
    for translation in translate(half, ["a b c", "d"]):
        assert translation.tokens is not None and translation.score <= 0


def test_hooks_fire_on_every_attention():
    """Six attentions of two layers: each once for a whole target, and cached word by word, too."""
    model, fired = transformer().eval(), []
    names = [name for name, part in model.named_modules() if isinstance(part, MultiHeadAttention)]
    for name in names:
        part = model.get_submodule(name)
        part.register_forward_hook(lambda *_, name=name: fired.append(name))
    assert len(names) == 6
    model(SOURCE, LENGTHS, TARGET)
    assert sorted(fired) == sorted(names)
    memory = model.encode(SOURCE, LENGTHS)
    fired.clear()
    state = None
    for word in TARGET.split(1, dim=1):
        _, state = model.decode(word, memory, LENGTHS, state)
    assert sorted(fired) == sorted(3 * [name for name in names if name.startswith("decoder")])


def test_a_hook_changes_what_follows():
    """Silencing an attention by a hook changes the logits: the hook is on the way, not beside."""
    model = transformer().eval()
    before = model(SOURCE, LENGTHS, TARGET)
    model.decoder[1].cross_attention.register_forward_hook(lambda *given: 0 * given[-1])
    assert not torch.allclose(model(SOURCE, LENGTHS, TARGET), before)


def test_a_transformer_can_be_exported(readers_view):
    """torch.export records the whole model, for other batches and lengths than those recorded."""
    model = transformer().eval()
    batch, s_len, t_len = (torch.export.Dim(name, min=2) for name in ("batch", "s_len", "t_len"))
    shapes = ({0: batch, 1: s_len}, {0: batch}, {0: batch, 1: t_len})
    exported = torch.export.export(model, (SOURCE, LENGTHS, TARGET), dynamic_shapes=shapes).module()
    source = torch.tensor([[4, 5, 6, 7, 4, 2], [7, 2, 0, 0, 0, 0], [2, 0, 0, 0, 0, 0]])
    other = source, torch.tensor([6, 2, 1]), torch.tensor([[1, 4], [1, 6], [1, 5]])
    for given in ((SOURCE, LENGTHS, TARGET), other):
        assert_close(exported(*given), model(*given))


def test_weights_can_be_recorded_and_mapped(readers_view):
    """Where the numbers cannot be looked at (vmap, export), a row with nothing allowed is zero."""
    scores = torch.tensor([[[0.0, 1.0], [2.0, 0.0]], [[1.0, 1.0], [0.0, 3.0]]])
    mask = torch.tensor([[[True, False], [False, False]], [[True, True], [False, True]]])
    values = torch.eye(2)
    mapped, _ = torch.vmap(lambda s, m: attend(s, values, m))(scores, mask)
    # By hand: one key allowed takes all; none, nothing; two equal scores, half each.
    by_hand = torch.tensor([[[1.0, 0], [0, 0]], [[0.5, 0.5], [0, 1]]])
    assert_close(mapped, by_hand)

    class Attend(torch.nn.Module):
        def forward(self, scores, mask):
            return attend(scores, values, mask)[0]

    for strict in (True, False):
        exported = torch.export.export(Attend(), (scores, mask), strict=strict).module()
        assert_close(exported(scores, mask), by_hand)
        assert_close(exported(scores, torch.ones_like(mask)), scores.softmax(-1))
