"""A plugin for nbval: gives what a notebook displays to others, or takes it from an earlier run.

nbval compares what the cells display with what is stored in the notebook, and forgets it. With
this plugin the same run serves the site: ``executed`` is the notebook with what it displayed, once
every cell has run without an error. Given a notebook that was executed before, nbval compares its
outputs in the same way, and no kernel is started.
"""

import copy
import itertools
import time
from pathlib import Path

import pytest

from tests.extent import PATIENCE

# What a cell measured differs from processor to processor; it stands behind ≈.
MEASURED = Path(__file__).with_name("measured.cfg")
MASK = f"--nbval-sanitize-with={MEASURED}"


class Outputs:
    """One notebook under nbval.

    Args:
        frames: where to write what the sliders show (see slider_frames.py).
        kept: the same notebook, executed before; None runs it.
    """

    def __init__(self, frames, kept=None):
        self.frames, self.kept = frames, kept
        self.displayed = []
        self.executed = None
        self.seconds = 0.0

    def pytest_collection_modifyitems(self, items):
        (file,) = {item.parent for item in items}
        # The site's player, which no notebook stores (see test_files.py); its text is compared.
        file.skip_compare += ("text/html",)
        for item in items:
            item.output_timeout = PATIENCE
        start = file.setup
        if self.kept:
            file.setup = lambda: setattr(file, "kernel", KeptKernel(self.kept))
        else:
            file.setup = lambda: self.begin(file, start)

    def begin(self, file, start):
        start()
        run(file.kernel, "__import__('slider_frames').keep()")
        self.began = time.monotonic()

    @pytest.hookimpl(tryfirst=True)  # before the kernel is stopped
    def pytest_runtest_teardown(self, item, nextitem):
        self.displayed.append(item.test_outputs)
        if nextitem is None and not self.kept:
            self.seconds = time.monotonic() - self.began
            executed = with_outputs(item.parent.nb, self.displayed)
            if executed:
                run(item.parent.kernel, f"__import__('slider_frames').write({str(self.frames)!r})")
            self.executed = executed


def with_outputs(notebook, displayed):
    """The notebook with what its code cells displayed; None where a cell failed or did not run."""
    executed = copy.deepcopy(notebook)
    code = [cell for cell in executed.cells if cell.cell_type == "code"]
    for number, (cell, outputs) in enumerate(zip(code, displayed, strict=True), start=1):
        if outputs is None or any(output.output_type == "error" for output in outputs):
            return None
        cell.execution_count, cell.outputs = number, copy.deepcopy(outputs)
        for output in cell.outputs:
            if output.output_type == "execute_result":
                output.execution_count = number
    return executed


def run(kernel, source):
    """Run a line that is none of the notebook's."""
    request = kernel.execute_cell_input(source, allow_stdin=False)
    kernel.await_reply(request, timeout=PATIENCE)
    while True:
        message = kernel.get_message("iopub", timeout=PATIENCE)
        if message["parent_header"].get("msg_id") == request:
            assert message["msg_type"] != "error", "\n".join(message["content"]["traceback"])
            if message["content"].get("execution_state") == "idle":
                return


class KeptKernel:
    """Answers nbval as the kernel did that executed the notebook, cell after cell."""

    def __init__(self, executed):
        self.cells = iter([cell for cell in executed.cells if cell.cell_type == "code"])
        self.requests = itertools.count()
        self.messages = iter(())

    def is_alive(self):
        return True

    def execute_cell_input(self, source, allow_stdin=None):
        cell, request = next(self.cells), next(self.requests)
        assert cell.source == source
        idle = {"output_type": "status", "execution_state": "idle"}
        self.messages = iter(
            {
                "msg_type": output["output_type"],
                "content": copy.deepcopy(output),
                "parent_header": {"msg_id": request},
            }
            for output in [*cell.outputs, idle]
        )
        return request

    def await_reply(self, request, timeout=None):
        pass

    def await_idle(self, request, timeout):
        pass

    def get_message(self, stream, timeout=None):
        return next(self.messages)

    def stop(self):
        pass
