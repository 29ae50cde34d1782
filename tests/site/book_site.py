"""What the tests of the site know of the book: its editions, its pages and their sources."""

import re
from pathlib import Path

import yaml

ROOT = Path(__file__).parents[2]
EDITIONS = ("zh", "en")
LANGUAGES = {"zh": "zh-CN", "en": "en"}
PHONE = {"width": 390, "height": 844}  # what fits here fits everywhere


def sections():
    """The pages of the table of contents, without the edition's folder."""
    toc = yaml.safe_load((ROOT / "_toc.yml").read_text(encoding="utf-8"))
    return re.findall(r"'(?:root|file)': 'book/zh/([^']+)'", str(toc))


def notebooks():
    """The notebooks of both editions."""
    return sorted((ROOT / "book").glob("[ez][nh]/*.ipynb"))


def source(edition, section):
    """The file that a page is made from."""
    stem = ROOT / "book" / edition / section
    (path,) = (path for suffix in (".md", ".ipynb") if (path := stem.with_suffix(suffix)).exists())
    return path
