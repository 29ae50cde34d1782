"""What a control group does, for real where one can be made, and what is asked of each version."""

import os
import subprocess
import sys

import pytest

from coursework.sandbox import control_group
from coursework.sandbox.control_group import ControlGroup
from coursework.sandbox.walls import Limits, Sandbox

MB = 2**20
TAKE = "import sys; taken = bytearray(int(sys.argv[1]) * 2**20); taken[::4096] = taken[::4096]"
THREADS = """
import threading
begun = 0
wait = threading.Event()
try:
    for begun in range(100):
        threading.Thread(target=wait.wait).start()
except RuntimeError:
    pass
wait.set()
print(begun)
"""


@pytest.fixture
def group():
    made = ControlGroup(memory=100 * MB, tasks=20)
    if not made:
        pytest.skip("nobody may make control groups here: the limits of a process have to do")
    yield made
    made.close()
    assert not made.folders


def run(group, code, *words):
    command = group.entering([sys.executable, "-I", "-c", code, *words])
    return subprocess.run(command, capture_output=True, text=True)


def test_memory_is_limited(group):
    """50 MB pass, 300 MB are ended by the kernel, and only they: this test goes on."""
    assert run(group, TAKE, "50").returncode == 0
    assert run(group, TAKE, "300").returncode != 0


def test_memory_of_several_processes_is_counted_together(group):
    """Two that hold 60 MB each at one time: one of them is ended; with one alone, none is."""
    hold = f"{TAKE}; print(1, flush=True); sys.stdin.read()"
    both = (
        "import subprocess, sys; "
        f"held = [subprocess.Popen([sys.executable, '-c', {hold!r}, '60'], "
        "stdin=subprocess.PIPE, stdout=subprocess.PIPE) for _ in range(int(sys.argv[1]))]; "
        # The one that is ended may have said before that it holds its memory.
        "[each.stdout.readline() for each in held]; [each.stdin.close() for each in held]; "
        "print(sum(each.wait() == 0 for each in held))"
    )
    assert run(group, both, "1").stdout == "1\n"
    assert run(group, both, "2").stdout != "2\n"


def test_tasks_are_limited(group):
    """Of a hundred threads, less than twenty begin."""
    assert 0 < int(run(group, THREADS).stdout) < 20


def test_a_submission_is_in_a_group(group, walls):
    """While it runs, its group is there and holds it; afterwards it is gone."""
    own = {
        path
        for folder in group.folders
        for path in folder.parent.glob(f"coursework-{os.getpid()}-*")
    }
    with Sandbox(["x = 1"], limits=Limits()) as sandbox:
        assert sandbox.failed_cells == []
        (new,) = {
            path
            for path in group.folders[0].parent.glob(f"coursework-{os.getpid()}-*")
            if path not in own
        }
        assert (new / "cgroup.procs").read_text().split()
    assert not new.exists()


VERSIONS = {
    "2, root": ("0::/", {"": ["memory.max", "memory.swap.max", "pids.max"]}),
    "2, in a session": ("0::/app.slice/own", {"app.slice": ["memory.max", "pids.max"]}),
    "1": ("8:pids:/\n4:memory:/a", {"memory/a": ["memory.limit_in_bytes"], "pids": ["pids.max"]}),
}


@pytest.mark.parametrize("version", VERSIONS)
def test_limits_are_written_where_the_kernel_reads_them(version, tmp_path, monkeypatch):
    """By the names of its documentation, beside our own group or within that of a controller."""
    own, wanted = VERSIONS[version]
    (tmp_path / "own").write_text(own)
    for parent in wanted:
        (tmp_path / parent).mkdir(exist_ok=True, parents=True)
    if version != "1":
        (tmp_path / "cgroup.controllers").touch()
    monkeypatch.setattr(control_group, "ROOT", tmp_path)
    monkeypatch.setattr(control_group, "OWN", tmp_path / "own")
    made = ControlGroup(memory=100 * MB, tasks=20)
    assert [folder.parent for folder in made.folders] == [tmp_path / parent for parent in wanted]
    written = {"memory.swap.max": "0", "pids.max": "20"}
    for folder, files in zip(made.folders, wanted.values(), strict=True):
        for file in files:
            assert (folder / file).read_text() == written.get(file, str(100 * MB))
    entering = made.entering(["true"])
    assert all(str(folder / "cgroup.procs") in entering for folder in made.folders)


def test_where_none_can_be_made_the_command_stays_as_it_is(tmp_path, monkeypatch):
    """No group, and no error."""
    monkeypatch.setattr(control_group, "ROOT", tmp_path / "nothing")
    made = ControlGroup(memory=100 * MB, tasks=20)
    assert not made and made.entering(["true"]) == ["true"]
