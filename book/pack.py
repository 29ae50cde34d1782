"""Pack the site, the notebooks and the library into one archive: ``python book/pack.py``.

``_build/release`` then holds ``attention-course-VERSION.zip`` and its checksum. In the archive,
``SHA256SUMS`` lists the checksum of every file; ``sha256sum --check SHA256SUMS`` compares them.
"""

import hashlib
import importlib.metadata
import shutil
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path

from build import BUILD, SITE, build
from editions import ROOT

RELEASE = BUILD / "release"
# What a wheel is made of.
LIBRARY = ("attention_lib", "coursework", "pyproject.toml", "README.md", "LICENSE")


def build_wheel(folder):
    """Build the library's wheel into a folder, with what this environment has, and return it."""
    # From a copy: setuptools leaves a folder behind from which later wheels would take old files.
    with tempfile.TemporaryDirectory() as copy:
        for part in LIBRARY:
            path = ROOT / part
            if path.is_dir():
                shutil.copytree(path, Path(copy, part))
            else:
                shutil.copy(path, copy)
        command = [sys.executable, "-m", "pip", "--disable-pip-version-check", "wheel", "--quiet"]
        command += ["--no-deps", "--no-build-isolation", "--wheel-dir", folder, copy]
        subprocess.run(command, check=True)
    (wheel,) = Path(folder).glob("attention_lib-*.whl")
    return wheel


def collect(folder):
    """Put everything that is released into a new folder, with its checksums."""
    shutil.copytree(SITE, folder / "site")
    for edition in sorted(path.name for path in SITE.iterdir() if path.is_dir()):
        notebooks = folder / "notebooks" / edition
        notebooks.mkdir(parents=True)
        for path in (ROOT / "book" / edition).glob("*.ipynb"):
            shutil.copy(path, notebooks)
    for licence in (ROOT / "LICENSE", ROOT / "book/LICENSE.md"):
        shutil.copy(licence, folder)
    build_wheel(folder)
    files = sorted(path for path in folder.rglob("*") if path.is_file())
    sums = [f"{checksum(path)}  {path.relative_to(folder).as_posix()}\n" for path in files]
    (folder / "SHA256SUMS").write_text("".join(sums), encoding="utf-8")


def checksum(path):
    return hashlib.sha256(path.read_bytes()).hexdigest()


def pack():
    """Write the archive of the built site, and return it."""
    name = f"attention-course-{importlib.metadata.version('attention-lib')}"
    shutil.rmtree(RELEASE, ignore_errors=True)
    RELEASE.mkdir(parents=True)
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary) / name
        folder.mkdir()
        collect(folder)
        archive = RELEASE / f"{name}.zip"
        with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED) as file:
            for path in sorted(folder.rglob("*")):
                file.write(path, path.relative_to(temporary))
    line = f"{checksum(archive)}  {archive.name}\n"
    archive.with_suffix(".zip.sha256").write_text(line, encoding="utf-8")
    return archive


if __name__ == "__main__":
    if not build():
        sys.exit("The book was not built, so that nothing is packed: see the errors above.")
    print(f"Packed into {pack().relative_to(ROOT)}.")
