"""Stands for pictures, widgets and all else that marking has no use for."""

from collections.abc import Callable, Iterator
from types import FunctionType


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
