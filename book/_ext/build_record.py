"""The directive ``build-record``: when each notebook last ran, how long it took, with what.

    ```{build-record} Section, Last run (UTC), Seconds, Package, Version
    ```

The words behind it are the headings of the two tables, in the language of the page.
"""

import importlib.metadata
import platform
from contextlib import suppress
from datetime import datetime, timezone

from docutils import nodes
from myst_nb.sphinx_ import NbMetadataCollector
from sphinx.errors import ExtensionError
from sphinx.util.docutils import SphinxDirective

PACKAGES = ("attention-lib", "torch", "numpy", "matplotlib", "ipywidgets", "jupyter-book")


class Record(nodes.General, nodes.Element):
    """Stands where the tables go: they are known only when every page has been read."""


class BuildRecord(SphinxDirective):
    required_arguments = 1
    final_argument_whitespace = True

    def run(self):
        headings = [heading.strip() for heading in self.arguments[0].split(",")]
        if len(headings) != 5:
            raise self.error(f"five headings wanted, separated by commas, got {headings}")
        self.env.build_record_page = self.env.docname
        return [Record(headings=headings)]


def executed(env):
    """Page, time of its last execution, and how many seconds it took, in the order of the book."""
    for page in env.toctree_includes.get(env.config.root_doc, []):
        data = NbMetadataCollector.get_exec_data(env, page)
        if data is None:
            continue
        if not data["runtime"]:
            raise ExtensionError(f"no execution time is known for {page}: {data}")
        yield page, datetime.fromtimestamp(data["mtime"], timezone.utc), data["runtime"]


def table(headings, rows):
    group = nodes.tgroup("", cols=len(headings))
    group += [nodes.colspec(colwidth=1) for _ in headings]
    group += nodes.thead("", row(nodes.Text(heading) for heading in headings))
    group += nodes.tbody("", *map(row, rows))
    return nodes.table("", group, classes=["colwidths-auto"])


def row(cells):
    return nodes.row("", *(nodes.entry("", nodes.paragraph("", "", cell)) for cell in cells))


def fill_in(app, doctree, page):
    for record in list(doctree.findall(Record)):
        headings = record["headings"]
        runs = [
            [
                nodes.reference(
                    "", title(app, each), refuri=app.builder.get_relative_uri(page, each)
                ),
                nodes.Text(f"{when:%Y-%m-%d %H:%M}"),
                nodes.Text(f"{seconds:.0f}"),
            ]
            for each, when, seconds in executed(app.env)
        ]
        versions = [("Python", platform.python_version())]
        versions += installed(PACKAGES)
        record.replace_self(
            [
                table(headings[:3], runs),
                table(headings[3:], [map(nodes.Text, each) for each in versions]),
            ]
        )


def installed(packages):
    """Each package with its version, without those that this build does without."""
    for package in packages:
        with suppress(importlib.metadata.PackageNotFoundError):
            yield package, importlib.metadata.version(package)


def title(app, page):
    return app.env.titles[page].astext()


def write_again(app, env):
    """The page with the record says another thing whenever any notebook has been executed."""
    return [env.build_record_page] if hasattr(env, "build_record_page") else []


def setup(app):
    app.add_directive("build-record", BuildRecord)
    app.add_node(Record)
    app.connect("env-updated", write_again)
    app.connect("doctree-resolved", fill_in)
    return {"parallel_read_safe": False, "parallel_write_safe": True}
