"""What cells define, and what is told of those that fail. All of it is our own code, run here."""

import asyncio
import inspect

import pytest
import torch

import attention_lib
from coursework.sandbox.cells import run_cells
from coursework.sandbox.nothing import DRAWING, NOTHING, Refused, StandIn
from coursework.sandbox.python_of import python_of
from coursework.sandbox.stand_ins import subplots

# By title: cells, what the name f then gives, and the numbers and errors of the failures.
KINDS = {
    "below what is missing here": (
        ["f = lambda: 1", "open('/no/such/file')\nf = lambda: 2"],
        2,
        [(2, "FileNotFoundError", 1)],
    ),
    "below what is wrong everywhere": (
        ["f = lambda: 1", "\n1 / 0\nf = lambda: 2\ng = 1"],
        1,
        [(2, "ZeroDivisionError", 2)],
    ),
    "below a stop": (
        ["f = lambda: 1\nraise ImportError('below is old')\nf = lambda: 2"],
        1,
        [(1, "ImportError", 2)],
    ),
    "for the first time below a stop": (["exit()\nf = lambda: 1"], 1, [(1, "SystemExit", 1)]),
    "below what needs what is missing": (
        ["f = lambda: 1", "import no_such_module as m\nm.go()\nf = lambda: 2"],
        2,
        [(2, "ModuleNotFoundError", 1)],
    ),
    "below what nobody has typed": (
        ["f = lambda: 1", "n = int(input('n? '))\nf = lambda: 2"],
        2,
        [(2, "ValueError", 1)],
    ),
    "below what no command has said": (
        ["f = lambda: 1", "lines = !cat data\nn = lines[0]\nf = lambda: 2"],
        2,
        [(2, "IndexError", 2)],
    ),
    "with what Jupyter keeps": (
        ["t = %timeit -o 1\nt.average\nOut[1].shape\n_.x\nprint(In[0])\nf = lambda: 1"],
        1,
        [],
    ),
    "a cell that is no Python": (
        ["f = lambda: 1", "f = lambda: 2\nx = ("],
        1,
        [(2, "SyntaxError", 2)],
    ),
    "a statement that is no Python by itself": (
        ["f = lambda: 1\nreturn 1"],
        1,
        [(1, "SyntaxError", 2)],
    ),
    "from the future, for the cells below": (
        ["from __future__ import annotations", "def f(x: Unknown = 1): return x"],
        1,
        [],
    ),
    "awaited": (
        ["import asyncio\nx = await asyncio.sleep(0, 3)", "def f(): return x"],
        3,
        [],
    ),
    "within a cell": (["get_ipython().run_cell('x = !ls\\nf = lambda: 1')"], 1, []),
    "in a dataclass": (
        [
            "from dataclasses import dataclass",
            "@dataclass\nclass C:\n    x: int = 1\nf = lambda: C().x",
        ],
        1,
        [],
    ),
    "in another alphabet": (["def 函数(): return 1\n\nf = 函数;"], 1, []),
    "in a cell of tabs": (["if True:\n\tdef f():\n\t\t%time x = 2\n\t\treturn x"], None, []),
}


@pytest.fixture
def no_loop():
    """No event loop runs, as in the sandbox; here the one of a browser's tests may be running."""
    running = asyncio._get_running_loop()
    asyncio._set_running_loop(None)
    yield
    asyncio._set_running_loop(running)


@pytest.mark.parametrize("kind", KINDS)
def test_what_a_cell_defines(kind, no_loop):
    """The right definition counts, and each failure is told with its line, and only once."""
    cells, value, failures = KINDS[kind]
    names, failed = run_cells(cells, seconds=60)
    lines = [(cell, error, int(text.split(":")[0].split()[1])) for cell, error, text in failed]
    assert lines == failures
    if value is not None:
        assert names["f"]() == value


def test_definitions_need_no_time():
    """Where a cell, or all of them, have used up their time, functions are still defined."""
    cell = "import math\nhappened = []\nhappened.append(1)\ndef f():\n    return math.pi"
    for limits in ({"seconds": 0}, {"seconds": 60, "all_seconds": 0}):
        names, failed = run_cells([cell], **limits)
        assert (names["f"]() > 3, names["happened"], failed) == (True, [], [])


def test_what_is_slow_is_stopped_alone():
    """Also if a cell within the cell has had its own clock."""
    slow = "if True:\n    get_ipython().run_cell('1')\n    for _ in range(10**9): pass\nf = 1"
    names, failed = run_cells([slow], seconds=0.5)
    ((cell, error, text),) = failed
    assert (cell, error, names["f"]) == (1, "TooSlow", 1)
    assert text.startswith("line 1: stopped after 0.")


