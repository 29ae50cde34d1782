import json
import os
from pathlib import Path

import pytest
import torch
from safetensors import safe_open
from safetensors.torch import save_file
from torch import nn
from torch.nn.utils import prune
from torch.testing import assert_close

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
from attention_lib.translation import checkpoints
from attention_lib.translation.checkpoints import FORMAT, _checksum

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
    "transformer in bfloat16": lambda: transformer().bfloat16(),
    "recurrent in float16": lambda: recurrent().half(),
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
    assert {p.dtype for p in loaded.parameters()} == {p.dtype for p in model.parameters()}
    assert loaded.source_vocabulary == ENGLISH and loaded.target_vocabulary == FRENCH
    for setting in ("config", "arguments"):
        assert getattr(loaded, setting, None) == getattr(model, setting, None)
    assert all(parameter.requires_grad for parameter in loaded.parameters())
    assert all(parameter.data_ptr() % 16 == 0 for parameter in loaded.parameters())


def test_a_wrapper_is_taken_off(path):
    """What torch.compile and DataParallel wrap, one around the other too, is saved itself."""
    model = recurrent().eval()
    for wrapped in (torch.compile(model), nn.DataParallel(torch.compile(model))):
        path.unlink(missing_ok=True)
        save_model(wrapped, path)
        assert torch.equal(logits(load_model(path)), logits(model))


def test_parts_of_one_memory_are_saved(path):
    """On a GPU, the parameters of a GRU lie side by side in one tensor: none has another's."""
    model = recurrent().eval()
    expected = logits(model)
    for layer in (model.encoder, model.to_readout):
        parameters = list(layer.parameters())
        memory = torch.cat([parameter.detach().flatten() for parameter in parameters])
        pieces = memory.split([parameter.numel() for parameter in parameters])
        for parameter, piece in zip(parameters, pieces, strict=True):
            parameter.data = piece.view_as(parameter)
    columns = torch.zeros(len(ENGLISH), 12)  # one beside the other, row by row
    columns[:, :6] = model.source_embedding.weight.detach()
    model.source_embedding.weight.data = columns[:, :6]
    save_model(model, path)
    assert torch.equal(logits(load_model(path)), expected)


class Loud(Transformer):
    """A subclass whose code no file holds."""

    def decode(self, *arguments, **options):
        logits, *rest = super().decode(*arguments, **options)
        return 2 * logits, *rest


class Lowered(Vocabulary):
    """A vocabulary that encodes in its own way."""

    def encode(self, tokens):
        return super().encode([token.lower() for token in tokens])


def tied():
    vocabularies = Vocabulary([["go"]]), Vocabulary([["va"]])
    model = Transformer(TransformerConfig(*vocabularies, **SIZES))
    model.source_embedding.weight = model.target_embedding.weight
    return model


def row_of_another():
    model = recurrent()
    model.to_readout.bias.data = model.target_embedding.weight.data[3]
    return model


def changed(change, model=None):
    """A model that is no more what its configuration says."""
    model = model or transformer(dropout=0.25)
    change(model)
    return model


def replaced(name, part):
    """A change that puts another part in the place of one."""

    def change(model):
        parent, _, child = name.rpartition(".")
        setattr(model.get_submodule(parent), child, part(model.get_submodule(name)))

    return change


class Double(nn.Module):
    """The same parameters under the same names, and another output."""

    def __init__(self, layer):
        super().__init__()
        self.weight, self.bias = layer.weight, layer.bias

    def forward(self, x):
        return 2 * (x @ self.weight.T + self.bias)


