"""Modules that notebooks import, and that marking has no use for: they do nothing, and do no harm.

Without them, a cell that draws would fail, and the first cell would try to install the book. Of
the library of the course only the drawing is there, and it draws nothing: all else is refused.
"""

import sys
from collections.abc import Callable, Sequence
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec
from types import ModuleType

import numpy as np
import torch

from coursework.sandbox.nothing import NOTHING, Nothing

LIBRARY = "attention_lib"
DRAWING = ("explore", "show_heatmaps")  # functions of the library
# Whether they are installed or not: loading Matplotlib alone takes as long as marking.
INSTEAD = (
    LIBRARY,
    "coursework.practice",
    "google.colab",
    "IPython",
    "altair",
    "bertviz",
    "bokeh",
    "ipywidgets",
    "matplotlib",
    "matplotlib_inline",
    "mpl_toolkits",
    "plotly",
    "pylab",
    "seaborn",
    "tqdm.auto",
    "tqdm.autonotebook",
    "tqdm.notebook",
)
WHERE_MISSING = ("google", "pandas")


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


class Importer(MetaPathFinder, Loader):
    """Finds stand-ins for modules of these names, and for those within them."""

    def __init__(self, names: Sequence[str], get_ipython: Callable):
        self.names = names
        self.get_ipython = get_ipython

    def find_spec(self, name: str, path: object = None, target: object = None):
        if any(name == each or name.startswith(f"{each}.") for each in self.names):
            return ModuleSpec(name, self, is_package=True)
        return None

    def create_module(self, spec: ModuleSpec) -> ModuleType:
        return StandIn(spec.name)

    def exec_module(self, module: ModuleType) -> None:
        content = {}
        match module.__name__:
            case "IPython":
                content = {"get_ipython": self.get_ipython}
            case "matplotlib.pyplot":
                content = {"subplots": subplots}
            case "tqdm.auto" | "tqdm.autonotebook" | "tqdm.notebook":
                import tqdm  # only where a notebook does, too

                content = {"tqdm": tqdm.tqdm, "trange": tqdm.trange, "tqdm_notebook": tqdm.tqdm}
            case "attention_lib":
                content = {"__all__": list(DRAWING)}
        vars(module).update(content)


def subplots(nrows: int = 1, ncols: int = 1, *, squeeze: bool = True, **_) -> tuple:
    """A figure and its axes, as many as there would be, so that they can be told apart."""
    axes = np.empty((nrows, ncols), dtype=object)
    axes.fill(NOTHING)
    return NOTHING, (axes if not squeeze else NOTHING if axes.size == 1 else axes.squeeze())


def as_it_is(model: Callable | None = None, **_: object) -> Callable:
    """A function that need not be compiled: there is no compiler, and it computes the same."""
    return as_it_is if model is None else model


def install(get_ipython: Callable) -> None:
    """Put the stand-ins in place, for this whole process."""
    for name in [*sys.modules]:  # what the worker itself needed of IPython
        if name.partition(".")[0] == "IPython":
            del sys.modules[name]
    sys.meta_path.insert(0, Importer(INSTEAD, get_ipython))
    sys.meta_path.append(Importer(WHERE_MISSING, get_ipython))
    torch.compile = as_it_is
    torch.nn.Module.compile = lambda *_, **__: None
    sys.path.insert(0, "")  # where %%writefile writes
