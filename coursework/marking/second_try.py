"""Whether a submission is marked once more, alone: what others did at the same time may be why.

A submission that was slow or died may only have lacked the processor or the memory that another
one took. On its own it gets what it deserves, and the instructor is told what ran beside it.
"""

import threading
from collections.abc import Iterator
from contextlib import contextmanager


class Company:
    """Who ran beside whom, at some time during the last block of each."""

    def __init__(self):
        self.beside: dict[str, set[str]] = {}
        self._running: set[str] = set()
        self._lock = threading.Lock()

    @contextmanager
    def of(self, name: str) -> Iterator[None]:
        with self._lock:
            self.beside[name] = set(self._running)
            for other in self._running:
                self.beside[other].add(name)
            self._running.add(name)
        try:
            yield
        finally:
            with self._lock:
                self._running.remove(name)


def cut_short(record: dict) -> str | None:
    """How a submission ended before its time, such as "died"; None if it did not."""
    reasons = {
        case["reason"][0]
        for question in record.get("questions", ())
        for case in question["cases"]
        if case["reason"]
    }
    if "died" in reasons:
        return "died"
    stopped = any(error == "TooSlow" for _, error, _ in record.get("failed_cells", ()))
    return "was too slow" if stopped or "too-slow" in reasons else None
