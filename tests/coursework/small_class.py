"""A class whose marks are made up, so that no sandbox has to start."""

import json

from coursework.assignments.a1_scores import ASSIGNMENT
from coursework.assignments.reasons import IGNORED, NO_SCALE
from coursework.course.folder import Course
from coursework.handed_in.notebook import NOT_JSON
from coursework.marking.marks import MARKED, MISSING, NOTHING, Marks, QuestionMarks, unmarked
from coursework.marking.records import file_hash, record_bytes, to_record
from coursework.questions.checks import Verdict

SEED = "a seed for tests"
FORMULA = '=HYPERLINK("http://example.org")'
ROSTER = f"""id,name,email
ada,"Lovelace, Ada",ada@uni.example
bo,王小明,bo@uni.example
cy,"{FORMULA.replace('"', '""')}",cy@uni.example
di,Di,di@uni.example
ed,<b>Ed</b>,ed@uni.example
"""
NOTEBOOK = {"cells": [{"cell_type": "code", "source": "x = 1", "metadata": {}, "outputs": []}]}


def marks(*reasons_of_questions, **more):
    """Marks with one reason, or None, for all cases of each question."""
    questions = []
    for question, reason in zip(ASSIGNMENT.questions, reasons_of_questions, strict=True):
        cases = question.cases(SEED)
        verdicts = tuple(Verdict(case, reason) for case in cases)
        questions.append(QuestionMarks(question, MARKED, len(cases), verdicts))
    return Marks(MARKED, tuple(questions), **more)


MARKS = {
    "ada": marks(None, None, None),
    "bo": marks(None, IGNORED, None),
    "cy": marks(
        IGNORED, NO_SCALE, NO_SCALE, failed_cells=((2, "ValueError", "<script>alert(1)</script>"),)
    ),
    "di": unmarked(ASSIGNMENT, SEED, MISSING, NOTHING),
    "ed": unmarked(ASSIGNMENT, SEED, "unreadable", NOT_JSON),
}


def make(folder):
    """A course of five students: full marks, some, zero, missing, unreadable."""
    course = Course(folder)
    folder.mkdir(parents=True, exist_ok=True)
    course.roster_file.write_text(ROSTER, encoding="utf-8")
    for student, given in MARKS.items():
        path = course.submission(student, ASSIGNMENT.name)
        if given.status != MISSING:
            path.parent.mkdir(parents=True)
            path.write_text(json.dumps(NOTEBOOK) if given.status == MARKED else "{")
        record = course.record(student, ASSIGNMENT.name)
        record.parent.mkdir(parents=True, exist_ok=True)
        hashes = {"submission": file_hash(path)}
        record.write_bytes(record_bytes({"hashes": hashes} | to_record(given)))
    return course
