"""What a check of a block is made of, and the inputs of all checks."""

from collections.abc import Callable
from typing import NamedTuple

import torch
from torch import Tensor, nn

import attention_lib as lib
from coursework.questions.cases import Message

D_MODEL, HEADS, D_FF = 8, 2, 12


class Asked(NamedTuple):
    """One question: what a block is called with, and how."""

    title: Message
    given: dict
    own: Callable[..., Tensor]  # the reader's block and what is given
    library: Callable[..., Tensor]  # the library's block, which may be called in another way


class Block(NamedTuple):
    """A block of the library, how a reader's is made, and what it is asked."""

    library: Callable[[], nn.Module]
    own: Callable[[type[nn.Module]], nn.Module]
    asked: tuple[Asked, ...]
    # What the library's block would give with a mistake in it, and what to say then.
    mistakes: tuple[tuple[Message, Callable[..., Tensor]], ...]
    fresh: Callable[[nn.Module], Message | None] = lambda own: None  # of a new one's numbers


def normal(*shape: int, seed: int = 0) -> Tensor:
    generator = torch.Generator().manual_seed(seed)
    return torch.randn(*shape, generator=generator, dtype=torch.float64)


SENTENCES, SOURCES = normal(2, 5, D_MODEL), normal(2, 6, D_MODEL, seed=1)
LENGTHS = torch.tensor([5, 3])
PADDING = lib.padding_mask(LENGTHS, 5)
SOURCE_PADDING = lib.padding_mask(torch.tensor([6, 4]), 6)
BATCH = Message("batch", "两个句子", "two sentences")
PADDED = Message("padded", "带填充掩码", "with a padding mask")


def embedded(m: nn.Module, tokens: Tensor, start: int = 0) -> Tensor:
    """What the library's Transformer makes of tokens: their embedding and their positions."""
    return m(tokens) + lib.sinusoidal_positions(tokens.shape[1], D_MODEL, start)


def decoder_layer(
    m: nn.Module, y: Tensor, memory: Tensor, memory_mask: Tensor | None = None
) -> Tensor:
    """The library's layer takes the keys and values of the source, and not its tokens."""
    return m(y, m.cross_attention.project(memory, memory), memory_mask)
