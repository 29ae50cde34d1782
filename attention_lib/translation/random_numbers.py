"""Random numbers that follow from a seed, and leave those of others as they are."""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from functools import partial

import torch


@contextmanager
def random_numbers_from(seed: int, devices: Iterable[torch.device]) -> Iterator[None]:
    """Inside, what is drawn on these devices follows from the seed; outside, nothing has changed.

    Dropout draws from the common generator of its device. ``torch.manual_seed`` would seed those
    of all devices, also of such as nobody gives back.
    """
    generators = []  # of each device: how its state is set, and the state that it had
    for device in {torch.device("cpu"), *devices}:
        if device.type == "cpu":
            generators.append((device, torch.set_rng_state, torch.get_rng_state()))
        elif device.type != "meta":  # where there are no numbers, none are drawn
            module = torch.get_device_module(device)
            restore = partial(module.set_rng_state, device=device)
            generators.append((device, restore, module.get_rng_state(device)))
    try:
        for device, restore, _ in generators:
            restore(torch.Generator(device).manual_seed(seed).get_state())
        yield
    finally:
        for _, restore, state in generators:
            restore(state)
