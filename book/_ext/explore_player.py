"""Ask for ``explore``'s player and for no progress bars: pages have no kernel behind them."""

import os


def setup(app):
    # Inherited by the kernels that execute the notebooks.
    os.environ |= {"EXPLORE": "player", "TQDM_DISABLE": "1"}
    return {"parallel_read_safe": True, "parallel_write_safe": True}
