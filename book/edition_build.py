"""One run of Jupyter Book for one edition, reported for people while it goes."""

import hashlib
import os
import re
import shutil
import subprocess
import sys
import threading
import time
from pathlib import Path

from editions import ROOT

COLOURS = re.compile(r"\x1b\[[0-9;]*m")
NOTEBOOK = re.compile(r"notebook (\d+ of \d+): (\S+)")
EXECUTED = re.compile(r"Executed notebook in ([\d.]+) seconds")
# The frames between the build and the failing cell say nothing about the cell.
FRAMES = re.compile(
    r"^Traceback \(most recent call last\):\n.*?^(?=nbclient\.exceptions)", re.DOTALL | re.MULTILINE
)
# Lines of a notebook are numbered by cell: 110004 is line 4 of its eleventh.
CELL_LINE = re.compile(r"(\.ipynb):(\d+)(\d{4}): ")
# Every kernel announces how it is connected, and complains when it is ended within a cell.
KERNEL = re.compile(
    r"^\[IPKernelApp\].*\n"
    r"(?:(?:Traceback \(|During handling |[ \t]|[\w.]+(?:Error|Exception|Interrupt)\b).*\n|\n)*",
    re.MULTILINE,
)
LINES_SHOWN = 40
ENVIRONMENT = {
    "PYTHONUNBUFFERED": "1",  # progress shows when it is made
    "PYTHONUTF8": "1",
    # The editions run side by side: threads of one would only spin while the other computes.
    "OMP_NUM_THREADS": "1",
}


class EditionBuild:
    def __init__(self, edition, config, toc, folder):
        self.edition = edition
        self.folder = folder
        self.settings = {
            folder / "_config.yml": config,
            folder / "_toc.yml": toc,
            folder / "extensions": digest(ROOT / "book" / "_ext"),
        }
        self.output = folder / "_build"  # Jupyter Book adds a `_build` of its own
        self.log = folder / "build.log"
        self.finished = folder / "finished"
        self.notebook = ""
        self.executed = 0
        self.errors = []
        self.process = None
        self.stopped = False

    def run(self):
        """Build, and return whether that went well."""
        self.prepare()
        start = time.monotonic()
        status = self.run_jupyter_book()
        if self.stopped:
            self.say("stopped")
        elif status:
            self.say(f"FAILED\n\n{self.explain()}\n")
        else:
            self.finished.touch()
            seconds = time.monotonic() - start
            self.say(f"finished in {seconds:.0f} s, notebooks executed: {self.executed}")
        return not status

    def prepare(self):
        self.folder.mkdir(parents=True, exist_ok=True)
        # Sphinx takes the pages of a failed or broken-off build for done and would pass over
        # their faults; pages that left the outline stay in its output; it does not notice changed
        # extensions. In these cases every page is written again, with outputs still kept.
        unchanged = all(
            path.exists() and path.read_text(encoding="utf-8") == text
            for path, text in self.settings.items()
        )
        if not (unchanged and self.finished.exists()):
            for name in (".doctrees", "html", "jupyter_execute"):
                shutil.rmtree(self.output / name, ignore_errors=True)
        self.finished.unlink(missing_ok=True)
        for path, text in self.settings.items():
            path.write_text(text, encoding="utf-8")

    def run_jupyter_book(self):
        command = [Path(sys.executable).with_name("jupyter-book"), "build"]
        command += [ROOT / "book" / self.edition, "--path-output", self.folder]
        command += ["--config", self.folder / "_config.yml", "--toc", self.folder / "_toc.yml"]
        command += ["-W", "-n", "--keep-going"]
        with (
            self.log.open("w", encoding="utf-8") as log,
            subprocess.Popen(
                command,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                encoding="utf-8",
                errors="replace",
                env=ENVIRONMENT | os.environ,
                start_new_session=True,  # Ctrl-C reaches this process alone, which then stops it
            ) as self.process,
        ):
            if self.stopped:  # in the moment in which it began
                self.stop()

            def follow(stream, take):
                for line in stream:
                    line = COLOURS.sub("", line).replace(f"{ROOT}{os.sep}", "")
                    log.write(line)
                    take(line)

            errors = threading.Thread(target=follow, args=(self.process.stderr, self.errors.append))
            errors.start()
            follow(self.process.stdout, self.report)
            errors.join()
        return self.process.returncode

    def stop(self):
        self.stopped = True
        if self.process:
            self.process.terminate()

    def report(self, line):
        if found := NOTEBOOK.match(line):
            self.notebook = f"notebook {found[1]}: {found[2]}"
        elif "Executing notebook using" in line:
            self.executed += 1
            self.say(f"{self.notebook}, executing")
        elif found := EXECUTED.search(line):
            self.say(f"{self.notebook}, executed in {float(found[1]):.1f} s")
        elif "Using cached notebook" in line:
            self.say(f"{self.notebook}, outputs kept")

    def say(self, what):
        print(f"{self.edition}  {what}", flush=True)

    def explain(self):
        text = FRAMES.sub("", KERNEL.sub("", "".join(self.errors)))
        text = CELL_LINE.sub(
            lambda found: f"{found[1]} (cell {found[2]}, line {int(found[3])}): ", text
        )
        # What is left of tracebacks is Jupyter Book's own, after the error proper.
        lines = text.split("\nTraceback (most recent call last):\n")[0].rstrip().splitlines()
        log = self.log.relative_to(ROOT)
        return "\n".join([*lines[-LINES_SHOWN:], "", f"The whole log is in {log}."])


def digest(folder):
    files = sorted(path for path in folder.rglob("*") if path.suffix in (".py", ".html"))
    return hashlib.sha256(b"".join(path.read_bytes() for path in files)).hexdigest()
