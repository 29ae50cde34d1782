"""What the kernel refuses to the student's process."""

import ctypes.util
import json
import sys

import pyseccomp
import pytest

from coursework.sandbox.system_calls import REFUSED, NoSandbox, refuse_what_no_answer_needs
from coursework.sandbox.walls import Sandbox
from tests.coursework.sandbox.users import USERS, run_as

NUMBERS = {
    name: pyseccomp.resolve_syscall(pyseccomp.Arch.NATIVE, name)
    for name in " ".join(REFUSED.values()).split()
}
CALL = f"""
import ctypes, os
kernel = ctypes.CDLL(None, use_errno=True).syscall

def call(name, *arguments):
    result = kernel({NUMBERS!r}[name], *arguments)
    if result < 0:
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))
    return result
"""
# Each of these is granted to any process outside, as a test below sees.
GRANTED = {
    "shared memory of System V": "call('shmctl', call('shmget', 0, 4096, 0o1600), 0, 0)",
    "messages of System V": "call('msgctl', call('msgget', 0, 0o1600), 0, 0)",
    "semaphores of System V": "call('semctl', call('semget', 0, 1, 0o1600), 0, 0)",
    "a file in memory": "os.close(call('memfd_create', b'x', 0))",
    "a user name space": "call('unshare', 0x10000000)",
    "a keyring": "call('keyctl', 0, -3, 1)",
    "a file by its number": (
        "n = (ctypes.c_uint * 64)(128)\ncall('name_to_handle_at', -100, b'/', n, bytes(8), 0)"
    ),
    "a kernel-side copy of a process": "os.close(call('pidfd_open', os.getpid(), 0))",
    "being traced": "call('ptrace', 0, 0, 0, 0)",
}


def errors(cells, user):
    """What each cell ended with, run behind the walls that this user gets."""
    code = (
        "import json\nfrom coursework.sandbox.walls import Sandbox\n"
        f"with Sandbox({cells!r}) as sandbox:\n    print(json.dumps(sandbox.failed_cells))"
    )
    found = {number: error for number, error, _ in json.loads(run_as(user, code, {}))}
    return [found.get(number) for number in range(1, len(cells) + 1)]


@pytest.mark.parametrize("user", USERS)
def test_what_no_answer_needs_is_refused(user, walls):
    """Memory beyond the limits, name spaces, and other ways out."""
    helper, *told = errors([CALL, *GRANTED.values()], user)
    assert helper is None
    refused = dict.fromkeys(GRANTED, "PermissionError")
    assert dict(zip(GRANTED, told, strict=True)) == refused


def test_it_would_be_granted_outside(walls):
    """So that the test above can fail: without walls, the same cells end without an error."""
    with Sandbox([CALL, *GRANTED.values()], without_walls=True) as sandbox:
        assert sandbox.failed_cells == []


@pytest.mark.parametrize("user", USERS)
def test_the_whole_list_is_in_the_filter(user, walls):
    """With arguments that make no sense, of which the kernel would complain in another way."""
    names = [name for name, number in NUMBERS.items() if number >= 0]  # others: not on this machine
    assert len(names) > 50
    _, *told = errors([CALL, *(f"call({name!r}, -1, -1, -1, -1, -1)" for name in names)], user)
    assert dict(zip(names, told, strict=True)) == dict.fromkeys(names, "PermissionError")


def test_sockets_that_are_no_network(walls):
    """Some reach the kernel, or the machine around a virtual one, past the name space."""
    families = ("NETLINK", "VSOCK", "ALG", "PACKET")
    cells = [f"import socket\nsocket.socket(socket.AF_{name}, 3)" for name in families]
    with Sandbox(cells) as sandbox:
        told = [text.split(": ", 1)[1].split("]")[0] for *_, text in sandbox.failed_cells]
        assert told == ["[Errno 97"] * 4


def test_without_libseccomp_nothing_is_run(monkeypatch):
    """No filter, no sandbox."""
    monkeypatch.setattr(ctypes.util, "find_library", lambda name: None)
    monkeypatch.delitem(sys.modules, "pyseccomp")
    with pytest.raises(NoSandbox, match="libseccomp"):
        refuse_what_no_answer_needs()
