"""The tables that leave the course."""

import csv
import io
import json

import pytest

from coursework.__main__ import main
from coursework.course.tables import BOM, defused
from coursework.marking.records import record_bytes, to_record
from coursework.questions.checks import PROBLEMS
from tests.coursework import small_class

CANVAS = (
    "Student,ID,SIS User ID,SIS Login ID,Section,Essay (9),a1_scores (12345),Current Score\n"
    "    Points Possible,,,,,5,13,(read only)\n"
    '"Lovelace, Ada",501,s-1,ada,A,4,,80\n'
    "王小明,502,s-2,bo,A,,,\n"
    "=cmd,503,s-3,cy,A,,7,\n"
    "Di,504,s-4,di,B,,3,\n"
    '"Student, Test",599,,test,A,,,\n'
)
MOODLE = (
    "\ufeffIdentifier,Full name,Email address,Status,Grade,Maximum Grade,Feedback comments\n"
    "Participant 71,Ada Lovelace,ada@uni.example,Submitted,,13.00,\n"
    "Participant 72,王小明,bo@uni.example,Submitted,,13.00,\n"
    "Participant 74,Di,di@uni.example,No submission,,13.00,\n"
)


@pytest.fixture(scope="module")
def exported(tmp_path_factory):
    """All exports of the small class; its folder of tables."""
    course = small_class.make(tmp_path_factory.mktemp("course"))
    (course.root / "canvas.csv").write_text(CANVAS, encoding="utf-8")
    (course.root / "moodle.csv").write_text(MOODLE, encoding="utf-8")
    words = ["export", "a1_scores", "--course", str(course.root), "--gradescope"]
    words += ["--canvas", str(course.root / "canvas.csv")]
    assert main([*words, "--moodle", str(course.root / "moodle.csv")]) == 0
    return course.exports("a1_scores")


def rows(file):
    return list(csv.DictReader(io.StringIO(file.read_text("utf-8-sig"), newline="")))


def test_missing_unreadable_and_zero_are_three_things(exported):
    """Points stand only where an answer was judged."""
    columns = (
        "status",
        "masked_softmax",
        "sdpa",
        "measure_scaling",
        "automatic",
        "total",
        "out of",
    )
    table = {r["student"]: [r[c] for c in columns] for r in rows(exported / "marks.csv")}
    assert table == {
        "ada": ["marked", "5", "5", "3", "13", "13", "13"],
        "bo": ["marked", "5", "0", "3", "8", "8", "13"],
        "cy": ["marked", "0", "0", "0", "0", "0", "13"],
        "di": ["missing", "", "", "", "", "", "13"],
        "ed": ["unreadable", "", "", "", "", "", "13"],
    }


def test_what_needs_an_eye_has_its_columns(tmp_path, capsys):
    """What mark says at its end, for each student, by names that a program can compare."""
    course = small_class.make(tmp_path)
    odd = small_class.marks(
        PROBLEMS["malformed"],
        PROBLEMS["too slow"],
        PROBLEMS["too slow"],
        failed_cells=((2, "ValueError", "x"), (4, "=1+1", "x")),
        to_review=("ctypes", "torch.ops"),
    )
    record = course.record("bo", "a1_scores")
    hashes = json.loads(record.read_text())["hashes"]
    record.write_bytes(record_bytes({"hashes": hashes} | to_record(odd)))
    assert export(tmp_path, capsys)[0] == 0
    table = {r["student"]: r for r in rows(course.exports("a1_scores") / "marks.csv")}
    bo, ada, ed = table["bo"], table["ada"], table["ed"]
    assert bo["problems"] == "malformed: masked_softmax; too-slow: sdpa, measure_scaling"
    assert bo["to review"] == "ctypes; torch.ops"
    assert bo["failed cells"] == "cell 2: ValueError; cell 4: '=1+1'"
    assert [ada[c] for c in ("problems", "to review", "failed cells")] == ["", "", ""]
    assert (ed["status"], ed["problems"]) == ("unreadable", "unreadable: not-json")


def test_an_identifier_is_no_formula(tmp_path, capsys):
    """One that begins with @ can name a folder, and is one of a spreadsheet's own signs."""
    course = small_class.make(tmp_path)
    course.roster_file.write_text("id,name\n@SUM(1),x\n".replace("(1)", "1"), encoding="utf-8")
    assert export(tmp_path, capsys)[0] == 0
    students = [r["student"] for r in rows(course.exports("a1_scores") / "marks.csv")]
    assert "'@SUM1" in students and "ada" in students


def test_a_spreadsheet_opens_it_safely(exported):
    """UTF-8 with its mark, and a name that is a formula stays a name."""
    assert (exported / "marks.csv").read_bytes().startswith(BOM)
    names = {r["student"]: r["name"] for r in rows(exported / "marks.csv")}
    assert names["cy"] == f"'{small_class.FORMULA}"
    assert names["bo"] == "王小明"
    dangerous = ["=1", "+1", "-1", "@x", " =1", "\t=1", "\r=1"]
    assert [defused(name) for name in dangerous] == [f"'{name}" for name in dangerous]


