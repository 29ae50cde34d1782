"""One command points a copy of the book to another repository, and back."""

import os
import re
import shutil
import subprocess
import sys

import pytest
import repoint
import yaml
from book_files import ROOT

# In pieces: the addresses must not stand in this file, which is among those that are copied.
FORK, OTHER = (f"https://github.com/{name}" for name in ("a-school/course.de", "a-school/course"))


@pytest.fixture
def copy(tmp_path):
    """A copy of all files of the repository, in a path with a space."""
    root = tmp_path / "a copy"
    for path in repoint.files():
        target = root / path.relative_to(ROOT)
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(path, target)
    subprocess.run(["git", "init", "--quiet"], cwd=root, check=True)
    return root


def run(root, *arguments):
    return subprocess.run(
        [sys.executable, "-S", root / "book/repoint.py", *arguments],  # -S: without any package
        cwd=root.parent,
        capture_output=True,
        encoding="utf-8",
        env=os.environ | {"PYTHONDONTWRITEBYTECODE": "1"},
    )


def contents(root):
    return {
        path.relative_to(root).as_posix(): path.read_bytes()
        for path in root.rglob("*")
        if path.is_file() and ".git" not in path.relative_to(root).parts
    }


def settings(root):
    return yaml.safe_load((root / "_config.yml").read_text(encoding="utf-8"))["repository"]


def holders(files, repository):
    """The files in which ``repository``, owner and name, stands in an address."""
    owner, name = repository.split("/")
    addresses = rf"(github\.com|/github|/gh)/{repository}\b|{owner}\.github\.io/{name}\b"
    return {name for name, content in files.items() if re.search(addresses.encode(), content, re.I)}


def test_everything_points_to_the_fork(copy):
    """Settings, notebooks and README name the fork, and nothing names what it was forked from."""
    old = settings(copy)
    before = contents(copy)
    done = run(copy, FORK, "--branch", "spring/2027", "--site", "https://attention.example/book/")
    assert (done.returncode, done.stderr) == (0, "")
    assert settings(copy) == old | {
        "url": FORK,
        "branch": "spring/2027",
        "site": "https://attention.example/book",
    }
    after = contents(copy)
    notebooks = {name for name in after if name.endswith(".ipynb")}
    repository = old["url"].removeprefix("https://github.com/")
    moved = holders(after, "a-school/course.de")
    assert moved == holders(before, repository) == {"_config.yml", "README.md"} | notebooks
    assert holders(after, repository) == set() and len(notebooks) >= 14
    for name in notebooks:
        assert f"{FORK}@spring/2027".encode() in after[name]
    # Links to the branch, too, and to the site.
    assert b"a-school/course.de/blob/spring/2027/book/" in after["README.md"]
    assert b"a-school/course.de/spring/2027" in after["README.md"]
    assert b"https://attention.example/book" in after["README.md"]


def test_nothing_but_the_address_changes(copy):
    """A notebook is not written anew: in every file, only lines with the address differ."""
    before = contents(copy)
    run(copy, FORK, "--branch", settings(copy)["branch"])
    for name, content in contents(copy).items():
        pairs = zip(before[name].split(b"\n"), content.split(b"\n"), strict=True)
        changed = [new for old, new in pairs if new != old]
        assert all(b"a-school" in line for line in changed), name


def test_twice_is_once(copy):
    """The command can be repeated: it changes nothing more."""
    run(copy, FORK)
    once = contents(copy)
    assert run(copy, FORK).returncode == 0
    assert contents(copy) == once


def test_there_and_back(copy):
    """The command with the old address restores every byte, even from a name inside another."""
    before, old = contents(copy), settings(copy)
    for url, *options in ([FORK, "--branch", "dev"], [OTHER, "--branch", "de"], [FORK + ".git/"]):
        assert run(copy, url, *options).returncode == 0
    assert settings(copy)["url"] == FORK
    run(copy, old["url"], "--branch", old["branch"], "--site", old["site"])
    assert contents(copy) == before


