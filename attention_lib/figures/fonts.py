"""Fonts for labels in any script: Chinese tokens must not come out as empty boxes."""

from functools import lru_cache

import matplotlib.pyplot as plt
from matplotlib import font_manager

# Matplotlib's own font has no Han characters. Of these, one comes with most systems.
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
    """The font families to draw with: those in use, and an installed one with Han characters."""
    # A family that is not there is not an error for matplotlib, but a log message at each text.
    installed = set(font_manager.get_font_names())
    return [*plt.rcParams["font.family"], *(name for name in HAN_FAMILIES if name in installed)]


def can_draw(text: str) -> bool:
    """Whether the fonts have every character of ``text``. A line break needs none.

    >>> can_draw("où ?")
    True
    """
    names = families()
    return all(any(ord(letter) in known(name) for name in names) for letter in set(text) - {"\n"})


@lru_cache
def known(family: str) -> frozenset[int]:
    """The characters of a font family, as code points."""
    path = font_manager.findfont(font_manager.FontProperties(family=[family]))
    return frozenset(font_manager.get_font(path).get_charmap())
