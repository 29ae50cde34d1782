"""No file name speaks for anybody but the one whom the platform names."""

import json

import pytest

from tests.coursework.handed_in.test_collect import (
    BETTER,
    GOOD,
    MOODLE,
    collect,
    collected,
    packed,
    problems,
)

__all__ = ["collect"]  # the fixture
FLAT = "{}_{}_assignsubmission_file_{}"  # Moodle's files without folders
ROSTER = "id,name,email\nada,Ada Lovelace,ada@x.org\neve,Eve Evil,eve@x.org\n777,Emmy Noether,\n"
CANVAS_ROSTER = (
    "Student,ID,SIS User ID,SIS Login ID,Section\n"
    '"Lovelace, Ada",501,s1,ada,A\n"Evil, Eve",66,s2,eve,A\n"Turing, Alan",502,s3,alan,A\n'
)


@pytest.fixture
def people(tmp_path):
    """A roster as a file."""

    def write(text):
        (tmp_path / "people.csv").write_text(text, encoding="utf-8")
        return tmp_path / "people.csv"

    return write


VICTIM = FLAT.format("Ada Lovelace", 501, "a1_scores.ipynb")
HOSTILE = {
    "Moodle, in a folder": MOODLE.format("Eve Evil", 66, VICTIM),
    "Moodle, in a folder of a folder": MOODLE.format("Eve Evil", 66, f"x/{VICTIM}"),
    "Moodle, as a folder": MOODLE.format("Eve Evil", 66, f"{VICTIM}/a.ipynb"),
    "Moodle, flat": FLAT.format("Eve Evil", 66, VICTIM),
    "Moodle, as Canvas would": FLAT.format("Eve Evil", 66, "lovelaceada_501_9_a.ipynb"),
    "Canvas, as Moodle would": f"evileve_66_900_{VICTIM}",
    "Canvas, as Canvas would": "evileve_66_900_lovelaceada_501_901_a1_scores.ipynb",
    "Canvas, a number in the name": "evileve_LATE_66_900_501_901_a.ipynb",
    "nbgrader": f"submitted/eve/a1_scores/{VICTIM}",
    "nbgrader's exchange": f"eve+a1_scores+2026-03-01 10:00:00 UTC+x/{VICTIM}",
    "by hand": f"eve/{VICTIM}",
}


@pytest.mark.parametrize("kind", HOSTILE)
@pytest.mark.parametrize("roster", [ROSTER, CANVAS_ROSTER], ids=["own", "Canvas"])
def test_a_file_is_its_owners_whatever_it_is_called(kind, roster, collect, people):
    """The classmate whose name it bears keeps what was collected before."""
    before = collect.course.submission("ada", "a1_scores")
    before.parent.mkdir(parents=True)
    before.write_bytes(GOOD)
    collect([(HOSTILE[kind], BETTER)], "--roster", people(roster))
    assert collected(collect.course) == {"ada": GOOD, "eve": BETTER}


@pytest.mark.parametrize("kind", HOSTILE)
def test_without_a_roster_too(kind, collect):
    """Then the platform's own number is the name of the folder."""
    option = ["--platform", "folder"] if kind == "by hand" else []
    collect([(HOSTILE[kind], BETTER)], *option)
    number = "66" if "66" in HOSTILE[kind] else "eve"
    assert collected(collect.course) == {number: BETTER}


MIXED = {
    "two platforms": [MOODLE.format("Ada", 1, "a.ipynb"), "eve_2_3_a.ipynb"],
    "a platform and a file": [MOODLE.format("Ada", 1, "a.ipynb"), "eve.ipynb"],
    "nbgrader and Canvas": ["submitted/ada/a1_scores/a1_scores.ipynb", "eve_2_3_a.ipynb"],
    "all in one more folder": ["all/" + MOODLE.format(n, 5, "a") for n in "AB"],
}


@pytest.mark.parametrize("kind", MIXED)
def test_an_archive_of_two_platforms_is_refused(kind, collect):
    """A guess would read some names wrongly; what looks like what is said, and what to do."""
    said = collect([(name, GOOD) for name in MIXED[kind]], expect=2)
    assert "--platform" in said and MIXED[kind][0] in said
    assert not collect.course.root.exists()


