"""A page for each student: what was checked, and what is wrong, in both languages.

It is made from the record of the marks, which holds no input, no expected value and no seed.
"""

import argparse
from collections.abc import Iterable
from html import escape

from coursework.course.database import add_database_argument
from coursework.course.folder import (
    Course,
    CourseError,
    add_course_arguments,
    load_assignment,
    write_whole,
)
from coursework.marking.marks import MARKED, MISSING, QuestionMarks
from coursework.questions.cases import Message
from coursework.reports.results import Result, results
from coursework.reports.written import Written

STYLE = """
:root { color-scheme: light dark; --right: #1a7f37; --wrong: #b42318; --line: #8886; }
@media (prefers-color-scheme: dark) { :root { --right: #4ac26b; --wrong: #ff8a7a; } }
body { font: 1rem/1.6 system-ui, sans-serif; max-width: 44rem; margin: auto; padding: 1rem; }
h1, h2 { line-height: 1.3; overflow-wrap: anywhere; }
h2 { display: flex; justify-content: space-between; gap: 1rem; font-size: 1.15rem;
     border-bottom: 1px solid var(--line); }
ul { list-style: none; padding: 0; }
li { display: grid; grid-template-columns: 1.5rem 1fr auto; margin: .6rem 0; }
li p { grid-column: 2; margin: 0; }
.points { white-space: nowrap; font-variant-numeric: tabular-nums; }
.right { color: var(--right); } .wrong { color: var(--wrong); }
pre, blockquote { white-space: pre-wrap; overflow-wrap: anywhere; margin: .3rem 0;
                  padding: .4rem .8rem; border-inline-start: 3px solid var(--line); }
.zh, .en { display: block; }
.points .zh, .points .en { display: inline; }
#zh:checked ~ main .en, #en:checked ~ main .zh { display: none; }
"""
SWITCH = """
<input type="radio" name="language" id="both" checked> <label for="both">双语 · Both</label>
<input type="radio" name="language" id="zh"> <label for="zh">中文</label>
<input type="radio" name="language" id="en"> <label for="en">English</label>
"""

UNANSWERED = Message("unanswered", "这一题没有作答。", "This question has not been answered.")
WRITTEN = Message("written", "书面题", "Written answer")
NOT_YET = Message("not-yet", "尚未批改", "not marked yet")
TOTAL = Message("total", "总分", "Total")
SO_FAR = Message("so-far", "自动评分部分", "Marked automatically")
FAILED_CELLS = Message(
    "failed-cells",
    "评分时，下列单元运行出错（从第 1 个代码单元数起）：",
    "These cells failed when they were run for marking (counting code cells from 1):",
)


def page(result: Result, assignment: str) -> str:
    """The page of a student whose work has been looked at, as HTML."""
    marks = result.marks
    body = [f"<h1>{escape(assignment)}</h1>", f"<p>{_who(result)}</p>"]
    if marks.status == MARKED:
        body.append(_total(result))
        body += [_question(question) for question in marks.questions]
        body += [_written(name, answer) for name, answer in sorted(result.written.items())]
        body += _failed(marks.failed_cells)
    else:
        body.append(f'<div class="wrong" role="status">{both(marks.reason)}</div>')
    return (
        '<!DOCTYPE html>\n<html lang="zh">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        # What a student managed to smuggle in could load and run nothing.
        '<meta http-equiv="Content-Security-Policy" '
        "content=\"default-src 'none'; style-src 'unsafe-inline'\">\n"
        f"<title>{escape(assignment)}</title>\n<style>{STYLE}</style>\n</head>\n<body>{SWITCH}"
        "<main>\n" + "\n".join(body) + "\n</main>\n</body>\n</html>\n"
    )


def both(message: Message, tag: str = "span") -> str:
    return (
        f'<{tag} class="zh" lang="zh">{escape(message.zh)}</{tag}>'
        f'<{tag} class="en" lang="en">{escape(message.en)}</{tag}>'
    )


def _who(result: Result) -> str:
    name = result.student.name
    return escape(f"{name} ({result.student.id})" if name else result.student.id)


def _total(result: Result) -> str:
    if result.total is None:
        return f"<h2>{_label(SO_FAR)}{_points(result.marks.points, result.marks.out_of)}</h2>"
    return f"<h2>{_label(TOTAL)}{_points(result.total, result.out_of)}</h2>"


def _label(message: Message) -> str:
    return f"<span>{both(message)}</span>"


def _points(points: float, out_of: float) -> str:
    return f'<span class="points">{points:g} / {out_of:g}</span>'


def _question(question: QuestionMarks) -> str:
    title = f"<span>{escape(question.question.name)}</span>"
    head = f"<h2>{title}{_points(question.points, question.out_of)}</h2>"
    if question.status == MISSING:
        return f"<section>{head}<p>{both(UNANSWERED)}</p></section>"
    cases = []
    for verdict in question.verdicts:
        case, reason = verdict
        kind, sign = ("wrong", "✗") if reason else ("right", "✓")
        why = f"<p>{both(reason)}</p>" if reason else ""
        cases.append(
            f'<li><span class="{kind}" aria-hidden="true">{sign}</span>'
            f"<strong>{both(case.title)}</strong>{_points(verdict.points, case.points)}{why}</li>"
        )
    return f"<section>{head}<ul>{''.join(cases)}</ul></section>"


def _written(name: str, answer: Written) -> str:
    if answer.points is None:
        points = f'<span class="points">{both(NOT_YET)} / {answer.out_of:g}</span>'
    else:
        points = _points(answer.points, answer.out_of)
    comment = f"<blockquote>{escape(answer.comment)}</blockquote>" if answer.comment else ""
    title = f"<span>{both(WRITTEN)}{escape(name)}</span>"
    return f"<section><h2>{title}{points}</h2>{comment}</section>"


def _failed(cells: Iterable[tuple[int, str, str]]) -> list[str]:
    lines = [f"<pre>[{n}] {escape(error)}: {escape(text)}</pre>" for n, error, text in cells]
    return [f"<section><p>{both(FAILED_CELLS)}</p>{''.join(lines)}</section>"] if lines else []


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
