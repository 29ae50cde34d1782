"""What a notebook's figures say and its sliders show: run in the notebook's own kernel.

``keep()`` comes before the first cell, ``write(target)`` after the last.
"""

import importlib
import json
from pathlib import Path

import matplotlib.text

import attention_lib

EXPLORE = importlib.import_module(attention_lib.explore.__module__)

kept, words = [], set()


def keep():
    """Keep everything that the notebook will explore, and every text that it will draw."""
    make = EXPLORE.Explorer.__init__

    def make_and_keep(self, *arguments):
        make(self, *arguments)
        kept.append(self)

    EXPLORE.Explorer.__init__ = make_and_keep
    draw_text = matplotlib.text.Text.draw

    def draw_and_keep(self, *arguments, **options):
        if self.get_visible():
            words.add(self.get_text())
        return draw_text(self, *arguments, **options)

    matplotlib.text.Text.draw = draw_and_keep


def write(target):
    """Write, as JSON, the sliders of each explorer with some of their frames, and all texts."""
    drawn = [[draw(explorer, name) for name in explorer.choices] for explorer in kept]
    for explorer in kept:
        for slider in explorer.sliders:
            words.update([slider.label, *slider.choices])
    words.update(frame["note"] for sliders in drawn for each in sliders for frame in each["frames"])
    shown = {"sliders": drawn, "words": sorted(words - {""})}
    Path(target).write_text(json.dumps(shown), encoding="utf-8")


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
