"""What runs on GitHub: pinned, with few rights, and its scripts tried on this machine."""

import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest
import yaml

ROOT = Path(__file__).parents[2]
WORKFLOWS = sorted((ROOT / ".github" / "workflows").glob("*.yml"))
CONFIGURATION = [
    *(path for path in (ROOT / ".github").rglob("*") if path.is_file()),
    ROOT / ".pre-commit-config.yaml",
    ROOT / "CONTRIBUTING.md",
]
each_workflow = pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.name)


def load(path):
    return yaml.safe_load(path.read_text(encoding="utf-8"))


def run(workflow, job, step, folder, **environment):
    """Run the script of one step as GitHub does, and return what it printed."""
    steps = load(ROOT / ".github" / "workflows" / workflow)["jobs"][job]["steps"]
    (script,) = (each["run"] for each in steps if each.get("name") == step)
    own = {"RUNNER_TEMP": str(folder), "GITHUB_ENV": str(folder / "env")}
    done = subprocess.run(
        ["bash", "-e", "-c", script],
        capture_output=True,
        encoding="utf-8",
        cwd=ROOT,
        env=os.environ | own | environment,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


@each_workflow
def test_actions_are_pinned(path):
    """A tag can be moved to other code, a commit cannot; the comment tells people its version."""
    uses = re.findall(r"^\s*(?:- )?uses:.*", path.read_text(encoding="utf-8"), re.M)
    assert uses
    for line in uses:
        assert re.search(r"uses: [\w./-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$", line), line


def test_an_action_has_one_version():
    """The same action at two commits is an update that was forgotten in one place."""
    pins = {
        pin
        for path in WORKFLOWS
        for pin in re.findall(r"uses: (\S+ # .*)", path.read_text(encoding="utf-8"))
    }
    assert len(pins) == len({pin.split("@")[0] for pin in pins}), sorted(pins)


@each_workflow
def test_rights_are_few(path):
    """The whole workflow may only read; a job that must write says what, and checks out nothing."""
    workflow = load(path)
    assert workflow["permissions"] == {"contents": "read"}
    for name, job in workflow["jobs"].items():
        if "permissions" in job:
            # A release is written to the contents; nothing else needs that right.
            assert "contents" not in job["permissions"] or path.name == "release.yml", name
            assert not any("checkout" in step.get("uses", "") for step in job["steps"]), name
        for step in job["steps"]:
            if "actions/checkout@" in step.get("uses", ""):
                assert step["with"]["persist-credentials"] is False, name


@each_workflow
def test_runs_end(path):
    """A run that hangs, or that a newer one has overtaken, holds up everybody else's."""
    workflow = load(path)
    assert {"group", "cancel-in-progress"} <= set(workflow["concurrency"])
    for name, job in workflow["jobs"].items():
        assert job["timeout-minutes"] <= 90, name


@pytest.mark.parametrize("path", CONFIGURATION, ids=lambda path: path.name)
def test_no_path_of_a_machine(path):
    """A path on one machine means nothing on any other."""
    found = re.findall(
        r"(?<![\w.:/}-])/(?:home|root|tmp|opt|usr|work|Users)\b.*|[A-Z]:\\\\?\w+",
        path.read_text(encoding="utf-8"),
    )
    assert not found


def test_oldest_versions_are_the_lower_bounds(tmp_path):
    """Each dependency in pyproject.toml is held at its lower bound; one left out would float."""
    step = "Ask for the oldest versions that the library accepts"
    asked = run("checks.yml", "library", step, tmp_path).split()
    (block,) = re.findall(
        r"^dependencies = \[(.*?)^\]", (ROOT / "pyproject.toml").read_text(), re.M | re.S
    )
    assert asked == [bound.replace(">=", "==") for bound in re.findall(r'"(.*)"', block)]
    assert f"PIP_CONSTRAINT={tmp_path / 'oldest.txt'}" in (tmp_path / "env").read_text()
    assert (tmp_path / "oldest.txt").read_text().split() == asked


def test_newest_versions_are_asked_for_by_name(tmp_path):
    """Of requirements.txt the first group without its pins, and a Jupyter Book that we can use."""
    asked = run(
        "weekly.yml", "newest", "List what the project asks for, without versions", tmp_path
    ).split()
    first, _ = (ROOT / "requirements.txt").read_text(encoding="utf-8").split("\n\n")
    pins = [line for line in first.split("\n") if "==" in line]
    names = [pin.split("==")[0].replace("jupyter-book", "jupyter-book<2") for pin in pins]
    assert asked == names and "jupyter-book<2" in asked


@pytest.mark.skipif(not shutil.which("jq"), reason="jq stands in for the jq within gh")
@pytest.mark.parametrize(
    ("issues", "expected"),
    [
        ([], "issue create --title The weekly run fails --body newest: failure. See the run"),
        (
            [(7, "The weekly run fails sometimes"), (5, "The weekly run fails")],
            "issue comment 5 --body newest: failure. See the run",
        ),
    ],
    ids=["none open", "one open"],
)
def test_failure_is_reported_once(tmp_path, issues, expected):
    """A week of failures more is a comment on the issue that is open, and no second issue."""
    listed = ", ".join(f'{{"number": {number}, "title": "{title}"}}' for number, title in issues)
    gh = tmp_path / "gh"
    gh.write_text(
        f"""#!/usr/bin/env bash
        if [ "$2" = list ]; then echo '[{listed}]' | jq -r "${{@: -1}}"; else echo "$@"; fi
        """,
        encoding="utf-8",
    )
    gh.chmod(0o755)
    said = run(
        "weekly.yml",
        "report",
        "Open an issue, or add to the one that is open",
        tmp_path,
        PATH=f"{tmp_path}:{os.environ['PATH']}",
        TITLE=load(ROOT / ".github/workflows/weekly.yml")["jobs"]["report"]["env"]["TITLE"],
        RESULTS="newest: failure",
        RUN="the run",
    )
    assert said.strip() == expected
