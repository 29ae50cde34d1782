"""The search of both editions, typed by a reader."""

import re
from urllib.parse import quote

import pytest

QUERIES = {
    "zh": ["注意力汇聚", "核回归", "键", "Nadaraya", "Nadaraya–Watson 核回归", "attention"],
    "en": ["attention pooling", "Nadaraya", "attention", "kernel regression"],
}


def found(page):
    """The pages that the search found, once it is through."""
    page.wait_for_function("document.querySelector('.search-summary')?.innerText")
    links = page.locator("#search-results ul.search a").all()
    return [re.match(r"[^?#]+", link.get_attribute("href"))[0] for link in links]


@pytest.mark.parametrize(
    ("edition", "query"), [(edition, query) for edition in QUERIES for query in QUERIES[edition]]
)
def test_search_finds_the_section(visit, edition, query):
    """Words, phrases and single characters of the section on pooling lead to it."""
    with visit(f"{edition}/search.html?q={quote(query)}") as page:
        assert "02_attention_pooling.html" in found(page)
        assert page.faults == []


@pytest.mark.parametrize(("edition", "query"), [("zh", "核回归"), ("en", "kernel regression")])
def test_search_by_keyboard(visit, edition, query):
    """A shortcut, the query and Enter lead to the results, with the words marked."""
    with visit(f"{edition}/index.html") as page:
        page.keyboard.press("Control+k")
        page.keyboard.type(query)
        page.keyboard.press("Enter")
        page.wait_for_url("**/search.html?**")
        assert "02_attention_pooling.html" in found(page)
        marked = page.locator("#search-results .highlighted")
        marked.first.wait_for()
        assert {text.lower() for text in marked.all_inner_texts()} <= set(query.split())


@pytest.mark.parametrize(("edition", "query"), [("zh", "斑马"), ("zh", "汇注"), ("en", "giraffe")])
def test_search_does_not_find_everything(visit, edition, query):
    """Words that the book does not use find nothing."""
    with visit(f"{edition}/search.html?q={quote(query)}") as page:
        assert found(page) == []
