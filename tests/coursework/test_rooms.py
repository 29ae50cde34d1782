"""The rooms of the coursework: who may import whom."""

import re
from pathlib import Path

import pytest

import coursework
from coursework.sandbox.walls import INSIDE, WORKER
from tests import imports

FOLDER = Path(coursework.__file__).parent
# From the first, which imports from none.
ROOMS = re.findall(r"^    (\w+)  ", coursework.__doc__, re.M)
# What students get with a package imports from the installed library, and is not imported here.
STARTER = FOLDER / "assignments" / "a6_package" / "starter"


def sources():
    return imports.sources(FOLDER, left_out=STARTER)


def room(name):
    """None for the modules that stand before all rooms."""
    return name.split(".")[1] if name.count(".") and name.split(".")[1] in ROOMS else None


def upward(found):
    """Imports that lead from a room to one of its followers, or out of all rooms."""
    return [
        f"{name} imports {other}"
        for name, others in found.items()
        for other in sorted(others)
        if room(name) and other != "coursework"
        if room(other) is None or ROOMS.index(room(other)) > ROOMS.index(room(name))
    ]


def of_the_worker(found):
    """Who imports the process behind the walls, without standing behind them."""
    return [name for name, others in found.items() if WORKER in others and name != WORKER]


def from_inside(found):
    """What is behind the walls, and imports something of the course that is not."""
    inside = {
        ".".join(("coursework", *Path(file).with_suffix("").parts)).removesuffix(".__init__")
        for file in INSIDE
    }
    assert inside <= found.keys()
    return {name: others for name in inside if (others := found[name] - inside)}


def test_every_folder_is_a_room():
    """The docstring of the package names them all, each once, and nothing else."""
    folders = [path.parent.name for path in FOLDER.glob("*/__init__.py")]
    assert sorted(ROOMS) == sorted(folders)


def test_rooms_import_from_those_before_them():
    """In the order of the package's docstring, and no module needs itself in the end."""
    found = imports.among(sources())
    assert upward(found) == []
    assert imports.circle(found) == []


def test_nobody_trusts_the_worker():
    """It is started as a process, and what it shares with the marking is no part of it."""
    assert of_the_worker(imports.among(sources())) == []


def test_behind_the_walls_nothing_else_is_needed():
    """A student's code sees no more of the course than the worker imports."""
    assert from_inside(imports.among(sources())) == {}


FAULTS = {
    "a room before": (
        upward,
        "questions.checks",
        "from coursework.marking.marks import Marks",
        "coursework.questions.checks imports coursework.marking.marks",
    ),
    "in a function": (
        upward,
        "course.folder",
        "def late():\n    import coursework.reports.results",
        "coursework.course.folder imports coursework.reports.results",
    ),
    "the command line": (
        upward,
        "reports.results",
        "from coursework import __main__",
        "coursework.reports.results imports coursework.__main__",
    ),
    "a circle": (
        imports.circle,
        "reports.results",
        "def late():\n    from coursework.reports import gradebook",
        "coursework.reports.gradebook",
    ),
    "the worker": (
        of_the_worker,
        "marking.marker",
        "from coursework.sandbox import worker",
        "coursework.marking.marker",
    ),
    "the worker, by a neighbour": (
        of_the_worker,
        "sandbox.walls",
        "import coursework.sandbox.worker",
        "coursework.sandbox.walls",
    ),
    "what is not inside": (
        from_inside,
        "questions.call",
        "from coursework.questions.cases import Case",
        "coursework.questions.call",
    ),
    "by its package": (
        from_inside,
        "sandbox.worker",
        "from coursework.practice import check",
        "coursework.sandbox.worker",
    ),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_a_fault_is_found(fault):
    """Each of the rules sees what breaks it."""
    rule, name, source, told = FAULTS[fault]
    modules = sources()
    modules[f"coursework.{name}"] += f"\n{source}\n"
    assert told in rule(imports.among(modules))
