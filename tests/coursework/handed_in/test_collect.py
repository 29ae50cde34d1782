"""Submissions of every kind find their place, and bad ones their reason."""

import io
import json
import zipfile

import pytest

from coursework.__main__ import main
from coursework.course.folder import Course

GOOD, BETTER = b'{"cells": []}', b'{"cells": [], "nbformat": 4}'
MOODLE = "{}_{}_assignsubmission_file_/{}"


def packed(files):
    """A zip of names and contents; a name may be a ZipInfo."""
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in files:
            archive.writestr(name, text)
    return content.getvalue()


@pytest.fixture
def collect(tmp_path, capsys):
    """Runs the command on a zip of files, or on a folder; gives what it said."""

    def run(files, *options, expect=0):
        source = files
        if isinstance(files, list | bytes):
            source = tmp_path / "all.zip"
            source.write_bytes(files if isinstance(files, bytes) else packed(files))
        words = ["collect", "a1_scores", str(source), "--course", str(tmp_path / "course")]
        assert main([*words, *map(str, options)]) == expect
        return "".join(capsys.readouterr())

    run.course = Course(tmp_path / "course")
    return run


def collected(course):
    """The contents of what was filed, by student."""
    return {
        path.parts[-3]: path.read_bytes()
        for path in course.root.glob("submitted/*/a1_scores/a1_scores.ipynb")
    }


def problems(course):
    """The names of what is wrong, by student."""
    notes = course.notes("a1_scores")
    return {student: note["problem"][0] for student, note in notes.items() if note["problem"]}


PLATFORMS = {
    "Moodle": ([(MOODLE.format("Ada Lovelace", 12345, "x.ipynb"), GOOD)], {"12345": False}),
    "Canvas": (
        [
            ("turingalan_777_9001_a1_scores.ipynb", GOOD),
            ("noetheremmy_LATE_778_9002_a1_scores.ipynb", GOOD),
            ("hopper_779_text.html", b"typed into the form"),
        ],
        {"777": False, "778": True, "779": False},
    ),
    "nbgrader": (
        [
            ("submitted/emmy/a1_scores/a1_scores.ipynb", GOOD),
            ("submitted/emmy/a2_pooling/a2_pooling.ipynb", BETTER),
        ],
        {"emmy": False},
    ),
}


@pytest.mark.parametrize("platform", PLATFORMS)
def test_platforms(platform, collect):
    """The names that Moodle, Canvas and nbgrader give tell whose a file is, and if it is late."""
    files, late = PLATFORMS[platform]
    collect([*files, ("__MACOSX/._x.ipynb", b"clutter")])
    assert collected(collect.course) == dict.fromkeys(late.keys() - {"779"}, GOOD)
    notes = collect.course.notes("a1_scores")
    assert {student: note["late"] for student, note in notes.items()} == late


def test_a_folder_of_files_and_folders(collect, tmp_path):
    """What was not packed by a platform: one file or one folder for each student."""
    source = tmp_path / "by hand"
    (source / "ada").mkdir(parents=True)
    (source / "ada" / "任意.ipynb").write_bytes(GOOD)
    (source / "王小明.ipynb").write_bytes(GOOD)
    (source / "eve.ipynb").symlink_to("/etc/passwd")
    said = collect(source)
    assert collected(collect.course) == {"ada": GOOD, "王小明": GOOD}
    assert "'eve.ipynb': What was handed in is not a plain file" in said


@pytest.mark.parametrize(
    "files",
    [
        ["turing_7_900_a.ipynb", "turing_7_1000_a.ipynb"],
        ["turing_7_100_a.ipynb", "turing_7_100_a-1.ipynb"],
        ["turing_7_100_a-9.ipynb", "turing_7_100_a-10.ipynb"],
        [MOODLE.format("T", 7, "a.ipynb"), MOODLE.format("T", 7, "a (2).ipynb")],
    ],
    ids=["number", "copy", "tenth copy", "browser's copy"],
)
@pytest.mark.parametrize("order", [1, -1])
def test_the_newest_counts(files, order, collect):
    """By the platform's counter as a number, whatever the order in the zip; and it is said."""
    said = collect(list(zip(files, [GOOD, BETTER], strict=True))[::order])
    assert collected(collect.course) == {"7": BETTER}
    assert f"7: 2 notebooks, the newest counts: {files[1]!r}" in said


