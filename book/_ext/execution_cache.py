"""Keep notebook outputs only as long as what they were computed with stays the same.

jupyter-cache recognises a notebook by its code cells. A change in the library that the cells
import, or in a pinned version, must execute it again as well: outputs are therefore kept in a
folder that is named after both.
"""

import hashlib
import os
import shutil
from pathlib import Path

from jupyter_cache import get_cache
from jupyter_cache.cache.db import NbCacheRecord

ROOT = Path(__file__).parents[2]


def key():
    files = [*sorted(ROOT.glob("attention_lib/**/*.py")), ROOT / "requirements.txt"]
    # The names, too, so that moving a line from one file to the next is a change.
    contents = [f"{path.relative_to(ROOT)}\n".encode() + path.read_bytes() for path in files]
    return hashlib.sha256(b"\0".join(contents)).hexdigest()[:16]


def forget_what_was_cut_short(folder):
    """Drop what a build left half written when it was interrupted, and keep the other outputs."""
    if not (folder / "__version__.txt").exists():  # written when the database has all its tables
        shutil.rmtree(folder, ignore_errors=True)
        return
    cache = get_cache(folder)
    for record in cache.list_cache_records():
        try:
            cache.get_cache_bundle(record.pk)
        except (KeyError, ValueError):  # entered, but its notebook is missing or broken off
            NbCacheRecord.remove_record(record.pk, cache.db)
            shutil.rmtree(folder / "executed" / record.hashkey, ignore_errors=True)


def prepare(folders):
    """Return the folder of the outputs that hold today, and remove those of other days."""
    folder = folders / key()
    for outdated in folders.glob("*"):
        if outdated != folder:
            shutil.rmtree(outdated)
    forget_what_was_cut_short(folder)
    return folder


def choose_folder(app, config):
    # Sphinx reads every page again when this value changes, so a kept page cannot be stale.
    config.nb_execution_cache_path = str(prepare(Path(app.outdir).parent / "executed"))
    # The kernels must import the library that the key was made of, not one installed elsewhere.
    os.environ["PYTHONPATH"] = os.pathsep.join(
        filter(None, [str(ROOT), os.environ.get("PYTHONPATH")])
    )


def setup(app):
    app.connect("config-inited", choose_folder)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
