"""How long a class takes to mark: python benchmarks/coursework.py

The submissions are those of the tests, honest, awkward and hostile, as often as a class might
hold them: mostly honest, a few endless loops. What is measured is the command as it is used.
"""

import argparse
import itertools
import os
import resource
import secrets
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).parents[1]
SUBMISSIONS = ROOT / "tests" / "coursework" / "submissions"
HONEST = ("alice", "bob", "e_delcell", "e_nometa", "e_pip", "e_renamed", "dave_noanswer")
# Of every 100: what costs time, memory or the process, and what cannot be read.
ODD = (
    ("carol_loop", 2),
    ("carol_hardloop", 1),
    ("m_mem", 1),
    ("m_exit", 1),
    ("m_fork", 1),
    ("e_syntax", 2),
    ("e_corrupt", 2),
)


def names(students: int) -> list[str]:
    odd = [name for name, share in ODD for _ in range(share * students // 100)]
    return odd + list(itertools.islice(itertools.cycle(HONEST), students - len(odd)))


def command(*words: str) -> None:
    environment = os.environ | {
        "PYTHONPATH": str(ROOT),
        "OMP_NUM_THREADS": "1",
        "COURSEWORK_SEED": secrets.token_hex(),
    }
    subprocess.run(
        [sys.executable, "-m", "coursework", *words], cwd=ROOT, env=environment, check=True
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--students", type=int, default=200)
    parser.add_argument("--processes", type=int, default=2)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        source, course = Path(folder) / "handed in", str(Path(folder) / "course")
        source.mkdir()
        for number, name in enumerate(names(arguments.students)):
            shutil.copy(SUBMISSIONS / f"{name}.json", source / f"s{number:04d}.ipynb")
        command("collect", "a1_scores", str(source), "--course", course)
        started = time.monotonic()
        command("mark", "a1_scores", "--course", course, "--processes", str(arguments.processes))
        seconds = time.monotonic() - started
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    print(
        f"{arguments.students} submissions, {arguments.processes} processes: "
        f"{seconds:.0f} s by the clock, load {os.getloadavg()[1]:.1f}; the commands themselves "
        f"{used.ru_utime + used.ru_stime:.0f} s of processor time"
    )


if __name__ == "__main__":
    main()
