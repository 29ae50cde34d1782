import pytest
import torch
from torch.testing import assert_close

from attention_lib import (
    EOS,
    PAD,
    UNK,
    Batch,
    Pair,
    Vocabulary,
    batches_by_length,
    make_batch,
    tokenize,
)
from attention_lib.translation.batches import encode_sources, pad

SOURCE = Vocabulary([["s4", "s5", "s6"]])
TARGET = Vocabulary([["t04", "t05", "t06", "t07", "t08", "t09", "t10"]])


def test_input_and_labels_are_one_word_apart():
    """Targets [5, 6] and [7, 8, 9, 10] by hand; the end is a label and never read.

    A slice of padded rows would feed the end mark of the short sentence to the decoder.
    """
    pairs = [
        Pair(("s4", "s5", "s6"), ("t05", "t06")),
        Pair(("s6",), ("t07", "t08", "t09", "t10")),
    ]
    batch = make_batch(pairs, SOURCE, TARGET)
    assert batch.target.tolist() == [[1, 5, 6, 0, 0], [1, 7, 8, 9, 10]]
    assert batch.labels.tolist() == [[5, 6, 2, 0, 0], [7, 8, 9, 10, 2]]
    assert batch.target_lengths.tolist() == [3, 5]
    assert batch.source.tolist() == [[4, 5, 6, 2], [6, 2, 0, 0]]
    assert batch.source_lengths.tolist() == [4, 2]


def test_unknown_words_and_empty_sentences():
    """A word outside the vocabulary is UNK; an empty sentence is its end mark alone."""
    batch = make_batch([Pair(("s4", "s9"), ()), Pair((), ("t04",))], SOURCE, TARGET)
    assert batch.source.tolist() == [[4, UNK, EOS], [EOS, PAD, PAD]]
    assert batch.labels.tolist() == [[EOS, PAD], [4, EOS]]
    assert batch.source_lengths.tolist() == [3, 1]
    assert batch.target_lengths.tolist() == [1, 2]


def test_one_letter_however_typed_is_one_number():
    """Decomposed and composed accents give the same ids, and é is not e."""
    words = Vocabulary([tokenize("L'été .")])
    decomposed = tokenize("L'e\N{COMBINING ACUTE ACCENT}te\N{COMBINING ACUTE ACCENT} .")
    assert words.encode(decomposed) == words.encode(tokenize("L'été ."))
    assert UNK not in words.encode(decomposed) and UNK in words.encode(tokenize("L'ete ."))


def many_pairs() -> list[Pair]:
    """Every combination of lengths from 1 to 6, three times, with words that tell them apart."""
    return [
        Pair((f"s{n}",) * s, (f"t{n}",) * t)
        for n, (s, t) in enumerate([(s, t) for s in range(1, 7) for t in range(1, 7)] * 3)
    ]


def batches(seed: int, batch_size: int = 8) -> list[Batch]:
    pairs = many_pairs()
    source, target = (
        Vocabulary([getattr(pair, side) for pair in pairs]) for side in ("source", "target")
    )
    generator = torch.Generator().manual_seed(seed)
    return list(batches_by_length(pairs, source, target, batch_size, generator))


def first_words(batch: Batch) -> list[int]:
    return batch.source[:, 0].tolist()


def test_an_epoch_has_every_pair_once():
    """The last batch is smaller instead of dropped: 108 pairs are 13 batches of 8 and 4 more."""
    drawn = batches(seed=0)
    assert sorted(len(batch.source) for batch in drawn) == [4] + [8] * 13
    words = [word for batch in drawn for word in first_words(batch)]
    assert len(set(words)) == len(words) == 108


def test_a_batch_holds_sentences_of_like_length():
    """Eighteen pairs have each target length, so a batch of 8 spans at most two of them."""
    for batch in batches(seed=0):
        lengths = batch.target_lengths
        assert lengths.max() - lengths.min() <= 1
        assert batch.target.shape[1] == lengths.max()
        assert batch.source.shape[1] == batch.source_lengths.max()


def test_batches_and_ties_are_shuffled():
    """Short sentences do not always come first, and neighbours change from epoch to epoch."""
    one, other = batches(seed=0), batches(seed=1)
    widths = [batch.target.shape[1] for batch in one]
    assert widths != sorted(widths) and widths != [batch.target.shape[1] for batch in other]
    assert {frozenset(first_words(b)) for b in one} != {frozenset(first_words(b)) for b in other}
    for a, b in zip(one, batches(seed=0), strict=True):
        assert_close(tuple(a), tuple(b))


def test_batches_are_made_where_the_model_is():
    """Every tensor, of a single batch and of each of many."""
    pairs, generator = [Pair(("s4",), ("t05", "t06")), Pair((), ())], torch.Generator()
    drawn = [
        make_batch(pairs, SOURCE, TARGET, device="meta"),
        *batches_by_length(pairs, SOURCE, TARGET, 1, generator, device=torch.device("meta")),
    ]
    assert len(drawn) == 3
    for batch in drawn:
        assert [tensor.device.type for tensor in batch] == ["meta"] * 5
        assert {tensor.dtype for tensor in batch} == {torch.int64}


def test_sources_alone_are_those_of_the_batch():
    """What translates and what trains read the same; and no sentences are no rows."""
    pairs = [Pair(("s4", "s9"), ()), Pair((), ("t04",))]
    batch = make_batch(pairs, SOURCE, TARGET)
    source, lengths = encode_sources([pair.source for pair in pairs], SOURCE)
    assert torch.equal(source, batch.source) and torch.equal(lengths, batch.source_lengths)
    source, lengths = encode_sources([], SOURCE, device="meta")
    assert source.shape == (0, 0) and lengths.shape == (0,)
    for tensor in (source, lengths, pad([], device="meta"), pad([[], []], device="meta")):
        assert tensor.dtype == torch.int64 and tensor.device.type == "meta"
    assert pad([[], []]).shape == (2, 0)


def test_bad_input_is_refused(readers_view):
    """Nothing to batch, or batches of nothing."""
    with pytest.raises(ValueError, match="at least one pair"):
        make_batch([], SOURCE, TARGET)
    with pytest.raises(ValueError, match="at least one pair"):
        list(batches_by_length([], SOURCE, TARGET, 4, torch.Generator()))
    with pytest.raises(TypeError, match=r"'go \.'.*tokenize"):
        make_batch([Pair("go .", ("va",))], SOURCE, TARGET)
    with pytest.raises(ValueError, match=r"batch_size.*0"):
        list(batches_by_length([Pair((), ())], SOURCE, TARGET, 0, torch.Generator()))