def test_the_platform_can_be_said(collect):
    """What it does not name so is left out, and that is said."""
    files = [(name, GOOD) for name in MIXED["a platform and a file"]]
    said = collect(files, "--platform", "moodle")
    assert collected(collect.course) == {"1": GOOD}
    assert "not collected: 'eve.ipynb': not named as Moodle names files" in said


DISAGREE = {
    "Moodle": (ROSTER, MOODLE.format("Ada Lovelace", 777, "a.ipynb")),
    "Moodle, nobody's name": (ROSTER, MOODLE.format("Ada X", 777, "a.ipynb")),
    "Canvas": (CANVAS_ROSTER, "lovelaceada_66_900_a.ipynb"),
    "Canvas, nobody's name": (CANVAS_ROSTER, "x_501_900_a.ipynb"),
    "Canvas, nobody's number": (CANVAS_ROSTER, "lovelaceada_67_900_a.ipynb"),
    "Canvas, a number at the end of the name": (CANVAS_ROSTER, "x_501_66_900_a.ipynb"),
}


@pytest.mark.parametrize("kind", DISAGREE)
def test_number_and_name_of_two_people(kind, collect, people):
    """One of the two is wrong, and nobody knows which: nobody is replaced, and it is said."""
    roster, name = DISAGREE[kind]
    for student in ("ada", "eve", "777", "501"):
        path = collect.course.submission(student, "a1_scores")
        path.parent.mkdir(parents=True)
        path.write_bytes(GOOD)
    said = collect([(name, BETTER)], "--roster", people(roster), expect=1)
    assert set(collected(collect.course).values()) == {GOOD}
    assert f"not collected: {name!r}: the number" in said


def test_two_numbers_of_one_name_in_an_archive(collect, people):
    """Eve has renamed herself: which of the two is Ada cannot be told, and both are said."""
    names = [MOODLE.format("Ada Lovelace", number, "a.ipynb") for number in (501, 66)]
    files = [(names[0], GOOD), (names[1], BETTER), (MOODLE.format("Eve Evil", 9, "a"), GOOD)]
    said = collect(files, "--roster", people(ROSTER), expect=1)
    assert collected(collect.course) == {}
    assert all(f"not collected: {name!r}: 501 and 66 are both called" in said for name in names)


def test_marked_blindly(collect, people):
    """Moodle then calls everybody a participant: the number tells, where the roster has it."""
    names = [MOODLE.format("Participant", number, "a.ipynb") for number in (71, 72, 73)]
    roster = people("id,name,identifier\nada,Ada,Participant 71\neve,Eve,Participant 72\n")
    said = collect([(name, GOOD) for name in names], "--roster", roster)
    assert collected(collect.course) == dict.fromkeys(["ada", "eve", "73"], GOOD)
    assert "73: not on the roster" in said


def test_a_name_within_a_name_is_another(collect, people):
    """Anne-Marie Curie is not Marie Curie."""
    roster = people("id,name\nmarie,Marie Curie\n")
    collect([(MOODLE.format("Anne-Marie Curie", 5, "a.ipynb"), GOOD)], "--roster", roster)
    assert collected(collect.course) == {"5": GOOD}


def test_two_names_of_one_number_in_an_archive(collect):
    """Without a roster, the archive itself has to be of one mind."""
    files = ["a_12_900_x.ipynb", "b_12_901_x.ipynb", "c_13_902_x.ipynb"]
    said = collect([(name, GOOD) for name in files])
    assert collected(collect.course) == {"13": GOOD}
    assert said.count("12 has several names") == 2


def test_another_number_than_last_time(collect, people):
    """Who was 501 last week is not 66 today; the other one's work stays."""
    roster = people(ROSTER)
    collect([(MOODLE.format("Ada Lovelace", 501, "a.ipynb"), GOOD)], "--roster", roster)
    said = collect([(MOODLE.format("Ada Lovelace", 66, "a.ipynb"), BETTER)], expect=1)
    assert collected(collect.course) == {"ada": GOOD}
    assert "was 501 when it was collected before" in said
    assert "1 replaced" in collect([(MOODLE.format("Ada Lovelace", 501, "a.ipynb"), BETTER)])


