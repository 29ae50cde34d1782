"""A figure that a notebook shows once."""

import matplotlib.pyplot as plt
from matplotlib.figure import Figure


class FigureShownOnce(Figure):
    """A figure that is closed when a notebook shows it.

    A notebook shows the value of a cell's last line, and after the cell every figure that is
    still open: a cell that ends in a call that returns a figure would show it twice. Closed, a
    figure can still be changed, saved and shown.
    """

    def __repr__(self):
        # What notebooks store beside the picture. How it comes to be shown is no matter there.
        return super().__repr__().replace(type(self).__name__, "Figure")

    def _repr_mimebundle_(self, **_):
        # Windows on a desktop stay open: there, only the text of a figure is shown.
        if "inline" in plt.get_backend():
            plt.close(self)
        return {}
