"""Runs the cells of a notebook so that what was defined stays defined, whatever else fails.

Each statement is compiled and run by itself, as in Jupyter. There, the first that fails ends its
cell. Here the rest gets its turn, since much that works on a student's machine fails behind the
walls: a file that is not there, a GPU, a download. What would have failed there, too, has kept
the rest from running: below it, nothing that is defined already is defined anew.
"""

import __future__

import ast
import asyncio
import inspect
import linecache
import re
import time
from collections.abc import Sequence

from coursework.questions.call import TooSlow
from coursework.questions.errors import error_name, error_text, is_error
from coursework.sandbox.nothing import NOTHING, Nothing, StandIn
from coursework.sandbox.python_of import python_of
from coursework.sandbox.shell import Lines, Shell
from coursework.sandbox.time_limit import time_limit

MOST_FAILURES = 100
DEFINITION_SECONDS = 2.0  # for each, where other statements have used up the time of their cell
DEFINITIONS = (
    ast.FunctionDef,
    ast.AsyncFunctionDef,
    ast.ClassDef,
    ast.Import,
    ast.ImportFrom,
    ast.Assign,
    ast.AnnAssign,
)
# What is missing behind the walls, and how it is told.
MISSING = (OSError, ImportError, AssertionError, EOFError, MemoryError)
GPU = re.compile("cuda|nvidia|gpu", re.I)
FUTURE = 0  # all of Python's, as flags of the compiler
for _name in __future__.all_feature_names:
    FUTURE |= getattr(__future__, _name).compiler_flag

Failure = tuple[int, str, str]  # number of the cell, name of the error, line and message


class Notebook:
    """The names that cells define, and what failed in them.

    Args:
        cell_seconds: for the statements of one cell.
        all_seconds: for all cells. When they are over, only definitions have their turn.
        names: where to define them.
    """

    def __init__(self, cell_seconds: float, all_seconds: float, names: dict):
        self.cell_seconds = cell_seconds
        self.seconds_left = all_seconds
        self.failed: list[Failure] = []
        self.shell = Shell(names, self._run_within)
        self.names = names
        self._given = {
            "get_ipython": lambda: self.shell,
            "display": lambda *_, **__: None,
            "input": lambda prompt="": "",
            **dict.fromkeys(("In", "Out", "_", "__", "___"), NOTHING),  # what was shown before
        }
        self.names |= {"__name__": "__main__"} | self._given
        self._number = 0
        self._never_bound: set[str] = set()  # by statements that failed
        self._future = 0  # what cells imported from __future__ stays for those below
        self._loop: asyncio.AbstractEventLoop | None = None

    def run(self, cells: Sequence[str]) -> None:
        for self._number, source in enumerate(cells, start=1):
            begin = time.monotonic()
            self._end = begin + min(self.cell_seconds, self.seconds_left)
            self._run_source(source, f"<cell {self._number}>")
            self.seconds_left = max(0.0, self.seconds_left - (time.monotonic() - begin))

    def _run_within(self, source: str) -> None:
        """Run what a statement of a cell gives to ``get_ipython().run_cell``."""
        self._run_source(source, f"<within cell {self._number}>")

    def _run_source(self, source: str, file: str) -> None:
        try:
            python = python_of(source)
            statements = ast.parse(python).body
        except Exception as error:  # of syntax, mostly
            text = error.msg if isinstance(error, SyntaxError) else str(error)[:300]
            self._note(getattr(error, "lineno", None) or 1, type(error).__name__, text)
            return
        # For inspect.getsource, and so for torch.jit.script.
        linecache.cache[file] = (len(python), None, python.splitlines(keepends=True), file)
        defined_above = {}
        for statement in statements:
            if self._run_statement(statement, file) and not defined_above:
                defined_above = dict(self.names)
        self.names |= defined_above

    def _run_statement(self, statement: ast.stmt, file: str) -> bool:
        """Run one statement. Whether it fails in such a way that Jupyter would stop at it, too."""
        seconds = self._end - time.monotonic()
        if seconds <= 0:
            if not isinstance(statement, DEFINITIONS):
                return False
            seconds = DEFINITION_SECONDS
        name, text, stop, follows = None, "", False, False
        uses_nothing = self._uses_nothing(statement)
        try:
            with time_limit(seconds):
                try:
                    self._execute(statement, file)
                except TooSlow:
                    raise
                except BaseException as error:
                    name, text = error_name(error), error_text(error)
                    # What needs a name that a failure has left without a value is no news.
                    follows = type(error) is NameError and error.name in self._never_bound
                    here_only = (
                        follows
                        or uses_nothing
                        or any(is_error(error, kind) for kind in MISSING)
                        or GPU.search(text)
                    )
                    stop = _raises(statement) or not here_only
        except TooSlow:
            name, text = "TooSlow", f"stopped after {seconds:.3g} s"
        if name:
            self._never_bound |= _binds(statement) - self.names.keys()
            if not follows:
                self._note(statement.lineno, name, text)
        return stop

    def _uses_nothing(self, statement: ast.stmt) -> bool:
        """Whether it computes with what stands for something else here."""
        names = {node.id for node in ast.walk(statement) if isinstance(node, ast.Name)}
        values = {name: self.names[name] for name in names & self.names.keys()}
        return any(
            issubclass(type(value), Nothing | StandIn | Lines) or value is self._given.get(name)
            for name, value in values.items()
            if value is not None
        )

    def _execute(self, statement: ast.stmt, file: str) -> None:
        flags = self._future | ast.PyCF_ALLOW_TOP_LEVEL_AWAIT
        module = ast.Module([statement], type_ignores=[])
        code = compile(module, file, "exec", flags=flags, dont_inherit=True)
        self._future |= code.co_flags & FUTURE
        result = eval(code, self.names)
        if code.co_flags & inspect.CO_COROUTINE:
            if self._loop is None:
                self._loop = asyncio.new_event_loop()
                asyncio.set_event_loop(self._loop)
            self._loop.run_until_complete(result)

    def _note(self, line: int, name: str, text: str) -> None:
        if len(self.failed) < MOST_FAILURES:
            self.failed.append((self._number, name, f"line {line}: {text}"))


def run_cells(
    cells: Sequence[str],
    seconds: float,
    all_seconds: float = float("inf"),
    names: dict | None = None,
) -> tuple[dict, list[Failure]]:
    """What the cells define, and what failed: see ``Notebook``."""
    notebook = Notebook(seconds, all_seconds, {} if names is None else names)
    notebook.run(cells)
    return notebook.names, notebook.failed


def _raises(statement: ast.stmt) -> bool:
    """Whether there is a ``raise`` in it that is not in a function or class."""
    if isinstance(statement, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
        return False
    return any(isinstance(node, ast.Raise) for node in ast.walk(statement))


def _binds(statement: ast.stmt) -> set[str]:
    """The names that a statement gives values to."""
    if isinstance(statement, ast.Import | ast.ImportFrom):
        return {(each.asname or each.name).partition(".")[0] for each in statement.names}
    if isinstance(statement, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
        return {statement.name}
    names = (node for node in ast.walk(statement) if isinstance(node, ast.Name))
    return {name.id for name in names if isinstance(name.ctx, ast.Store)}
