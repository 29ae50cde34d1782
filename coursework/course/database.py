"""The database of nbgrader's gradebook, by its address."""

import argparse
import os
import sysconfig
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from nbgrader.api import Gradebook, MissingEntry
from sqlalchemy.engine import URL, make_url
from sqlalchemy.exc import SQLAlchemyError

from coursework.course.folder import CourseError


def add_database_argument(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--database",
        metavar="URL",
        help="nbgrader's gradebook (default: gradebook.db in the folder of the course); "
        "for instance postgresql://tutor@host/course",
    )


@contextmanager
def opened(database: str) -> Iterator[Gradebook]:
    """A gradebook by its address, such as sqlite:///gradebook.db or postgresql://host/course."""
    shown = address(database).render_as_string()  # without its password
    try:
        with programs_of_this_environment(), Gradebook(database) as book:
            yield book
    except ImportError as error:
        raise CourseError(f"{shown}: {error}: install the driver of this database") from None
    except SQLAlchemyError as error:
        raise CourseError(f"{shown}: {error}") from None


def address(database: str) -> URL:
    try:
        return make_url(database)
    except SQLAlchemyError:
        raise CourseError(
            f"{database!r} is no address of a database; wanted is one such as "
            "postgresql://tutor@host/course"
        ) from None


def exists(database: str) -> bool:
    """Whether there is a gradebook already. Opening one of SQLite's would make it."""
    url = address(database)
    if url.drivername.startswith("sqlite"):
        return bool(url.database) and Path(url.database).exists()
    return True


def has_assignment(book: Gradebook, assignment: str) -> bool:
    """Whether a gradebook knows an assignment of this name."""
    try:
        book.find_assignment(assignment)
    except MissingEntry:
        return False
    return True


@contextmanager
def programs_of_this_environment() -> Iterator[None]:
    """In the block, nbgrader finds ``alembic``, without which it opens no gradebook."""
    path = os.environ["PATH"]
    os.environ["PATH"] = os.pathsep.join([sysconfig.get_path("scripts"), path])
    try:
        yield
    finally:
        os.environ["PATH"] = path