def test_who_is_not_on_the_roster_is_said(collect, people):
    """Kept under the platform's number, for whoever came late; in nobody's place."""
    said = collect([("zuse_9_900_a.ipynb", GOOD)], "--roster", people(CANVAS_ROSTER))
    assert collected(collect.course) == {"9": GOOD}
    assert "9: not on the roster: 'zuse_9_900_a.ipynb'" in said
    said = collect([("other_9_901_a.ipynb", BETTER)], expect=1)
    assert collected(collect.course) == {"9": GOOD}
    assert "the name is not the one of 9 that was collected before" in said


def test_case_and_normal_form_make_no_second_student(collect, people):
    """On many systems the two would share one folder."""
    said = collect([("ada.ipynb", GOOD), ("ADA.ipynb", BETTER)], expect=1)
    assert collected(collect.course) == {}
    assert said.count("not collected") == 2 and "ADA and ada are both called" in said
    collect([("Ada.ipynb", GOOD)], "--roster", people(ROSTER))
    assert collected(collect.course) == {"ada": GOOD}


GRADESCOPE = """
submission_41:
  :submitters:
  - :name: Ada Lovelace
    :sid: ada
    :email: ada@x.org
  :created_at: 2026-03-01 10:00:00 Z
submission_42:
  :submitters:
  - :name: Eve Evil
    :sid:
    :email: eve@x.org
  - :name: Emmy Noether
    :sid: 777
"""


def test_gradescope(collect, people):
    """Its table tells whose a folder is, for a pair the same file; a file name tells nothing."""
    files = [
        ("assignment_5_export/submission_metadata.yml", GRADESCOPE),
        ("assignment_5_export/submission_41/submission_42.ipynb", GOOD),
        ("assignment_5_export/submission_42/x.ipynb", BETTER),
    ]
    collect(files, "--roster", people(ROSTER))
    assert collected(collect.course) == {"ada": GOOD, "eve": BETTER, "777": BETTER}


@pytest.mark.parametrize(
    ("table", "told"),
    [
        (None, "submission_metadata.yml is missing"),
        ("submission_41: [", "submission_metadata.yml cannot be read"),
        ("submission_41: !!python/object/apply:os.abort []", "not in submission_metadata.yml"),
        ("submission_41: 7", "not in submission_metadata.yml"),
    ],
    ids=["none", "broken off", "a command", "another form"],
)
def test_a_table_of_gradescopes_that_is_none(table, told, collect):
    """Nothing in it is run, and without it nobody is named."""
    files = [("submission_41/x.ipynb", GOOD)]
    files += [("submission_metadata.yml", table)] if table else []
    assert told in collect(files, expect=1 if told.startswith("not in") else 2)
    assert collected(collect.course) == {}


def test_nbgraders_exchange(collect):
    """The newest by its time, whose number of digits is fixed; other assignments are left."""
    when = "inbound/ada+{}+2026-03-{} 10:00:00 UTC+abc/a1_scores.ipynb"
    collect(
        [
            (when.format("a1_scores", "09"), BETTER),
            (when.format("a1_scores", "02"), GOOD),
            (when.format("a2_pooling", "10"), GOOD),
        ]
    )
    assert collected(collect.course) == {"ada": BETTER}


RANKS = {
    "scratch-3": ["scratch-3.ipynb", "a1_scores.ipynb"],
    "a browser's copy": ["a1_scores (2).ipynb", "a1_scores.ipynb"],
    "a platform's copy": ["a1_scores-1.ipynb", "a1_scores.ipynb"],
    "Jupyter's copy": ["a1_scores-Copy1.ipynb", "a1_scores.ipynb"],
    "in a folder": ["z/scratch (9).ipynb", "b/a1_scores.ipynb"],
    "a copy of the right one": ["scratch-9.ipynb", "a1_scores-1.ipynb"],
    "with more words": ["scratch-9.ipynb", "a1_scores_ada.ipynb"],
}


