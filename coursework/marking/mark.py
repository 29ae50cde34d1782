"""Mark a class: all submissions of an assignment that are new or changed, over all cores.

A result is written as soon as it is there. Whatever ends the marking, even kill -9, what was
marked stays marked, and the next run does the rest.
"""

import argparse
import fcntl
import sys
import time
import traceback
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor, as_completed
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import NamedTuple

from tqdm import tqdm

from coursework.course.folder import (
    Course,
    CourseError,
    add_course_arguments,
    load_assignment,
    write_whole,
)
from coursework.marking import concerns
from coursework.marking.marker import Marker
from coursework.marking.marks import UNREADABLE, Marks, unmarked
from coursework.marking.processes import LonelyProcesses, most_at_once
from coursework.marking.records import (
    ERROR,
    MARKING_FAILED,
    code_hash,
    file_hash,
    read_record,
    record_bytes,
    seed_hash,
    to_record,
)
from coursework.marking.second_try import Company, cut_short
from coursework.questions.cases import Assignment, Message, secret_seed

STATUSES = ("marked", "missing", "unreadable", "error", "unchanged")


class Task(NamedTuple):
    """One student's submission, and what its marks depend on."""

    student: str
    path: Path
    hashes: dict[str, str | None]
    problem: Message | None  # why there is nothing to mark, as collecting it has found


def tasks(course: Course, assignment: str, seed: str) -> list[Task]:
    """A task for every student, also for those who handed in nothing."""
    notes = course.notes(assignment)
    same_for_all = {"code": code_hash(assignment), "seed": seed_hash(seed, assignment)}
    found = []
    for student in course.students(assignment):
        path = course.submission(student, assignment)
        problem = notes.get(student, {}).get("problem")
        problem = Message(*problem) if problem and not path.exists() else None
        submission = f"problem: {problem.name}" if problem else file_hash(path)
        found.append(Task(student, path, {"submission": submission, **same_for_all}, problem))
    return found


def is_done(course: Course, assignment: str, task: Task) -> bool:
    record = read_record(course.record(task.student, assignment))
    return (
        record is not None and record.get("hashes") == task.hashes and record.get("status") != ERROR
    )


class Batch:
    """The marking of some submissions of one assignment, and how it went."""

    def __init__(self, course: Course, assignment: Assignment, seed: str):
        self.course, self.assignment, self.seed = course, assignment, seed
        self.counts: Counter[str] = Counter()
        self.log = course.marks(assignment.name) / "errors.log"

    def mark(self, todo: list[Task], mark_one, processes: int) -> None:
        """Mark all, in so many processes, with a picklable function from a path to a record.

        Who was slow or died beside others is marked a second time at the end, alone.
        """
        for task in [task for task in todo if task.problem]:
            self.keep(task, self._unmarked(UNREADABLE, task.problem))
        todo = [task for task in todo if not task.problem]
        with LonelyProcesses(processes) as lonely, ThreadPoolExecutor(processes) as threads:
            company, again = Company(), []

            def run(task: Task) -> dict:
                with company.of(task.student):
                    return lonely.run(mark_one, task.path)

            futures = {threads.submit(run, task): task for task in todo}
            progress = tqdm(as_completed(futures), total=len(futures), unit="", desc="marking")
            try:
                for future in progress:
                    task = futures[future]
                    beside = sorted(company.beside[task.student])
                    if beside and (why := _ended_early(future)):
                        self._tell(f"{task.student} {why}; beside it ran {', '.join(beside)}")
                        again.append(task)
                    else:
                        self._finish(task, future)
                for task in again:
                    self._tell(f"{task.student} is marked once more, alone")
                    self._finish(task, threads.submit(run, task))
            except BaseException:
                # Those that run are ended, those that wait are not begun: they are for next time.
                threads.shutdown(wait=False, cancel_futures=True)
                lonely.end()
                raise

    def _finish(self, task: Task, future: Future) -> None:
        try:
            record = future.result()
        except CourseError:
            raise
        except Exception as error:
            self._report(task, error)
            record = self._unmarked(ERROR, MARKING_FAILED)
        self.keep(task, record)

    def keep(self, task: Task, record: dict) -> None:
        self.counts[record["status"]] += 1
        record = {"student": task.student, "hashes": task.hashes} | record
        write_whole(self.course.record(task.student, self.assignment.name), record_bytes(record))

    def _unmarked(self, status: str, reason: Message) -> dict:
        return to_record(unmarked(self.assignment, self.seed, status, reason))

    def _report(self, task: Task, error: Exception) -> None:
        self._tell(
            f"{task.student}: {type(error).__name__}: {error}",
            f"{task.student} {task.path}\n{''.join(traceback.format_exception(error))}",
        )

    def _tell(self, line: str, more: str = "") -> None:
        """On the screen, and in the log, which may have more."""
        tqdm.write(line, file=sys.stderr)
        self.log.parent.mkdir(parents=True, exist_ok=True)
        with self.log.open("a", encoding="utf-8", errors="replace") as log:
            log.write(f"{time.strftime('%Y-%m-%d %H:%M:%S')} {(more or line).rstrip()}\n")