def test_canvas_gets_its_own_columns_back(exported):
    """Identities as Canvas wrote them, one assignment, the row of possible points, no others."""
    table = list(csv.reader(io.StringIO((exported / "canvas.csv").read_text("utf-8"))))
    assert table == [
        ["Student", "ID", "SIS User ID", "SIS Login ID", "Section", "a1_scores (12345)"],
        ["    Points Possible", "", "", "", "", "13"],
        ["Lovelace, Ada", "501", "s-1", "ada", "A", "13"],
        ["王小明", "502", "s-2", "bo", "A", "8"],
        ["'=cmd", "503", "s-3", "cy", "A", "0"],
        ["Di", "504", "s-4", "di", "B", "3"],  # missing: Canvas keeps what it has
        ["Student, Test", "599", "", "test", "A", ""],
    ]


def test_moodle_gets_its_worksheet_back(exported):
    """Found by e-mail here; the grade and why, everything else as it was."""
    table = {r["Identifier"]: r for r in rows(exported / "moodle.csv")}
    assert {k: r["Grade"] for k, r in table.items()} == {
        "Participant 71": "13",
        "Participant 72": "8",
        "Participant 74": "",
    }
    assert table["Participant 72"]["Feedback comments"] == (
        "1 masked_softmax: 5/5; 2 sdpa: 0/5 — 掩码没有起作用：被掩蔽的位置仍有权重。 "
        "The mask has no effect: hidden positions still get weight.; 3 measure_scaling: 3/3"
    )
    assert table["Participant 74"]["Status"] == "No submission"
    assert (exported / "moodle.csv").read_bytes().startswith(BOM)


def test_gradescope(exported):
    """The documented fields; nobody who handed in nothing."""
    found = {p.parent.name: json.loads(p.read_text("utf-8")) for p in exported.rglob("*.json")}
    assert sorted(found) == ["ada", "bo", "cy", "ed"]
    bo = found["bo"]
    assert (bo["score"], bo["visibility"], len(bo["tests"])) == (8, "visible", 13)
    assert bo["tests"][5] == {
        "name": "2 sdpa: 键都相同时，输出是值的平均 / Equal keys average the values",
        "score": 0,
        "max_score": 1,
        "output": "掩码没有起作用：被掩蔽的位置仍有权重。\n"
        "The mask has no effect: hidden positions still get weight.",
        "visibility": "visible",
    }
    assert "not valid JSON" in found["ed"]["output"]


def export(folder, capsys, *options):
    status = main(["export", "a1_scores", "--course", str(folder), *map(str, options)])
    return status, "".join(capsys.readouterr())


def test_a_number_of_another_column_gives_nobodys_marks_away(tmp_path, capsys):
    """One column decides for all rows: s-1's Canvas number is another student's own."""
    small_class.make(tmp_path)
    file = tmp_path / "canvas.csv"
    file.write_text(
        "Student,ID,SIS Login ID,a1_scores (1)\nX,ada,cy,\nY,cy,bo,\nZ,zz,ada,\n", encoding="utf-8"
    )
    assert export(tmp_path, capsys, "--canvas", file)[0] == 0
    table = rows(tmp_path / "exports" / "a1_scores" / "canvas.csv")
    assert [(r["SIS Login ID"], r["a1_scores (1)"]) for r in table] == [
        ("cy", "0"),
        ("bo", "8"),
        ("ada", "13"),
    ]


@pytest.mark.parametrize(
    ("option", "content", "told"),
    [
        ("--canvas", "Student,ID,Essay (9)\n", "those with a number are: Essay (9)"),
        ("--canvas", "a1_scores (1),a1_scores (2)\n", "2 columns are called"),
        ("--moodle", "Identifier,Points\n", "no column “Grade”"),
        ("--moodle", "", "the file is empty"),
    ],
)
def test_a_table_of_another_kind_is_refused(option, content, told, tmp_path, capsys):
    """With the columns that there are; nothing is written."""
    small_class.make(tmp_path)
    (tmp_path / "table.csv").write_text(content, encoding="utf-8")
    status, said = export(tmp_path, capsys, option, tmp_path / "table.csv")
    assert status == 2 and told in said
    assert not (tmp_path / "exports").exists()


def test_a_column_of_another_name(tmp_path, capsys):
    """What the instructor called it in Canvas."""
    small_class.make(tmp_path)
    file = tmp_path / "canvas.csv"
    file.write_text("Student,SIS Login ID,作业一 (77)\nAda,ada,\nX,nobody,\n", encoding="utf-8")
    status, said = export(tmp_path, capsys, "--canvas", file, "--canvas-column", "作业一")
    assert status == 0
    assert "not in" in said and "bo, cy, di, ed" in said
    (ada, nobody) = rows(tmp_path / "exports" / "a1_scores" / "canvas.csv")
    assert (ada["作业一 (77)"], nobody["作业一 (77)"]) == ("13", "")
