"""What submissions that take too much do to others: nothing; and who is marked a second time."""

import os
import signal
from pathlib import Path

from coursework.assignments.a1_scores import ASSIGNMENT
from coursework.course.folder import Course
from coursework.marking import processes
from coursework.marking.mark import Batch, Task
from coursework.marking.records import from_record, read_record
from coursework.marking.second_try import Company, cut_short
from coursework.questions.checks import PROBLEMS
from coursework.sandbox.walls import Limits
from tests.coursework.marking import hostile

SEED = "a seed for tests"


def made_up(*students):
    return [Task(s, Path(s), {"submission": s}, None) for s in students]


def test_ten_that_take_too_much_harm_nobody(walls, tmp_path):
    """All at once with honest ones between them: these get their points, and those get none."""
    names = [*hostile.HOSTILE, "threads.2", "shared-memory.2"]
    honest = [f"honest-{number}" for number in range(4)]
    mixed = [*names[:3], honest[0], *names[3:6], honest[1], *names[6:], *honest[2:]]
    batch = Batch(Course(tmp_path), hostile.ASSIGNMENT, hostile.SEED)
    batch.mark(made_up(*mixed), hostile.mark_within_small_limits, 3)
    points = {
        path.stem: from_record(read_record(path), hostile.ASSIGNMENT).points
        for path in batch.course.marks(hostile.ASSIGNMENT.name).glob("*.json")
    }
    assert points == dict.fromkeys(names, 0) | dict.fromkeys(honest, 5)
    assert set(batch.counts) == {"marked"}


def lost(problem):
    case = {"title": ["t", "", ""], "points": 0, "reason": list(PROBLEMS[problem])}
    return {"status": "marked", "questions": [{"cases": [case]}], "failed_cells": []}


def marked_at_the_second_try(path):
    """Stands for the marking: slow, dead or killed at first, and right if it is asked again."""
    if path.name.startswith("fine"):
        return {"status": "marked"}
    if path.exists():
        return {"status": "marked", "again": True}
    path.write_text("tried")
    if path.name == "killed":
        os.kill(os.getpid(), signal.SIGKILL)
    return lost(path.name.replace("_", " "))


def tried(folder, students, processes):
    folder.mkdir()
    batch = Batch(Course(folder / "course"), ASSIGNMENT, SEED)
    batch.mark(
        [Task(s, folder / s, {}, None) for s in students], marked_at_the_second_try, processes
    )
    records = {s: read_record(batch.course.record(s, ASSIGNMENT.name)) for s in students}
    log = batch.log.read_text() if batch.log.exists() else ""
    return {s: (r["status"], "again" in r) for s, r in records.items()}, log


def test_who_died_or_was_slow_beside_others_is_marked_once_more(tmp_path):
    """Another may have been the reason, who is named. A wrong answer is no reason."""
    students = ["too_slow", "died", "killed", "missing", "fine"]
    told, log = tried(tmp_path / "a", students, 2)
    second = {"too_slow", "died", "killed"}
    assert told == {student: ("marked", student in second) for student in students}
    for student, how in (("too_slow", "was too slow"), ("died", "died"), ("killed", "ended its")):
        (line,) = [line for line in log.splitlines() if f" {student} {how}" in line]
        assert "; beside it ran " in line
        assert f" {student} is marked once more, alone" in log
    assert "too_slow was too slow; beside it ran died" in log
    assert "missing is" not in log and "fine is" not in log


def test_who_was_alone_has_no_second_try(tmp_path):
    """Nobody else can have been the reason."""
    told, log = tried(tmp_path / "a", ["died", "fine"], 1)
    assert told == {"died": ("marked", False), "fine": ("marked", False)} and log == ""


def test_company():
    """Who ran beside whom, also if they met only at the end of one and the beginning of another."""
    company = Company()
    with company.of("a"):
        with company.of("b"):
            pass
        with company.of("c"):
            pass
    with company.of("d"):
        pass
    assert company.beside == {"a": {"b", "c"}, "b": {"a"}, "c": {"a"}, "d": set()}


def test_what_counts_as_cut_short():
    """A cell that was stopped, too; not an error of the student's own."""
    assert cut_short(lost("too slow")) == cut_short({"failed_cells": [[1, "TooSlow", ""]]})
    assert cut_short(lost("died")) == "died"
    assert cut_short(lost("malformed")) is None
    assert cut_short({"failed_cells": [[1, "ValueError", ""]]}) is None


def test_no_more_at_once_than_there_is_memory_for(tmp_path, monkeypatch):
    """On many cores with little memory, the kernel would end whom it likes."""
    monkeypatch.setattr(processes, "MEMORY", tmp_path / "meminfo")
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: set(range(8)))
    assert processes.most_at_once() == 8
    for gigabytes, expected in ((100, 8), (10, 3), (1, 1)):
        processes.MEMORY.write_text(f"MemTotal: 1 kB\nMemAvailable:  {gigabytes * 2**20} kB\n")
        assert processes.most_at_once() == expected
    assert 3 * 2**30 > Limits.memory
