"""An assignment as a package for a local editor: adapters to fill in, tests, and a README."""

import re
import shutil
import tempfile
import zipfile
from pathlib import Path

from coursework.handing_out.texts import (
    ASSIGNMENTS,
    Code,
    Prose,
    Written,
    head_and_body,
    read_text,
    setup_cell,
)
from coursework.questions.cases import LANGUAGES, PUBLIC_SEED, Assignment


def has_package(assignment: Assignment) -> bool:
    """Whether the assignment is also given as a package."""
    return _starter(assignment).exists()


def zip_package(assignment: Assignment, folder: Path) -> Path:
    """Write the package as ``NAME.zip`` into a folder, the same bytes each time."""
    archive = folder / f"{assignment.name}.zip"
    with tempfile.TemporaryDirectory() as temporary, zipfile.ZipFile(archive, "w") as file:
        for path in release_package(assignment, Path(temporary, assignment.name)):
            # A fixed date, the first that the format knows.
            entry = zipfile.ZipInfo(path.relative_to(temporary).as_posix())
            file.writestr(entry, path.read_bytes(), zipfile.ZIP_DEFLATED)
    return archive


def release_package(assignment: Assignment, folder: Path) -> list[Path]:
    """Write what students get into an empty or new folder. Gives the files.

    Raises:
        FileExistsError: there is something in the folder; it could be somebody's work.
    """
    if folder.exists() and any(folder.iterdir()):
        raise FileExistsError(f"{folder} is not empty, and nothing in it is overwritten")
    shutil.copytree(
        _starter(assignment),
        folder,
        dirs_exist_ok=True,
        ignore=shutil.ignore_patterns("__pycache__"),
    )
    written = [part for part in read_text(assignment, "en") if isinstance(part, Written)]
    files = {
        "adapters.py": adapters(assignment),
        "pyproject.toml": project(assignment, written),
        **{f"README.{language}.md": readme(assignment, language) for language in LANGUAGES},
        **{f"{part.name}.md": "" for part in written},
    }
    for name, text in files.items():
        (folder / name).write_text(text, encoding="utf-8")
    return sorted(path for path in folder.rglob("*") if path.is_file())


def _starter(assignment: Assignment) -> Path:
    """What is the same in every package: tests, and the program that packs it up."""
    return ASSIGNMENTS / assignment.name / "starter"


def adapters(assignment: Assignment) -> str:
    """The functions that are looked for, each with its docstring and nothing else."""
    heads = [head_and_body(question.solution)[0] for question in assignment.questions]
    functions = "\n\n\n".join(f"{head}\n    raise NotImplementedError" for head in heads)
    return f'"""Call your own code here: import it from my_transformer."""\n\n\n{functions}\n'


def readme(assignment: Assignment, language: str) -> str:
    """The text of the assignment, with the points where the code would be."""
    points = {
        question.function: sum(case.points for case in question.cases(PUBLIC_SEED))
        for question in assignment.questions
    }
    places = {
        "zh": ("在 `adapters.py` 中：`{}`，{} 分。", "写在 `{}.md` 中，{} 分。"),
        "en": ("In `adapters.py`: `{}`, {} points.", "In `{}.md`, {} points."),
    }
    in_code, in_words = places[language]
    lines = []
    for part in read_text(assignment, language):
        if isinstance(part, Prose):
            lines.append(part.text)
        elif isinstance(part, Code):
            lines.append(in_code.format(part.function, points[part.function]))
        else:
            lines.append(in_words.format(part.name, part.points))
    return "\n\n".join(lines) + "\n"


def project(assignment: Assignment, written: list[Written]) -> str:
    """The book's address is the one in the notebooks, so that a fork's is right here, too."""
    address = re.search(r'book = "(https://[^"]+)"', setup_cell("en"))[1]
    answers = "\n".join(f"{part.name} = {part.points}" for part in written)
    return f"""[project]
name = "my-transformer"
version = "1"
requires-python = ">=3.11"
dependencies = ["attention-lib @ git+{address}", "pytest"]

[tool.setuptools]
packages = ["my_transformer"]
py-modules = ["adapters"]

[tool.pytest.ini_options]
pythonpath = ["."]

[tool.coursework]
assignment = "{assignment.name}"

[tool.coursework.written]
{answers}
"""
