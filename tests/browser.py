"""Find a Chromium for the tests: `python tests/browser.py` also tries to get one.

A Chromium or Chrome on the PATH comes first, then the one that Playwright installs. The headless
shell is the same browser without a window, and opens a page for half the work.
"""

import os
import shutil
import subprocess
import sys
from pathlib import Path

from playwright.sync_api import sync_playwright

NAMES = (
    "chromium-headless-shell",
    "chromium",
    "chromium-browser",
    "google-chrome",
    "google-chrome-stable",
    "chrome",
)
MISSING = (
    "No Chromium found, so neither the site nor JupyterLab is tested: install chromium or "
    "Google Chrome, or run `playwright install chromium`."
)
# Nothing but what a page itself asks for may go out, and containers have no GPU or sandbox.
ARGUMENTS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)


def find():
    """Return the path of a browser, or None."""
    for name in NAMES:
        if path := shutil.which(name):
            return path
    with sync_playwright() as playwright:
        path = playwright.chromium.executable_path
    return path if Path(path).exists() else None


def required():
    """Whether a missing browser is a failure, not merely a reason to leave tests out."""
    return os.environ.get("CI", "").lower() in ("1", "true")


def obtain():
    """Try the usual ways to install one, and return its path or None."""
    ways = [[sys.executable, "-m", "playwright", "install", "chromium"]]
    if os.geteuid() == 0 and shutil.which("apt-get"):
        install = "apt-get install --yes --no-install-recommends chromium"
        command = f"apt-get update && {{ {install}-headless-shell || {install}; }}"
        ways.insert(0, ["sh", "-c", command])
    for way in ways:
        print("No Chromium found, trying to install one.", flush=True)
        done = subprocess.run(way, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        if done.returncode == 0 and (path := find()):
            return path
    return None


if __name__ == "__main__":
    if not (find() or obtain()):
        print(MISSING, file=sys.stderr)
        sys.exit(required())
