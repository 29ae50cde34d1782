"""Plant each fault of faults.toml in a copy, and see the test that turns red: planted_faults.py.

Any words after it choose the faults whose file or test has one of them in its name. The exit
status is 1 where a fault is not noticed, its old text is gone, or its test fails without it.
"""

import os
import shutil
import subprocess
import sys
import tempfile
from functools import cache
from pathlib import Path
from typing import NamedTuple

import tomllib

ROOT = Path(__file__).parents[1]


class Fault(NamedTuple):
    file: str
    old: str
    new: str
    tests: str
    named: str


LIST = tomllib.loads((ROOT / "tests/faults.toml").read_text(encoding="utf-8"))
FAULTS = [Fault(**fault) for fault in LIST["fault"]]


def found(pattern):
    """The one file that a pattern fits, from the root of the repository."""
    (path,) = (path for path in ROOT.glob(pattern) if "_build" not in path.parts)
    return path.relative_to(ROOT)


def copy(target):
    """Copy the files of the repository, and those that are about to be added to it."""
    command = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    listed = subprocess.run(command, cwd=ROOT, capture_output=True, check=True).stdout
    for name in filter(None, map(os.fsdecode, listed.split(b"\0"))):
        if (ROOT / name).is_file():
            (target / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / name, target / name)
    subprocess.run(["git", "init", "--quiet"], cwd=target, check=True)  # some tests list its files


def check(root, tests, named):
    """Pytest's status: 0 where all is well, 1 where a test fails, more where it cannot run."""
    command = [sys.executable, "-m", "pytest", "-q", "-x", "-p", "no:cacheprovider", "-k", named]
    return subprocess.run(
        [*command, found(tests)],
        cwd=root,
        capture_output=True,
        env=os.environ | {"PYTHONPATH": str(root)},
    ).returncode


def plant(root, fault):
    """What became of a fault, in a word or two."""
    path = root / found(fault.file)
    text = path.read_text(encoding="utf-8")
    if text.count(fault.old) != 1:
        return "its old text is gone"
    if sound(root, fault.tests, fault.named):
        return "its test fails without it"
    path.write_text(text.replace(fault.old, fault.new), encoding="utf-8")
    try:
        status = check(root, fault.tests, fault.named)
    finally:
        path.write_text(text, encoding="utf-8")
    return {0: "NOT NOTICED", 1: "noticed"}.get(status, f"pytest could not run ({status})")


sound = cache(check)


def main(words):
    chosen = [
        fault
        for fault in FAULTS
        if not words or any(word in f"{fault.file} {fault.tests}" for word in words)
    ]
    missed = 0
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder).resolve()
        copy(root)
        for fault in chosen:
            said = plant(root, fault)
            missed += said != "noticed"
            print(
                f"{said:<12}  {found(fault.file)}: {fault.old.strip()[:40]!r}  {fault.named}",
                flush=True,
            )
    print(f"{len(chosen) - missed} of {len(chosen)} faults noticed.")
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
