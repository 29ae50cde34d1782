"""From one edition to the other, and from the root page to either."""

import re

import pytest
from book_site import EDITIONS, LANGUAGES, PHONE

NAMES = {"zh": "中文", "en": "English"}
OTHER = {"zh": "en", "en": "zh"}


def language_switch(page, edition):
    return page.get_by_role("link", name=NAMES[edition], exact=True)


def test_switch_names_the_same_section(section_page, site, edition, section):
    """On a phone, every page has a link of a finger's size to the same page in the other tongue."""
    switch = language_switch(section_page, OTHER[edition])
    language = LANGUAGES[OTHER[edition]]
    assert switch.evaluate("link => link.href") == f"{site}/{OTHER[edition]}/{section}.html"
    assert switch.get_attribute("hreflang") == switch.get_attribute("lang") == language
    box = switch.bounding_box()
    assert min(box["width"], box["height"]) >= 44
    assert 0 <= box["x"] <= PHONE["width"] - box["width"]


@pytest.mark.parametrize("name", ["02_attention_pooling", "search"])
def test_switch_leads_there_and_back(visit, site, name):
    """Two clicks in one tab lead to the other edition's page and back."""
    with visit(f"zh/{name}.html", viewport=PHONE) as page:
        for edition in ("en", "zh"):
            language_switch(page, edition).click()
            page.wait_for_url(f"{site}/{edition}/{name}.html")
            assert page.locator("html").get_attribute("lang") == LANGUAGES[edition]
        assert page.faults == []


def test_alternates_resolve(section_page, site, section):
    """Search engines are told of both editions of a page, and of the one for everybody else."""
    found = section_page.eval_on_selector_all(
        "link[rel=alternate][hreflang]",
        "links => Object.fromEntries(links.map(link => [link.hreflang, link.href]))",
    )
    assert found == {
        "zh-CN": f"{site}/zh/{section}.html",
        "en": f"{site}/en/{section}.html",
        "x-default": f"{site}/en/{section}.html",
    }
    for address in found.values():
        assert section_page.request.get(address).status == 200


@pytest.mark.parametrize(
    ("locale", "edition"), [("zh-CN", "zh"), ("zh-TW", "zh"), ("en-GB", "en"), ("fr-FR", "en")]
)
def test_root_picks_by_the_browsers_language(visit, site, locale, edition):
    """Readers of Chinese start in Chinese, all others in English."""
    with visit("", locale=locale) as page:
        page.wait_for_url(f"{site}/{edition}/index.html")
        assert page.faults == []


@pytest.mark.parametrize(("edition", "theme"), [("zh", "light"), ("en", "dark")])
def test_root_offers_both_without_javascript(visit, site, edition, theme):
    """Without scripts the root page is a choice of two links."""
    with visit("", java_script_enabled=False, color_scheme=theme, viewport=PHONE) as page:
        assert page.url == f"{site}/"
        assert all(language_switch(page, either).is_visible() for either in EDITIONS)
        language_switch(page, edition).click()
        page.wait_for_url(f"{site}/{edition}/index.html")


def test_interface_is_chinese(visit):
    """Names and tooltips of buttons, links and fields in the Chinese edition are Chinese."""
    with visit("zh/02_attention_pooling.html") as page:
        words = page.eval_on_selector_all(
            "a[title], button, input",
            """nodes => nodes.filter((node) => !node.closest("article, mjx-container")).map(
              (node) => node.title || node.ariaLabel || node.placeholder || node.innerText.trim()
            )""",
        )
        words += page.evaluate("[toggleHintShow, toggleHintHide]")  # of folded solutions
    assert len(words) > 10
    assert [word for word in words if not re.search(r"[\u4e00-\u9fff]|^\.\w+$", word)] == []
