"""Every page of both editions, as a reader with a phone and a strict network sees it."""

import re

import nbformat
import pytest
from book_site import EDITIONS, LANGUAGES, PHONE, sections, source

LAUNCH = ".dropdown-launch-buttons a"

# The texts that a reader sees as text: not code, not formulas.
TEXTS = r"""() => {
  const unseen = "code, pre, script, style, noscript, template, mjx-container";
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const texts = [];
  while (walker.nextNode())
    if (!walker.currentNode.parentElement.closest(unseen)) texts.push(walker.currentNode.data);
  return texts;
}"""


def test_the_pages_are_those_of_the_outline(site_folder):
    """Both editions hold every section of the table of contents, the search, and nothing else."""
    expected = {*sections(), "search"}
    assert len(expected) > 2
    for edition in EDITIONS:
        folder = site_folder / edition
        pages = {path.relative_to(folder).with_suffix("").as_posix() for path in pages_of(folder)}
        assert pages == expected


def pages_of(folder):
    return [path for path in folder.rglob("*.html") if "_static" not in path.parts]


def test_nothing_goes_wrong(section_page):
    """No request to another host, no failed request, no error or warning in the console."""
    assert section_page.faults == []


def test_what_goes_wrong_is_noticed(visit):
    """Every test that finds no fault relies on this: each kind of fault is on the list."""
    with visit("en/index.html") as page:
        page.evaluate(
            """async () => {
              console.error("said");
              setTimeout(() => { throw new Error("thrown"); });
              await fetch("nowhere.html");
              await fetch("https://example.org/").catch(() => {});
              await new Promise((done) => setTimeout(done));
            }"""
        )
        faults = "\n".join(page.faults)
    assert "console: said" in faults
    assert "script error: thrown" in faults
    assert re.search("answer 404: .*/en/nowhere.html", faults)
    assert "request to another host: https://example.org/" in faults


@pytest.mark.parametrize("edition", EDITIONS)
def test_nothing_goes_wrong_in_search(visit, edition):
    """The search page is held to the same standard as the sections."""
    with visit(f"{edition}/search.html", viewport=PHONE) as page:
        assert page.faults == []


def test_language_is_declared(section_page, edition, section):
    """Screen readers, browsers and fonts go by the declared language."""
    assert section_page.locator("html").get_attribute("lang") == LANGUAGES[edition]


def test_every_formula_is_set(section_page, edition, section):
    """As many formulas as in the source, none with an error, and no dollar sign left over."""
    article = section_page.locator(".bd-article")
    # In titles of other pages, which lists and links repeat.
    listed = article.locator(".toctree-wrapper mjx-container, a.internal mjx-container").count()
    formulas = article.locator("mjx-container").count() - listed
    assert formulas == count_formulas(markdown(edition, section))
    assert section_page.locator("mjx-merror").count() == 0
    assert [text for text in section_page.evaluate(TEXTS) if "$" in text] == []


def test_no_asterisks_are_left(section_page):
    """Bold that ends in full-width punctuation is not bold, and shows its asterisks."""
    texts = section_page.evaluate(TEXTS)
    assert any(text.strip() for text in texts)
    assert [text for text in texts if "**" in text] == []


def test_pages_fit_a_phone(section_page):
    """Wide formulas, tables and pictures scroll in their own boxes, never the page."""
    assert section_page.evaluate("document.documentElement.scrollWidth") == PHONE["width"]
    formulas = section_page.locator(".bd-article mjx-container")
    cut_off = formulas.evaluate_all(
        """formulas => formulas.filter((formula) => ![formula, formula.closest(".math")]
          .some((box) => getComputedStyle(box).overflowX === "auto"))
          .map((formula) => formula.textContent)"""
    )
    assert cut_off == [], "would be cut off where it is too wide"


def test_launch_links_name_the_notebook(section_page, edition, section):
    """Every notebook opens in Colab and Binder under its own path; other pages offer neither."""
    links = [link.get_attribute("href") for link in section_page.locator(LAUNCH).all()]
    expected = 2 if source(edition, section).suffix == ".ipynb" else 0
    assert len(links) == expected
    assert all(link.endswith(f"book/{edition}/{section}.ipynb") for link in links)


def test_no_page_needs_a_kernel_or_another_host(site_folder):
    """Widget state, require.js and thebe would each bring scripts from elsewhere."""
    pages = pages_of(site_folder)
    assert len(pages) > 6
    for path in pages:
        text = path.read_text(encoding="utf-8")
        for unwanted in ("widget-state+json", "widget-view+json", "require.js", "thebe"):
            assert unwanted not in text, f"{unwanted} in {path}"
        loaded = re.findall(r"<(?:script|link|img|iframe)\b[^>]*\b(?:src|href)=\"([^\"]+)", text)
        assert loaded
        assert [address for address in loaded if re.match(r"(https?:)?//", address)] == []


def markdown(edition, section):
    path = source(edition, section)
    if path.suffix == ".md":
        return path.read_text(encoding="utf-8")
    cells = nbformat.read(path, as_version=4).cells
    return "\n\n".join(cell.source for cell in cells if cell.cell_type == "markdown")


def count_formulas(text):
    r"""Count the formulas of a MyST text, without a Markdown parser to be wrong with.

    >>> count_formulas("Keys $k_1$ and $k_2$ cost \\$5.\n\n$$\nx\n$$ (eq-x)\n\n`$a$`")
    3
    >>> count_formulas("```{math}\nx\n```\n\n```{hint}\n$x$\n```\n\n```python\n'$x$'\n```")
    2
    >>> count_formulas("\\begin{align}x\\end{align} and {math}`x`")
    2
    """
    text, count = without_fences(text)

    def take(pattern, formulas=1):
        nonlocal text, count
        text, found = re.subn(pattern, " ", text, flags=re.DOTALL)
        count += found * formulas

    take(r"{math}`[^`]+`")
    take(r"(?<!`)(`+)(?!`).+?(?<!`)\1(?!`)", formulas=0)  # code
    take(r"\\\$", formulas=0)
    take(r"\$\$.+?\$\$")
    take(r"\\begin{(align|equation|gather|multline)(\*?)}.*?\\end{\1\2}")
    take(r"\$[^$]+\$")
    return count


def without_fences(text):
    """Leave out fenced code and formulas, keep what other directives hold, count the formulas."""
    kept, formulas, fences = [], 0, []
    for line in text.splitlines():
        found = re.match(r"\s*(`{3,}|:{3,}|~{3,})\s*({[\w:-]+})?(.*)", line)
        if found and fences and found[1].startswith(fences[-1][0]) and not (found[2] or found[3]):
            fences.pop()
        elif found and not (fences and fences[-1][1]):
            literal = not found[2] or found[2] in ("{math}", "{code-block}", "{code}")
            fences.append((found[1], literal))
            formulas += found[2] == "{math}"
        elif not (fences and fences[-1][1]):
            kept.append(line)
    return "\n".join(kept), formulas
