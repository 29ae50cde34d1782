"""What ``get_ipython()`` gives in the sandbox: it does what defines names, and nothing else.

There is nobody to show something to, no network to install from, and no process to start.
"""

import contextlib
import os
import runpy
import shlex
from collections.abc import Callable
from pathlib import Path

from coursework.sandbox.nothing import NOTHING
from coursework.sandbox.python_of import python_of


class Lines(list):
    """The output of a command that was not run: no lines, by the names that IPython's has."""

    n = nlstr = s = spstr = ""
    l = p = property(lambda self: self)  # noqa: E741, IPython's name

    def grep(self, *_, **__) -> "Lines":
        return self

    fields = grep


class Shell:
    """Answers for IPython's shell. What it does not know of is nothing.

    Args:
        names: what the notebook defines.
        run: runs the source of a cell in it.
    """

    def __init__(self, names: dict, run: Callable[[str], None]):
        self.user_ns = self.user_global_ns = names
        self.run = run

    def __getattr__(self, name: str) -> object:
        return getattr(NOTHING, name)

    def run_line_magic(self, name: str, line: str = "", **_) -> object:
        match name.lstrip("%"):
            case "time" | "prun":
                return self.ev(line)
            case "run":
                return self._run_file(line)
            case "cd":
                with contextlib.suppress(OSError):
                    os.chdir(os.path.expanduser(line.strip().strip("\"'") or "~"))
        return NOTHING

    def run_cell_magic(self, name: str, line: str, cell: str) -> None:
        if name in ("writefile", "file"):
            *options, path = shlex.split(line)
            mode = "a" if {"-a", "--append"} & set(options) else "w"
            with Path(path).expanduser().open(mode, encoding="utf-8") as file:
                file.write(cell)

    def magic(self, line: str) -> object:
        name, _, rest = line.partition(" ")
        return self.run_line_magic(name, rest)

    def system(self, *_, **__) -> None:
        return None

    def getoutput(self, *_, **__) -> Lines:
        return Lines()

    def run_cell(self, cell: str, *_, **__) -> None:
        self.run(cell)

    def ev(self, line: str) -> object:
        """The value of an expression; of a statement, none."""
        source = python_of(line).strip()
        try:
            code = compile(source, "<magic>", "eval")
        except SyntaxError:
            code = compile(source, "<magic>", "exec")
        return eval(code, self.user_ns)

    ex = ev

    def _run_file(self, line: str) -> None:
        path = next((word for word in shlex.split(line) if not word.startswith("-")), "")
        path = path if Path(path).suffix else f"{path}.py"
        defined = runpy.run_path(path, run_name="__main__")
        self.user_ns |= {name: v for name, v in defined.items() if not name.startswith("__")}