@pytest.mark.parametrize("kind", RANKS)
@pytest.mark.parametrize("form", [MOODLE.format("T", 7, "{}"), "7/{}"], ids=["Moodle", "folder"])
@pytest.mark.parametrize("order", [1, -1])
def test_a_copy_number_does_not_outrank_the_right_name(kind, form, order, collect):
    """The name that was handed out tells more than what a browser appended."""
    files = [(form.format(name), text) for name, text in zip(RANKS[kind], [BETTER, GOOD], strict=1)]
    said = collect(files[::order])
    assert collected(collect.course) == {"7": GOOD}
    assert f"7: 2 notebooks, the one of the right name counts: {files[1][0]!r}" in said


def test_on_canvas_the_right_name_too(collect):
    """A later file of another name is a scrap; a later one of this name is a new version."""
    name = "turing_7_{}_{}.ipynb"
    files = [name.format(900, "a1_scores"), name.format(1000, "a1_scores-1")]
    collect([(files[0], GOOD), (files[1], BETTER), (name.format(2000, "scratch-3"), GOOD)])
    assert collected(collect.course) == {"7": BETTER}


@pytest.mark.parametrize("order", [1, -1])
def test_a_name_twice_in_one_zip(order, collect):
    """Unpacking would leave the last; so it is here, and it is said."""
    with pytest.warns(UserWarning, match="Duplicate name"):
        content = packed([("ada.ipynb", text) for text in [GOOD, BETTER][::order]])
    said = collect(content)
    assert collected(collect.course) == {"ada": [GOOD, BETTER][::order][1]}
    assert "ada: 2 notebooks" in said


def test_an_entry_that_leads_out_costs_no_sound_one(collect):
    """Who can forge paths can name anybody in them."""
    said = collect(
        [("../" + MOODLE.format("Ada", 5, "z.ipynb"), BETTER), (MOODLE.format("Ada", 5, "a"), b"")],
        expect=1,
    )
    assert problems(collect.course) == {"5": "unsafe-path"}
    said = collect(
        [
            ("../" + MOODLE.format("Ada", 5, "z.ipynb"), BETTER),
            (MOODLE.format("Ada", 5, "a.ipynb"), GOOD),
        ]
    )
    assert collected(collect.course) == {"5": GOOD}
    assert "leads out of its folder" in said


@pytest.mark.parametrize("mark", ["\u202e", "\u200b", "\u2066", "\ufeff"], ids=ascii)
def test_signs_that_nobody_sees(mark, collect, people):
    """They neither hide whose a file is nor reach the terminal."""
    said = collect([(f"a{mark}da.ipynb", GOOD)], "--roster", people(ROSTER))
    assert collected(collect.course) == {"ada": GOOD}
    said += collect([(f"zu{mark}se.ipynb", GOOD), ("ada.ipynb", GOOD)])
    assert mark not in said and "not collected: 'zu\\u" in said


def test_signs_that_a_terminal_obeys(collect, people):
    """Two spellings of one student are said without sending either."""
    files = [("ada\x1b.ipynb", GOOD), ("ada.ipynb", GOOD)]
    said = collect(files, "--roster", people(ROSTER), expect=1)
    assert "\x1b" not in said and "ada and 'ada\\x1b' are both called ada" in said


def test_a_very_long_name(collect):
    """It is no folder, fills no screen, and stops nobody else."""
    said = collect([("x" * 60_000 + ".ipynb", GOOD), ("ada/" + "y" * 60_000 + ".ipynb", GOOD)])
    assert collected(collect.course) == {"ada": GOOD}
    assert len(said) < 1000


def test_when_nobody_was_collected(collect):
    """Exit status 1, so that a script notices; who is collected already is not nobody."""
    collect([("ada.zip", packed([]))], expect=1)
    assert collected(collect.course) == {}
    collect([("ada.ipynb", GOOD)])
    collect([("ada.ipynb", GOOD)])  # expects exit status 0, as before
    assert collected(collect.course) == {"ada": GOOD}


def test_the_file_that_counts_is_kept_in_the_note(collect):
    """Feedback names it."""
    collect([("ada/scratch-3.ipynb", GOOD), ("ada/a1_scores.ipynb", GOOD)])
    note = json.loads(collect.course.collected("a1_scores").read_text(encoding="utf-8"))["ada"]
    assert note["file"] == "ada/a1_scores.ipynb"
