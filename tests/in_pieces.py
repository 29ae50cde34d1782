"""Several processes take the pieces of work in their order (see pieces.py), by pytest-xdist."""

from xdist.scheduler import LoadScopeScheduling

from tests.pieces import piece


class InPieces(LoadScopeScheduling):
    def _split_scope(self, nodeid):
        return piece(nodeid)


def pytest_xdist_make_scheduler(config, log):
    config.option.loadscopereorder = False  # or the pieces of most tests would come first
    return InPieces(config, log)
