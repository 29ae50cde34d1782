"""How wrong solutions are written down: as students write them, with what they are told.

They are written out in full, and differently from the mistakes that an assignment knows, so that
a mistake is recognised by what it computes and not by how it is written.
"""

import textwrap
from typing import NamedTuple


class WrongSolution(NamedTuple):
    code: str
    reasons: dict[str, str]  # failed case: reason; the other cases are right
    by_chance: frozenset[str] = frozenset()  # cases that fail in some of all random draws


class Signature(NamedTuple):
    """The first line of a function, such as ``def f(x):``, to which wrong bodies are written."""

    line: str

    def __call__(self, body: str, *reasons: dict[str, str], **more: str) -> WrongSolution:
        """A wrong solution with this body."""
        code = f"{self.line}\n{textwrap.indent(body.strip(), '    ')}\n"
        return WrongSolution(code, {k: v for given in (*reasons, more) for k, v in given.items()})
