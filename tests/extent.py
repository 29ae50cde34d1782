"""How much is tried, and how long is waited.

On each change the part that finds what a change breaks; with ``WEEKLY=1``, as in the weekly
workflow, all of it.
"""

import os

WEEKLY = os.environ.get("WEEKLY") == "1"
# Seeds for a test that repeats itself within one function.
SEEDS = range(300 if WEEKLY else 30)
# Seconds that end a run that hangs. Nothing comes near it, on however busy a machine: whether a
# test passes must not depend on it.
PATIENCE = 900
