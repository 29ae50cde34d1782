"""Stands for pictures, widgets and all else that marking has no use for."""

from collections.abc import Callable, Iterator
from types import FunctionType, ModuleType

LIBRARY = "attention_lib"
DRAWING = (
    "diagram",
    "explore",
    "figure_style",
    "show_heatmaps",
    "ROLES",
)  # functions of the library


class Nothing:
    """Takes every use, and gives itself.

    >>> nothing = Nothing()
    >>> nothing.figure(figsize=(4, 3)).axes[0].plot([1, 2]) is nothing
    True
    """

    def __getattr__(self, name: str) -> "Nothing":
        if name.startswith("__"):  # Python asks whether there is one
            raise AttributeError(name)
        return self

    def __call__(self, *arguments: object, **keywords: object) -> "Nothing | Callable":
        """As a decorator, it leaves the function as it is."""
        if len(arguments) == 1 and not keywords and isinstance(arguments[0], FunctionType):
            return arguments[0]
        return self

    def __getitem__(self, key: object) -> "Nothing":
        return self

    def __setitem__(self, key: object, value: object) -> None: ...

    def __setattr__(self, name: str, value: object) -> None: ...

    def __contains__(self, value: object) -> bool:
        return False

    def __iter__(self) -> Iterator:
        return iter(())

    def __len__(self) -> int:
        return 0

    def __enter__(self) -> "Nothing":
        return self

    def __exit__(self, *_: object) -> None: ...

    # In an annotation, as in `Axes | None`; in `isinstance`; and as a base class.
    def __or__(self, other: object) -> "Nothing":
        return self

    __ror__ = __or__

    def __instancecheck__(self, value: object) -> bool:
        return False

    def __mro_entries__(self, bases: tuple) -> tuple:
        return ()

    def __repr__(self) -> str:
        return "nothing"


NOTHING = Nothing()


class Refused(Nothing):
    """A part of the library that would be an answer, or a step towards one."""

    def __init__(self, name: str):
        object.__setattr__(self, "_name", name)

    def __getattr__(self, name: str) -> "Refused":
        if name.startswith("__"):
            raise AttributeError(name)
        return Refused(f"{self._name}.{name}")

    def __call__(self, *_: object, **__: object) -> None:
        raise PermissionError(
            f"评分时不能用 {self._name}：请自己写。"
            f"{self._name} is not there when answers are marked: write your own."
        )

    __getitem__ = __enter__ = __mro_entries__ = __iter__ = __len__ = __call__

    def __repr__(self) -> str:
        return self._name


class StandIn(ModuleType):
    """A module that holds whatever is asked of it."""

    def __getattr__(self, name: str) -> object:
        if name.startswith("__"):
            raise AttributeError(name)
        parts = self.__name__.split(".")
        if parts[0] != LIBRARY or name in DRAWING or "figures" in (*parts[1:], name):
            return NOTHING
        return Refused(f"{self.__name__}.{name}")
