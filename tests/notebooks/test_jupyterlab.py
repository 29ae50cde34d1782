"""The notebooks in JupyterLab, in a real browser: there the sliders compute live.

Weekly each section is run in one of the editions, which have the same code (see test_pairs.py);
on each change one notebook of either edition.
"""

import json
import os
import re
import subprocess
import sys
import time
import urllib.request
from pathlib import Path
from typing import NamedTuple

import nbformat
import pytest
from book_files import in_turns, name, read

from attention_lib.figures.roles import ROLES, ROLES_ON_DARK
from tests.extent import WEEKLY


class JupyterLab(NamedTuple):
    """A running JupyterLab with settings of its own: its address, and the folder that it serves."""

    address: str
    folder: Path


@pytest.fixture(scope="module")
def jupyterlab(tmp_path_factory):
    """One JupyterLab for all notebooks."""
    folder, own_folder = tmp_path_factory.mktemp("notebooks"), tmp_path_factory.mktemp("jupyter")
    own = {f"JUPYTER_{kind}_DIR": str(own_folder / kind) for kind in ("CONFIG", "DATA", "RUNTIME")}
    own["JUPYTERLAB_SETTINGS_DIR"] = str(own_folder / "settings")
    own["JUPYTERLAB_WORKSPACES_DIR"] = str(own_folder / "workspaces")
    # Otherwise cells outside the window are not in the page, and their pictures are not found.
    settings = own_folder / "settings/@jupyterlab/notebook-extension/tracker.jupyterlab-settings"
    settings.parent.mkdir(parents=True)
    settings.write_text('{"windowingMode": "none"}')
    command = [sys.executable, "-m", "jupyterlab", "--no-browser", "--allow-root"]
    command += ["--IdentityProvider.token=", "--ServerApp.port=0", "--LabApp.news_url="]
    with (own_folder / "log").open("w") as log:
        server = subprocess.Popen(
            command, cwd=folder, env=os.environ | own, stdout=log, stderr=subprocess.STDOUT
        )
    while not (address := answering(own_folder / "RUNTIME")):
        assert server.poll() is None, (own_folder / "log").read_text()
        time.sleep(0.5)
    yield JupyterLab(address, folder)
    server.terminate()
    server.wait()


def answering(folder):
    """The address that a server writes into its folder, once it answers there; else nothing."""
    try:
        (file,) = folder.glob("jpserver-*.json")
        address = json.loads(file.read_text())["url"].rstrip("/")
        urllib.request.urlopen(f"{address}/api").close()
    except (OSError, ValueError):  # no file yet, or not the whole of it, or no answer
        return ""
    return address


# The rest of a notebook runs in Colab's kernel; here it is JupyterLab that is tried.
RUN = in_turns(0) if WEEKLY else in_turns(0)[1:3]

# The bytes of the picture: its address is another one each time, whatever it shows.
BYTES = """async (image) => {
  const bytes = new Uint8Array(await (await fetch(image.src)).arrayBuffer());
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}"""


@pytest.mark.parametrize("path", RUN, ids=name)
def test_slider_computes_live(jupyterlab, browser, path):
    """Run up to the first slider; each of its ends has its own picture, the same each time."""
    notebook = nbformat.read(path, as_version=4)
    first = next(
        number
        for number, cell in enumerate(read(path)["cells"])
        if re.search(r"^explore\(", cell["source"], re.M)
    )
    notebook.cells = notebook.cells[: first + 1]
    file = name(path).replace("/", "_")
    nbformat.write(notebook, jupyterlab.folder / file)

    with browser.new_context(viewport={"width": 1280, "height": 1000}) as context:
        page = context.new_page()
        # A workspace of its own: in a shared one, JupyterLab opens the notebooks of before again.
        page.goto(f"{jupyterlab.address}/lab/workspaces/{path.parent.name}-{path.stem}/tree/{file}")
        # Cells run before there is a kernel would be dropped.
        page.get_by_text("Python 3 (ipykernel) | Idle").wait_for()
        page.locator(".jp-Notebook .jp-Cell").first.click()
        page.get_by_role("menuitem", name="Run", exact=True).click()
        page.get_by_text("Run All Cells", exact=True).click()
        picture = page.locator(".jp-OutputArea .widget-image")
        picture.wait_for()
        assert picture.count() == 1, "one picture, and not a second one from the cell itself"
        shown = [picture.evaluate(BYTES)]
        handle = page.locator(".jp-OutputArea .noUi-handle").first
        handle.focus()
        at_end = handle.get_attribute("aria-valuenow") == handle.get_attribute("aria-valuemax")
        for key in ("Home", "End", "Home") if at_end else ("End", "Home", "End"):
            before = picture.get_attribute("src")
            handle.press(key)
            page.wait_for_function(
                "before => document.querySelector('.jp-OutputArea .widget-image').src !== before",
                arg=before,
            )
            shown.append(picture.evaluate(BYTES))
        start, one_end, other_end, again = shown
        assert one_end not in (start, other_end)
        assert again == one_end
        assert picture.count() == 1
        stored = [
            out for cell in read(path)["cells"][: first + 1] for out in cell.get("outputs", [])
        ]
        check_diagrams(page, sum("image/svg+xml" in out.get("data", {}) for out in stored))


def check_diagrams(page, count):
    """Each is drawn, in the colours of JupyterLab's theme: the attribute is how it is chosen."""
    shown = page.locator(".jp-OutputArea .diagram svg.wide:visible")
    assert shown.count() == count
    if count:
        for light, roles in (("true", ROLES), ("false", ROLES_ON_DARK)):
            page.evaluate("light => { document.body.dataset.jpThemeLight = light }", light)
            name = shown.locator(".query.name text").first
            assert name.evaluate("text => getComputedStyle(text).fill") == rgb(roles["query"])


def rgb(colour):
    """As a browser says a colour: #0072B2 is rgb(0, 114, 178)."""
    return f"rgb({', '.join(str(int(colour[i : i + 2], 16)) for i in (1, 3, 5))})"
