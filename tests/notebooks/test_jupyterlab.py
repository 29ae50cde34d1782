"""The notebooks in JupyterLab, in a real browser: there the sliders compute live."""

import os
import re
import socket
import subprocess
import sys
import time
import urllib.request

import nbformat
import pytest
from book_files import NOTEBOOKS, name, read


@pytest.fixture
def jupyterlab(tmp_path):
    """The address of a JupyterLab that serves a folder of its own, with settings of its own."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    own = {f"JUPYTER_{kind}_DIR": str(tmp_path / kind) for kind in ("CONFIG", "DATA", "RUNTIME")}
    own["JUPYTERLAB_SETTINGS_DIR"] = str(tmp_path / "settings")
    # Otherwise cells outside the window are not in the page, and their pictures are not found.
    settings = tmp_path / "settings/@jupyterlab/notebook-extension/tracker.jupyterlab-settings"
    settings.parent.mkdir(parents=True)
    settings.write_text('{"windowingMode": "none"}')
    command = [sys.executable, "-m", "jupyterlab", "--no-browser", "--allow-root"]
    command += ["--IdentityProvider.token=", f"--ServerApp.port={port}", "--LabApp.news_url="]
    with (tmp_path / "log").open("w") as log:
        server = subprocess.Popen(
            command, cwd=tmp_path, env=os.environ | own, stdout=log, stderr=subprocess.STDOUT
        )
    address = f"http://127.0.0.1:{port}"
    for _ in range(120):
        try:
            urllib.request.urlopen(f"{address}/api").close()
            break
        except OSError:
            assert server.poll() is None, (tmp_path / "log").read_text()
            time.sleep(0.5)
    yield address
    server.terminate()
    server.wait(30)


@pytest.mark.parametrize("path", NOTEBOOKS, ids=name)
def test_slider_computes_live(jupyterlab, browser, tmp_path, path):
    """Run up to the first slider; each key pressed at it brings another picture and sentence."""
    notebook = nbformat.read(path, as_version=4)
    first = next(
        number
        for number, cell in enumerate(read(path)["cells"])
        if re.search(r"^explore\(", cell["source"], re.M)
    )
    notebook.cells = notebook.cells[: first + 1]
    nbformat.write(notebook, tmp_path / path.name)

    with browser.new_context(viewport={"width": 1280, "height": 1000}) as context:
        page = context.new_page()
        page.set_default_timeout(180_000)
        page.goto(f"{jupyterlab}/lab/tree/{path.name}")
        # Cells run before there is a kernel would be dropped.
        page.get_by_text("Python 3 (ipykernel) | Idle").wait_for()
        page.locator(".jp-Notebook .jp-Cell").first.click()
        page.get_by_role("menuitem", name="Run", exact=True).click()
        page.get_by_text("Run All Cells", exact=True).click()
        picture = page.locator(".jp-OutputArea .widget-image")
        picture.wait_for()
        assert picture.count() == 1, "one picture, and not a second one from the cell itself"
        seen = {picture.get_attribute("src")}
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
            seen.add(picture.get_attribute("src"))
        assert len(seen) == 4  # each picture is a new object, also one drawn for the second time
        assert picture.count() == 1
