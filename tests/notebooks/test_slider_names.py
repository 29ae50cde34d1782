"""A slider draws from names of its notebook; none of them may get another meaning further down.

Whoever runs the whole notebook and then goes back to a slider would else see it break.
"""

import ast
import re

import pytest
from book_files import NOTEBOOKS, cells, name

FUNCTIONS = (ast.FunctionDef, ast.ClassDef, ast.Lambda)


def trees(path):
    """The code cells, parsed, without the lines that only IPython understands."""
    return [
        ast.parse(re.sub(r"^( *)%.*$", r"\1pass", cell["source"], flags=re.M))
        for cell in cells(path, "code")
    ]


def read_names(function):
    """The global names that a function reads, to a good approximation: all but its own."""
    own = {node.arg for node in ast.walk(function) if isinstance(node, ast.arg)}
    read = set()
    for node in ast.walk(function):
        if isinstance(node, ast.Name):
            (read if isinstance(node.ctx, ast.Load) else own).add(node.id)
    return read - own


def assigned(tree):
    """The global names that a cell sets; a comprehension and a function keep theirs inside."""
    names, todo = set(), list(tree.body)
    while todo:
        node = todo.pop()
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            names.add(node.name)
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            names.add(node.id)
        if not isinstance(node, (*FUNCTIONS, ast.comprehension)):
            todo.extend(ast.iter_child_nodes(node))
    return names


def set_again(cells):
    """For each slider, the names it draws from that a later cell sets."""
    known = {node.name: node for tree in cells for node in tree.body if isinstance(node, FUNCTIONS)}
    found = []
    for place, tree in enumerate(cells):
        for node in ast.walk(tree):
            if isinstance(node, ast.Call) and ast.unparse(node.func) == "explore":
                used, todo = set(), [node.args[0].id]
                while todo:
                    each = todo.pop()
                    if each not in used:
                        used.add(each)
                        todo.extend(read_names(known[each]) if each in known else ())
                later = set().union(*map(assigned, cells[place + 1 :]))
                found.append(sorted(used & later))
    return found


@pytest.mark.parametrize("path", NOTEBOOKS, ids=name)
def test_sliders_keep_their_names(path):
    sliders = set_again(trees(path))
    assert sliders and not any(sliders)


def test_a_name_set_again_is_found():
    """Behind a function that the drawing calls; a local name or a comprehension's is no matter."""
    source = """
def shade(x): return data * x
---
def draw(x=1): y = shade(x); return plot(y)
explore(draw, x=[1, 2])
---
x = y = 3; [step for step in range(3)]
---
for data in (1, 2): pass
"""
    assert set_again([ast.parse(cell) for cell in source.split("---\n")]) == [["data"]]
