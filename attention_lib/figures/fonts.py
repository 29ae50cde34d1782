"""Fonts for labels in any script: Chinese tokens must not come out as empty boxes."""

from contextlib import AbstractContextManager
from dataclasses import replace
from functools import cache
from pathlib import Path

import matplotlib.pyplot as plt
from matplotlib import font_manager

# Travels with the library, see book/make_font.py: Colab and Windows have none that is named alike.
HAN_FONT = Path(__file__).parent / "han_font" / "AttentionHanSans.otf"
# Rare characters are not in it. Of these fonts, one comes with most systems.
HAN_FAMILIES = (
    "Noto Sans CJK SC",
    "Source Han Sans SC",
    "PingFang SC",
    "Microsoft YaHei",
    "Hiragino Sans GB",
    "WenQuanYi Zen Hei",
    "SimHei",
    "Arial Unicode MS",
)


def families() -> list[str]:
    """The font families to draw with: those in use, and after them those with Han characters."""
    # A family that is not there is not an error for matplotlib, but a log message at each text.
    installed = set(font_manager.get_font_names())
    others = [name for name in HAN_FAMILIES if name in installed]
    wanted = [*plt.rcParams["font.family"], han_family(), *others]
    return list(dict.fromkeys(wanted))  # each once, also where they are in use already


def in_any_script() -> AbstractContextManager:
    """Inside, every text of a figure falls back on these families, character by character."""
    # Loads the notebook's backend, if this is its first figure. Loaded inside rc_context, it would
    # lose its interactive mode afterwards, and other cells would show no figure.
    plt.draw_if_interactive()
    return plt.rc_context({"font.family": families()})


@cache
def han_family() -> str:
    """The family of the font that travels with the library; matplotlib is told of it once."""
    manager = font_manager.fontManager
    manager.addfont(HAN_FONT)
    (font,) = (font for font in manager.ttflist if font.fname == str(HAN_FONT))
    # There is one weight. Asked for another, matplotlib would take it as well, and log a warning
    # into the notebook, also where every letter of a bold text comes from a font before.
    weights = {*font_manager.weight_dict.values()} - {font.weight}
    manager.ttflist += [replace(font, weight=weight) for weight in sorted(weights)]
    return font.name


def can_draw(text: str) -> bool:
    """Whether the fonts have every character of ``text``. A line break needs none.

    >>> can_draw("où ?")
    True
    """
    names = families()
    return all(any(ord(letter) in known(name) for name in names) for letter in set(text) - {"\n"})


@cache
def known(family: str) -> frozenset[int]:
    """The characters of a font family, as code points."""
    path = font_manager.findfont(font_manager.FontProperties(family=[family]))
    return frozenset(font_manager.get_font(path).get_charmap())