def test_again_changes_nothing_and_a_change_is_said(collect):
    """Idempotent; nothing is overwritten in silence."""
    assert "1 new" in collect([("ada.ipynb", GOOD)])
    before = collect.course.submission("ada", "a1_scores").stat().st_mtime_ns
    said = collect([("ada.ipynb", GOOD)])
    assert "1 unchanged" in said and "replace" not in said
    assert collect.course.submission("ada", "a1_scores").stat().st_mtime_ns == before
    said = collect([("ada.ipynb", BETTER)])
    assert "ada: replaces" in said and "1 replaced" in said
    assert collected(collect.course) == {"ada": BETTER}


def link(name):
    info = zipfile.ZipInfo(name)
    info.external_attr = 0o120777 << 16
    return info


BAD = {
    "escapes": ([("../../evil.ipynb", GOOD), ("a.ipynb", GOOD)], "unsafe-path"),
    "backslashes": ([("..\\evil.ipynb", GOOD)], "unsafe-path"),
    "absolute": ([("/tmp/evil.ipynb", GOOD)], "unsafe-path"),
    "drive": ([("C:/evil.ipynb", GOOD)], "unsafe-path"),
    "link": ([(link("a.ipynb"), "/etc/passwd")], "unsafe-path"),
    "empty": ([], "empty-zip"),
    "no notebook": ([("essay.docx", b"x")], "no-notebook"),
    "bomb": ([("a.ipynb", bytes(64 * 2**20 + 1))], "too-large"),
}


@pytest.mark.parametrize("kind", BAD)
def test_a_bad_zip_is_that_students_problem(kind, collect, tmp_path):
    """The status says what is wrong, nothing is written outside, and the next one is collected."""
    files, problem = BAD[kind]
    collect([("bad.zip", packed(files)), ("good.zip", packed([("x/y.ipynb", GOOD)]))])
    assert problems(collect.course) == {"bad": problem}
    assert collected(collect.course) == {"good": GOOD}
    assert not list(tmp_path.rglob("evil*"))


def damaged():
    """A zip whose contents do not have their checksum."""
    content = packed([("a.ipynb", GOOD * 100)])
    return content[:45] + bytes([content[45] ^ 0xFF]) + content[46:]


def encrypted():
    content = bytearray(packed([("a.ipynb", GOOD)]))
    content[content.index(b"PK\x01\x02") + 8] |= 1
    return bytes(content)


@pytest.mark.parametrize(
    ("content", "problem"),
    [(b"PK not really", "not-a-zip"), (damaged(), "damaged-zip"), (encrypted(), "encrypted-zip")],
    ids=["no zip", "damaged", "encrypted"],
)
def test_what_is_no_sound_zip(content, problem, collect):
    """An upload that broke off, or that nobody can open, says so."""
    collect([("bad.zip", content), ("good.ipynb", GOOD)])
    assert problems(collect.course) == {"bad": problem}
    assert collected(collect.course) == {"good": GOOD}


def test_the_platforms_zip_itself_is_not_trusted(collect, tmp_path):
    """An entry that leads out of the folder costs the student whom it names, nobody else."""
    eve, ada = MOODLE.format("Eve", 66, "x.ipynb"), MOODLE.format("Ada", 5, "x.ipynb")
    said = collect([(name, GOOD) for name in ["../" + eve, "../../nobody.ipynb", ada]])
    assert problems(collect.course) == {"66": "unsafe-path"}
    assert "not collected: '../../nobody.ipynb': not named as Moodle names files" in said
    assert collected(collect.course) == {"5": GOOD}
    assert not list(tmp_path.rglob("nobody*"))


def test_nor_is_a_folder_of_ones_own(collect, tmp_path):
    """Whoever is on no roster can be told from no path that leads out of the folder."""
    said = collect([("../../nobody.ipynb", GOOD), ("ada.ipynb", GOOD)])
    assert "'../../nobody.ipynb': The zip archive holds a path" in said
    assert collected(collect.course) == {"ada": GOOD}


@pytest.mark.parametrize("name", ["René Müller", "王小明"])
def test_names_in_utf8_without_the_flag(name, collect, tmp_path):
    """Many programs write UTF-8 names and do not say so; zipfile then reads them as cp437."""
    said = MOODLE.format(name, 5, "x.ipynb").encode()
    stand_in = b"n" * len(said)
    content = packed([(stand_in.decode(), GOOD)]).replace(stand_in, said)
    collect(content)
    assert collect.course.notes("a1_scores")["5"]["name"] == name


