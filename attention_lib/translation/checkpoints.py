"""Trained translators in files: the numbers, and all that is needed to read them again."""

import hashlib
import json
import os
import re
import tempfile
from collections.abc import Callable
from pathlib import Path

import torch
from safetensors import SafetensorError, safe_open
from safetensors.torch import save
from torch import Tensor, nn

from attention_lib.recurrent import RecurrentTranslator
from attention_lib.transformer import Transformer, TransformerConfig
from attention_lib.translation.restorable import check_settings, separate, unwrapped
from attention_lib.vocabulary import MARKS, Vocabulary

FORMAT = "attention_lib 3"  # what is written; a change that old code could not read raises it

# What can be read: for each format, the names that were others then, as {then: now}. A name is one
# or more whole parts of a parameter's dotted name, or an argument's name. A format whose entry is
# complete needs nothing else to stay readable.
RENAMED: dict[str, dict[str, str]] = {
    "attention_lib 2": {
        "around_self": "self_attention_residual",
        "around_cross": "cross_attention_residual",
        "around_feed_forward": "feed_forward_residual",
        "d_feedforward": "d_ff",
    },
    FORMAT: {},
}


# How each kind of translator is made of its vocabularies and of what it calls its ``arguments``.
MAKERS: dict[type[nn.Module], Callable[..., nn.Module]] = {
    Transformer: lambda source_vocabulary, target_vocabulary, **arguments: Transformer(
        TransformerConfig(source_vocabulary, target_vocabulary, **arguments)
    ),
    RecurrentTranslator: RecurrentTranslator,
}


def save_model(model: nn.Module, path: str | os.PathLike) -> None:
    """Write a translator with its configuration and vocabularies to a safetensors file.

    Unlike a pickle, such a file holds numbers and text only: reading it runs no code. Of what
    ``torch.compile`` or ``DataParallel`` wraps, the translator inside is written.

    Only what :func:`load_model` gives back equal is written: a ``Transformer`` or a
    ``RecurrentTranslator`` as its configuration makes it, with any numbers in any precision. The
    rest is refused, and a file that was there stays as it was. Hooks, gradients, and which
    parameters are frozen are no part of a model's file.

    Args:
        model: a trained model, on any device.
        path: where to write, usually ending in ``.safetensors``; a file there is replaced, once
            the new one is complete.

    Raises:
        TypeError: the model is of another class, subclasses included: a file holds no code.
        ValueError: it was changed after it was made (a layer of another kind, as by
            ``weight_norm``; another dropout), two of its parameters are one, or it has no
            numbers. The error names the part.

    >>> import tempfile
    >>> french = Vocabulary([["va", "!"]])
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     save_model(RecurrentTranslator(french, french), f"{folder}/model.safetensors")
    ...     load_model(f"{folder}/model.safetensors").target_vocabulary.words[-2:]
    ('!', 'va')
    """
    model = unwrapped(model)
    if type(model) not in MAKERS:
        known = " or a ".join(kind.__name__ for kind in MAKERS)
        raise TypeError(f"only a {known} itself can be saved, got a {type(model).__name__}")
    description = json.dumps(
        {
            "model": type(model).__name__,
            "source_words": model.source_vocabulary.words[len(MARKS) :],
            "target_words": model.target_vocabulary.words[len(MARKS) :],
            "sizes": model.arguments,
        }
    )
    restored = _made(description, RENAMED[FORMAT])
    check_settings(model, restored)
    numbers = separate(model.state_dict())
    try:
        restored.load_state_dict(numbers, assign=True)
    except RuntimeError as error:
        raise ValueError(f"the model cannot be saved: it would not be read: {error}") from error
    metadata = {
        "format": FORMAT,
        "description": description,
        "checksum": _checksum(description, numbers),
    }
    path = Path(path).resolve()
    with tempfile.TemporaryDirectory(dir=path.parent, prefix=".saving-") as folder:
        complete = Path(folder) / path.name
        complete.write_bytes(save(numbers, metadata))
        os.replace(complete, path)  # at once: whoever reads finds the old file or the new one


def load_model(path: str | os.PathLike) -> Transformer | RecurrentTranslator:
    """Read a translator that ``save_model`` wrote.

    Args:
        path: the file.

    Returns:
        The model on the CPU and in ``eval()``, ready to translate, in the precision that it was
        saved in, with the same logits to the bit.

    Raises:
        ValueError: the file is damaged, comes from elsewhere or from a version of the format
            that cannot be read, or its numbers are not those of the model that it describes.
        FileNotFoundError: there is no such file.
    """
    try:
        with safe_open(str(path), framework="pt") as file:
            metadata = file.metadata() or {}
            # Copied, since within the file numbers may start at any byte, and matrix products
            # round a little differently where memory is not aligned.
            numbers = {name: file.get_tensor(name).clone() for name in file.keys()}
    except SafetensorError as error:
        raise ValueError(f"{path} is damaged, or no safetensors file: {error}") from error
    written = metadata.get("format")
    if written not in RENAMED:
        readable = " or ".join(map(repr, reversed(RENAMED)))
        raise ValueError(
            f"{path}: the format {readable} wanted, got {written!r}: written by another version of "
            "attention_lib, or by something else"
        )
    description = metadata.get("description", "")
    if metadata.get("checksum") != _checksum(description, numbers):
        raise ValueError(f"{path} is damaged: its contents do not have the checksum they had")
    renamed = RENAMED[written]
    try:
        model = _made(description, renamed)
        # assign: the tensors as they are, in the precision that they were saved in.
        model.load_state_dict(
            {_renamed(name, renamed): tensor for name, tensor in numbers.items()}, assign=True
        )
    except (KeyError, TypeError, ValueError, RuntimeError) as error:
        raise ValueError(f"{path} holds another model than it describes: {error}") from error
    return model.eval()


def _made(description: str, renamed: dict[str, str]) -> Transformer | RecurrentTranslator:
    """A new model as described, with the numbers that a new one begins with."""
    told = json.loads(description)
    makers = {kind.__name__: make for kind, make in MAKERS.items()}
    if told["model"] not in makers:
        raise ValueError(f"a model of the kind {told['model']!r} is not known")
    vocabularies = [Vocabulary([told[f"{side}_words"]]) for side in ("source", "target")]
    sizes = {_renamed(name, renamed): value for name, value in told["sizes"].items()}
    # Those numbers are drawn for nothing: nobody who draws afterwards should notice.
    with torch.random.fork_rng(devices=[]), torch.device("cpu"):
        return makers[told["model"]](*vocabularies, **sizes)


def _renamed(name: str, renamed: dict[str, str]) -> str:
    if not renamed:
        return name
    longest_first = sorted(renamed, key=len, reverse=True)
    # Only whole parts: neither behind nor before the name does anything but a dot stand.
    then = rf"(?<![^.])({'|'.join(map(re.escape, longest_first))})(?![^.])"
    return re.sub(then, lambda found: renamed[found[0]], name)


def _checksum(description: str, tensors: dict[str, Tensor]) -> str:
    digest = hashlib.sha256(description.encode())
    for name in sorted(tensors):
        digest.update(name.encode())
        digest.update(tensors[name].flatten().view(torch.uint8).numpy().tobytes())
    return digest.hexdigest()
