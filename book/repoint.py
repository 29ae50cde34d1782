"""Point the book to another repository: launch buttons, first cells of the notebooks, links.

``python book/repoint.py https://github.com/<owner>/<repository>`` changes the address in
``_config.yml`` and every copy of it, or, if one file cannot be written, nothing. The command with
the old address undoes it. It needs git, and no package.
"""

import argparse
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parents[1]
CONFIG = ROOT / "_config.yml"
SETTINGS = r"^repository:\n  url: (\S+)\n  branch: (\S+)\n  site: (\S+)$"
# What stands before owner/repository in the addresses of services that open notebooks on GitHub.
SERVICES = (
    "colab.research.google.com/github",
    "mybinder.org/v2/gh",
    "nbviewer.org/github",
    "raw.githubusercontent.com",
)


class Unfit(Exception):
    """Why the book was left as it was, in one line."""


class Address(NamedTuple):
    url: str
    branch: str
    site: str

    @property
    def repository(self):
        return self.url.removeprefix("https://github.com/")


def main():
    new = read_arguments()
    old = read_config()
    changes = {}
    for path in files():
        before = path.read_bytes()
        after = replace(before, old, new)
        if path == CONFIG:
            after = after.replace(branch_line(old), branch_line(new), 1)
        if after != before:
            changes[path] = (before, after)
    write(changes)
    print(f"{new.url}, branch {new.branch}, site {new.site}: {len(changes)} files changed.")


def branch_line(address):
    return f"\n  branch: {address.branch}\n".encode()


def read_arguments():
    parser = Parser(
        prog="repoint.py",
        description="Point the book to another repository.",
        epilog="The command with the old address undoes it.",
    )
    parser.add_argument("url", type=url, help="https://github.com/<owner>/<repository>")
    parser.add_argument("--branch", type=branch, default="main", help="of the book (main)")
    parser.add_argument("--site", type=site, help="of the website (the one on GitHub Pages)")
    given = parser.parse_args()
    return Address(given.url, given.branch, given.site or pages(given.url))


class Parser(argparse.ArgumentParser):
    def error(self, message):
        self.exit(2, f"{self.prog}: {message}\n")


def url(text):
    found = re.fullmatch(r"https://github\.com/([A-Za-z\d-]+/[\w.-]+?)(?:\.git)?/?", text, re.A)
    if not found or found[1].endswith(("/.", "/..")):
        wanted = "https://github.com/<owner>/<repository>, as Colab and Binder need it"
        raise argparse.ArgumentTypeError(f"wanted {wanted}, got {text!r}")
    return f"https://github.com/{found[1]}"


def branch(text):
    # The names that need no quoting in an address; git allows some more.
    if not re.fullmatch(r"\w[\w.-]*(/\w[\w.-]*)*", text, re.A):
        raise argparse.ArgumentTypeError(f"wanted the name of a branch, got {text!r}")
    return text


def site(text):
    if not re.fullmatch(r"https?://[\w-]+(\.[\w-]+)*(:\d+)?(/[\w.~-]+)*/?", text, re.A):
        raise argparse.ArgumentTypeError(
            f"wanted an address like https://host/folder, got {text!r}"
        )
    return text.rstrip("/")


def pages(url):
    """Return where GitHub Pages puts the site of a repository."""
    owner, repository = url.split("/")[-2:]
    host = f"{owner.lower()}.github.io"
    return f"https://{host}" if repository.lower() == host else f"https://{host}/{repository}"


def read_config():
    found = re.search(SETTINGS, CONFIG.read_text(encoding="utf-8"), re.M)
    if not found:
        raise Unfit("_config.yml has no `repository:` with the lines url, branch and site")
    return Address(*found.groups())


def files():
    """Return the files of the repository, and those that are about to be added to it."""
    command = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True)
    if done.returncode:
        raise Unfit(f"git cannot list the files: {done.stderr.decode().splitlines()[0]}")
    paths = {ROOT / os.fsdecode(name) for name in done.stdout.split(b"\0") if name}
    return sorted(path for path in paths if path.is_file() and not path.is_symlink())


def replace(content, old, new):
    """Return ``content``, bytes of any kind of file, with the new address for the old one.

    In one pass, so that nothing is replaced twice where one address contains the other.
    """
    places = "|".join(map(re.escape, ("github.com", *SERVICES)))
    end = r"(?![\w-]|\.\w)"  # a longer name is another one
    repository = rf"(?<![\w.-])((?:{places})/){re.escape(old.repository)}(\.git\b|{end})"
    at_branch = rf"(?:(@|/(?:(?:blob|edit|raw|tree)/)?){re.escape(old.branch)}{end})?"
    site = rf"(?<![\w.-]){re.escape(old.site)}{end}"

    def renew(found):
        place, suffix, link = (part.decode() if part else "" for part in found.groups())
        if not place:
            return new.site.encode()
        return f"{place}{new.repository}{suffix}{link}{link and new.branch}".encode()

    return re.sub(f"{repository}{at_branch}|{site}".encode(), renew, content)


def write(changes):
    """Write every file of ``{path: (before, after)}``, or leave all as they were."""
    drafts = {path: path.with_name(f".{path.name}.repointed") for path in changes}
    replaced = []
    try:
        for path, draft in drafts.items():
            path.open("ab").close()  # a file that is read-only is so for a reason
            draft.write_bytes(changes[path][1])
            shutil.copymode(path, draft)
        for path, draft in drafts.items():
            draft.replace(path)
            replaced.append(path)
    except BaseException:
        for path in replaced:
            path.write_bytes(changes[path][0])
        raise
    finally:
        for draft in drafts.values():
            draft.unlink(missing_ok=True)


if __name__ == "__main__":
    try:
        main()
    except (Unfit, OSError) as reason:
        print(f"repoint.py: nothing was changed: {reason}", file=sys.stderr)
        sys.exit(2)
