"""The files in a folder or a zip, without trusting their names, sizes or contents.

Nothing is unpacked: a file is read into memory, no larger than a notebook may be, and whoever
reads it chooses where it goes.
"""

import functools
import io
import lzma
import re
import stat
import zipfile
import zlib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

from coursework.handed_in.notebook import LARGEST_FILE, NOT_A_FILE, TOO_LARGE, Unreadable
from coursework.questions.cases import Message

MOST_FILES = 50_000
# What the standard library raises on archives that are damaged, or packed in an unusual way.
UNSOUND = (
    zipfile.BadZipFile,
    zlib.error,
    lzma.LZMAError,
    OSError,
    EOFError,
    NotImplementedError,
    RuntimeError,
    ValueError,
)
CLUTTER = re.compile(r"(^|/)(\.[^/]*|__MACOSX|Thumbs\.db|desktop\.ini|~[^/]*)(/|$)")


class Entry(NamedTuple):
    name: str  # the path inside, with / between folders
    read: Callable[[], bytes]  # raises Unreadable
    problem: Message | None = None  # why it must not be read at all
    changed: tuple[int, ...] = ()  # when, as far as the archive tells


def entries(source: Path) -> Iterator[Entry]:
    """The files of a folder or a zip, in the order of their names.

    Raises:
        Unreadable: it is neither, or there is nothing in it.
    """
    if source.is_dir():
        return _in_folder(source)
    return in_zip(source)


def _in_folder(folder: Path) -> Iterator[Entry]:
    for path in sorted(folder.rglob("*")):
        name = path.relative_to(folder).as_posix()
        if CLUTTER.search(name) or (path.is_dir() and not path.is_symlink()):
            continue
        # A link could lead anywhere, and what is neither link nor file might never end.
        plain = path.is_file() and not path.is_symlink()
        yield Entry(name, functools.partial(_read_file, path), None if plain else NOT_A_FILE)


def _read_file(path: Path) -> bytes:
    if path.stat().st_size > LARGEST_FILE:
        raise Unreadable(TOO_LARGE)
    return path.read_bytes()


def in_zip(file: Path | io.BytesIO) -> Iterator[Entry]:
    try:
        archive = zipfile.ZipFile(file)
        members = [member for member in archive.infolist() if not member.is_dir()]
    except UNSOUND:
        raise Unreadable(NOT_A_ZIP) from None
    if not members:
        raise Unreadable(EMPTY_ZIP)
    if len(members) > MOST_FILES:
        raise Unreadable(TOO_MANY_FILES)
    for member in sorted(members, key=_name):
        name = _name(member)
        if escapes(name) or stat.S_ISLNK(member.external_attr >> 16):
            yield Entry(name, functools.partial(_refuse, ESCAPES), ESCAPES)
        elif not CLUTTER.search(name):
            read = functools.partial(_read_member, archive, member)
            yield Entry(name, read, changed=member.date_time)


def escapes(name: str) -> bool:
    r"""Whether a name leads out of the folder into which it would be unpacked.

    >>> [escapes(n) for n in ("a/b", "../b", "a/../../b", "/b", "C:/b", r"..\b", "a..b")]
    [False, True, True, True, True, True, False]
    """
    parts = name.replace("\\", "/").split("/")
    return "" in parts or ".." in parts or re.match(r"[A-Za-z]:", name) is not None or "\0" in name


def _name(member: zipfile.ZipInfo) -> str:
    """The name as it was meant: many programs write UTF-8 and do not set the flag that says so."""
    name = member.orig_filename
    if not member.flag_bits & 0x800:
        try:
            name = name.encode("cp437").decode("utf-8")
        except UnicodeError:
            pass
    # Some programs for Windows write it so; as a way out of the folder, it is refused.
    return name if ".." in name else name.replace("\\", "/")


def _read_member(archive: zipfile.ZipFile, member: zipfile.ZipInfo) -> bytes:
    if member.flag_bits & 1:
        raise Unreadable(ENCRYPTED)
    try:
        with archive.open(member) as file:
            content = file.read(LARGEST_FILE + 1)
    except UNSOUND:
        raise Unreadable(DAMAGED_ZIP) from None
    if len(content) > LARGEST_FILE:
        raise Unreadable(TOO_LARGE)
    return content


def _refuse(reason: Message) -> bytes:
    raise Unreadable(reason)


NOT_A_ZIP = Message(
    "not-a-zip",
    "文件不是有效的 zip 压缩包，或者没有传完。",
    "The file is not a valid zip archive, or its upload broke off.",
)
EMPTY_ZIP = Message("empty-zip", "压缩包是空的。", "The zip archive is empty.")
TOO_MANY_FILES = Message(
    "too-many-files",
    f"压缩包中的文件超过 {MOST_FILES} 个。",
    f"The zip archive holds more than {MOST_FILES} files.",
)
ESCAPES = Message(
    "unsafe-path",
    "压缩包中有指向文件夹之外的路径或链接，因此没有读取。请重新打包，只放入笔记本。",
    "The zip archive holds a path or a link that leads out of its folder, and was not read. "
    "Pack it again, with nothing but the notebook.",
)
ENCRYPTED = Message(
    "encrypted-zip",
    "压缩包有密码保护。请提交没有密码的文件。",
    "The zip archive is protected by a password. Hand it in without one.",
)
DAMAGED_ZIP = Message(
    "damaged-zip",
    "压缩包已损坏，文件无法读出。",
    "The zip archive is damaged: the file in it cannot be read.",
)
