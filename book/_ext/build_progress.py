"""Say in the log which notebook is being read, and of how many: ``book/build.py`` shows it."""

from pathlib import Path

from sphinx.util import logging

logger = logging.getLogger(__name__)


def count(app, env, pages):
    notebooks = [page for page in pages if Path(env.doc2path(page)).suffix == ".ipynb"]
    app.notebook_numbers = {page: number for number, page in enumerate(notebooks, start=1)}


def announce(app, page, source):
    if number := app.notebook_numbers.get(page):
        logger.info("notebook %d of %d: %s", number, len(app.notebook_numbers), page)


def setup(app):
    app.connect("env-before-read-docs", count)
    app.connect("source-read", announce)
    return {"parallel_read_safe": False, "parallel_write_safe": True}
