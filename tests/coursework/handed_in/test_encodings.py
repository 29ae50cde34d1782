"""Names in whatever encoding a zip was written find their student."""

import io
import os
import struct
import unicodedata
import zipfile
import zlib

import pytest

from tests.coursework.handed_in.test_collect import GOOD, MOODLE, collect, collected, packed

__all__ = ["collect"]  # the fixture
PEOPLE = {
    "w1": "王小明",
    "w2": "陳建國",
    "w3": "許功蓋",  # in Big5, a part of each sign is a backslash
    "m1": "Jürgen Müller",
    "m2": "Zoë Ångström",
    "t1": "田中さくら",
    "s1": "João",
    "x1": "联通",  # whose GBK happens to be UTF-8 as well
}


def roster(tmp_path, *ids):
    file = tmp_path / "people.csv"
    rows = [f"{id},{PEOPLE[id]}\n" for id in ids or PEOPLE]
    file.write_text("id,name\n" + "".join(rows), encoding="utf-8")
    return file


def unflagged(*names):
    """A zip whose names are these bytes, with nothing that says in which encoding."""
    stand_ins = [f"{i:0{len(name)}}" for i, name in enumerate(names)]
    content = packed([(stand_in, GOOD) for stand_in in stand_ins])
    for stand_in, name in zip(stand_ins, names, strict=True):
        content = content.replace(stand_in.encode(), name)
    return content


FORMS = {
    "Moodle": MOODLE.format("{}", 5, "x.ipynb"),
    "Moodle, flat": "{}_5_assignsubmission_file_x.ipynb",
    "by hand": "{}.ipynb",
    "by hand, in a folder": "{}/a1_scores.ipynb",
}
WRITTEN = [
    ("UTF-8 or CP437", "utf-8", "w1"),
    ("GBK", "gbk", "w1"),
    ("GBK", "gbk", "x1"),
    ("Big5", "big5", "w2"),
    ("Big5", "big5", "w3"),
    ("CP1252", "cp1252", "m1"),
    ("CP1252", "latin-1", "m2"),
    ("Shift-JIS", "cp932", "t1"),
    ("CP850", "cp850", "s1"),
    ("UTF-8 or CP437", "cp437", "m2"),
]


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize(("told", "encoding", "id"), WRITTEN)
def test_the_reading_that_the_roster_knows(told, encoding, id, form, collect, tmp_path):
    """Without the flag any of these may be meant; the roster tells, and it is said."""
    name = FORMS[form].format(PEOPLE[id]).encode(encoding)
    said = collect(unflagged(name), "--roster", roster(tmp_path))
    assert collected(collect.course) == {id: GOOD}
    assert f"read as {told}, which finds 1 of 8 on the roster" in said


def test_one_encoding_for_the_whole_archive(collect, tmp_path):
    """One program wrote it: what finds most students, not whatever fits a name."""
    names = [MOODLE.format(PEOPLE[id], i, "x.ipynb") for i, id in enumerate(["w1", "x1"])]
    said = collect(unflagged(*(name.encode("gbk") for name in names)), "--roster", roster(tmp_path))
    assert collected(collect.course) == {"w1": GOOD, "x1": GOOD}
    assert "read as GBK, which finds 2 of 8 on the roster" in said


def test_the_reading_that_finds_most(collect, tmp_path):
    """One name by chance is less than two by right."""
    chance = PEOPLE["w2"].encode("big5").decode("gb18030")
    file = roster(tmp_path, "w2", "w3")
    file.write_text(file.read_text(encoding="utf-8") + f"g1,{chance}\n", encoding="utf-8")
    names = [MOODLE.format(PEOPLE[id], i, "x.ipynb") for i, id in enumerate(["w2", "w3"])]
    said = collect(unflagged(*(name.encode("big5") for name in names)), "--roster", file)
    assert collected(collect.course) == {"w2": GOOD, "w3": GOOD}
    assert "read as Big5, which finds 2 of 3 on the roster" in said


def test_a_name_that_is_spoilt_spoils_no_other(collect, tmp_path):
    """A student's file name may be no text in any encoding."""
    names = [
        MOODLE.format(PEOPLE["w1"], 1, "x.ipynb").encode("gbk"),
        MOODLE.format("Ada", 2, "@").encode().replace(b"@", b"\xff\xfe\xff.ipynb"),
    ]
    collect(unflagged(*names), "--roster", roster(tmp_path))
    assert collected(collect.course) == {"w1": GOOD, "2": GOOD}


def test_nobody_in_any_encoding(collect, tmp_path):
    """Then nobody is guessed: exit status 1 where nothing can name a folder."""
    said = collect(
        unflagged("王小 明.ipynb".encode("gbk")), "--roster", roster(tmp_path, "m1"), expect=1
    )
    assert "0 of 1 on the roster" in said and collected(collect.course) == {}


@pytest.mark.parametrize("form", ["NFC", "NFD"])
@pytest.mark.parametrize("kind", FORMS)
def test_composed_or_not(form, kind, collect, tmp_path):
    """A Mac takes letters and their marks apart."""
    name = unicodedata.normalize(form, FORMS[kind].format(PEOPLE["m1"]))
    collect([(name, GOOD)], "--roster", roster(tmp_path))
    assert collected(collect.course) == {"m1": GOOD}


@pytest.mark.parametrize("form", ["NFC", "NFD"])
def test_a_roster_composed_or_not(form, collect, tmp_path):
    """Nor does it matter which of the two is apart, and the folder is named in one way."""
    file = tmp_path / "people.csv"
    file.write_text(unicodedata.normalize(form, "id\nmüller\n"), encoding="utf-8")
    collect([(unicodedata.normalize("NFD", "MÜLLER.ipynb"), GOOD)], "--roster", file)
    assert collected(collect.course) == {"müller": GOOD}


def test_marks_that_make_another_name(collect, tmp_path):
    """A vowel sign is a part of the name: without it, two people would be one."""
    file = tmp_path / "people.csv"
    file.write_text("id,name\nt1,นิด\nt2,นุด\n", encoding="utf-8")
    collect([(MOODLE.format("นุด", 5, "x.ipynb"), GOOD)], "--roster", file)
    assert collected(collect.course) == {"t2": GOOD}


def test_the_field_that_says_it(collect):
    """Some programs keep an old name, and put the right one beside it (Info-ZIP's 0x7075)."""
    old, name = b"__.ipynb", "王明.ipynb".encode()
    field = b"\x01" + struct.pack("<L", zlib.crc32(old)) + name
    info = zipfile.ZipInfo(old.decode())
    info.extra = struct.pack("<HH", 0x7075, len(field)) + field
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w") as archive:
        archive.writestr(info, GOOD)
    collect(content.getvalue())
    assert collected(collect.course) == {"王明": GOOD}


def test_a_folder_of_names_that_are_no_utf8(collect, tmp_path):
    """What an unpacking program left as it was."""
    source = tmp_path / "unpacked"
    source.mkdir()
    with open(os.fsencode(source) + b"/" + "王小明.ipynb".encode("gbk"), "wb") as file:
        file.write(GOOD)
    said = collect(source, "--roster", roster(tmp_path))
    assert collected(collect.course) == {"w1": GOOD}
    assert "read as GBK" in said
