"""The key–value cache: what an attention has projected once need not be projected again."""

import torch
from jaxtyping import Float, Int
from torch import Tensor

LEAST_ROOM = 16


class KeyValueCache:
    """Keys and values as the heads of one attention see them, and room for more.

    A decoder that writes word by word asks the same keys again at every step. ``append`` adds the
    keys and values of new tokens without copying those that are there: the room behind them
    doubles when it is used up, so that a token costs the same however many came before it.

    A ``copy`` shares this room. Of two caches that go on from the same point, the first one takes
    the room and the other gets one of its own: neither writes over what the other keeps.

    >>> cache = KeyValueCache()
    >>> for step in range(3):
    ...     cache.append(torch.ones(1, 2, 1, 4), torch.ones(1, 2, 1, 4))
    >>> len(cache), cache.keys.shape
    (3, torch.Size([1, 2, 3, 4]))
    """

    def __init__(self):
        self._room: _Room | None = None
        self._length = 0

    def __len__(self) -> int:
        return self._length

    @property
    def length(self) -> int:
        """The number of tokens, as ``len``, which ``torch.export`` would take for a constant."""
        return self._length

    @property
    def keys(self) -> Float[Tensor, "batch heads k_len d_head"]:
        """Those of all tokens so far, shape ``(batch, heads, k_len, d_head)``."""
        return self._room.keys[:, :, : self._length]

    @property
    def values(self) -> Float[Tensor, "batch heads k_len d_head"]:
        """Those of all tokens so far, shape ``(batch, heads, k_len, d_head)``."""
        return self._room.values[:, :, : self._length]

    def append(
        self,
        keys: Float[Tensor, "batch heads new d_head"],
        values: Float[Tensor, "batch heads new d_head"],
    ) -> None:
        """Add the keys and values of new tokens behind those that are there.

        Raises:
            ValueError: keys and values differ in shape, or the batch, the heads or ``d_head`` are
                not those of the cache.
        """
        there = (self.keys if self._length else keys).shape
        # Written into the cache, a batch of one would be repeated without a word.
        if keys.shape != values.shape or keys.shape[:2] + keys.shape[3:] != there[:2] + there[3:]:
            raise ValueError(
                f"keys and values of shape ({there[0]}, {there[1]}, new, {there[3]}) wanted, got "
                f"{tuple(keys.shape)} and {tuple(values.shape)}"
            )
        length = self._length + keys.shape[2]
        if not self._length:
            self._room = _Room(keys, values, length)
        elif torch.is_grad_enabled() and (keys.requires_grad or self._room.keys.requires_grad):
            # What autograd keeps for the way back must not be written over.
            keys, values = torch.cat([self.keys, keys], 2), torch.cat([self.values, values], 2)
            self._room = _Room(keys, values, length)
        else:
            if not self._room.is_free(self._length, length):
                self._room = _Room.with_space(self.keys, self.values, 2 * length)
            self._room.write(keys, values, self._length, length)
        self._length = length

    def copy(self) -> "KeyValueCache":
        """A cache that goes on from here by itself; nothing is copied before it has to be."""
        twin = KeyValueCache()
        twin._room, twin._length = self._room, self._length
        return twin

    def __getitem__(self, rows: Int[Tensor, " rows"]) -> "KeyValueCache":
        """The cache of other rows of the batch: sentences left out, doubled, or reordered."""
        chosen = KeyValueCache()
        if self._length:
            chosen.append(self.keys[rows], self.values[rows])
        return chosen


class _Room:
    """Memory for keys and values, and how much of it the longest of its caches uses."""

    def __init__(self, keys: Tensor, values: Tensor, used: int):
        self.keys, self.values, self.used = keys, values, used

    @classmethod
    def with_space(cls, keys: Tensor, values: Tensor, capacity: int) -> "_Room":
        """A room that holds these keys and values at its beginning."""
        batch, heads, length, d_head = keys.shape
        shape = (batch, heads, max(capacity, LEAST_ROOM), d_head)
        room = cls(keys.new_empty(shape), values.new_empty(shape), length)
        room.keys[:, :, :length], room.values[:, :, :length] = keys, values
        return room

    def is_free(self, start: int, end: int) -> bool:
        """Whether the places from ``start`` to ``end`` are there, and nobody else's."""
        # PyTorch forbids to change what was made in inference mode outside of it.
        writable = torch.is_inference_mode_enabled() or not self.keys.is_inference()
        return self.used == start and end <= self.keys.shape[2] and writable

    def write(self, keys: Tensor, values: Tensor, start: int, end: int) -> None:
        self.keys[:, :, start:end], self.values[:, :, start:end] = keys, values
        self.used = end
