"""A page for each student: what was checked, and what is wrong, in both languages.

It is made from the record of the marks, which holds no input, no expected value and no seed.
"""

import argparse
from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from coursework.course.database import add_database_argument
from coursework.course.folder import (
    Course,
    CourseError,
    add_course_arguments,
    load_assignment,
    write_whole,
)
from coursework.questions.cases import Message
from coursework.reports.results import Result, results

# Names, errors and comments could hold HTML: whatever is not the template's own is escaped.
TEMPLATE = Environment(
    loader=FileSystemLoader(Path(__file__).parent),
    autoescape=True,
    undefined=StrictUndefined,
    trim_blocks=True,
).get_template("feedback.html.jinja")
WORDS = {
    "file": Message("file", "评分的文件：", "The file that was marked:"),
    "late": Message("late", "迟交。", "It was handed in late."),
    "unanswered": Message("unanswered", "这一题没有作答。", "This question has not been answered."),
    "written": Message("written", "书面题", "Written answer"),
    "not_yet": Message("not-yet", "尚未批改", "not marked yet"),
    "total": Message("total", "总分", "Total"),
    "so_far": Message("so-far", "自动评分部分", "Marked automatically"),
    "failed_cells": Message(
        "failed-cells",
        "评分时，下列单元运行出错（从第 1 个代码单元数起）：",
        "These cells failed when they were run for marking (counting code cells from 1):",
    ),
}


def page(result: Result, assignment: str) -> str:
    """The page of a student whose work has been looked at, as HTML."""
    return TEMPLATE.render(result=result, marks=result.marks, assignment=assignment, words=WORDS)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_course_arguments(parser)
    add_database_argument(parser)


def run(arguments: argparse.Namespace) -> int:
    course, assignment = Course(arguments.course), load_assignment(arguments.assignment)
    found = results(course, assignment, arguments.database or course.database)
    seen = [result for result in found if result.marks]
    if not seen:
        raise CourseError(f"{course.root}: no marks of {assignment.name}; mark it first")
    for result in seen:
        html = page(result, assignment.name)
        write_whole(
            course.feedback(result.student.id, assignment.name), html.encode("utf-8", "replace")
        )
    print(f"{assignment.name}: {len(seen)} pages in {course.root / 'feedback'}")
    return 0
