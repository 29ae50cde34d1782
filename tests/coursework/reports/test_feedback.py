"""The pages that students get back."""

import html
import re

import pytest

from coursework.__main__ import main
from coursework.assignments.a1_scores import ASSIGNMENT
from coursework.assignments.reasons import IGNORED
from coursework.course.roster import Student
from coursework.questions.checks import PROBLEMS
from coursework.reports.feedback import page
from coursework.reports.results import Result, results
from coursework.reports.written import Written
from tests.coursework import small_class
from tests.coursework.reports.browser_page import opened


@pytest.fixture(scope="module")
def pages(tmp_path_factory):
    """The page of every student, by the command."""
    course = small_class.make(tmp_path_factory.mktemp("course"))
    assert main(["feedback", "a1_scores", "--course", str(course.root)]) == 0
    return {s: course.feedback(s, "a1_scores").read_text("utf-8") for s in small_class.MARKS}


def text(page):
    return html.unescape(re.sub(r"<[^>]*>", " ", page.partition("<main>")[2]))


def test_everything_that_was_checked_is_told(pages):
    """Each case has its title, its points and its reason, in both languages."""
    said = text(pages["bo"])
    for question in ASSIGNMENT.questions:
        for case in question.cases(small_class.SEED):
            assert case.title.zh in said and case.title.en in said
    assert said.count(IGNORED.zh) == said.count(IGNORED.en) == 5
    assert (said.count("✓"), said.count("✗")) == (8, 5)
    assert re.findall(r"\d+ / \d+", said)[:2] == ["8 / 13", "5 / 5"]


def test_missing_and_unreadable_have_no_points(pages):
    """What nobody judged has a reason instead of a zero."""
    assert "没有提交。" in pages["di"] and "Nothing was handed in." in pages["di"]
    assert "not valid JSON" in pages["ed"]
    assert not re.search(r"\d+ / \d+", text(pages["di"]) + text(pages["ed"]))
    assert "0 / 13" in text(pages["cy"])


def test_what_students_wrote_is_text(pages):
    """Names, and errors of their cells, could hold HTML; so could a tutor's comment."""
    assert "<script" not in pages["cy"] and "&lt;script&gt;alert(1)" in pages["cy"]
    assert "<b>Ed" not in pages["ed"] and "&lt;b&gt;Ed" in pages["ed"]
    comment = Written(1, 4, "a < b <img src=x onerror=alert(1)>")
    result = Result(Student("x"), small_class.MARKS["ada"], written={"why": comment})
    assert "<img" not in page(result, "a1_scores")


EVIL = "<img src=x onerror=alert(1)>{{ 7 * 7 }}\"'&<"


@pytest.mark.parametrize("place", ["name", "id", "comment", "written", "error", "message", "file"])
def test_nothing_of_a_students_is_markup(place):
    """Wherever it stands, it is the text that it was, and no template of its own."""
    texts = dict.fromkeys(["name", "id", "comment", "written", "error", "message", "file"], "x")
    texts[place] = EVIL
    marks = small_class.marks(
        None, None, None, failed_cells=((1, texts["error"], texts["message"]),)
    )
    written = {texts["written"]: Written(1, 4, texts["comment"])}
    student = Student(texts["id"], texts["name"])
    made = page(Result(student, marks, file=texts["file"], written=written), "a1_scores")
    assert "<img" not in made and "49" not in text(made)
    assert EVIL in html.unescape(
        re.sub(r"</?(main|p|pre|span|h2|section|blockquote)[^>]*>", "", made)
    )


def test_which_file_was_marked():
    """A student who handed in several sees which one counted, and that it was late."""
    told = Result(Student("x"), small_class.MARKS["ada"], late=True, file="x/a1_scores (2).ipynb")
    said = text(page(told, "a1_scores"))
    assert "x/a1_scores (2).ipynb" in said and "handed in late" in said and "迟交" in said
    assert "迟交" not in text(page(Result(Student("x"), small_class.MARKS["ada"]), "a1_scores"))


