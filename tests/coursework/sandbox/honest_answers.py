"""Kinds of honest answers: right ones, in cells as students write them.

``SOLUTION`` stands for the source of the right function, ``NAME`` for its name.
"""

from typing import NamedTuple


class Honest(NamedTuple):
    assignment: str
    function: str
    cells: tuple[str, ...]


def _a1(*cells):
    return Honest("a1_scores", "masked_softmax", cells)


def _sdpa(*cells):
    return Honest("a1_scores", "sdpa", cells)


def _scaling(*cells):
    return Honest("a1_scores", "measure_scaling", cells)


def _additive(*cells):
    return Honest("a2_pooling", "additive_scores", cells)


def _kernel(*cells):
    return Honest("a2_pooling", "kernel_regression", cells)


def _errors(*cells):
    return Honest("a2_pooling", "measure_errors", cells)


def _split(*cells):
    return Honest("a3_multi_head", "split_heads", cells)


def _heads(*cells):
    return Honest("a3_multi_head", "multi_head_attention", cells)


def _one_head(*cells):
    return Honest("a3_multi_head", "measure_head", cells)


def _positions(*cells):
    return Honest("a4_positions", "sinusoidal_positions", cells)


def _shift(*cells):
    return Honest("a4_positions", "shift_positions", cells)


def _causal(*cells):
    return Honest("a4_positions", "causal_self_attention", cells)


def _loudness(*cells):
    return Honest("a4_positions", "measure_loudness", cells)


def _step(*cells):
    return Honest("a5_decoding", "decode_step", cells)


def _decode(*cells):
    return Honest("a5_decoding", "decode", cells)


def _count(*cells):
    return Honest("a5_decoding", "count_projections", cells)


def _package_softmax(*cells):
    return Honest("a6_package", "run_masked_softmax", cells)


def _package_step(*cells):
    return Honest("a6_package", "run_decoder_step", cells)


def _block(*cells):
    return Honest("a6_package", "run_decoder_block", cells)


def _growth(*cells):
    return Honest("a6_package", "run_growth", cells)


