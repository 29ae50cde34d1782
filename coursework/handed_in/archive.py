"""The files in a folder or a zip, without trusting their names, sizes or contents.

Nothing is unpacked: a file is read into memory, no larger than a notebook may be, and whoever
reads it chooses where it goes.
"""

import functools
import io
import lzma
import os
import re
import stat
import struct
import zipfile
import zlib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

from coursework.handed_in.notebook import LARGEST_FILE, NOT_A_FILE, TOO_LARGE, Unreadable
from coursework.questions.cases import Message

MOST_FILES = 50_000
UTF8_FLAG = 0x800
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
    unsure: bool = False  # whether nothing says in which encoding the name is


def entries(source: Path, encoding: str = "utf-8") -> Iterator[Entry]:
    """The files of a folder or a zip, in the order of their names.

    Args:
        source: the folder or the zip.
        encoding: of the names of which nothing says it.

    Raises:
        Unreadable: it is neither, or there is nothing in it.
    """
    if source.is_dir():
        return _in_folder(source, encoding)
    return in_zip(source, encoding)


def _in_folder(folder: Path, encoding: str) -> Iterator[Entry]:
    for path in sorted(folder.rglob("*")):
        name = path.relative_to(folder).as_posix()
        written = os.fsencode(name)
        unsure = written.decode("utf-8", "ignore").encode() != written
        name = _decoded(written, encoding) if unsure else name
        if CLUTTER.search(name) or (path.is_dir() and not path.is_symlink()):
            continue
        # A link could lead anywhere, and what is neither link nor file might never end.
        problem = None if path.is_file() and not path.is_symlink() else NOT_A_FILE
        yield Entry(name, functools.partial(_read_file, path), problem, unsure=unsure)


def _read_file(path: Path) -> bytes:
    if path.stat().st_size > LARGEST_FILE:
        raise Unreadable(TOO_LARGE)
    return path.read_bytes()


def in_zip(file: Path | io.BytesIO, encoding: str = "utf-8") -> Iterator[Entry]:
    try:
        archive = zipfile.ZipFile(file)
        members = [member for member in archive.infolist() if not member.is_dir()]
    except UNSOUND:
        raise Unreadable(NOT_A_ZIP) from None
    if not members:
        raise Unreadable(EMPTY_ZIP)
    if len(members) > MOST_FILES:
        raise Unreadable(TOO_MANY_FILES)
    for name, member in sorted(((_name(m, encoding), m) for m in members), key=lambda m: m[0]):
        if escapes(name) or stat.S_ISLNK(member.external_attr >> 16):
            yield Entry(name, functools.partial(_refuse, ESCAPES), ESCAPES, unsure=_unsure(member))
        elif not CLUTTER.search(name):
            read = functools.partial(_read_member, archive, member)
            yield Entry(name, read, changed=member.date_time, unsure=_unsure(member))


def escapes(name: str) -> bool:
    r"""Whether a name leads out of the folder into which it would be unpacked.

    >>> [escapes(n) for n in ("a/b", "../b", "a/../../b", "/b", "C:/b", r"..\b", "a..b")]
    [False, True, True, True, True, True, False]
    """
    parts = name.replace("\\", "/").split("/")
    return "" in parts or ".." in parts or re.match(r"[A-Za-z]:", name) is not None or "\0" in name


def _name(member: zipfile.ZipInfo, encoding: str) -> str:
    """The name as it was meant: many programs set no flag that says how it is written."""
    name = _said_beside(member) or member.orig_filename
    if _unsure(member):
        name = _decoded(_written(member), encoding)
    # Some programs for Windows write it so; as a way out of the folder, it is refused.
    return name if ".." in name else name.replace("\\", "/")


def _unsure(member: zipfile.ZipInfo) -> bool:
    ascii_only = member.orig_filename.isascii()
    return not (ascii_only or member.flag_bits & UTF8_FLAG or _said_beside(member))


def _written(member: zipfile.ZipInfo) -> bytes:
    return member.orig_filename.encode("utf-8" if member.flag_bits & UTF8_FLAG else "cp437")


def _said_beside(member: zipfile.ZipInfo) -> str:
    """The name in UTF-8 that Info-ZIP's field of Unicode holds, empty if there is none."""
    fields = member.extra
    while len(fields) >= 4:
        kind, length = struct.unpack("<HH", fields[:4])
        field, fields = fields[4 : 4 + length], fields[4 + length :]
        # The checksum is that of the name in the usual place, lest it was renamed since.
        if kind == 0x7075 and field[:5] == b"\1" + struct.pack("<L", zlib.crc32(_written(member))):
            return field[5:].decode("utf-8", "replace")
    return ""


def _decoded(written: bytes, encoding: str) -> str:
    """Text of bytes, by what is given, or else UTF-8, or else what the zip format says."""
    for each in (encoding, "utf-8"):
        try:
            return written.decode(each)
        except UnicodeDecodeError:
            pass
    return written.decode("cp437")


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
