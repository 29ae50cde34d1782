import os

from hypothesis import settings

# The same examples in every run, and no deadline: times on a busy machine say nothing.
settings.register_profile("reproducible", deadline=None, derandomize=True, max_examples=50)
settings.load_profile("reproducible")

# Small matrices gain nothing from a second thread, and two busy threads wait for each other.
# The kernels of the notebooks inherit this.
os.environ.setdefault("OMP_NUM_THREADS", "1")
