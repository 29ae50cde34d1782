"""A package that a student wrote in an editor, as one notebook to hand in.

``python make_submission.py`` in the package calls ``submit``. Each module becomes a code cell,
and the last cell writes them all to an empty folder and takes the adapters from there. Marking
treats the result as any other notebook: its cells run in the sandbox, and nowhere else.
"""

import json
from pathlib import Path

import tomllib

LARGEST_CODE = 2**20
LEFT_OUT = {"tests", "build", "dist", "make_submission.py"}

FIRST_CELL = "modules = {}"
LAST_CELL = """
import importlib
import sys
import tempfile
from pathlib import Path

folder = Path(tempfile.mkdtemp())
for name, source in modules.items():
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(source, encoding="utf-8")
sys.path.insert(0, str(folder))
adapters = importlib.import_module("adapters")
globals().update({name: f for name, f in vars(adapters).items() if name.startswith("run_")})
""".strip()


class NotReady(ValueError):
    """The package cannot be handed in as it is; says why."""


def submit(folder: Path) -> Path:
    """Write the package in a folder as a notebook into that folder, and say what is in it.

    Raises:
        NotReady: there are no adapters, a module does not parse, or there is too much code.
    """
    settings = tomllib.loads((folder / "pyproject.toml").read_text(encoding="utf-8"))
    settings = settings["tool"]["coursework"]
    modules = modules_in(folder)
    answers = {
        name: ((folder / f"{name}.md").read_text(encoding="utf-8"), points)
        for name, points in settings["written"].items()
    }
    path = folder / f"{settings['assignment']}.ipynb"
    path.write_text(json.dumps(notebook(modules, answers), indent=1), encoding="utf-8")
    for name in (*modules, *(f"{name}.md" for name in answers)):
        print(f"  {name}")
    print(f"Written to {path}: hand in this file.")
    return path


def modules_in(folder: Path) -> dict[str, str]:
    """The sources of the modules in a folder by their paths, without tests and hidden folders."""
    modules = {}
    for path in sorted(folder.rglob("*.py")):
        relative = path.relative_to(folder)
        hidden = any(part.startswith(".") for part in relative.parts)
        # An environment can have any name, and a link can lead anywhere.
        installed = any((folder / parent / "pyvenv.cfg").exists() for parent in relative.parents)
        elsewhere = path.is_symlink() or not path.resolve().is_relative_to(folder.resolve())
        if hidden or relative.parts[0] in LEFT_OUT or elsewhere or installed:
            continue
        source = path.read_text(encoding="utf-8-sig")
        try:
            compile(source, str(path), "exec")
        except SyntaxError as error:
            raise NotReady(f"{relative}, line {error.lineno}: {error.msg}") from None
        modules[relative.as_posix()] = source
    if "adapters.py" not in modules:
        raise NotReady(f"there is no adapters.py in {folder}, by which your functions are found")
    if sum(map(len, modules.values())) > LARGEST_CODE:
        largest = max(modules, key=lambda name: len(modules[name]))
        raise NotReady(f"there is more than 1 MB of code; the largest file is {largest}")
    return modules


def notebook(modules: dict[str, str], answers: dict[str, tuple[str, int]]) -> dict:
    """A notebook of format 4.5 with the modules, and the written answers with their points."""
    sources = [FIRST_CELL, *(module_cell(*module) for module in modules.items()), LAST_CELL]
    code = [
        {"cell_type": "code", "id": f"code-{number}", "source": source, "metadata": {}}
        | {"execution_count": None, "outputs": []}
        for number, source in enumerate(sources)
    ]
    written = [
        {"cell_type": "markdown", "id": name, "source": text}
        | {"metadata": {"nbgrader": written_metadata(name, points)}}
        for name, (text, points) in answers.items()
    ]
    kernel = {"display_name": "Python 3", "language": "python", "name": "python3"}
    return {
        "cells": code + written,
        "metadata": {"kernelspec": kernel, "language_info": {"name": "python"}},
        "nbformat": 4,
        "nbformat_minor": 5,
    }


def module_cell(name: str, source: str) -> str:
    """A cell that keeps the source of a module, and can still be read.

    >>> print(module_cell("a.py", "b = 1"))
    modules['a.py'] = '''
    b = 1
    '''
    """
    quoted = source.replace("\\", "\\\\").replace("'", "\\'") if "'''" in source else None
    quoted = quoted or source.replace("\\", "\\\\")
    return f"modules[{name!r}] = '''\n{quoted}\n'''"


def written_metadata(name: str, points: int) -> dict:
    """What nbgrader knows the cell of a written answer by."""
    flags = {"grade": True, "solution": True, "locked": False, "task": False}
    return {"grade_id": name, "points": points, "schema_version": 3, **flags}
