"""Link every page to the same page of the other edition.

Only where both editions are built side by side (``book/build.py`` sets ``edition`` and
``editions``): a single edition has nothing to link to.
"""

from html import escape
from pathlib import Path

TEMPLATES = Path(__file__).parent / "templates"


def add_links(app, page, template, context, doctree):
    links = {
        edition: described | {"address": f"{context['content_root']}../{edition}/{page}.html"}
        for edition, described in app.config.editions.items()
    }
    context["other_editions"] = [
        link for edition, link in links.items() if edition != app.config.edition
    ]
    languages = {link["lang"]: link["address"] for link in links.values()}
    if "en" in languages:  # for readers of any third language
        languages["x-default"] = languages["en"]
    tags = [
        f'<link rel="alternate" hreflang="{language}" href="{escape(address)}">\n'
        for language, address in languages.items()
    ]
    context["metatags"] = context.get("metatags", "") + "".join(tags)


def setup(app):
    app.add_config_value("edition", "", "html")
    app.add_config_value("editions", {}, "html")
    app.connect(
        "config-inited", lambda app, config: config.templates_path.insert(0, str(TEMPLATES))
    )
    app.connect("html-page-context", add_links)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
