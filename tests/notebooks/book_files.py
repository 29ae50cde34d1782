"""The notebooks and pages of the book, as the checks read them."""

import json
import subprocess
import sysconfig
import venv
from pathlib import Path

ROOT = Path(__file__).parents[2]
EDITIONS = ("zh", "en")
NOTEBOOKS = sorted((ROOT / "book").glob("[ez][nh]/*.ipynb"))
# The sections that train come first, then those with many frames, which are the later ones: what
# takes longest, begun last, would keep the other processors waiting for its end.
LONGEST_FIRST = sorted(
    NOTEBOOKS, key=lambda path: (path.name[:2] in ("04", "07"), path.name), reverse=True
)


def in_turns(first):
    """Each section in one of the editions, which have the same code (see test_pairs.py)."""
    names = sorted({path.name for path in NOTEBOOKS})
    return [
        ROOT / "book" / EDITIONS[(number + first) % 2] / name for number, name in enumerate(names)
    ]


def name(path):
    return f"{path.parent.name}/{path.name}"


def read(path):
    """The notebook as it is in the file: nbformat would mend cells without ids, and say nothing."""
    notebook = json.loads(path.read_text(encoding="utf-8"))
    for cell in notebook["cells"]:
        cell["source"] = "".join(cell["source"])
    return notebook


def cells(path, kind):
    return [cell for cell in read(path)["cells"] if cell["cell_type"] == kind]


def outputs(path):
    """Every stored output, with its cell."""
    return [(cell, output) for cell in cells(path, "code") for output in cell["outputs"]]


def texts(output):
    """What an output says in words."""
    if "text" in output:
        return "".join(output["text"])
    return "".join(output.get("data", {}).get("text/plain", ""))


def environment(folder):
    """A new environment with all packages of this one but the library: its Python, its packages.

    The library is installed here as editable, by a .pth file, which a folder that is itself on
    the path by a .pth file does not pass on.
    """
    venv.create(folder, symlinks=True)
    python = folder / "bin/python"
    asked = [python, "-c", "import sysconfig; print(sysconfig.get_path('purelib'))"]
    own = subprocess.run(asked, capture_output=True, encoding="utf-8", check=True).stdout.strip()
    Path(own, "others.pth").write_text(sysconfig.get_path("purelib"), encoding="utf-8")
    return python, own
