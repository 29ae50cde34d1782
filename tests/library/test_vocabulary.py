import pytest
import torch

from attention_lib import BOS, EOS, PAD, UNK, Vocabulary, tokenize

SENTENCES = [tokenize(text) for text in ("go.", "hi.", "run!", "run!", "who?")]


def test_rare_words_are_unknown():
    """Of go . hi . run ! run ! who ?, only . run ! occur twice: seven entries with the marks."""
    vocabulary = Vocabulary(SENTENCES, min_count=2)
    assert len(vocabulary) == 7
    ids = vocabulary.encode(tokenize("go run xyz."))
    assert [ids[0], ids[2]] == [UNK, UNK]
    assert [vocabulary.words[n] for n in (ids[1], ids[3])] == ["run", "."]
    assert max(ids) < 7


def test_no_word_of_the_corpus_is_unknown():
    """With every word counted, encoding and decoding give the sentence back."""
    vocabulary = Vocabulary(SENTENCES)
    for tokens in SENTENCES:
        ids = vocabulary.encode(tokens)
        assert UNK not in ids and vocabulary.decode(ids) == tokens


def test_decoding_stops_at_the_end_and_skips_the_rest():
    """What follows EOS is not part of the sentence; a tensor row is read like a list."""
    vocabulary = Vocabulary([["a", "b"]])
    row = [BOS, 4, PAD, UNK, 5, EOS, 4, EOS]
    assert vocabulary.decode(row) == ["a", "<unk>", "b"]
    assert vocabulary.decode(torch.tensor(row)) == ["a", "<unk>", "b"]


def test_the_marks_have_their_numbers():
    """Models and losses rely on them."""
    assert (PAD, BOS, EOS, UNK) == (0, 1, 2, 3)
    assert Vocabulary([]).words == ("<pad>", "<bos>", "<eos>", "<unk>")


def test_a_text_that_looks_like_a_mark_is_only_a_word():
    """A corpus with the text <pad> must not produce padding inside a sentence."""
    vocabulary = Vocabulary([["<pad>", "go", "<eos>"]])
    assert vocabulary.encode(["<pad>", "go", "<eos>"]) == [UNK, 4, UNK]
    assert len(set(vocabulary.words)) == len(vocabulary) == 5


def test_the_same_words_make_equal_vocabularies():
    """Order and counts do not matter, so that a vocabulary can be rebuilt from its words."""
    vocabulary = Vocabulary(SENTENCES)
    assert vocabulary == Vocabulary(reversed(SENTENCES)) == Vocabulary([vocabulary.words])
    assert hash(vocabulary) == hash(Vocabulary(reversed(SENTENCES)))
    assert vocabulary != Vocabulary(SENTENCES[:2]) and vocabulary != vocabulary.words


def test_bad_input_is_refused(readers_view):
    """A text would pass for one-letter words, and a negative id would count from the end."""
    vocabulary = Vocabulary(SENTENCES)
    with pytest.raises(TypeError, match=r"'go \.'.*tokenize"):
        vocabulary.encode("go .")
    with pytest.raises(TypeError, match=r"'go \.'.*tokenize"):
        Vocabulary(["go ."])
    with pytest.raises(ValueError, match="-1"):
        vocabulary.decode([-1])
    with pytest.raises(ValueError, match=f"{len(vocabulary) - 1} wanted, got {len(vocabulary)}"):
        vocabulary.decode([len(vocabulary)])
    with pytest.raises(ValueError, match="0"):
        Vocabulary(SENTENCES, min_count=0)
