"""A book of two pages in a temporary folder, built by this project's own machinery."""

import shutil
import signal
import subprocess
import sys
from pathlib import Path

import nbformat
from book_site import ROOT
from nbformat import v4

OUTLINE = "format: jb-book\nroot: book/zh/index\n"
PRINT_CONSTANT = "import attention_lib\nprint(attention_lib.CONSTANT)"
PYTHON = {
    "kernelspec": {"name": "python3", "display_name": "Python 3"},
    "language_info": {"name": "python", "pygments_lexer": "ipython3"},
}
MACHINERY = (
    "_config.yml",
    "requirements.txt",
    "book/_ext",
    "book/static",
    "attention_lib/figures/player.css",
    "attention_lib/figures/player.js",
)


class SmallBook:
    """``index`` is Markdown, ``page`` a notebook that prints a constant of the library."""

    def __init__(self, root):
        self.root = root
        for name in (*MACHINERY, *(path.relative_to(ROOT) for path in ROOT.glob("book/*.*"))):
            target = root / name
            target.parent.mkdir(parents=True, exist_ok=True)
            copy = shutil.copytree if (ROOT / name).is_dir() else shutil.copy
            copy(ROOT / name, target)
        self.write_outline("page")
        self.write("book/references.bib", "")
        self.write_library("constant one")
        for edition, title in (("zh", "位置编码"), ("en", "Positions")):
            self.write(f"book/{edition}/index.md", f"# {title}\n\n[](page.ipynb)\n")
            self.write_notebook(edition, "Prose one.")

    def write(self, name, text):
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")

    def write_library(self, constant):
        self.write("attention_lib/__init__.py", f"CONSTANT = {constant!r}\n")

    def write_outline(self, *pages):
        chapters = "".join(f"- file: book/zh/{page}\n" for page in pages)
        self.write("_toc.yml", OUTLINE + (chapters and f"chapters:\n{chapters}"))

    def write_notebook(self, edition, prose, code=PRINT_CONSTANT, page="page", **metadata):
        notebook = v4.new_notebook(
            cells=[v4.new_markdown_cell(f"# Page\n\n{prose}"), v4.new_code_cell(code)],
            metadata={**PYTHON, **metadata},
        )
        nbformat.write(notebook, self.root / "book" / edition / f"{page}.ipynb")

    def command(self, *arguments):
        return [sys.executable, str(self.root / "book" / "build.py"), *arguments]

    def build(self, *arguments):
        """Run the build command; the result has ``returncode``, ``stdout`` and ``stderr``."""
        return subprocess.run(self.command(*arguments), capture_output=True, encoding="utf-8")

    def start(self, *arguments):
        """Start the build command, to be followed and interrupted."""
        return subprocess.Popen(
            self.command(*arguments),
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            encoding="utf-8",
            # Ctrl-C reaches it even where the tests run in the background, as a shell's `&` has it.
            preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
        )

    def build_plainly(self):
        """Run Jupyter Book itself in the root folder, as its users know it."""
        command = [Path(sys.executable).with_name("jupyter-book"), "build", self.root]
        return subprocess.run(command, capture_output=True, encoding="utf-8")

    def page(self, edition):
        return (self.root / "_build/site" / edition / "page.html").read_text(encoding="utf-8")
