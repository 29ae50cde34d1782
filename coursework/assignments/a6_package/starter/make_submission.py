"""Put the package into one notebook, which is what you hand in."""

import sys
from pathlib import Path

from coursework.practice.package import NotReady, submit

if __name__ == "__main__":
    try:
        submit(Path(__file__).resolve().parent)
    except NotReady as error:
        sys.exit(str(error))
