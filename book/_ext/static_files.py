"""Give every page the styles and the scripts of ``book/static`` and of the players."""

import hashlib
from pathlib import Path

ROOT = Path(__file__).parents[2]
STATIC = ROOT / "book" / "static"
# What unpacks a player stands beside what packs it.
PLAYER = [ROOT / "attention_lib" / "figures" / name for name in ("player.css", "player.js")]


def digest():
    files = [*sorted(path for path in STATIC.rglob("*") if path.is_file()), *PLAYER]
    return hashlib.sha256(b"".join(path.read_bytes() for path in files)).hexdigest()


def add_files(app, config):
    # Found from here, not named in _config.yml: a build of one edition has another source
    # folder. Not called _static either: Jupyter Book puts every script of such a folder in the
    # head of every page.
    config.html_static_path += map(str, (STATIC, *PLAYER))
    config.html_favicon = str(STATIC / "icon.svg")


def setup(app):
    # Pages name their files with a checksum, so a changed file means writing all pages again.
    app.add_config_value("static_files_digest", digest(), "html")
    app.add_css_file("player.css")
    app.add_css_file("site.css")
    app.add_js_file("player.js", defer="defer")
    app.add_js_file("from_files.js", defer="defer")
    app.connect("config-inited", add_files)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
