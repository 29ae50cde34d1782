"""How the figures of a notebook look, whoever draws them."""

import matplotlib.pyplot as plt

from attention_lib.figures import fonts


def figure_style() -> None:
    """Let every figure of this session show labels in any script, Chinese included.

    A notebook calls it once, at its beginning. ``explore`` and ``show_heatmaps`` do without; a
    figure of matplotlib alone would show a Chinese label as empty boxes.

    >>> figure_style()
    >>> fonts.han_family() in plt.rcParams["font.family"]
    True
    """
    plt.rcParams["font.family"] = fonts.families()
