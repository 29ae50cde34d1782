"""A filter of system calls for the sandbox: threads may be started, processes may not.

The kernel's own limit on processes would count all processes of a user, and none of root's.
"""

import platform
import struct


class NoSandbox(RuntimeError):
    """Student code cannot be locked up on this machine, so it is not run."""


# Numbers of system calls: clone, clone3, and the older fork and vfork.
ARCHITECTURES = {
    "x86_64": (0xC000003E, 56, 435, (57, 58)),
    "aarch64": (0xC00000B7, 220, 435, ()),
}


def no_new_processes(machine: str = platform.machine()) -> bytes:
    """A program in the kernel's filter language, for bwrap's ``--seccomp``.

    Raises:
        NoSandbox: the numbers of system calls are not known for this kind of machine.

    Source: the kernel's documentation, "Seccomp BPF".
    """
    if machine not in ARCHITECTURES:
        raise NoSandbox(f"no filter of system calls for {machine}, only for {[*ARCHITECTURES]}")
    architecture, clone, clone3, forks = ARCHITECTURES[machine]
    load, equal, at_least, any_bit, end = 0x20, 0x15, 0x35, 0x45, 0x06
    allow, refuse, kill = 0x7FFF0000, 0x00050000 | 1, 0x80000000  # refuse: operation not permitted
    unknown = 0x00050000 | 38  # not implemented: the C library then falls back on clone
    number, machine_offset, first_argument = 0, 4, 16
    thread = 0x00010000
    filters = [
        (load, 0, 0, machine_offset),
        (equal, 1, 0, architecture),
        (end, 0, 0, kill),
        (load, 0, 0, number),
        (at_least, 0, 1, 0x40000000),  # the same calls under other numbers
        (end, 0, 0, refuse),
        (equal, 0, 1, clone3),
        (end, 0, 0, unknown),
    ]
    for fork in forks:
        filters += [(equal, 0, 1, fork), (end, 0, 0, refuse)]
    filters += [
        (equal, 0, 3, clone),
        (load, 0, 0, first_argument),
        (any_bit, 1, 0, thread),
        (end, 0, 0, refuse),
        (end, 0, 0, allow),
    ]
    return b"".join(struct.pack("=HBBI", *one) for one in filters)
