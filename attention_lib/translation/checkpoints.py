"""Trained translators in files: the numbers, and all that is needed to read them again."""

import dataclasses
import hashlib
import json
import os

import torch
from safetensors import SafetensorError, safe_open
from safetensors.torch import save_file
from torch import Tensor

from attention_lib.recurrent import RecurrentTranslator
from attention_lib.transformer import Transformer, TransformerConfig
from attention_lib.vocabulary import MARKS, Vocabulary

FORMAT = "attention_lib 2"  # a change that makes old files unreadable raises the number


def save_model(model: Transformer | RecurrentTranslator, path: str | os.PathLike) -> None:
    """Write a translator with its configuration and vocabularies to a safetensors file.

    Unlike a pickle, such a file holds numbers and text only: reading it runs no code.

    Args:
        model: a trained model.
        path: where to write, usually ending in ``.safetensors``; a file there is replaced.

    >>> import tempfile
    >>> french = Vocabulary([["va", "!"]])
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     save_model(RecurrentTranslator(french, french), f"{folder}/model.safetensors")
    ...     load_model(f"{folder}/model.safetensors").target_vocabulary.words[-2:]
    ('!', 'va')
    """
    tensors = {name: tensor.cpu().contiguous() for name, tensor in model.state_dict().items()}
    description = json.dumps(
        {
            "model": type(model).__name__,
            "source_words": model.source_vocabulary.words[len(MARKS) :],
            "target_words": model.target_vocabulary.words[len(MARKS) :],
            "sizes": _sizes(model),
        }
    )
    metadata = {
        "format": FORMAT,
        "description": description,
        "checksum": _checksum(description, tensors),
    }
    save_file(tensors, str(path), metadata)


def load_model(path: str | os.PathLike) -> Transformer | RecurrentTranslator:
    """Read a translator that ``save_model`` wrote.

    Args:
        path: the file.

    Returns:
        The model in ``eval()``, ready to translate, with the same logits to the bit.

    Raises:
        ValueError: the file is damaged, comes from elsewhere or from another version of the
            format, or its numbers are not those of the model that it describes.
        FileNotFoundError: there is no such file.
    """
    try:
        with safe_open(str(path), framework="pt") as file:
            metadata = file.metadata() or {}
            # Copied, since within the file numbers may start at any byte, and matrix products
            # round a little differently where memory is not aligned.
            tensors = {name: file.get_tensor(name).clone() for name in file.keys()}
    except SafetensorError as error:
        raise ValueError(f"{path} is damaged, or no safetensors file: {error}") from error
    if metadata.get("format") != FORMAT:
        raise ValueError(
            f"{path}: a file in the format {FORMAT!r} wanted, got {metadata.get('format')!r}"
        )
    description = metadata.get("description", "")
    if metadata.get("checksum") != _checksum(description, tensors):
        raise ValueError(f"{path} is damaged: its contents do not have the checksum they had")
    model = _build(json.loads(description))
    try:
        # assign: the tensors as they are, in the precision that they were saved in.
        model.load_state_dict(tensors, assign=True)
    except RuntimeError as error:
        raise ValueError(f"{path} holds another model than it describes: {error}") from error
    return model.eval()


def _sizes(model: Transformer | RecurrentTranslator) -> dict:
    """The arguments, besides the vocabularies, that make a model like this one."""
    if isinstance(model, RecurrentTranslator):
        return model.arguments
    fields = [field.name for field in dataclasses.fields(model.config)]
    return {name: getattr(model.config, name) for name in fields if "vocabulary" not in name}


def _build(description: dict) -> Transformer | RecurrentTranslator:
    vocabularies = [Vocabulary([description[f"{side}_words"]]) for side in ("source", "target")]
    if description["model"] == "RecurrentTranslator":
        return RecurrentTranslator(*vocabularies, **description["sizes"])
    return Transformer(TransformerConfig(*vocabularies, **description["sizes"]))


def _checksum(description: str, tensors: dict[str, Tensor]) -> str:
    digest = hashlib.sha256(description.encode())
    for name in sorted(tensors):
        digest.update(name.encode())
        digest.update(tensors[name].flatten().view(torch.uint8).numpy().tobytes())
    return digest.hexdigest()
