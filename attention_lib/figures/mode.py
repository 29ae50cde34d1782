"""Where what is displayed will be seen, as the environment variable ``EXPLORE`` says.

``live`` (the default) is a notebook with its kernel, ``player`` the website, ``still`` an output
that is stored in a notebook.
"""

import os

MODES = ("live", "player", "still")


def mode() -> str:
    """The mode.

    Raises:
        ValueError: ``EXPLORE`` holds none of the three.
    """
    found = os.environ.get("EXPLORE", "live")
    if found not in MODES:
        raise ValueError(f"EXPLORE={found!r} must be one of {', '.join(MODES)}")
    return found
