import json

import pytest
import torch
from safetensors import safe_open
from safetensors.torch import save_file

from attention_lib import (
    Pair,
    RecurrentTranslator,
    Transformer,
    TransformerConfig,
    Vocabulary,
    load_model,
    make_batch,
    save_model,
)
from attention_lib.translation.checkpoints import _checksum

ENGLISH, FRENCH = (
    Vocabulary(["i'm home .".split()]),
    Vocabulary(["je suis chez moi à l' été".split()]),
)
PAIRS = [Pair(("i'm", "home", "."), ("je", "suis")), Pair((".",), ("été",))]
SIZES = {"d_model": 8, "heads": 2, "layers": 2, "d_ff": 12}


def transformer(**options):
    return Transformer(TransformerConfig(ENGLISH, FRENCH, **(SIZES | options)))


def recurrent(**options):
    return RecurrentTranslator(ENGLISH, FRENCH, d_embedding=6, d_encoder=5, d_hidden=4, **options)


MODELS = {
    "transformer": lambda: transformer(dropout=0.25, norm_first=False),
    "transformer in double precision": lambda: transformer().double(),
    "recurrent": recurrent,
    "word in query": lambda: recurrent(query="state_and_word"),
    "no attention": lambda: recurrent(query=None, d_decoder=7),
}


@pytest.fixture
def path(tmp_path):
    return tmp_path / "model.safetensors"


def logits(model):
    batch = make_batch(PAIRS, ENGLISH, FRENCH)
    return model(batch.source, batch.source_lengths, batch.target)


def rewrite(path, *, tensors=None, **changes):
    """The file with other tensors or other metadata, and a checksum that fits them."""
    with safe_open(str(path), framework="pt") as file:
        metadata = file.metadata()
        tensors = tensors or {name: file.get_tensor(name) for name in file.keys()}
    metadata |= changes
    metadata["checksum"] = _checksum(metadata["description"], tensors)
    save_file(tensors, str(path), metadata)


@pytest.mark.parametrize("name", MODELS)
def test_a_model_survives(name, path):
    """Logits to the bit, vocabularies, configuration and precision; ready to translate."""
    model = MODELS[name]().eval()
    save_model(model, path)
    loaded = load_model(path)
    assert torch.equal(logits(loaded), logits(model))
    assert type(loaded) is type(model) and not loaded.training
    assert loaded.source_vocabulary == ENGLISH and loaded.target_vocabulary == FRENCH
    for setting in ("config", "arguments"):
        assert getattr(loaded, setting, None) == getattr(model, setting, None)
    assert all(parameter.requires_grad for parameter in loaded.parameters())
    assert all(parameter.data_ptr() % 16 == 0 for parameter in loaded.parameters())


def test_tied_stays_tied(path):
    """After loading, embedding and scores are still one matrix: changed once, changed twice."""
    save_model(transformer(), path)
    loaded = load_model(path)
    assert len(list(loaded.parameters())) == len(list(transformer().parameters()))
    before = logits(loaded)
    with torch.no_grad():
        loaded.target_embedding.weight[FRENCH.encode(["moi"])[0]] += 1  # no input has this word
    changed = (logits(loaded) != before).any(dim=1).any(dim=0)
    assert changed.nonzero().flatten().tolist() == FRENCH.encode(["moi"])


@pytest.mark.parametrize("kept", [0, 4, 100, 1000, -1])
def test_a_truncated_file_is_refused(path, kept):
    """Cut anywhere, down to the last byte: the error names the file and that it is damaged."""
    save_model(transformer(), path)
    path.write_bytes(path.read_bytes()[:kept])
    with pytest.raises(ValueError, match=r"model\.safetensors is damaged"):
        load_model(path)


@pytest.mark.parametrize("place", ["length", "description", "numbers"])
def test_a_changed_byte_is_found(path, place):
    """One bit, in the length of the header, in a word of the vocabulary, or in the numbers."""
    save_model(transformer(), path)
    content = bytearray(path.read_bytes())
    position = {"length": 0, "description": content.index(b"suis"), "numbers": -10}[place]
    content[position] ^= 1
    path.write_bytes(content)
    with pytest.raises(ValueError, match="damaged"):
        load_model(path)


def test_another_version_is_refused(path):
    """The error names the version wanted and the one found."""
    save_model(transformer(), path)
    rewrite(path, format="attention_lib 1")
    with pytest.raises(ValueError, match="'attention_lib 2' wanted, got 'attention_lib 1'"):
        load_model(path)


def test_a_file_of_something_else_is_refused(path):
    """A sound safetensors file, but with no word of ours in it."""
    save_file({"weight": torch.zeros(2)}, str(path))
    with pytest.raises(ValueError, match="got None"):
        load_model(path)


@pytest.mark.parametrize(
    ("sizes", "told"),
    [({"d_ff": 20}, r"to_hidden\.weight.*12, 8.*20, 8"), ({"layers": 1}, r"encoder\.1")],
)
def test_another_configuration_is_refused(path, sizes, told):
    """Numbers of one model under the configuration of another: the first that differ are named."""
    save_model(transformer(), path)
    with safe_open(str(path), framework="pt") as file:
        description = json.loads(file.metadata()["description"])
    description["sizes"] |= sizes
    rewrite(path, description=json.dumps(description))
    with pytest.raises(ValueError, match=rf"(?s)another model than it describes.*{told}"):
        load_model(path)


def test_a_missing_file_is_missing(path):
    """Python's own error, which every reader knows."""
    with pytest.raises(FileNotFoundError):
        load_model(path)
