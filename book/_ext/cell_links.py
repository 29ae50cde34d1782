"""Links to a cell of a notebook, in the words of its heading: {cell}`07_transformer#87b6f636`.

What is named is the id of the cell, which no edit of the prose changes. The reader sees the heading
under which the cell stands, as it is called in this edition today, and arrives there.
"""

import json
import posixpath
import re
from pathlib import Path

from docutils import nodes
from sphinx import addnodes
from sphinx.errors import ExtensionError
from sphinx.util.docutils import SphinxRole
from sphinx.util.nodes import make_refnode


def heading_number(notebook, cell):
    """How many headings come before the one under which a cell stands; None without such a cell.

    A cell that has headings of its own stands under the first of them.
    """
    seen = 0
    for each in notebook["cells"]:
        own = headings(each)
        if each.get("id") == cell:
            return seen if own else max(seen - 1, 0)
        seen += own
    return None


def headings(cell):
    """How many headings a cell has; a line of code that begins with # is none."""
    if cell["cell_type"] != "markdown":
        return 0
    text = re.sub(r"^(```|~~~).*?^\1", "", "".join(cell["source"]), flags=re.M | re.S)
    return len(re.findall(r"^#{1,6} ", text, re.M))


class CellRole(SphinxRole):
    def run(self):
        here = self.env.docname
        name, _, cell = self.text.partition("#")
        target = posixpath.join(posixpath.dirname(here), name)
        path = Path(self.env.doc2path(target))
        number = None
        if path.suffix == ".ipynb" and path.exists():
            self.env.note_dependency(str(path))  # when it is edited, this page is written anew
            number = heading_number(json.loads(path.read_text(encoding="utf-8")), cell)
        link = addnodes.pending_xref(
            "", nodes.inline("", self.text), refdoc=here, reftype="cell", reftarget=self.text
        )
        link["refwarn"] = True
        link["heading"] = None if number is None else (target, number)
        self.set_source_info(link)
        return [link], []


def resolve(app, env, node, content):
    """The link itself, once all pages are read; without a cell Sphinx reports a missing target."""
    if node.get("reftype") != "cell" or node["heading"] is None:
        return None
    target, number = node["heading"]
    found = list(env.tocs[target].findall(nodes.reference))
    if number >= len(found):
        raise ExtensionError(f"{target} has {len(found)} headings, and none of number {number}")
    words = nodes.inline()
    for place in sorted({0, number}):
        words += [nodes.Text(" › ")] if place else []
        words += [part.deepcopy() for part in found[place].children]
    anchor = found[number]["anchorname"].removeprefix("#")
    return make_refnode(app.builder, node["refdoc"], target, anchor, words)


def setup(app):
    app.add_role("cell", CellRole())
    app.connect("missing-reference", resolve)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
