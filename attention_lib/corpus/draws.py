"""Random draws that are the same from the same seed everywhere."""

from collections.abc import Sequence
from random import Random
from typing import TypeVar

Item = TypeVar("Item")


class RandomDraws:
    """Draws that are the same from the same seed in every version of Python.

    That is promised for ``random()`` alone, not for the other methods of
    :class:`random.Random`, so nothing else of it is used.
    """

    def __init__(self, seed: int):
        self._uniform = Random(seed).random

    def bernoulli(self, probability: float) -> bool:
        """True with this probability."""
        return self._uniform() < probability

    def choice(self, items: Sequence[Item]) -> Item:
        """One of the items, each with the same probability."""
        return items[int(self._uniform() * len(items))]