TO_READOUT = "the class of to_readout is .*, and would be read as .*Linear"
NOT_SAVED = {
    "a subclass": (
        lambda: Loud(TransformerConfig(ENGLISH, FRENCH, **SIZES)),
        TypeError,
        "Transformer or a RecurrentTranslator itself.*got a Loud",
    ),
    "a compiled subclass": (
        lambda: torch.compile(Loud(TransformerConfig(ENGLISH, FRENCH, **SIZES))),
        TypeError,
        "got a Loud",
    ),
    "another model": (lambda: nn.Linear(2, 2), TypeError, "got a Linear"),
    "a subclass of Vocabulary": (
        lambda: RecurrentTranslator(Lowered([["go"]]), FRENCH),
        ValueError,
        "source_vocabulary of the model is <Lowered of 5 words>.*<Vocabulary of 5 words>",
    ),
    "tied parameters": (tied, ValueError, "source_embedding.weight and target_embedding.weight"),
    "a parameter inside of another": (
        row_of_another,
        ValueError,
        r"target_embedding\.weight and to_readout\.bias cannot be saved: they are one tensor",
    ),
    "weight_norm": (
        lambda: changed(
            lambda model: nn.utils.parametrizations.weight_norm(model.to_readout), recurrent()
        ),
        ValueError,
        TO_READOUT,
    ),
    "the old weight_norm": (
        lambda: changed(lambda model: nn.utils.weight_norm(model.to_readout), recurrent()),
        ValueError,
        r"to_readout\.weight",
    ),
    "pruned": (
        lambda: changed(
            lambda model: prune.l1_unstructured(model.to_readout, "weight", 0.5),
            recurrent(),
        ),
        ValueError,
        r"to_readout\.weight",
    ),
    "a part of another class": (
        lambda: changed(replaced("to_readout", Double), recurrent()),
        ValueError,
        TO_READOUT,
    ),
    "a compiled part": (
        lambda: changed(replaced("to_readout", torch.compile), recurrent()),
        ValueError,
        TO_READOUT,
    ),
    "a part too many": (
        lambda: changed(lambda model: model.encoder.add_module("2", nn.Dropout())),
        ValueError,
        "the class of encoder.2",
    ),
    "one layer twice": (
        lambda: changed(lambda model: model.encoder.__setitem__(1, model.encoder[0])),
        ValueError,
        r"encoder\.0\..* and encoder\.1\.",
    ),
    "another dropout": (
        lambda: changed(lambda model: setattr(model.dropout, "p", 0.5)),
        ValueError,
        "the p of dropout is 0.5, and would be read as 0.25",
    ),
    "another query": (
        lambda: changed(lambda model: setattr(model, "query", None), recurrent()),
        ValueError,
        "the query of the model is None, and would be read as 'state'",
    ),
    "a forward of its own": (
        lambda: changed(lambda model: setattr(model.encoder[0], "forward", print)),
        ValueError,
        "the forward of encoder.0",
    ),
    "more rows": (
        lambda: changed(
            lambda model: setattr(
                model.target_embedding, "weight", nn.Parameter(torch.zeros(40, 8))
            )
        ),
        ValueError,
        r"(?s)target_embedding\.weight.*40, 8",
    ),
    "no numbers": (lambda: transformer().to("meta"), ValueError, "meta"),
}


@pytest.mark.parametrize("name", NOT_SAVED)
@pytest.mark.filterwarnings("ignore:.*weight_norm.*:FutureWarning")
def test_what_could_not_be_read_is_refused(name, path):
    """While nothing is lost: the error names the cause, and the file of before is whole."""
    make, error, told = NOT_SAVED[name]
    save_model(recurrent(), path)
    before = path.read_bytes()
    with pytest.raises(error, match=told):
        save_model(make(), path)
    assert path.read_bytes() == before and os.listdir(path.parent) == [path.name]


def test_the_numbers_alone_are_no_model(path, readers_view):
    """A state_dict, as torch.save would take it, is refused with the name of what is wanted."""
    with pytest.raises(TypeError, match=r"Transformer.*got a OrderedDict"):
        save_model(transformer().state_dict(), path)