def test_new_files_are_pointed_too(copy):
    """A page that git does not know yet is part of the book; what git ignores is not."""
    old = settings(copy)["url"]
    for name in ("book/en/new.md", "_build/old.html"):
        (copy / name).parent.mkdir(exist_ok=True)
        (copy / name).write_text(old)
    run(copy, FORK)
    assert (copy / "book/en/new.md").read_text() == FORK
    assert (copy / "_build/old.html").read_text() == old


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("https://github.com/me/book", "https://github.com/you/text"),
        ("https://github.com/me/book.", "https://github.com/you/text."),
        ("https://github.com/me/book.git@main", "https://github.com/you/text.git@v2"),
        ("https://github.com/me/book/tree/main/book", "https://github.com/you/text/tree/v2/book"),
        ("https://github.com/me/book@mainly", "https://github.com/you/text@mainly"),
        ("https://mybinder.org/v2/gh/me/book/main?x", "https://mybinder.org/v2/gh/you/text/v2?x"),
        ("https://me.github.io/book/en/", "https://you.github.io/text/en/"),
        ("https://github.com/me/book-2", None),
        ("https://github.com/me/book.x", None),
        ("https://github.com/notme/book", None),
        ("https://gist.github.com/me/book", None),
        ("https://me.github.io/books", None),
        ("me/book, main", None),
    ],
)
def test_addresses_are_told_apart(text, expected):
    """Names that contain the old one are other names."""
    old = repoint.Address("https://github.com/me/book", "main", "https://me.github.io/book")
    new = repoint.Address("https://github.com/you/text", "v2", "https://you.github.io/text")
    assert repoint.replace(text.encode(), old, new).decode() == (expected or text)


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        ("https://github.com/A-School/Book", "https://a-school.github.io/Book"),
        ("https://github.com/A-School/a-school.github.io", "https://a-school.github.io"),
    ],
)
def test_site_is_that_of_github_pages(url, expected):
    """Unless told otherwise; a repository named after its owner's site has no folder there."""
    assert repoint.pages(url) == expected


@pytest.mark.parametrize(
    "arguments",
    [
        [],
        [""],
        ["attention"],
        ["nobody/attention"],
        ["/home/me/my book"],
        ["http://github.com/nobody/attention"],
        ["https://github.com/nobody"],
        ["https://github.com/nobody/"],
        ["https://github.com//attention"],
        ["https://github.com/nobody/.."],
        ["https://github.com/nobody/my book"],
        ["https://github.com/a school/book"],
        ["https://github.com/nobody/book\n"],
        ["https://github.com/nobody/book/tree/main"],
        ["https://gitlab.com/a-school/book"],
        [FORK, "--branch", ""],
        [FORK, "--branch", "my branch"],
        [FORK, "--branch", "a//b"],
        [FORK, "--branch", "../x"],
        [FORK, "--site", "attention.example"],
        [FORK, "--site", "https://attention.example/my book"],
        [FORK, "--site", "https://"],
        [FORK, OTHER],
    ],
)
def test_bad_input(arguments, capsys, monkeypatch):
    """One line says what is wrong, before any file is read."""
    monkeypatch.setattr(sys, "argv", ["repoint.py", *arguments])
    with pytest.raises(SystemExit) as end:
        repoint.main()
    assert end.value.code == 2
    assert re.fullmatch(r"repoint\.py: .{10,}\n", capsys.readouterr().err)


def test_bad_places(copy):
    """Settings without an address, a folder that git does not know: one line, nothing changed."""
    config = copy / "_config.yml"
    text = config.read_text(encoding="utf-8")
    config.write_text(re.sub("  branch: .*\n", "", text), encoding="utf-8")
    assert_refused(copy)
    config.write_text(text, encoding="utf-8")
    shutil.rmtree(copy / ".git")
    assert_refused(copy)


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everything")
def test_no_rights_to_write(copy):
    """A single file that is read-only leaves all others as they were."""
    (copy / "book/zh/07_transformer.ipynb").chmod(0o444)
    assert_refused(copy)


def assert_refused(copy):
    before = contents(copy)
    done = run(copy, FORK)
    assert done.returncode == 2
    assert re.fullmatch(r"repoint\.py: nothing was changed: .+\n", done.stderr)
    assert contents(copy) == before


@pytest.mark.parametrize("call", ["open", "write_bytes", "replace"])
@pytest.mark.parametrize("error", [PermissionError("read-only"), KeyboardInterrupt()])
def test_all_or_nothing(tmp_path, monkeypatch, call, error):
    """Whatever fails at the last of the files, the first are as before, and no draft is left."""
    files = {tmp_path / name: name.encode() for name in ("a", "b", "c")}
    for path, content in files.items():
        path.write_bytes(content)
    proper = getattr(type(tmp_path), call)

    def fail_at_last(path, *arguments, **options):
        if path.name in ("c", ".c.repointed"):
            raise error
        return proper(path, *arguments, **options)

    monkeypatch.setattr(type(tmp_path), call, fail_at_last)
    with pytest.raises(type(error)):
        repoint.write({path: (content, b"new") for path, content in files.items()})
    monkeypatch.undo()
    assert {path: path.read_bytes() for path in tmp_path.iterdir()} == files
