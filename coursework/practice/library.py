"""Practice without the library of the course, which is not there when answers are marked."""

import functools
import sys
from collections.abc import Callable
from types import FrameType

LIBRARY = "attention_lib"
DRAWING = f"{LIBRARY}.figures"  # this may be called: in marking, it draws nothing


def without_library(function: Callable) -> Callable:
    """A function that fails as soon as it calls what the library computes.

    By what is called and not by a name, for the student may have imported it under any.
    """

    @functools.wraps(function, updated=())
    def call(*arguments, **keywords):
        before = sys.getprofile()
        sys.setprofile(_refuse)
        try:
            return function(*arguments, **keywords)
        finally:
            sys.setprofile(before)

    return call


def _refuse(frame: FrameType, event: str, _: object) -> None:
    module = frame.f_globals.get("__name__") if event == "call" else None
    if isinstance(module, str) and f"{module}.".startswith(f"{LIBRARY}."):
        if not f"{module}.".startswith(f"{DRAWING}."):
            raise PermissionError(
                f"{module}.{frame.f_code.co_name}: {LIBRARY} is not there when answers are marked"
            )
