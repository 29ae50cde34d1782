"""One command line for everything."""

import re
import subprocess
import sys

import pytest

from coursework.__main__ import COMMANDS, main
from coursework.marking.records import ROOT


def test_help_lists_every_command_and_loads_little():
    """What each is for, at once: PyTorch takes seconds to load."""
    code = (
        "import sys\nfrom coursework.__main__ import main\n"
        "try: main(['--help'])\nfinally: print('torch' in sys.modules, file=sys.stderr)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert done.stderr.strip() == "False"
    for name in ("collect", "mark", "feedback", "export", "gradebook"):
        assert re.search(rf"^    {name}\s", done.stdout, re.M)
        assert COMMANDS[name].purpose.split(",")[0][:40] in " ".join(done.stdout.split())


@pytest.mark.parametrize("command", ["collect", "mark", "feedback", "export", "gradebook"])
def test_each_command_explains_itself(command, capsys):
    """Every argument has a help text."""
    with pytest.raises(SystemExit) as end:
        main([command, "--help"])
    assert end.value.code == 0
    told = capsys.readouterr().out
    assert COMMANDS[command].purpose[1:30] in told
    assert "such as a1_scores" in told and "--course FOLDER" in told


@pytest.mark.parametrize("words", [[], ["grade"], ["collect"]])
def test_what_is_no_command(words, capsys):
    """The usage, and exit status 2."""
    with pytest.raises(SystemExit) as end:
        main(words)
    assert end.value.code == 2
    assert "usage: python -m coursework" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["mark", "a9"], "there is no assignment 'a9', only a1_scores"),
        (["mark", "a1_scores"], "set COURSEWORK_SEED to a secret"),
        (["collect", "a1_scores", "nowhere.zip"], "nowhere.zip does not exist"),
        (["feedback", "a1_scores"], "no marks of a1_scores; mark it first"),
        (["gradebook", "a1_scores"], "no marks of a1_scores; mark it first"),
        (["export", "a1_scores"], "nobody is known here; collect a1_scores first"),
    ],
)
def test_errors_say_what_to_do(words, told, tmp_path, monkeypatch, capsys):
    """One sentence on stderr, exit status 2, no traceback, and nothing is left behind."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("COURSEWORK_SEED", raising=False)
    assert main(words) == 2
    said = capsys.readouterr()
    assert told in said.err and said.out == ""
    assert not list(tmp_path.iterdir())


def test_a_class_that_is_not_there(tmp_path, monkeypatch, capsys):
    """Marking nothing is an error: most likely the folder is the wrong one."""
    monkeypatch.setenv("COURSEWORK_SEED", "a secret for tests")
    assert main(["mark", "a1_scores", "--course", str(tmp_path)]) == 2
    assert "collect a1_scores first" in capsys.readouterr().err
