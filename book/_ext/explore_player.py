"""Ask ``explore`` for its player: the pages of the book have no kernel behind them."""

import os


def setup(app):
    os.environ["EXPLORE"] = "player"  # inherited by the kernels that execute the notebooks
    return {"parallel_read_safe": True, "parallel_write_safe": True}
