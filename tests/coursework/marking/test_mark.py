"""The marking of a class: everybody once, whatever happens in between."""

import contextlib
import json
import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from coursework.__main__ import main
from coursework.assignments.a1_scores import ASSIGNMENT
from coursework.course.folder import Course, CourseError
from coursework.marking import records
from coursework.marking.mark import Batch, Task, alone, is_done, mark_one, tasks
from coursework.marking.records import code_hash, from_record, seed_hash, to_record
from tests.coursework import small_class
from tests.coursework.handed_in.test_collect import packed
from tests.extent import PATIENCE

HERE = Path(__file__).parent
SUBMISSIONS = HERE / "submissions"
SEED = "a secret for tests"


@pytest.fixture(autouse=True)
def seed(monkeypatch):
    monkeypatch.setenv("COURSEWORK_SEED", SEED)


def hand_in(course, **submissions):
    for student, content in submissions.items():
        path = course.submission(student, "a1_scores")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)


def statuses(course):
    return {
        path.stem: json.loads(path.read_text())["status"]
        for path in course.marks("a1_scores").glob("*.json")
    }


# --- Real submissions, once, through the command line -------------------------------------------


@pytest.fixture(scope="module")
def marked(walls, tmp_path_factory):
    """A class with every kind of bad file, collected and marked by the commands."""
    folder = tmp_path_factory.mktemp("class")
    alice = (SUBMISSIONS / "alice.json").read_bytes()
    notebook = json.loads(alice)
    output = {"output_type": "stream", "name": "stdout", "text": ["x" * 2**20] * 40}
    next(c for c in notebook["cells"] if c["cell_type"] == "code")["outputs"] = [output]
    given = {
        "alice.ipynb": alice,
        "cut.ipynb": alice[: len(alice) // 2],
        "gbk.ipynb": alice.decode().encode("gb18030"),
        "loop.ipynb": (SUBMISSIONS / "carol_loop.json").read_bytes(),
        "loud.ipynb": json.dumps(notebook).encode(),
        "out.zip": packed([("../../a1_scores.ipynb", alice)]),
        "wrong.ipynb": (SUBMISSIONS / "bob.json").read_bytes(),
    }
    for name, content in given.items():
        (folder / "given").mkdir(exist_ok=True)
        (folder / "given" / name).write_bytes(content)
    roster = folder / "people.csv"
    roster.write_text("id\n" + "\n".join([*(Path(n).stem for n in given), "absent"]))
    course = ["--course", str(folder / "course")]
    words = ["a1_scores", str(folder / "given"), "--roster", str(roster)]
    assert main(["collect", *words, *course]) == 0
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("COURSEWORK_SEED", SEED)
        assert main(["mark", "a1_scores", *course]) == 0
    return Course(folder / "course")


REASONS = {
    "absent": ("missing", "nothing-handed-in"),
    "cut": ("unreadable", "not-json"),
    "gbk": ("unreadable", "wrong-encoding"),
    "out": ("unreadable", "unsafe-path"),
}
POINTS = {"alice": 10, "loud": 10, "loop": 0, "wrong": 5}


def test_the_batch_goes_on_and_says_what_is_wrong(marked):
    """Bad files have their reasons, good ones their marks; an endless loop only costs itself."""
    found = {p.stem: json.loads(p.read_text()) for p in marked.marks("a1_scores").glob("*.json")}
    assert {s: (r["status"], r["reason"][0]) for s, r in found.items() if r["reason"]} == REASONS
    marks = {s: from_record(found[s], ASSIGNMENT) for s in POINTS}
    assert {student: each.points for student, each in marks.items()} == POINTS


def test_again_marks_nobody(marked, capsys):
    """The second run finds nothing to do, and leaves every file as it is."""
    before = {p: p.stat().st_mtime_ns for p in marked.marks("a1_scores").glob("*.json")}
    assert main(["mark", "a1_scores", "--course", str(marked.root)]) == 0
    assert "a1_scores: 8 unchanged" in capsys.readouterr().out
    assert {p: p.stat().st_mtime_ns for p in before} == before


def test_records_show_no_secret(marked):
    """Neither the seed nor a number of a hidden case, which are arrays of float32."""
    text = "".join(path.read_text() for path in marked.marks("a1_scores").glob("*.json"))
    assert SEED not in text
    hidden = [
        f"{abs(value):.3f}"
        for question in ASSIGNMENT.questions
        for case in question.cases(SEED)
        for array in case.arguments
        if array.dtype == "float32"
        for value in array.ravel()[:20]
        if value
    ]
    assert len(hidden) > 100
    assert not [value for value in hidden if value in text]


# --- What is marked again, and what is not ------------------------------------------------------


def test_what_is_done(tmp_path, monkeypatch):
    """A change of the submission, the seed or the code calls for new marks; an error, too."""
    course = Course(tmp_path)
    hand_in(course, ada=b"{}", bo=b"{}")

    def left(seed=SEED):
        return [
            t.student
            for t in tasks(course, "a1_scores", seed)
            if not is_done(course, "a1_scores", t)
        ]

    batch = Batch(course, ASSIGNMENT, SEED)
    for task in tasks(course, "a1_scores", SEED):
        batch.keep(task, {"status": "marked"})
    assert left() == []
    assert left("another secret") == ["ada", "bo"]
    hand_in(course, ada=b"{ }")
    assert left() == ["ada"]
    batch.keep(tasks(course, "a1_scores", SEED)[1], {"status": "error"})
    assert left() == ["ada", "bo"]
    course.record("bo", "a1_scores").write_text('{"status": "mar')
    assert left() == ["ada", "bo"]
    course.submission("ada", "a1_scores").write_bytes(b"{}")
    monkeypatch.setattr("coursework.marking.mark.code_hash", lambda name: "other code")
    assert left() == ["ada", "bo"]


def test_the_code_that_counts(tmp_path, monkeypatch):
    """The hash covers what marking runs, and nothing that only reads marks."""
    for folder in ("coursework", "attention_lib"):
        ignored = shutil.ignore_patterns("__pycache__")
        shutil.copytree(records.ROOT / folder, tmp_path / folder, ignore=ignored)
    monkeypatch.setattr(records, "ROOT", tmp_path)

    def after_change_of(name):
        code_hash.cache_clear()
        file = tmp_path / "coursework" / name
        file.write_text(file.read_text() + "\n# changed\n")
        return code_hash("a1_scores")

    counting = (
        "marking/marker.py",
        "sandbox/worker.py",
        "questions/call.py",
        "assignments/reasons.py",
        "assignments/a1_scores/__init__.py",
    )
    hashes = [after_change_of("reports/feedback.py"), *map(after_change_of, counting)]
    assert len(set(hashes)) == 6
    assert after_change_of("reports/feedback.py") == hashes[-1]
    code_hash.cache_clear()


def test_the_hash_of_the_seed():
    """The same for the same seed and assignment only, and not a plain hash of it."""
    assert seed_hash(SEED, "a1_scores") == seed_hash(SEED, "a1_scores")
    others = {seed_hash(SEED, "a2"), seed_hash(SEED + "x", "a1_scores")}
    assert len(others | {seed_hash(SEED, "a1_scores")}) == 3


@pytest.mark.parametrize("student", small_class.MARKS)
def test_marks_come_back_from_their_record(student):
    """Through JSON: points, statuses, titles and reasons; never the inputs of a case."""
    marks = small_class.MARKS[student]
    back = from_record(json.loads(json.dumps(to_record(marks))), ASSIGNMENT)
    assert json.dumps(to_record(back)) == json.dumps(to_record(marks))
    assert (back.points, back.out_of, back.reason) == (marks.points, marks.out_of, marks.reason)
    for one, other in zip(back.questions, marks.questions, strict=True):
        assert (one.question, one.status, one.points) == (
            other.question,
            other.status,
            other.points,
        )
        assert [v.reason for v in one.verdicts] == [v.reason for v in other.verdicts]
        assert all(v.case.arguments == () for v in one.verdicts)


def test_a_record_of_half_a_character(tmp_path):
    """A student's error message may hold what UTF-8 cannot; that stops no batch."""
    marks = small_class.marks(None, None, None, failed_cells=((1, "ValueError", "\ud800 x"),))
    batch = Batch(Course(tmp_path), ASSIGNMENT, SEED)
    batch.keep(Task("ada", tmp_path / "x", {}, None), to_record(marks))
    record = records.read_record(batch.course.record("ada", "a1_scores"))
    assert from_record(record, ASSIGNMENT).failed_cells == ((1, "ValueError", "? x"),)


# --- What goes wrong ----------------------------------------------------------------------------


def temperamental(path):
    """Stands for the marking: fails or crashes on some."""
    if path.name == "raises":
        raise ValueError("something nobody thought of")
    if path.name == "crashes":
        os.kill(os.getpid(), signal.SIGKILL)
    if path.name == "refuses":
        raise CourseError("nobody is marked")
    return {"status": "marked"}


def made_up(*students):
    return [Task(s, Path(s), {"submission": s}, None) for s in students]


def test_one_that_fails_or_crashes_costs_nobody_else(tmp_path, capfd):
    """The status is "error", the log says why, all others are marked."""
    batch = Batch(Course(tmp_path), ASSIGNMENT, SEED)
    students = ["a", "raises", "b", "crashes", "c", "d"]
    batch.mark(made_up(*students), temperamental, 2)
    expected = dict.fromkeys(students, "marked") | {"raises": "error", "crashes": "error"}
    assert statuses(batch.course) == expected
    log = batch.log.read_text()
    assert "ValueError: something nobody thought of" in log and "temperamental" in log
    assert "ChildProcessError: the process ended" in log
    assert "raises: ValueError" in capfd.readouterr().err


def test_where_nobody_can_be_marked_nobody_is(tmp_path):
    """A failing reference or sandbox ends the batch, and leaves no record of a student."""
    batch = Batch(Course(tmp_path), ASSIGNMENT, SEED)
    with pytest.raises(CourseError, match="nobody is marked"):
        batch.mark(made_up("refuses"), temperamental, 1)
    assert statuses(batch.course) == {}


def test_a_failing_reference_is_told(monkeypatch):
    """What Marker raises reaches the instructor as a sentence, not as a traceback."""

    def refuse(*_, **__):
        raise RuntimeError("the reference gets 5 of 10 points")

    monkeypatch.setattr("coursework.marking.mark.Marker", refuse)
    with pytest.raises(CourseError, match="5 of 10"):
        mark_one("a1_scores", "seed of this test", False, Path("x"))


def test_two_at_a_time_are_refused(tmp_path):
    """Two runs on one folder would mark everybody twice."""
    with alone(tmp_path), pytest.raises(CourseError, match="being marked already"):
        with alone(tmp_path):
            pass
    with alone(tmp_path):
        assert (tmp_path / ".lock").exists()


def test_exit_status_of_a_batch_with_an_error(tmp_path, monkeypatch, capsys):
    """1, so that a script notices; and where to read on is said."""
    hand_in(Course(tmp_path), ada=b"{}")

    def fail(self, todo, job, processes):
        self.counts["error"] += 1

    monkeypatch.setattr(Batch, "mark", fail)
    assert main(["mark", "a1_scores", "--course", str(tmp_path)]) == 1
    assert "errors.log" in capsys.readouterr().err


# --- The end in the middle ----------------------------------------------------------------------


@contextlib.contextmanager
def marking(course):
    """The command in a process group of its own, as in a terminal; ended at the end."""
    command = [sys.executable, HERE / "slow_marking.py", "mark", "a1_scores", "--processes", "2"]
    process = subprocess.Popen(
        [*command, "--course", course.root],
        cwd=records.ROOT,
        env=os.environ | {"PYTHONPATH": str(records.ROOT)},
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
        # Ctrl-C reaches it even where the tests run in the background, as a shell's `&` has it.
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    )
    try:
        yield process
    finally:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()
        process.stderr.close()


def wait_for(condition):
    """Wait until it holds. Long enough for any machine; a failure otherwise."""
    deadline = time.monotonic() + PATIENCE
    while not condition():
        assert time.monotonic() < deadline, "it did not happen"
        time.sleep(0.01)


def contents(course):
    return {p.stem: p.read_text() for p in course.marks("a1_scores").glob("*.json")}


def alive(pid):
    status = Path(f"/proc/{pid}/stat")
    with contextlib.suppress(FileNotFoundError):
        return status.read_text().rpartition(")")[2].split()[0] != "Z"
    return False


@pytest.mark.parametrize("end", [signal.SIGKILL, signal.SIGINT], ids=["kill -9", "Ctrl-C"])
def test_the_end_in_the_middle(end, tmp_path):
    """What is there stays as it is, the next run does the rest, and no process is left behind."""
    course = Course(tmp_path)
    students = [f"s{number}" for number in range(8)]
    hand_in(course, **dict.fromkeys(students, b"{}"))
    with marking(course) as process:
        # Two are marked, and two more have begun: nobody goes on before the end.
        wait_for(lambda: len(contents(course)) == 2)
        if end == signal.SIGKILL:
            process.kill()  # this one only, not its children
        else:
            os.killpg(process.pid, end)
        process.wait(PATIENCE)
        said = process.stderr.read() if end == signal.SIGINT else ""
        workers = set((tmp_path / "workers.txt").read_text().split())
        wait_for(lambda: not any(map(alive, workers)))
    before = contents(course)
    assert len(before) == 2
    assert all(json.loads(text)["token"] for text in before.values())
    if end == signal.SIGINT:
        assert process.returncode == 130
        assert f"stopped; {len(before)} of 8 are done" in said and "Traceback" not in said
    (tmp_path / "go_on").touch()
    with marking(course) as process:
        process.communicate(timeout=PATIENCE)
        assert process.returncode == 0
    after = contents(course)
    assert sorted(after) == students
    assert {student: after[student] for student in before} == before
    # Begun: everybody once, and a second time only who was at it when the end came.
    begun = len((tmp_path / "workers.txt").read_text().split())
    assert len(students) <= begun <= len(students) + 2
    assert not list(course.root.rglob("*.part"))
