"""The walls around a student's code are bubblewrap's (``bwrap``).

Name spaces of its own, an empty ``/tmp`` of limited size, everything else read-only and only what
Python needs. A filter of system calls denies what no answer needs. Nothing of the environment
enters: bubblewrap itself is started without it.
"""

import functools
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from coursework.sandbox.installed import hidden_folders
from coursework.sandbox.system_calls import refuse_what_no_answer_needs

ROOT = Path(__file__).parents[2]
ENVIRONMENT = {
    "PATH": "/usr/bin:/bin",
    "HOME": "/tmp",
    "LANG": "C.UTF-8",
    "OMP_NUM_THREADS": "1",
    "PYTHONDONTWRITEBYTECODE": "1",
    "PYTHONSAFEPATH": "1",
}


@contextmanager
def behind_walls(
    command: list[str], files: Mapping[str, Path], scratch: int
) -> Iterator[tuple[list[str], dict]]:
    """A command with the walls around it, and the keywords with which it is started.

    Args:
        command: a program that is there inside, too, such as Python's.
        files: of the course, by their paths inside.
        scratch: how many bytes there are in ``/tmp``.
    """
    with tempfile.TemporaryFile() as file:
        file.write(refuse_what_no_answer_needs())
        file.seek(0)
        # If memory runs out after all, the kernel ends this process before any other.
        first_to_end = [shutil.which("choom"), "-n", "1000", "--"]
        walls = [*first_to_end, *_walls(files, scratch), "--seccomp", str(file.fileno())]
        # What bubblewrap were given could be read inside, from its own process.
        yield walls + _nobody() + command, {"env": ENVIRONMENT, "pass_fds": [file.fileno()]}


def _walls(files: Mapping[str, Path], scratch: int) -> list[str]:
    walls = [shutil.which("bwrap"), *"--die-with-parent --new-session --clearenv".split()]
    walls += "--unshare-ipc --unshare-pid --unshare-net --unshare-uts --unshare-cgroup-try".split()
    walls += ["--cap-drop", "ALL", *_user_name_space()]
    for name, value in (ENVIRONMENT | {"PYTHONPATH": "/checker"}).items():
        walls += ["--setenv", name, value]
    walls += ["--size", str(scratch), "--perms", "1777", "--tmpfs", "/tmp"]
    walls += ["--proc", "/proc", "--dev", "/dev"]
    for path in shown():
        walls += [*_open_parents(path), "--ro-bind-try", path, path]
    for folder in hidden_folders(shown(), ROOT):
        walls += ["--tmpfs", folder, "--remount-ro", folder]
    for inside, file in files.items():
        walls += [*_open_parents(inside), "--ro-bind", str(file), inside]
    # The root and /dev are file systems in memory: left writable, they could be filled.
    return [*walls, "--remount-ro", "/dev", "--remount-ro", "/", "--chdir", "/tmp"]


def shown() -> list[str]:
    """What of this machine is there inside: the system's libraries, and Python's."""
    system = ["/usr", "/lib", "/lib64", "/bin", "/etc/alternatives", "/etc/ld.so.cache"]
    python = {os.path.realpath(sys.base_prefix), os.path.abspath(sys.prefix)}
    return system + sorted(folder for folder in python if not f"{folder}/".startswith("/usr/"))


def _open_parents(path: str) -> list[str]:
    """Folders around a path that everybody may enter; bubblewrap's own are for their owner."""
    return [
        word
        for folder in [*reversed(Path(path).parents)][1:]
        for word in ("--perms", "0755", "--dir", str(folder))
    ]


def _user_name_space() -> list[str]:
    """How bubblewrap gives up all rights. Root does it by becoming somebody else, see below."""
    if os.geteuid() == 0:
        return "--cap-add CAP_SETUID --cap-add CAP_SETGID".split()
    walls = ["--unshare-user", "--uid", "65534", "--gid", "65534"]
    return [*walls, "--disable-userns"] if _can_disable_user_name_spaces() else walls


@functools.cache
def _can_disable_user_name_spaces() -> bool:
    """Since bubblewrap 0.8. The filter of system calls denies them with any version."""
    told = subprocess.run(["bwrap", "--help"], capture_output=True, text=True, check=False)
    return "--disable-userns" in told.stdout + told.stderr


def _nobody() -> list[str]:
    """What makes a process that root started one of a user who owns nothing.

    A name space would not do: outside of it the user would still be root, whose files it could
    read and whose threads the kernel does not limit. The numbers are those that systemd keeps for
    users who exist for a while only, one for each process, so that each has a limit of its own.
    """
    if os.geteuid() != 0:
        return []
    user = 61184 + os.getpid() % 4096
    ids = f"--reuid {user} --regid {user} --clear-groups --inh-caps=-all"
    return [shutil.which("setpriv"), *ids.split()]
