"""Submissions that take what all need, and the marking of them within small limits."""

import dataclasses
from functools import cache
from pathlib import Path

from coursework.assignments import a1_scores
from coursework.marking.marker import Marker
from coursework.marking.records import to_record
from coursework.sandbox.walls import Limits

ASSIGNMENT = dataclasses.replace(a1_scores.ASSIGNMENT, questions=(a1_scores.MASKED_SOFTMAX,))
SEED = "a seed for tests"
SMALL = Limits(
    cells_seconds=30,
    cell_seconds=3,
    answer_seconds=3,
    memory=200 * 2**20,
    file_size=2**20,
    scratch=2**23,
)
MUCH = 300 * 2**20  # more than the memory above, and nothing that would harm a machine

# Each is a function that takes more than its share, in pieces, and returns if it got it.
HOSTILE = {
    "threads": """
        import threading
        threading.stack_size(2**15)
        end = threading.Event()
        for _ in range(1000): threading.Thread(target=end.wait, daemon=True).start()
    """,
    "shared-memory": """
        c.shmat.restype = ctypes.c_void_p
        for _ in range(4):  # each is left as soon as it is full, so that no address space is taken
            address = c.shmat(c.shmget(0, MUCH // 4, 0o1600), None, 0)
            if address in (None, 2**64 - 1): raise MemoryError
            ctypes.memset(ctypes.c_void_p(address), 1, MUCH // 4)
            c.shmdt(ctypes.c_void_p(address))
    """,
    "file-in-memory": """
        for _ in range(220): os.write(os.memfd_create("x"), bytes(2**20))
    """,
    "mount-of-its-own": """
        if c.unshare(0x10000000 | 0x00020000): raise PermissionError
        if c.mount(b"tmpfs", b"/tmp", b"tmpfs", 0, None): raise PermissionError
    """,
    "processes": """
        while True: os.fork()
    """,
    "large-file": """
        with open("/tmp/large", "wb") as file: file.write(bytes(2**21))
    """,
    "end": """
        os._exit(0)
    """,
    "endless-loop": """
        while True:
            try: time.sleep(0.01)
            except Exception: pass
    """,
}
RIGHT = """
import torch

def masked_softmax(scores, mask, dim=-1):
    return scores.masked_fill(~mask, -torch.inf).softmax(dim).nan_to_num(nan=0.0)
"""


def hostile_cells(name: str) -> list[str]:
    """It answers rightly only if it got what it took, so that points tell who got through."""
    body = HOSTILE[name].replace("MUCH", str(MUCH))
    taking = f"""
import ctypes, os, time
c, refused = ctypes.CDLL(None), False

def take():
{body}
try:
    take()
except BaseException:
    refused = True
"""
    return [RIGHT, taking, "if refused: del masked_softmax"]


@cache
def marker() -> Marker:
    return Marker(ASSIGNMENT, SEED, SMALL)


def mark_within_small_limits(path: Path) -> dict:
    """The record of the submission that the name of the path stands for."""
    name = path.name.partition(".")[0]
    return to_record(marker().mark_cells(hostile_cells(name) if name in HOSTILE else [RIGHT]))
