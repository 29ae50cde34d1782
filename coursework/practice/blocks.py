"""The check of section 7: a reader's own block of the Transformer beside the library's.

    from coursework.practice.blocks import check_block, is_right
    check_block(FeedForward, language="en")

Both get the same random parameters and the same inputs, in float64, and should give the same. What
a block is asked, and which mistakes are known by their outputs, is in ``block_parts.py``,
``block_layers.py`` and ``block_whole.py``.
"""

import re
from collections.abc import Iterable

import torch
from torch import Tensor, nn

from coursework.practice.block_cases import Asked, Block
from coursework.practice.block_layers import DECODER_LAYER, ENCODER_LAYER
from coursework.practice.block_parts import FEED_FORWARD, LAYER_NORM, RESIDUAL, TOKEN_EMBEDDING
from coursework.practice.block_whole import TRANSFORMER
from coursework.questions.cases import LANGUAGES, Message

BLOCKS = {
    "FeedForward": FEED_FORWARD,
    "LayerNorm": LAYER_NORM,
    "Residual": RESIDUAL,
    "EncoderLayer": ENCODER_LAYER,
    "DecoderLayer": DECODER_LAYER,
    "TokenEmbedding": TOKEN_EMBEDDING,
    "Transformer": TRANSFORMER,
}
MANY = 4  # names of parameters in a message
TOLERANCE = 1e-6  # of each number; in float64, the order of additions changes far less


def check_block(block: type[nn.Module], language: str = "en") -> None:
    """Print whether a block computes what the library's block of that name does.

    Args:
        block: a class with the name of the block, such as ``FeedForward``.
        language: "zh" or "en".

    Raises:
        TypeError: ``block`` is no class made of ``nn.Module``.
        ValueError: no block has this name, or there are no checks in this language.
    """
    if language not in LANGUAGES:
        raise ValueError(f"language is one of {', '.join(LANGUAGES)}, got {language!r}")
    wrong = _found_wrong(block)
    if wrong is None:
        told = Message("right", "与库里的结果一致", "the same as the library's")
        print(f"✓ {block.__name__}: {getattr(told, language)}")
    else:
        print(f"✗ {block.__name__}: {getattr(wrong, language)}")


def is_right(block: type[nn.Module]) -> bool:
    """Whether the check finds nothing wrong with the block; it prints nothing."""
    return _found_wrong(block) is None


def _found_wrong(block: type[nn.Module]) -> Message | None:
    if not (isinstance(block, type) and issubclass(block, nn.Module)):
        raise TypeError(f"a class made of nn.Module wanted, such as FeedForward, got {block!r}")
    if block.__name__ not in BLOCKS:
        raise ValueError(f"there are checks of {', '.join(BLOCKS)}; got {block.__name__}")
    wanted = BLOCKS[block.__name__]
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(0)
        library = wanted.library().double()
        for parameter in library.parameters():
            parameter.data.normal_(std=0.5)
        try:
            own = wanted.own(block)
        except Exception as error:
            return _raised("__init__", error)
        wrong = _wrong_parameters(library, own) or wanted.fresh(own)
        if wrong:
            return wrong
        own.double().load_state_dict(library.state_dict())
        with torch.no_grad():
            found = (_wrong_answer(wanted, asked, library, own) for asked in wanted.asked)
            return next((each for each in found if each), None)


def _wrong_parameters(library: nn.Module, own: nn.Module) -> Message | None:
    """Parameters can only be copied when they have the same names and shapes."""
    right, there = (
        # Residual is asked in both orders at once, as a list of two.
        {re.sub(r"^[01]\.", "", name): tuple(each.shape) for name, each in m.state_dict().items()}
        for m in (library, own)
    )
    if not there:
        zh = f"还没有参数，要有 {_listed(right)}：先在 __init__ 里创建它们"
        en = f"no parameters yet, wanted are {_listed(right)}: begin with them, in __init__"
        return Message("empty", zh, en)
    missing = [name for name in right if name not in there]
    if missing:
        en = f"no parameter {_listed(missing)}; found {_listed(there)}"
        return Message("missing", f"缺少参数 {_listed(missing)}；现有 {_listed(there)}", en)
    extra = [name for name in there if name not in right]
    if extra:
        en = f"more parameters than wanted: {_listed(extra)}"
        return Message("extra", f"多出了参数 {_listed(extra)}", en)
    for name, shape in right.items():
        if there[name] != shape:
            zh = f"{name} 的形状应当是 {shape}，现在是 {there[name]}"
            return Message("size", zh, f"{name} should have the shape {shape}, has {there[name]}")
    return None


def _wrong_answer(
    wanted: Block, asked: Asked, library: nn.Module, own: nn.Module
) -> Message | None:
    """What is wrong with the answer to one question, told with the question if there are more."""
    wrong = _wrong_output(wanted, asked, library, own)
    if wrong is None or len(wanted.asked) == 1:
        return wrong
    return Message(wrong.name, f"{asked.title.zh}：{wrong.zh}", f"{asked.title.en}: {wrong.en}")


def _wrong_output(
    wanted: Block, asked: Asked, library: nn.Module, own: nn.Module
) -> Message | None:
    try:
        given = asked.own(own, **asked.given)
    except NotImplementedError:
        return Message("unwritten", "还没有写完", "not written yet")
    except Exception as error:
        return _raised("forward", error)
    right = asked.library(library, **asked.given)
    if not isinstance(given, Tensor):
        zh = f"应当返回一个张量，得到的是 {type(given).__name__}：是不是少了 return？"
        en = f"a tensor should be returned, got {type(given).__name__}: is a return missing?"
        return Message("no-tensor", zh, en)
    if given.shape != right.shape:
        shapes = tuple(right.shape), tuple(given.shape)
        zh = f"形状应当是 {shapes[0]}，得到 {shapes[1]}"
        return Message("shape", zh, f"the shape should be {shapes[0]}, got {shapes[1]}")
    if _alike(given, right):
        return None
    for reason, mistaken in wanted.mistakes:
        if _alike(given, mistaken(library, **asked.given)):
            return reason
    largest = (given - right).abs().max().item()
    zh = f"与库里的相差最多 {largest:.2g}"
    return Message("differs", zh, f"differs from the library's by up to {largest:.2g}")


def _alike(one: Tensor, other: Tensor) -> bool:
    return one.shape == other.shape and torch.allclose(one, other, atol=TOLERANCE, rtol=0)


def _raised(where: str, error: Exception) -> Message:
    told = f"{type(error).__name__}: {error}"
    return Message("error", f"{where} 报错，{told}", f"{where} raises {told}")


def _listed(names: Iterable[str]) -> str:
    """The names; of many, the parts that they belong to."""
    names = list(names)
    if len(names) > MANY:
        names = dict.fromkeys(name.split(".")[0] for name in names)
    return ", ".join(names)
