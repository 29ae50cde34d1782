"""Set formulas with a MathJax that is part of the site.

Only one script and its fonts are copied (2 of the package's 24 MB). The script is the full one:
the smaller ones load commands such as ``\\boldsymbol`` when a page first uses them.
"""

import shutil
from importlib.metadata import distribution
from pathlib import Path

# The name of the package's folder has hyphens, so that it cannot be imported.
MATHJAX = Path(distribution("sphinx-mathjax-offline").locate_file("sphinx-mathjax-offline"))
SCRIPT = "tex-chtml-full.js"
FONTS = "output/chtml/fonts/woff-v2"


def configure(app, config):
    config.mathjax_path = f"mathjax/{SCRIPT}"
    # The menu would load parts that are not in the site, and make every formula a tab stop.
    config.mathjax3_config = {"options": {"enableMenu": False}}


def copy(app, error):
    if error is None and app.builder.format == "html":
        source = MATHJAX / "static" / "mathjax"
        target = Path(app.outdir) / "_static" / "mathjax"
        target.mkdir(parents=True, exist_ok=True)
        shutil.copy(source / SCRIPT, target)
        shutil.copytree(source / FONTS, target / FONTS, dirs_exist_ok=True)


def setup(app):
    # Before MyST, which adds its own settings to mathjax3_config.
    app.connect("config-inited", configure, priority=1)
    app.connect("build-finished", copy)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