HONEST = {
    # --- IPython's own language ---
    "a command over two lines": _a1("!echo pip install \\\n    einops\nSOLUTION"),
    "the output of a command": _sdpa("files = !echo a\nprint(files)\nSOLUTION"),
    "automagic": _scaling("cd .", "ls", "pwd", "SOLUTION"),
    "help": _additive("SOLUTION", "NAME?", "import math\nmath??\nNAME??"),
    "a file that is written and imported": _kernel(
        "%%writefile of_mine.py\nimport math\nimport torch\n\nSOLUTION", "from of_mine import NAME"
    ),
    "a file that is written and run": _split(
        "%%writefile of_mine_too.py\nimport math\nimport torch\n\nSOLUTION", "%run of_mine_too.py"
    ),
    "a timed cell": _errors("%%time\nSOLUTION"),
    "a captured cell": _heads("%%capture printed\nprint(1)\nSOLUTION", "print(printed.stdout)"),
    "other languages": _one_head("%%bash\necho 1", "SOLUTION"),
    "a timed line": _positions("SOLUTION\nt = %timeit -n1 -r1 1 + 1\n%time x = 1\nassert x == 1"),
    "settings": _shift("%matplotlib inline\n%load_ext autoreload\n%autoreload 2\nSOLUTION"),
    "a magic within a function": _causal("if True:\n    %time\n    !echo\nSOLUTION"),
    "await": _loudness("import asyncio\nawait asyncio.sleep(0)\nSOLUTION"),
    "async for": _step(
        "async def numbers():\n    yield 1\n\nasync for number in numbers():\n    pass\nSOLUTION"
    ),
    "the shell": _decode(
        "get_ipython().run_line_magic('time', 'y = 2')\nprint(y)\n"
        "shell = get_ipython().__class__.__name__\nget_ipython().system('echo')\nSOLUTION"
    ),
    "display": _count("SOLUTION\ndisplay(NAME, 1)\nfrom IPython.display import HTML\nHTML('a');"),
    "a prompt": _package_softmax(">>> x = 1\n>>> y = 2", "who = input('Name? ')\nSOLUTION"),
    # --- What is imported ---
    "Colab": _package_step(
        "from google.colab import drive, files\ndrive.mount('/content/drive')\nSOLUTION"
    ),
    "pictures": _block(
        "import matplotlib.pyplot as plt\nimport seaborn as sns\nfig, (a, b) = plt.subplots(1, 2)\n"
        "a.plot([1, 2])\nplt.show()\n\ndef draw(axes: plt.Axes | None = None): ...\n\nSOLUTION"
    ),
    "a picture within the answer": _a1(
        "from attention_lib import show_heatmaps, explore\nimport attention_lib as al\n"
        "from IPython.display import display\nSOLUTION",
        "of_mine = NAME\n\ndef NAME(scores, mask, dim=-1):\n    w = of_mine(scores, mask, dim)\n"
        "    al.show_heatmaps(torch.eye(2)), display('w')\n    return w",
    ),
    "all of the library": _growth("from attention_lib import *\nSOLUTION"),
    "tables and widgets": _scaling(
        "import pandas as pd, ipywidgets as widgets\ntable = pd.DataFrame({'a': [1]})\n"
        "slider = widgets.IntSlider(value=1)\nSOLUTION"
    ),
    "a progress bar": _one_head(
        "from tqdm.auto import tqdm\nSOLUTION\nfor _ in tqdm(range(2)):\n    NAME(4, 2, 3, 5)",
    ),
    # --- What fails or lasts on the marker's machine only ---
    "a GPU": _kernel("import os\nassert 'COLAB_GPU' in os.environ, 'choose a GPU'\nSOLUTION"),
    "a file": _split(
        "def NAME(*_):\n    return 1",
        "notes = open('notes.txt').read()\nprint(len(notes))\nSOLUTION",
    ),
    "a picture that is computed with": _one_head(
        "def NAME(*_):\n    return 1",
        "import matplotlib.pyplot as plt\nbounds = plt.gca().get_xlim()[1] * 2\nSOLUTION",
    ),
    "a long training": _additive("import time\ntime.sleep(3600)\nSOLUTION"),
    # --- What fails everywhere ---
    "a later statement": _heads("SOLUTION\nNAME(1)\nNAME = None"),
    "an end": _positions("SOLUTION\nimport sys\nsys.exit()"),
    "old attempts below a stop": _shift(
        "SOLUTION\nraise SystemExit('old attempts')\ndef NAME(encodings, offset):\n    return 0"
    ),
    "an error without words": _causal(
        "class Wordless(Exception):\n    def __str__(self):\n        raise ValueError\n"
        "    __repr__ = __str__\n    __class__ = property(__str__)\n\nSOLUTION\nraise Wordless"
    ),
    # --- Python ---
    "from the future": _loudness(
        "from __future__ import annotations\nfrom dataclasses import dataclass\n\n"
        "@dataclass\nclass Kept:\n    x: Unknown = 1\n\nKept()\nSOLUTION"
    ),
    "typed": _step(
        "from typing import Optional\nfrom jaxtyping import Float\nfrom torch import Tensor\n"
        "def typed(x: Float[Tensor, 'n d'], y: Optional[int] = None) -> Tensor: ...\nSOLUTION"
    ),
    "main": _decode("if __name__ == '__main__':\n    INDENTED"),
    "global": _count(
        "total = 0\ndef count():\n    global total\n    total += 1\ncount()\nassert total\nSOLUTION"
    ),
    "other alphabets": _package_softmax("答案 = 1;\nif 答案:\n\tx = 1\nSOLUTION\n温度 = 2"),
    "defined again": _package_step("def NAME(*_):\n    return 1", "del NAME", "SOLUTION"),
    "switches left turned": _sdpa(
        "torch.set_default_dtype(torch.float64)\ntorch.set_grad_enabled(False)\n"
        "torch.manual_seed(0)\nSOLUTION"
    ),
    "noise": _errors(
        "import warnings\nfor _ in range(1000):\n    print('x' * 100)\n"
        "warnings.warn('mind')\nSOLUTION"
    ),
    # --- What is called ---
    "compiled": _causal("@torch.compile\nSOLUTION"),
    "compiled by a call": _positions("SOLUTION\nNAME = torch.compile(NAME, mode='default')"),
    "scripted": _a1(
        "@torch.jit.script\ndef NAME(scores: torch.Tensor, mask: torch.Tensor, dim: int = -1):\n"
        "    weights = scores.masked_fill(~mask, -1e9).softmax(dim) * mask\n    return weights"
    ),
    "a lambda": _split(
        "NAME = lambda x, heads: x.unflatten(-1, (heads, -1)).transpose(1, 2)  # short"
    ),
    "a partial": _heads("import functools\nSOLUTION\nNAME = functools.partial(NAME, mask=None)"),
    "a decorated function": _shift(
        "import functools\ndef logged(f):\n    @functools.wraps(f)\n    def call(*a, **k):\n"
        "        return f(*a, **k)\n    return call\n\n@logged\nSOLUTION"
    ),
    "a function by another name": _growth(
        "def logged(f):\n    return lambda *a, **k: f(*a, **k)\n\n@logged\nSOLUTION"
    ),
    "without gradients": _count("@torch.no_grad()\nSOLUTION"),
    "a cache": _loudness("from functools import lru_cache\n@lru_cache(maxsize=None)\nSOLUTION"),
    "an object": _kernel(
        "SOLUTION\n_inner = NAME\nclass Regression:\n    def __call__(self, *a, **k):\n"
        "        return _inner(*a, **k)\n\nNAME = Regression()"
    ),
    "a module of PyTorch": _additive(
        "SOLUTION\n_scores = NAME\nclass Scores(torch.nn.Module):\n    def forward(self, *a):\n"
        "        return _scores(*a)\n\nNAME = Scores()"
    ),
    "a class": _block(
        "SOLUTION\n_block = NAME\nclass NAME:\n    def __new__(cls, *a, **k):\n"
        "        return _block(*a, **k)"
    ),
    "a method": _decode(
        "SOLUTION\n_decode = NAME\nclass Decoder:\n    def run(self, *a):\n"
        "        return _decode(*a)\n\nNAME = Decoder().run"
    ),
}
