"""A cell of a notebook as plain Python, translated as IPython does it.

``!ls`` and ``%timeit f()`` become calls of ``get_ipython()``, which the shell answers.
"""

import ast
import re

from IPython.core.inputtransformer2 import TransformerManager

# Above the first line that counts: empty lines, and cell magics that merely run their cell.
BEFORE = re.compile(r"(?:[ \t]*(?:%%(?:time|capture|prun|debug)\b[^\n]*)?\n)*")
CAPTURE = re.compile(r"[ \t]*%%capture(?:[ \t]+--?\S+)*[ \t]+([^\W\d]\w*).*")
# Magics that are understood without a %, at the beginning of a line.
AUTOMAGIC = re.compile(
    r"^(?=(?:alias|autoreload|cat|cd|conda|config|cp|env|hist|history|ll|load_ext|ls|lsmagic"
    r"|magic|mamba|matplotlib|mkdir|mv|pdb|pinfo|pip|precision|pwd|pylab|reload_ext|reset|rm"
    r"|rmdir|run|store|time|timeit|uv|who|whos|xmode)\b"
    # Not where it is a name of the student's own.
    r"(?!\.|[ \t]*(?:[-+*/%&|^@<>=!]*=|[,:(\[]|in\b|is\b)))",
    re.M,
)


def python_of(cell: str) -> str:
    r"""A cell as Python, in the same lines. A cell that is wrong stays wrong.

    >>> print(python_of("%%time\n!pip install einops\nx = 1"))
    <BLANKLINE>
    get_ipython().system('pip install einops')
    x = 1
    <BLANKLINE>
    >>> print(python_of("pip install einops"))
    get_ipython().run_line_magic('pip', 'install einops')
    <BLANKLINE>
    """
    before = BEFORE.match(cell)[0]
    counts = cell[len(before) :]
    captures = [CAPTURE.fullmatch(line) for line in before.splitlines()]
    above = "".join(f"{c[1]} = get_ipython().captured\n" if c else "\n" for c in captures)
    if "\n" in counts.strip():
        python = _transformed(counts)
        if not _parses(python):
            python = _transformed(AUTOMAGIC.sub("%", counts))
    else:
        python = _transformed(AUTOMAGIC.sub("%", counts))
    return above + python


def _transformed(cell: str) -> str:
    try:
        return TransformerManager().transform_cell(cell)
    except SyntaxError:
        return cell


def _parses(python: str) -> bool:
    try:
        ast.parse(python)
    except (SyntaxError, ValueError):
        return False
    return True
