"""Several processes take the pieces of work in their order (see pieces.py), by pytest-xdist."""

import pytest
from xdist.scheduler import LoadScopeScheduling

from tests.pieces import piece


class InPieces(LoadScopeScheduling):
    def _split_scope(self, nodeid):
        return piece(nodeid)


@pytest.hookimpl(optionalhook=True)  # pytest -p no:xdist knows no such hook
def pytest_xdist_make_scheduler(config, log):
    config.option.loadscopereorder = False  # or the pieces of most tests would come first
    return InPieces(config, log)