def _ended_early(future: Future) -> str | None:
    try:
        return cut_short(future.result())
    except ChildProcessError:
        return "ended its process"
    except Exception:
        return None


_markers: dict[tuple, Marker] = {}


def mark_one(assignment: str, seed: str, without_walls: bool, path: Path) -> dict:
    """The record of one submission. The first one in each process marks the reference before."""
    key = (assignment, seed, without_walls)
    if key not in _markers:
        try:
            _markers[key] = Marker(load_assignment(assignment), seed, without_walls=without_walls)
        except RuntimeError as error:  # NoSandbox or ReferenceFails: nobody can be marked here
            raise CourseError(str(error)) from None
    marks: Marks = _markers[key].mark(path)
    return to_record(marks)


@contextmanager
def alone(folder: Path) -> Iterator[None]:
    """Two commands that mark the same assignment would do everything twice."""
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / ".lock").open("w") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)  # the kernel ends it with the process
        except BlockingIOError:
            raise CourseError(f"{folder}: this assignment is being marked already") from None
        yield


def tell_concerns(course: Course, assignment: Assignment) -> None:
    """What a person should look at, of the whole class, shortly; all of it in a table."""
    found, table = concerns.of_class(course, assignment), concerns.table(course, assignment.name)
    concerns.write_table(table, course, assignment.name, found)
    if lines := concerns.told(found):
        print("\n".join([f"\nto look at ({table} has all of it, and the files):", *lines]))


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_course_arguments(parser)
    parser.add_argument(
        "--students", nargs="+", metavar="ID", help="mark these only (default: all)"
    )
    parser.add_argument(
        "--processes",
        type=int,
        default=most_at_once(),
        metavar="N",
        help="submissions at the same time (default: one a core, if there is memory for them)",
    )
    parser.add_argument(
        "--again", action="store_true", help="mark also what has been marked and is unchanged"
    )
    parser.add_argument(
        "--run-student-code-without-sandbox",
        action="store_true",
        help="do not lock the code up: it can then read, change and send whatever you can. "
        "For submissions of your own only",
    )


def run(arguments: argparse.Namespace) -> int:
    course, assignment = Course(arguments.course), load_assignment(arguments.assignment)
    try:
        seed = secret_seed()
    except LookupError as error:
        raise CourseError(error.args[0]) from None
    if arguments.processes < 1:
        raise CourseError(f"--processes {arguments.processes}: at least 1 is needed")
    with alone(course.marks(assignment.name)):
        everything = tasks(course, assignment.name, seed)
        if arguments.students:
            unknown = set(arguments.students) - {task.student for task in everything}
            if unknown:
                raise CourseError(f"nobody is called {', '.join(sorted(unknown))} in this course")
            everything = [task for task in everything if task.student in arguments.students]
        if not everything:
            raise CourseError(f"nothing to mark in {course.root}: collect {assignment.name} first")
        todo = [
            task
            for task in everything
            if arguments.again or not is_done(course, assignment.name, task)
        ]
        batch = Batch(course, assignment, seed)
        batch.counts["unchanged"] = len(everything) - len(todo)
        job = partial(mark_one, assignment.name, seed, arguments.run_student_code_without_sandbox)
        try:
            batch.mark(todo, job, arguments.processes)
        except KeyboardInterrupt:
            print(
                f"stopped; {sum(batch.counts.values())} of {len(everything)} are done. "
                "Run it again to mark the rest.",
                file=sys.stderr,
            )
            return 130
    told = ", ".join(f"{batch.counts[s]} {s}" for s in STATUSES if batch.counts[s])
    print(f"{assignment.name}: {told}")
    if batch.counts[ERROR]:
        print(f"the errors are explained in {batch.log}", file=sys.stderr)
    tell_concerns(course, assignment)
    return 1 if batch.counts[ERROR] else 0
