"""Run notebooks and store their outputs in them: python book/store_outputs.py [NOTEBOOK …]

Without arguments, every notebook of both editions. A notebook with a failing cell is reported
and left as it was.
"""

import os
import sys
from pathlib import Path

import nbformat
from nbclient import NotebookClient
from nbclient.exceptions import CellExecutionError

BOOK = Path(__file__).parent


def main(arguments: list[str]) -> int:
    paths = [Path(name) for name in arguments] or sorted(BOOK.glob("[ez][nh]/*.ipynb"))
    # Stored outputs are pictures and text: a stored slider could not find its kernel again,
    # and a bar could not go on.
    os.environ |= {"EXPLORE": "still", "TQDM_DISABLE": "1"}
    failed = False
    for position, path in enumerate(paths, start=1):
        print(f"{position} of {len(paths)}: {path}", flush=True)
        try:
            run(path)
        except (CellExecutionError, OSError, nbformat.reader.NotJSONError) as error:
            print(f"{path} is left as it was:\n{error}", file=sys.stderr)
            failed = True
    return 1 if failed else 0


def run(path: Path) -> None:
    """Execute one notebook in its own folder and write it back with its outputs."""
    notebook = nbformat.read(path, as_version=4)
    client = NotebookClient(
        notebook,
        timeout=600,
        kernel_name="python3",
        record_timing=False,  # times of day would change the file at every run
        coalesce_streams=True,  # so would the pieces in which printed lines happen to arrive
        resources={"metadata": {"path": str(path.parent)}},
    )
    client.execute()
    # The kernel adds its Python version, which is nobody's business.
    notebook.metadata.language_info.pop("version", None)
    nbformat.validate(notebook)
    nbformat.write(notebook, path)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
