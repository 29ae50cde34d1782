"""What of the course is installed where a student's code can see it: those folders are hidden."""

import os
import site
import sys
from collections.abc import Iterable
from glob import glob
from pathlib import Path

from coursework.sandbox.system_calls import NoSandbox

PACKAGES = ("attention_lib", "coursework")  # the library, and what marks
PLACES = (
    "lib*/python*/site-packages",
    "lib*/python*/dist-packages",
    "local/lib*/python*/site-packages",
    "local/lib*/python*/dist-packages",
    "python*/site-packages",  # in /lib, which need not be a link to /usr/lib
    "python*/dist-packages",
)


def hidden_folders(visible: Iterable[str], course: Path) -> list[str]:
    """The folders in those that are visible inside in which the library or the course lies.

    Args:
        visible: what of this machine the sandbox shows.
        course: the folder of the repository, or of the packages that run.

    Raises:
        NoSandbox: the repository is itself such a folder, so that all of it would be seen.
    """
    visible = [os.path.realpath(folder) for folder in visible]
    places = {path for folder in visible for place in PLACES for path in glob(f"{folder}/{place}")}
    places |= {*sys.path, *site.getsitepackages(), site.getusersitepackages(), str(course)}
    found = {
        os.path.realpath(Path(place, package))
        for place in places
        for package in PACKAGES
        if place and Path(place, package).is_dir()
    }
    hidden = {folder for folder in found if any(_is_in(folder, each) for each in visible)}
    if (course / ".git").exists() and any(_is_in(str(course.resolve()), each) for each in visible):
        raise NoSandbox(
            f"the repository {course} lies in a folder that students' code sees: "
            f"move it out of {', '.join(visible)}"
        )
    return sorted(hidden)


def _is_in(folder: str, other: str) -> bool:
    return Path(folder).is_relative_to(other)