def test_an_error_that_cannot_be_written_costs_itself_only():
    """Neither its text, nor its class, nor the name of that need be well."""
    cells = [
        "class Meta(type):\n    __name__ = property(lambda self: 1 / 0)",
        "class Broken(Exception, metaclass=Meta):\n    def __str__(self): exit()\n"
        "    __class__ = property(__str__)\n    __traceback__ = __str__",
        "class Text(str):\n    def __getitem__(self, key): return 1 / 0",
        "class Odd(Exception):\n    def __str__(self): return Text('odd')",
        "raise Broken",
        "raise Odd",
        "f = 1",
    ]
    names, failed = run_cells(cells, seconds=60)
    assert failed == [(5, "Broken", "line 1: "), (6, "Odd", "line 1: odd")]
    assert names["f"] == 1


def test_no_more_is_told_than_somebody_reads():
    """A notebook of failures has a record of reasonable size."""
    _, failed = run_cells(["raise ValueError('x' * 10**6)"] * 300, seconds=60)
    assert len(failed) == 100 and max(len(text) for *_, text in failed) < 400


def test_the_source_of_a_function_can_be_read():
    """By its cell and line, as torch.jit.script does it; other cells do not get in between."""
    names, failed = run_cells(
        ["# one\n\ndef f(x):\n    return 2 * x\n", "def g(): ..."], seconds=60
    )
    assert not failed
    assert inspect.getsource(names["f"]) == "def f(x):\n    return 2 * x\n"
    assert torch.jit.script(names["f"])(torch.ones(2)).tolist() == [2, 2]


@pytest.mark.parametrize(
    "cell, wanted",
    [
        ("%%capture out\n%%time\nx = 1", "out = get_ipython().captured\n\nx = 1"),
        ("\n%%time\n%%bash\nls", "\n\nget_ipython().run_cell_magic('bash', '', 'ls\\n')"),
        ("ls -l", "get_ipython().run_line_magic('ls', '-l')"),
        ("ls = [1]", "ls = [1]"),
        ("run(1)", "run(1)"),
        ("cd ..\nx = 1", "get_ipython().run_line_magic('cd', '..')\nx = 1"),
        ("time += 1\nls.x", "time += 1\nls.x"),
        ("text = '''\n!ls\n'''", "text = '''\n!ls\n'''"),
    ],
)
def test_cells_as_python(cell, wanted):
    """Magics with and without their sign; names of the student's own are none."""
    assert python_of(cell).rstrip() == wanted


def test_the_shell_defines_and_does_nothing_else(tmp_path, monkeypatch):
    """Files are written, run and imported from; commands have no output."""
    monkeypatch.chdir(tmp_path)
    cells = [
        "%%writefile kept.py\nx = 2",
        "%%writefile -a kept.py\ny = x + 1",
        "%run kept.py\nlines = !echo 1",
        "%time z = y + 1\nv = %time z + 1",
        "ip = get_ipython()\nip.magic('time w = 6')\nip.register_magics(ip.config)",
    ]
    names, failed = run_cells(cells, seconds=60)
    assert not failed
    assert [names[name] for name in "xyzvw"] == [2, 3, 4, 5, 6]
    assert names["lines"] == [] and names["lines"].n == ""


def test_stand_ins_for_the_library():
    """All that draws is there, by any path, and nothing else of it can be called."""
    drawing = [
        name
        for name in attention_lib.__all__
        if getattr(attention_lib, name).__class__.__name__ == "function"
        and getattr(attention_lib, name).__module__.startswith("attention_lib.figures")
    ]
    assert sorted([*drawing, "ROLES"]) == sorted(DRAWING)
    library = StandIn("attention_lib")
    assert library.explore(lambda x: x, x=[1]) is NOTHING
    assert library.ROLES["query"] is NOTHING
    assert StandIn("attention_lib.figures.heatmaps").show_heatmaps is NOTHING
    for call in (library.attend, library.scores.dot_product_scores, library.Transformer.forward):
        assert isinstance(call, Refused)
        with pytest.raises(PermissionError, match=r"评分时不能用 attention_lib.*write your own"):
            call(1)
    with pytest.raises(PermissionError, match=r"attention_lib\.AdditiveScores"):

        class Mine(library.AdditiveScores): ...


def test_axes_can_be_told_apart():
    """As many as Matplotlib would give, in its shapes."""
    assert subplots() == (NOTHING, NOTHING)
    assert subplots(1, 3)[1].shape == (3,)
    assert subplots(2, 2)[1].shape == (2, 2)
    assert subplots(squeeze=False)[1].shape == (1, 1)