def test_what_concerns_the_instructor_only():
    """A detour costs nothing by itself, and whoever is meant to look has not looked yet."""
    marks = small_class.marks(None, None, None, to_review=("torch.ops",))
    assert "torch.ops" not in page(Result(Student("x"), marks), "a1_scores")


@pytest.mark.parametrize("problem", ["died", "too slow", "malformed"])
def test_what_concerns_the_student(problem):
    """That the process was ended is said with what may have been the cause."""
    marks = small_class.marks(PROBLEMS[problem], None, None)
    said = text(page(Result(Student("x"), marks), "a1_scores"))
    assert PROBLEMS[problem].zh in said and PROBLEMS[problem].en in said


def test_written_answers_when_somebody_has_marked_them():
    """Their points and the comment; until then, the total is said to be a part."""
    marks = small_class.MARKS["ada"]
    waiting = text(page(Result(Student("x"), marks, written={"why": Written(None, 4)}), "a1"))
    assert "自动评分部分 Marked automatically 13 / 13" in re.sub(r"\s+", " ", waiting)
    assert "尚未批改" in waiting and "总分" not in waiting
    done = Written(2.5, 4, "Think of the scale.")
    given = text(page(Result(Student("x"), marks, written={"why": done}), "a1"))
    assert "15.5 / 17" in given and "2.5 / 4" in given and "Think of the scale." in given


def test_no_number_of_a_hidden_case(pages):
    """Neither inputs nor expected values nor the seed, whatever was wrong."""
    everything = "".join(map(text, pages.values()))
    assert not re.search(r"\d\.\d{2}|\d{5}", everything)
    assert small_class.SEED not in everything


def test_a_page_needs_nothing_else(pages):
    """No script, and nothing from anywhere, even if something was smuggled in."""
    for each in pages.values():
        assert not re.search(r"<(script|link|img|iframe)|https?://(?!example)|url\(", each)
        assert "default-src 'none'" in each


def test_who_has_not_been_marked_gets_no_page(tmp_path, capsys):
    """And the command says who, and what to do."""
    course = small_class.make(tmp_path)
    course.record("bo", "a1_scores").unlink()
    found = {r.student.id: r.status for r in results(course, ASSIGNMENT)}
    assert found["bo"] == "not marked"
    assert "bo; run: mark a1_scores" in capsys.readouterr().err
    assert main(["feedback", "a1_scores", "--course", str(tmp_path)]) == 0
    assert not course.feedback("bo", "a1_scores").exists()
    assert course.feedback("ada", "a1_scores").exists()


def test_what_was_handed_in_since_is_told(tmp_path, capsys):
    """Marks of an older submission are not passed off as those of the newest."""
    course = small_class.make(tmp_path)
    results(course, ASSIGNMENT)
    assert capsys.readouterr().err == ""
    course.submission("ada", "a1_scores").write_text("{}")
    results(course, ASSIGNMENT)
    assert "not marked as they are now: ada;" in capsys.readouterr().err


def test_on_a_phone_in_the_dark_without_scripts(pages, browser, tmp_path):
    """Nothing to scroll sideways, light text on dark ground, and the switch works."""
    file = tmp_path / "page.html"
    long_name = pages["cy"].replace("&lt;script&gt;", "&lt;script&gt;" + 400 * "x")
    file.write_text(long_name, encoding="utf-8")
    with opened(browser, file) as tab:
        width = "e => e.scrollWidth"
        assert tab.locator("html").evaluate(width) <= 360
        colour = "e => getComputedStyle(e).color"
        assert tab.locator("h1").evaluate(colour) == "rgb(255, 255, 255)"
        chinese, english = tab.locator("main .zh").first, tab.locator("main .en").first
        assert chinese.is_visible() and english.is_visible()
        tab.get_by_label("English").check()
        assert english.is_visible() and not chinese.is_visible()
        tab.get_by_label("中文", exact=True).check()
        assert chinese.is_visible() and not english.is_visible()
