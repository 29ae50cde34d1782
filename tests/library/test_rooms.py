"""The rooms of the library: who may import whom."""

from pathlib import Path

import pytest

import attention_lib
from tests import imports

FOLDER = Path(attention_lib.__file__).parent
# Attention and the models stand at the top; each room may use these, besides its own.
MAY_USE = {"top": {"top"}, "corpus": {"corpus"}, "figures": {"figures"}}
MAY_USE["translation"] = {"translation", "top", "corpus"}


def room(name):
    parts = name.split(".")
    return parts[1] if len(parts) > 1 and parts[1] in MAY_USE else "top"


def out_of_place(found):
    """Imports of a room that may not be used there; the package itself imports all."""
    return [
        f"{name} imports {other}"
        for name, others in found.items()
        for other in sorted(others)
        if name != "attention_lib" and room(other) not in MAY_USE[room(name)]
    ]


def test_every_folder_is_a_room():
    """Otherwise its modules would pass for those of the top."""
    assert {path.parent.name for path in FOLDER.glob("*/__init__.py")} == MAY_USE.keys() - {"top"}


def test_rooms_import_what_they_may():
    """No import points upwards, and no module needs itself in the end."""
    found = imports.among(imports.sources(FOLDER))
    assert out_of_place(found) == []
    assert imports.circle(found) == []


@pytest.mark.parametrize(
    ("name", "source", "told"),
    [
        ("masks", "from attention_lib.translation.batches import make_batch", "masks imports"),
        ("corpus.pairs", "from attention_lib import vocabulary", "corpus.pairs imports"),
        ("figures.live", "def late():\n    import attention_lib.scores", "figures.live imports"),
    ],
)
def test_a_fault_is_found(name, source, told):
    """The rule sees what breaks it, at the top and in a function."""
    modules = imports.sources(FOLDER)
    modules[f"attention_lib.{name}"] += f"\n{source}\n"
    found = out_of_place(imports.among(modules))
    assert found and all(each.startswith(f"attention_lib.{told}") for each in found)


def test_a_circle_is_found():
    """Attention needs no model that is made of it."""
    modules = imports.sources(FOLDER)
    modules["attention_lib.masks"] += "\nfrom attention_lib import transformer\n"
    assert "attention_lib.transformer" in imports.circle(imports.among(modules))
