"""What can be given back: a model's file holds numbers and a configuration, and nothing else."""

import torch
from torch import Tensor, nn


def unwrapped(model: nn.Module) -> nn.Module:
    """The model inside of what makes it faster and changes nothing else."""
    if isinstance(model, nn.DataParallel | nn.parallel.DistributedDataParallel):
        return unwrapped(model.module)
    # torch.compile's class has no public name; it is known by the name of its only child.
    children = dict(model.named_children()) if isinstance(model, nn.Module) else {}
    return unwrapped(children["_orig_mod"]) if "_orig_mod" in children else model


def check_settings(model: nn.Module, restored: nn.Module) -> None:
    """Refuse a model of which some part is not as ``load_model`` would make it."""
    parts, restored_parts = _settings(model), _settings(restored)
    for part in parts | restored_parts:
        found, wanted = parts.get(part, {}), restored_parts.get(part, {})
        # A part's own forward replaces that of its class.
        for setting in wanted | {"class": None, "forward": None}:
            if found.get(setting) != wanted.get(setting):
                raise ValueError(
                    f"the model cannot be saved: the {setting} of {part or 'the model'} is "
                    f"{found.get(setting)!r}, and would be read as {wanted.get(setting)!r}"
                )


def _settings(model: nn.Module) -> dict[str, dict[str, object]]:
    """What makes up each part of a model besides its numbers."""
    return {
        path: {"class": type(part)}
        | {
            name: value
            for name, value in vars(part).items()
            if name != "training" and not name.startswith("_") and not isinstance(value, Tensor)
        }
        for path, part in model.named_modules(remove_duplicate=False)
    }


def separate(numbers: dict[str, Tensor]) -> dict[str, Tensor]:
    """A copy of each tensor on the CPU; two names of the same numbers would be read as two."""
    names, owners = list(numbers), {}  # for each number in memory, 1 + the position of its name
    for position, (name, tensor) in enumerate(numbers.items(), start=1):
        if tensor.is_meta:
            raise ValueError(f"{name} cannot be saved: on the device 'meta' it has no numbers")
        # On a GPU, the parameters of a GRU are parts of one memory, each its own: that is fine.
        memory = tensor.untyped_storage()
        if (place := (tensor.device, memory.data_ptr())) not in owners:
            length = memory.nbytes() // tensor.element_size()
            owners[place] = torch.zeros(length, dtype=torch.int32, device="cpu")
        own = owners[place].as_strided(tensor.shape, tensor.stride(), tensor.storage_offset())
        if own.any():
            raise ValueError(
                f"{names[own.max() - 1]} and {name} cannot be saved: they are one tensor, and "
                "would be read as two; give one of them numbers of its own, "
                "nn.Parameter(weight.detach().clone())"
            )
        own.fill_(position)
    return {name: tensor.to("cpu", copy=True).contiguous() for name, tensor in numbers.items()}
