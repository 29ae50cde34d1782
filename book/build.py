"""Build both editions of the book side by side and put them together in ``_build/site``.

``python book/build.py --serve`` also serves the site to browsers on this machine.
"""

import argparse
import shutil
import sys
from concurrent.futures import ThreadPoolExecutor

from edition_build import EditionBuild
from editions import ROOT, derive
from serve import serve

BUILD = ROOT / "_build"
SITE = BUILD / "site"


def build():
    """Build every edition, and return whether all went well."""
    builds = [EditionBuild(name, *settings, BUILD / name) for name, settings in derive().items()]
    with ThreadPoolExecutor(len(builds)) as pool:
        try:
            succeeded = list(pool.map(EditionBuild.run, builds))
        except KeyboardInterrupt:
            for edition in builds:
                edition.stop()
            raise
    if not all(succeeded):
        return False
    # Put together beside the old site, which may be being served, and free of its pages.
    fresh = BUILD / "site.new"
    shutil.rmtree(fresh, ignore_errors=True)
    for edition in builds:
        shutil.copytree(edition.output / "html", fresh / edition.edition)
    shutil.copy(ROOT / "book" / "root.html", fresh / "index.html")
    shutil.rmtree(SITE, ignore_errors=True)
    fresh.rename(SITE)
    return True


def port(text):
    if not text.isdecimal() or not 1 <= int(text) <= 65535:
        raise argparse.ArgumentTypeError(f"{text!r} is not a port, a number from 1 to 65535")
    return int(text)


def main():
    parser = argparse.ArgumentParser(description="Build both editions of the book as one site.")
    parser.add_argument("--serve", action="store_true", help="then serve it on this machine")
    parser.add_argument("--port", type=port, help="the first port to try (8000)")
    arguments = parser.parse_args()
    if arguments.port and not arguments.serve:
        parser.error("--port needs --serve")
    if not build():
        sys.exit("The book was not built: see the errors above.")
    if arguments.serve:
        serve(SITE, arguments.port or 8000)
    else:
        print(f"The site is in {SITE.relative_to(ROOT)}.")


if __name__ == "__main__":
    try:
        main()
    except KeyboardInterrupt:
        sys.exit(130)
