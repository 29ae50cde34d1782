"""Search Chinese by characters and overlapping pairs, the same in index and query.

Chinese has no spaces to cut words at. A dictionary cuts the index, but not the reader's query,
so that a phrase such as 位置编码 finds nothing. Pairs need no dictionary on either side: a page
has the phrase if it has 位置, 置编 and 编码. A query of one character finds that character.
"""

import json
import re
from itertools import pairwise
from pathlib import Path
from typing import ClassVar

from sphinx.errors import ExtensionError
from sphinx.search.zh import SearchChinese

RUN = re.compile(r"[\u3400-\u9fff]+|[^\W\u3400-\u9fff]+")
CHINESE = re.compile(r"[\u3400-\u9fff]")


class SearchPairs(SearchChinese):
    latin_terms: ClassVar = set()  # a list before Sphinx 9; asked only what it contains
    js_splitter_code = r"""
const queryRuns = (query) =>
  query.match(/[\u3400-\u9fff]+|(?:(?![\u3400-\u9fff])[\p{L}\p{N}_])+/gu) || [];

function splitQuery(query) {
  const isLong = (run) => /[\u3400-\u9fff]/.test(run) && run.length > 2;
  const pairs = (run) => [...run].slice(1).map((character, i) => run[i] + character);
  return queryRuns(query).flatMap((run) => (isLong(run) ? pairs(run) : [run]));
}

// The results mark what the reader typed, not the pairs that it was cut into.
const parseQuery = Search._parseQuery;
Search._parseQuery = (query) => {
  const parsed = parseQuery(query);
  parsed[3] = new Set(queryRuns(query.toLowerCase()));
  return parsed;
};
"""

    def split(self, text):
        words = []
        for run in RUN.findall(text):
            if CHINESE.match(run):
                words += [*run, *map("".join, pairwise(run))]
            else:
                words.append(run)
                self.latin_terms.add(run)
        return words

    def word_filter(self, word):
        return bool(CHINESE.match(word)) or super().word_filter(word)


def check_index(app, error):
    """Fail rather than publish a Chinese edition whose search finds nothing."""
    if error or not app.config.language.startswith("zh") or app.builder.name != "html":
        return
    index = Path(app.outdir) / "searchindex.js"
    content = json.loads(index.read_text(encoding="utf-8")[len("Search.setIndex(") : -1])
    if not any(map(CHINESE.match, [*content["terms"], *content["titleterms"]])):
        raise ExtensionError("The search index of the Chinese edition holds no Chinese terms.")


def setup(app):
    app.add_search_language(SearchPairs)
    app.connect("build-finished", check_index)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
