"""A control group for one submission, where the machine lets us make one.

A limit that a process has of itself holds for that process alone. In a control group the kernel
counts the memory and the tasks of all that belongs to a submission, and ends it by itself when
there is too much: nobody else on the machine is short of anything. Root may make one; so may an
ordinary user in a session of systemd's. Elsewhere the limits of the process have to do.

Source: the kernel's documentation, "Control Group v2" and "Memory Resource Controller" (v1).
"""

import itertools
import os
import time
from contextlib import suppress
from pathlib import Path

ROOT = Path("/sys/fs/cgroup")
OWN = Path("/proc/self/cgroup")
_serial = itertools.count()


class ControlGroup:
    """A group that nobody is in yet; ``close`` takes it away.

    Args:
        memory: bytes for all processes together, files in memory included.
        tasks: how many processes and threads there may be.
    """

    def __init__(self, memory: int, tasks: int):
        self.folders: list[Path] = []
        name = f"coursework-{os.getpid()}-{next(_serial)}"
        for parents in _places(memory, tasks):
            try:
                for parent, limits in parents.items():
                    folder = parent / name
                    folder.mkdir()
                    self.folders.append(folder)
                    for file, most in limits.items():
                        (folder / file).write_text(str(most))
                return
            except OSError:  # not ours to make, or without these limits
                self.close()

    def __bool__(self) -> bool:
        return bool(self.folders)

    def entering(self, command: list[str]) -> list[str]:
        """The command, begun by a shell that first enters the group.

        Some machines let a group be made and nobody in; then the other limits have to do.
        """
        enter = 'until [ "$1" = -- ]; do echo $$ > "$1"; shift; done 2>/dev/null; shift; exec "$@"'
        files = [str(folder / "cgroup.procs") for folder in self.folders]
        return ["/bin/sh", "-c", enter, "sh", *files, "--", *command] if self.folders else command

    def close(self) -> None:
        """Take the group away. What was in it has been ended, and may need a moment to go."""
        for folder in self.folders:
            for _ in range(100):
                with suppress(OSError):
                    folder.rmdir()
                    break
                time.sleep(0.01)
        self.folders = []


def _places(memory: int, tasks: int) -> list[dict[Path, dict[str, int]]]:
    """Where to make a group, best first: for each, its folders' parents, and the limits there."""
    own = {}  # of each controller, the group that this process is in; "" is version 2
    with suppress(OSError):
        for line in OWN.read_text().split():
            _, controllers, group = line.split(":", 2)
            own |= dict.fromkeys(controllers.split(","), group.lstrip("/"))
    places = []
    if (ROOT / "cgroup.controllers").exists():
        limits = {"memory.max": memory, "memory.swap.max": 0, "pids.max": tasks}
        # A group that holds processes, such as our own, can have no limited groups below it.
        beside = (ROOT / own.get("", "")).parent if own.get("") else ROOT
        places += [{parent: limits} for parent in dict.fromkeys((beside, ROOT))]
    if {"memory", "pids"} <= own.keys():
        places.append(
            {
                ROOT / "memory" / own["memory"]: {"memory.limit_in_bytes": memory},
                ROOT / "pids" / own["pids"]: {"pids.max": tasks},
            }
        )
    return places
