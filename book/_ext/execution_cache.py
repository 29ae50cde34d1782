"""Keep notebook outputs only as long as what they were computed with stays the same.

jupyter-cache recognises a notebook by its code cells. A change in the library that the cells
import, or in a pinned version, must execute it again as well: outputs are therefore kept in a
folder that is named after both.
"""

import hashlib
import os
import shutil
from pathlib import Path

ROOT = Path(__file__).parents[2]


def key():
    files = [*sorted(ROOT.glob("attention_lib/**/*.py")), ROOT / "requirements.txt"]
    # The names, too, so that moving a line from one file to the next is a change.
    contents = [f"{path.relative_to(ROOT)}\n".encode() + path.read_bytes() for path in files]
    return hashlib.sha256(b"\0".join(contents)).hexdigest()[:16]


def choose_folder(app, config):
    folders = Path(app.outdir).parent / "executed"
    folder = folders / key()
    for outdated in folders.glob("*"):
        if outdated != folder:
            shutil.rmtree(outdated)
    # Sphinx reads every page again when this value changes, so a kept page cannot be stale.
    config.nb_execution_cache_path = str(folder)
    # The kernels must import the library that the key was made of, not one installed elsewhere.
    os.environ["PYTHONPATH"] = os.pathsep.join(
        filter(None, [str(ROOT), os.environ.get("PYTHONPATH")])
    )


def setup(app):
    app.connect("config-inited", choose_folder)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
