"""Run a notebook of the book under nbval, in the site's mode: ``run_notebook.py NOTEBOOK FRAMES``.

What it displays is entered into the cache from which ``book/build.py`` makes the site, so that the
build need not execute the notebook a second time. Where the cache holds a run that passed, of the
same code with the same library and pins, nbval compares what was displayed then.

FRAMES is a new file for what the sliders show. It is there afterwards if every cell ran.
"""

import hashlib
import os
import shutil
import sys
from pathlib import Path

import execution_cache
import nbformat
import pytest
from filelock import FileLock
from jupyter_cache import get_cache
from jupyter_cache.base import CacheBundleIn
from jupyter_cache.cache.main import NbArtifacts

from tests.extent import PATIENCE
from tests.nbval_outputs import MASK, Outputs

ROOT = Path(__file__).parents[1]
DRAWING = hashlib.sha256((ROOT / "tests/slider_frames.py").read_bytes()).hexdigest()


def main(notebook, frames):
    build = ROOT / "_build" / notebook.parent.name
    build.mkdir(parents=True, exist_ok=True)
    # Other processes run the other notebooks of this edition.
    lock = FileLock(build / "executed.lock")
    with lock:
        cache = get_cache(execution_cache.prepare(build / "_build/executed"))
        kept = find(cache, notebook, frames)
    if kept and not run(notebook, Outputs(frames, kept)):
        return 0
    frames.unlink(missing_ok=True)
    outputs = Outputs(frames)
    status = run(notebook, outputs)
    if outputs.executed:
        bundle = CacheBundleIn(
            outputs.executed,
            str(notebook),
            artifacts=NbArtifacts([frames], in_folder=frames.parent),
            # All that ran to its end can be shown; only what passed is compared again.
            data={"execution_seconds": outputs.seconds, "drawing": None if status else DRAWING},
        )
        with lock:
            cache.cache_notebook_bundle(bundle, overwrite=True)
    return status


def find(cache, notebook, frames):
    """The notebook as it was executed when it passed, or None; its frames are then written."""
    try:
        record = cache.match_cache_notebook(nbformat.read(notebook, as_version=4))
    except KeyError:
        return None
    if record.data.get("drawing") != DRAWING:  # executed by a build, or in vain
        return None
    bundle = cache.get_cache_bundle(record.pk)
    shutil.copy(*bundle.artifacts.paths, frames)
    return bundle.nb


def run(notebook, outputs):
    arguments = ["-c", ROOT / "pyproject.toml", "-p", "no:cacheprovider", "-q", MASK]
    arguments += [f"--nbval-cell-timeout={PATIENCE}", f"--nbval-kernel-startup-timeout={PATIENCE}"]
    return pytest.main([*map(str, arguments), str(notebook)], plugins=[outputs])


if __name__ == "__main__":
    os.environ |= {"EXPLORE": "player", "TQDM_DISABLE": "1"}
    sys.exit(main(*(Path(argument).resolve() for argument in sys.argv[1:])))
