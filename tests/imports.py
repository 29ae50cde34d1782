"""Which module of a package imports which, read from the sources."""

import ast
from graphlib import CycleError, TopologicalSorter


def sources(folder, left_out=None):
    """The modules by their full names, as text."""
    return {
        ".".join((folder.name, *path.relative_to(folder).with_suffix("").parts)).removesuffix(
            ".__init__"
        ): path.read_text(encoding="utf-8")
        for path in sorted(folder.rglob("*.py"))
        if not (left_out and path.is_relative_to(left_out))
    }


def among(modules):
    """For each module, the others that it imports, at the top or within a function.

    Whoever imports a module imports the packages around it, too, apart from those around both.
    """
    found = {}
    for name, source in modules.items():
        named = set()
        for node in ast.walk(ast.parse(source)):
            if isinstance(node, ast.Import):
                named |= {alias.name for alias in node.names}
            elif isinstance(node, ast.ImportFrom):
                assert node.level == 0, f"{name} imports by dots, which this test does not follow"
                # What is imported from a package is one of its modules, or a name that it has.
                named |= {node.module, *(f"{node.module}.{a.name}" for a in node.names)}
        around = {part for each in named for part in packages(each)}
        found[name] = (named | around) & modules.keys() - {name, *packages(name)}
    return found


def packages(name):
    """The packages around a module, from the outermost: a.b.c is in a and a.b."""
    parts = name.split(".")
    return [".".join(parts[:length]) for length in range(1, len(parts))]


def circle(found):
    """A circle of imports, none if there is none."""
    try:
        TopologicalSorter(found).prepare()
    except CycleError as error:
        return error.args[1]
    return []