def test_names_in_cp437(collect):
    """Without the flag, and no UTF-8: then it is what the zip format says."""
    said = MOODLE.format("René", 5, "x.ipynb").encode("cp437")
    collect(packed([("n" * len(said), GOOD)]).replace(b"n" * len(said), said))
    assert collect.course.notes("a1_scores")["5"]["name"] == "René"


ROSTERS = {
    "own": "id,name,email\nada,Ada Lovelace,ada@x.org\nalan,Alan Turing,alan@x.org\n",
    "Canvas": "Student,ID,SIS User ID,SIS Login ID,Section,Essay (9)\n"
    "    Points Possible,,,,,10\n"
    '"Lovelace, Ada",12345,s1,ada,A,\n"Turing, Alan",777,s2,alan,A,\n"Student, Test",1,,t,A,\n',
    "Moodle": "First name,Last name,ID number,Email address\n"
    "Ada,Lovelace,ada,ada@x.org\nAlan,Turing,alan,alan@x.org\n",
    "a spreadsheet": "\ufeffStudent ID;Name\nada;Lovelace, Ada\nalan;Turing, Alan\n",
}


@pytest.mark.parametrize("kind", ROSTERS)
def test_a_roster_names_students_and_who_is_missing(kind, collect, tmp_path):
    """Whatever platform it comes from; a platform's file names lead to its identifiers."""
    roster = tmp_path / "people.csv"
    roster.write_text(ROSTERS[kind], encoding="utf-8")
    said = collect([(MOODLE.format("Ada Lovelace", 12345, "x.ipynb"), GOOD)], "--roster", roster)
    assert list(collected(collect.course)) == ["ada"]
    assert "1 of 2 on the roster are missing" in said
    assert collect.course.students("a1_scores") == ["ada", "alan"]


def test_two_of_one_name_are_not_mixed_up(collect, tmp_path):
    """A name that two have leads to nobody; the platform's number then serves."""
    roster = tmp_path / "people.csv"
    roster.write_text("id,name\nw1,Wang Wei\nw2,Wang Wei\n")
    collect([(MOODLE.format("Wang Wei", 31, "x.ipynb"), GOOD)], "--roster", roster)
    assert list(collected(collect.course)) == ["31"]


@pytest.mark.parametrize(
    ("content", "told"),
    [
        (b"id,name\n../x,Eve\n", "row 2: '../x' cannot name a folder"),
        (b"id,name\na,A\na,B\n", "row 3: 'a' is there twice"),
        (b"nome,corso\nA,B\n", "wanted is a column “id”"),
        ("id,name\na,王\n".encode("gb18030"), "not encoded in UTF-8"),
        (b"", "the file is empty"),
    ],
    ids=["escapes", "twice", "columns", "encoding", "empty"],
)
def test_a_bad_roster_is_refused(content, told, collect, tmp_path):
    """It would file marks under wrong names; nothing is collected before it is right."""
    roster = tmp_path / "people.csv"
    roster.write_bytes(content)
    assert told in collect([("ada.ipynb", GOOD)], "--roster", roster, expect=2)
    assert not collect.course.root.exists()


@pytest.mark.parametrize(
    ("content", "told"),
    [(b"no zip", "not a valid zip"), (packed([]), "zip archive is empty")],
    ids=["no zip", "empty"],
)
def test_a_source_that_is_no_zip(content, told, collect):
    """The instructor's own file: an error, not a status."""
    assert told in collect(content, expect=2)


def test_a_bad_upload_does_not_replace_a_good_one(collect):
    """What was collected before is kept, and that is said."""
    collect([("ada.ipynb", GOOD)])
    said = collect([("ada.zip", packed([]))])
    assert "ada: what was collected before is kept" in said
    assert collected(collect.course) == {"ada": GOOD}
    assert problems(collect.course) == {}


def test_a_name_cannot_command_the_terminal(collect):
    """Names come from students: what is not printable is shown, not sent."""
    said = collect([("ada/\x1b[2J.ipynb", GOOD), ("ada/b.ipynb", GOOD), ("\x1b[2J/c.ipynb", GOOD)])
    assert "\x1b" not in said and "\\x1b[2J/c.ipynb" in said


def test_notes_are_plain_json(collect):
    """Other programs may read them."""
    collect([("ada.ipynb", GOOD)])
    note = json.loads(collect.course.collected("a1_scores").read_text(encoding="utf-8"))["ada"]
    assert note == {"name": "", "file": "ada.ipynb", "late": False, "problem": None}
