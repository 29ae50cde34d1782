"""What a notebook's sliders show, drawn by Python: run in the notebook's own kernel.

``keep()`` comes before the first cell, ``write(target)`` after the last.
"""

import importlib
import json
from pathlib import Path

import attention_lib

EXPLORE = importlib.import_module(attention_lib.explore.__module__)

kept = []


def keep():
    """Keep everything that the notebook will explore."""
    make = EXPLORE.Explorer.__init__

    def make_and_keep(self, *arguments):
        make(self, *arguments)
        kept.append(self)

    EXPLORE.Explorer.__init__ = make_and_keep


def write(target):
    """Write, for each explorer, its sliders with some of their frames, as JSON."""
    drawn = [[draw(explorer, name) for name in explorer.choices] for explorer in kept]
    Path(target).write_text(json.dumps(drawn), encoding="utf-8")


def draw(explorer, name):
    """A slider's both ends and its middle, the other sliders at their start."""
    by_label = explorer.choices[name]
    labels, values = list(by_label), list(by_label.values())
    frames = []
    for position in sorted({0, len(values) // 2, len(values) - 1}):
        moved = explorer.start | {name: values[position]}
        frame = explorer.frame(moved, "svg", EXPLORE.player.PAGE_STYLE)
        frames.append(
            {
                "position": position,
                "label": labels[position],
                "svg": frame.picture.decode(),
                "note": frame.note,
            }
        )
    return {"name": name, "start": values.index(explorer.start[name]), "frames": frames}
