"""Build the pages of both editions by Sphinx alone: the way out, should Jupyter Book 1 stop.

``python book/plain_sphinx.py`` executes nothing, and shows the outputs that are stored in the
notebooks. What ``book/_ext`` adds, search and language switch included, is the same.
"""

import sys

from editions import ROOT, derive
from sphinx.application import Sphinx
from sphinx.util.docutils import docutils_namespace
from yaml import safe_load

FOLDER = ROOT / "_build" / "plain_sphinx"
JUPYTER_BOOK_ONLY = {"jupyter_book", "sphinx_comments"}


def settings(edition, config, toc):
    """What Jupyter Book would make of the configuration, under Sphinx's own names."""
    outline = FOLDER / f"{edition}_toc.yml"
    outline.write_text(toc, encoding="utf-8")
    own, repository = config["sphinx"]["config"], config["repository"]
    return own | {
        "project": config["title"],
        "html_title": config["title"],
        "author": config["author"],
        "copyright": config["copyright"],
        "extensions": [name for name in own["extensions"] if name not in JUPYTER_BOOK_ONLY],
        "external_toc_path": str(outline),
        "external_toc_exclude_missing": True,
        "bibtex_bibfiles": config["bibtex_bibfiles"],
        "myst_enable_extensions": config["parse"]["myst_enable_extensions"],
        "nb_execution_mode": "off",
        "html_theme": "sphinx_book_theme",
        "html_theme_options": own["html_theme_options"]
        | {
            "repository_url": repository["url"],
            "repository_branch": repository["branch"],
            "path_to_docs": repository["path_to_book"],
            "launch_buttons": config["launch_buttons"],
            "extra_footer": config["html"]["extra_footer"],
        },
    }


def build(edition, config, toc):
    """Build an edition, and return Sphinx's exit status: warnings count."""
    sys.path.extend({*config["sphinx"]["local_extensions"].values()} - {*sys.path})
    output = FOLDER / edition
    with docutils_namespace():
        app = Sphinx(
            srcdir=ROOT / "book" / edition,
            confdir=None,
            outdir=output / "html",
            doctreedir=output / "doctrees",
            buildername="html",
            confoverrides=settings(edition, config, toc),
            status=None,  # warnings are enough
            warningiserror=True,
            freshenv=True,
        )
        app.build(force_all=True)
    print(f"{edition}  {'FAILED' if app.statuscode else 'built'}", flush=True)
    return app.statuscode


if __name__ == "__main__":
    FOLDER.mkdir(parents=True, exist_ok=True)
    sys.exit(max(build(name, safe_load(config), toc) for name, (config, toc) in derive().items()))
