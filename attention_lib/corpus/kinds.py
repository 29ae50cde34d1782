"""The kinds of nouns: books are read and doors opened, not the other way round."""

from functools import cache

KINDS = frozenset({"person", "animal", "thing", "edible", "readable", "openable"})
# Shorter names for what is often said together.
GROUPS = {
    "living": frozenset({"person", "animal"}),
    "object": frozenset({"thing", "edible", "readable", "openable"}),
    "anything": KINDS,
}


@cache
def kinds_in(cell: str) -> frozenset[str]:
    """The kinds that a cell of a table names.

    Raises:
        ValueError: a name is neither a kind nor a group of kinds.

    >>> sorted(kinds_in("living,readable"))
    ['animal', 'person', 'readable']
    """
    return frozenset(kind for name in cell.split(",") for kind in _kinds_called(name))


def _kinds_called(name: str) -> frozenset[str]:
    if name not in KINDS | GROUPS.keys():
        known = ", ".join([*sorted(KINDS), *GROUPS])
        raise ValueError(f"a kind of noun wanted, one of {known}, got {name!r}")
    return GROUPS.get(name, frozenset({name}))
