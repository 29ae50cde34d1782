"""The comparison of notebooks with their stored outputs notices what it is there for."""

import subprocess
import sys

import pytest
from book_files import ROOT
from nbformat import v4, write


@pytest.mark.parametrize("stored", ["2\n", "3\n", None], ids=["right", "corrupted", "missing"])
def test_only_the_right_output_passes(stored, tmp_path):
    """A wrong digit, or an output that is gone, turns nbval red under the project's options."""
    outputs = [v4.new_output("stream", name="stdout", text=stored)] if stored else []
    notebook = v4.new_notebook(
        cells=[v4.new_code_cell("print(1 + 1)", outputs=outputs, execution_count=1)],
        metadata={"kernelspec": {"name": "python3", "display_name": "Python 3"}},
    )
    write(notebook, tmp_path / "page.ipynb")
    command = [sys.executable, "-m", "pytest", "-c", ROOT / "pyproject.toml", "-q", "."]
    run = subprocess.run(command, capture_output=True, encoding="utf-8", cwd=tmp_path)
    assert run.returncode == (stored != "2\n"), run.stdout
    assert ("1 passed" if stored == "2\n" else "1 failed") in run.stdout, run.stdout
