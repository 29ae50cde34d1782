"""The notebooks with the versions that Colab has: each runs to its end, and its sliders move."""

import json
import os
import re
import subprocess
import sys
from collections import defaultdict
from configparser import ConfigParser

import pytest
from book_files import (
    LONGEST_FIRST,
    NOTEBOOKS,
    ROOT,
    cells,
    environment,
    in_turns,
    name,
    texts,
)
from jupyter_client import KernelManager
from jupyter_client.kernelspec import KernelSpecManager
from pack import build_wheel

from tests.extent import PATIENCE, WEEKLY
from tests.nbval_outputs import MEASURED

VERSIONS = ROOT / ".github/colab.txt"
# The edition that is not run in JupyterLab.
RUN = [path for path in LONGEST_FIRST if WEEKLY or path in in_turns(1)]


def install(folder):
    """Make a kernel with Colab's versions, and the library installed from a wheel."""
    # What Colab's list does not name, PyTorch first of all, is this environment's.
    python, _ = environment(folder / "venv")
    for wanted in (["--no-deps", build_wheel(folder)], ["-r", VERSIONS]):
        command = [sys.executable, "-m", "pip", "--python", python, "install", *wanted]
        installed = subprocess.run(command, capture_output=True, encoding="utf-8")
        assert installed.returncode == 0, installed.stdout + installed.stderr
    kernel = folder / "kernels/colab/kernel.json"
    kernel.parent.mkdir(parents=True)
    command = [str(python), "-m", "ipykernel_launcher", "-f", "{connection_file}"]
    kernel.write_text(
        json.dumps({"argv": command, "display_name": "Colab", "language": "python"}), "utf-8"
    )
    return str(kernel.parents[1])


@pytest.fixture(scope="module")
def colab(once, tmp_path_factory):
    """Where Jupyter finds that kernel."""
    kernels = once("colab", lambda: install(tmp_path_factory.mktemp("colab")))
    return KernelSpecManager(kernel_dirs=[kernels], ensure_native_kernel=False)


class Notebook:
    """A notebook in use: cells are run, and widgets moved, by the messages that Colab sends."""

    def __init__(self, kernels, folder):
        self.manager = KernelManager(kernel_name="colab", kernel_spec_manager=kernels)
        # Nothing but what is installed: the library is that of the wheel.
        self.manager.start_kernel(cwd=str(folder), env=os.environ | {"PYTHONPATH": ""})
        self.client = self.manager.client()
        self.client.start_channels()
        self.client.wait_for_ready(timeout=PATIENCE)
        self.widgets = defaultdict(dict)  # the state of each, by its identity

    def close(self):
        self.client.stop_channels()
        self.manager.shutdown_kernel(now=True)

    def run(self, source):
        """What a cell prints and displays, in words."""
        return self._listen(self.client.execute(source))

    def move(self, slider, position):
        """Move a slider, as its handle does, and listen to what follows."""
        data = {"method": "update", "state": {"index": position}, "buffer_paths": []}
        message = self.client.session.msg("comm_msg", {"comm_id": slider, "data": data})
        self.client.shell_channel.send(message)
        said = self._listen(message["header"]["msg_id"])
        self.widgets[slider]["index"] = position
        return said

    def of_kind(self, kind):
        return [each for each, state in self.widgets.items() if state.get("_model_name") == kind]

    def _listen(self, request):
        """Follow the kernel until it has done what was asked for."""
        said = []
        while True:
            message = self.client.get_iopub_msg(timeout=PATIENCE)
            kind, content = message["msg_type"], message["content"]
            if kind in ("comm_open", "comm_msg"):
                self._follow(content, message["buffers"])
            elif message["parent_header"].get("msg_id") != request:
                continue
            elif kind == "error":
                raise AssertionError("\n".join(content["traceback"]))
            elif kind in ("stream", "display_data", "execute_result"):
                said.append(texts(content))
            elif kind == "status" and content["execution_state"] == "idle":
                return "".join(said)

    def _follow(self, content, buffers):
        state = self.widgets[content["comm_id"]]
        state.update(content["data"].get("state", {}))
        for place, buffer in zip(content["data"].get("buffer_paths", ()), buffers, strict=True):
            state[place[0]] = bytes(buffer)


@pytest.fixture
def notebook(colab, tmp_path):
    opened = Notebook(colab, tmp_path)  # in an empty folder
    yield opened
    opened.close()


def test_versions_are_those_of_colab(notebook):
    """And the library is that of the wheel, not of this repository."""
    asked = [line for line in VERSIONS.read_text("utf-8").split() if "==" in line]
    packages = [line.split("==")[0] for line in asked]
    found = notebook.run(
        "import importlib.metadata, attention_lib, torch\n"
        f"for package in {packages}:\n"
        "    print(f'{package}=={importlib.metadata.version(package)}')\n"
        "print(attention_lib.__file__)"
    ).split()
    assert found[:-1] == asked and len(asked) >= 6
    assert "site-packages" in found[-1]


def test_every_section_is_run():
    """Whatever is left out of one edition is there in the other, and weekly nothing is."""
    assert {path.name for path in RUN} == {path.name for path in NOTEBOOKS}
    assert len(RUN) == len(NOTEBOOKS) if WEEKLY else len({path.parent for path in RUN}) == 2


@pytest.mark.parametrize("path", RUN, ids=name)
def test_notebook_runs_and_sliders_move(notebook, path):
    """The words are those that are stored; each slider brings other pictures at both its ends."""
    moved = 0
    for cell in cells(path, "code"):
        before = set(notebook.widgets)
        said = notebook.run(cell["source"])
        if "nbval-ignore-output" not in cell["metadata"].get("tags", ()):
            stored = "".join(map(texts, cell["outputs"]))
            assert masked(said) == masked(stored), cell["source"]
        for slider in set(notebook.of_kind("SelectionSliderModel")) - before:
            moved += 1
            (picture,) = set(notebook.of_kind("ImageModel")) - before
            move_to_both_ends(notebook, slider, picture)
    explored = sum(cell["source"].count("\nexplore(") for cell in cells(path, "code"))
    assert moved >= explored > 0


def masked(text):
    """As nbval compares it: what was measured differs from processor to processor."""
    rule = ConfigParser()
    rule.read(MEASURED, encoding="utf-8")
    return re.sub(rule["measured"]["regex"], rule["measured"]["replace"], text)


def move_to_both_ends(notebook, slider, picture):
    start = notebook.widgets[slider]["index"]
    last = len(notebook.widgets[slider]["_options_labels"]) - 1
    for position in (last, 0) if start < last else (0, last):
        shown = notebook.widgets[picture]["value"]
        assert notebook.move(slider, position) == ""
        assert notebook.widgets[picture]["value"] != shown, f"{slider} moves nothing"
    if start != 0:
        notebook.move(slider, start)
