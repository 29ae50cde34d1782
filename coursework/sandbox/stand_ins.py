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

from coursework.sandbox.nothing import DRAWING, LIBRARY, NOTHING, StandIn

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
