"""A test that asserts nothing passes whatever the code does, so there must be none."""

import ast
from pathlib import Path

import pytest

TESTS = Path(__file__).parents[1]


def functions(tree):
    return {node.name: node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)}


def asserts(function, known, seen=()):
    """Whether it can fail: by itself, or by a function of the same file that it calls."""
    for node in ast.walk(function):
        if isinstance(node, ast.Assert):
            return True
        if isinstance(node, ast.Call):
            called = ast.unparse(node.func)
            if called in ("pytest.raises", "pytest.fail") or "assert" in called.split(".")[-1]:
                return True
            if called in known and called not in seen:
                if asserts(known[called], known, (*seen, called)):
                    return True
    return False


def without_assertion(source):
    known = functions(ast.parse(source))
    return [
        name
        for name, function in known.items()
        if name.startswith("test_") and not asserts(function, known, (name,))
    ]


@pytest.mark.parametrize("path", sorted(TESTS.rglob("test_*.py")), ids=lambda path: path.stem)
def test_every_test_asserts(path):
    assert without_assertion(path.read_text(encoding="utf-8")) == []


def test_a_test_without_assertion_is_found():
    """Directly, and behind functions that call each other; not where a called one asserts."""
    source = """
def check(): assert 1
def look(): test_one(); hear()
def hear(): look()
def test_one(): print(1)
def test_two(): check()
def test_three(): hear()
"""
    assert without_assertion(source) == ["test_one", "test_three"]
