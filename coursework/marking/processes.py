"""Processes that fail alone: one that crashes costs its own task, and none outlives its parent."""

import multiprocessing
import os
import queue
import re
import signal
import threading
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from multiprocessing.connection import wait
from pathlib import Path

MEMORY = Path("/proc/meminfo")


def most_at_once(of_each: int = 3 * 2**30) -> int:
    """How many may run side by side: one a core, and all together within the memory there is.

    Args:
        of_each: bytes that one may take: the limit of the sandbox, and what it starts with.
    """
    memory = MEMORY.read_text() if MEMORY.exists() else ""
    available = re.search(r"^MemAvailable: *(\d+) kB", memory, re.MULTILINE)
    cores = len(os.sched_getaffinity(0))
    return max(1, min(cores, int(available[1]) * 1024 // of_each)) if available else cores


class LonelyProcesses:
    """So many processes, each a pool of one. A pool of many would break as a whole."""

    def __init__(self, count: int):
        # Neither a copy of this process, with its threads and locks in whatever state they are,
        # nor a new Python for each, which would load PyTorch every time.
        self._context = multiprocessing.get_context("forkserver")
        self._context.set_forkserver_preload(["coursework.marking.marker"])
        self._idle: queue.SimpleQueue[ProcessPoolExecutor] = queue.SimpleQueue()
        for _ in range(count):
            self._idle.put(self._new())

    def run(self, function: Callable, *arguments):
        """Call a function in a process that is idle. Waits if none is.

        Raises:
            ChildProcessError: the process ended before the function did.
            Exception: whatever the function raises.
        """
        process = self._idle.get()
        try:
            return process.submit(function, *arguments).result()
        except BrokenProcessPool:
            process.shutdown()
            process = self._new()
            raise ChildProcessError("the process ended (killed, or out of memory?)") from None
        finally:
            self._idle.put(process)

    def end(self) -> None:
        """End all processes, whatever they are doing."""
        for child in multiprocessing.active_children():
            child.kill()

    def __enter__(self) -> "LonelyProcesses":
        return self

    def __exit__(self, *_) -> None:
        while not self._idle.empty():
            self._idle.get().shutdown()

    def _new(self) -> ProcessPoolExecutor:
        return ProcessPoolExecutor(1, self._context, initializer=_start)


def _start() -> None:
    # Ctrl-C reaches every process of the terminal; the parent decides what becomes of them.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    wait([multiprocessing.parent_process().sentinel])
    os._exit(1)  # the sandbox that it holds ends with it