def test_a_write_that_fails_leaves_the_old_file(path, monkeypatch):
    """A full disk, half way: what was there stays, and nothing else is left behind."""
    save_model(recurrent(), path)
    before = path.read_bytes()

    def full(place, content):
        with place.open("wb") as file:
            file.write(content[: len(content) // 2])
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "write_bytes", full)
    with pytest.raises(OSError, match="No space left"):
        save_model(transformer(), path)
    assert path.read_bytes() == before and os.listdir(path.parent) == [path.name]


def test_a_file_like_any_other(path, monkeypatch):
    """In the folder of the moment, with the rights of a new file, through a link to its target."""
    monkeypatch.chdir(path.parent)
    Path("other").touch()
    Path("link").symlink_to("model.safetensors")
    for name in ("model.safetensors", Path("link")):
        save_model(recurrent(), name)
    assert path.stat().st_mode == Path("other").stat().st_mode
    assert Path("link").is_symlink() and load_model("link").query == "state"


def test_nothing_is_drawn(path):
    """What is drawn after saving and loading is what would have been drawn without."""
    model = transformer()
    torch.manual_seed(5)
    expected = torch.rand(3)
    torch.manual_seed(5)
    save_model(model, path)
    load_model(path)
    assert torch.equal(torch.rand(3), expected)


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


@pytest.mark.parametrize("other", ["attention_lib 1", "attention_lib 99"])
def test_another_version_is_refused(path, other):
    """Older or newer: the error names the versions that can be read, and the one found."""
    save_model(transformer(), path)
    rewrite(path, format=other)
    with pytest.raises(ValueError, match=rf"'{FORMAT}' or 'attention_lib 2' wanted, got '{other}'"):
        load_model(path)


# The logits of the last token for "go ." and "va !", as the version 2 of the format gave them.
VERSION_2 = {
    "transformer": [3.0353096, -1.6160685, -0.7918327, 5.5512729, -9.1422949, -1.4351044],
    "transformer_norm_last": [1.2725826, 1.5558085, -0.6624794, -0.1987316, 1.6984022, -2.1030724],
    "recurrent": [1.6703534, 1.2547217, -0.0760324, 0.3122484, -0.3790928, 0.5545173],
}


@pytest.mark.parametrize("name", VERSION_2)
def test_files_of_version_2_are_read(name):
    """Written before the layers had their present names, they give what they gave then."""
    model = load_model(Path(__file__).parent / "format_2" / f"{name}.safetensors")
    batch = make_batch(
        [Pair(("go", "."), ("va", "!"))], model.source_vocabulary, model.target_vocabulary
    )
    found = model(batch.source, batch.source_lengths, batch.target)[0, -1]
    assert_close(found, torch.tensor(VERSION_2[name]), atol=1e-5, rtol=0)


def test_old_names_are_read(path, monkeypatch):
    """Whole parts of the names of parameters, several at once, exchanged; and of arguments."""
    model = transformer().eval()
    save_model(model, path)
    with safe_open(str(path), framework="pt") as file:
        tensors = {name: file.get_tensor(name) for name in file.keys()}
        description = json.loads(file.metadata()["description"])
    old = {}
    for name, tensor in tensors.items():
        if name.startswith("encoder."):
            name = "reader" + name.removeprefix("encoder")
        elif name.startswith("decoder."):
            name = "encoder" + name.removeprefix("decoder")
        old[name.replace("feed_forward.to_hidden", "hidden")] = tensor
    description["sizes"]["wide"] = description["sizes"].pop("d_ff")
    rewrite(path, tensors=old, format="before", description=json.dumps(description))
    names = {
        "reader": "encoder",
        "encoder": "decoder",  # and not "encoder_norm", of which it is no whole part
        "embedding": "vectors",  # no part is called so: "source_embedding" only ends in it
        "hidden": "feed_forward.to_hidden",
        "wide": "d_ff",
    }
    monkeypatch.setitem(checkpoints.RENAMED, "before", names)
    assert torch.equal(logits(load_model(path)), logits(model))


def test_another_kind_of_model_is_refused(path):
    """A file that describes a translator of which this version has no code."""
    save_model(transformer(), path)
    with safe_open(str(path), framework="pt") as file:
        description = json.loads(file.metadata()["description"])
    description["model"] = "Oracle"
    rewrite(path, description=json.dumps(description))
    with pytest.raises(ValueError, match=r"model\.safetensors holds another.*'Oracle'"):
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
