"""Running a test's program as root and as an ordinary user, who meet different walls."""

import functools
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]
NOBODY = 65534
USERS = ("root", "ordinary")


def run_as(user: str, code: str, environment: dict[str, str]) -> str:
    """What a program in Python prints. Skips the test where this user cannot be had."""
    prefix = _prefix(user)
    if prefix is None:
        pytest.skip(f"these tests run as uid {os.geteuid()}, which cannot become {user}")
    variables = {"PYTHONPATH": str(ROOT), "OMP_NUM_THREADS": "1"} | environment
    result = subprocess.run(
        [*prefix, sys.executable, "-c", code],
        env={"PATH": os.environ["PATH"]} | variables,
        cwd="/",
        capture_output=True,
        text=True,
        check=False,
    )
    assert result.returncode == 0, result.stderr
    return result.stdout


@functools.cache
def _prefix(user: str) -> list[str] | None:
    """What to put before a command, so that this user runs it; None if that is not possible."""
    if user == "root":
        sudo = ["sudo", "--non-interactive", "--preserve-env"]
        return [] if os.geteuid() == 0 else sudo if _works([*sudo, "true"]) else None
    if os.geteuid() != 0:
        return []
    # Folders that only root may enter are replaced by open ones, with what is needed in them.
    needed = {Path(sys.prefix), Path(os.path.realpath(sys.base_prefix)), ROOT}
    closed = {
        next((p for p in _ancestors(path) if not p.stat().st_mode & 1), None): path
        for path in needed
    }
    opened = ["bwrap", "--dev-bind", "/", "/", "--cap-add", "ALL"]
    for folder, path in closed.items():
        if folder:
            between = [p for p in _ancestors(path.parent) if p.is_relative_to(folder)][1:]
            opened += ["--tmpfs", str(folder)]
            opened += [word for p in between for word in ("--perms", "0755", "--dir", str(p))]
            opened += ["--ro-bind", str(path), str(path)]
    ids = ["--reuid", str(NOBODY), "--regid", str(NOBODY), "--clear-groups"]
    prefix = [*opened, shutil.which("setpriv") or "setpriv", *ids]
    return prefix if _works([*prefix, sys.executable, "-c", "pass"]) else None


def _ancestors(path: Path) -> list[Path]:
    return [*reversed(path.parents), path]


def _works(command: list[str]) -> bool:
    try:
        return subprocess.run(command, capture_output=True, check=False).returncode == 0
    except FileNotFoundError:
        return False
