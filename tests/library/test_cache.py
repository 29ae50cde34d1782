import pytest
import torch

from attention_lib import KeyValueCache, MultiHeadAttention


def tokens(count, first=0):
    """One sentence, one head, width 1: each key says its number, each value its number over ten."""
    keys = torch.arange(first, first + count, dtype=torch.float32).reshape(1, 1, count, 1)
    return keys, keys / 10


def numbers(cache):
    """What the cache holds; keys and values belong together."""
    torch.testing.assert_close(cache.values, cache.keys / 10)
    return cache.keys.flatten().int().tolist()


def filled(*pieces):
    cache, first = KeyValueCache(), 0
    for count in pieces:
        cache.append(*tokens(count, first))
        first += count
    return cache


@pytest.mark.parametrize("pieces", [[1] * 70, [5, 1, 40, 1, 1], [3]])
@pytest.mark.parametrize("gradients", [True, False])
def test_everything_appended_is_there_in_order(pieces, gradients):
    """In whatever pieces it came, beyond the room of the beginning, with gradients or without."""
    with torch.set_grad_enabled(gradients):
        cache = filled(*pieces)
        assert len(cache) == sum(pieces)
        assert numbers(cache) == list(range(sum(pieces)))


def test_room_is_made_rarely():
    """Of 512 tokens appended one by one, the memory moves at most seven times: it doubles."""
    cache, places = filled(1), set()
    for token in range(1, 512):
        cache.append(*tokens(1, token))
        places.add(cache.keys.data_ptr())
    assert numbers(cache) == list(range(512))
    assert len(places) <= 7


def test_two_that_go_on_from_one_point_keep_apart():
    """Whichever goes on first, neither writes over what the other one keeps."""
    one = filled(20, 1)  # with free room behind
    other, as_it_was = one.copy(), one.copy()
    one.append(*tokens(1, 100))
    other.append(*tokens(2, 200))
    one.append(*tokens(1, 101))
    assert numbers(one) == [*range(21), 100, 101]
    assert numbers(other) == [*range(21), 200, 201]
    assert numbers(as_it_was) == list(range(21)) and len(as_it_was) == 21


def test_what_is_kept_for_gradients_is_not_written_over():
    """Two steps, each used: the gradient of the first key is 1 from each of the two products."""
    key = torch.ones(1, 1, 1, 1, requires_grad=True)
    cache = KeyValueCache()
    total = 0.0
    for _ in range(2):
        cache.append(key, key)
        total = total + (cache.keys * torch.ones(1)).prod()
    total.backward()
    # x, then x²: at 1 the derivatives are 1 and 2.
    assert key.grad.item() == 3


def test_a_cache_of_inference_goes_on_outside():
    """What was written in inference mode must not be changed outside, and is copied."""
    with torch.inference_mode():
        cache = filled(1, 1)
    cache.append(*tokens(1, 2))
    assert numbers(cache) == [0, 1, 2]


def test_rows_are_picked_like_those_of_a_tensor():
    """Left out, doubled, reordered; an empty cache stays empty."""
    keys = torch.arange(6.0).reshape(3, 1, 2, 1)
    cache = KeyValueCache()
    cache.append(keys, keys / 10)
    rows = torch.tensor([2, 0, 2])
    assert numbers(cache[rows]) == [4, 5, 0, 1, 4, 5]
    assert len(KeyValueCache()[rows]) == 0


def test_a_query_without_keys_needs_a_cache(readers_view):
    """The message says what is missing, and what batch and width the cache has."""
    attention = MultiHeadAttention(4, 2)
    x = torch.zeros(2, 3, 4)
    with pytest.raises(ValueError, match="keys and values wanted, or a cache"):
        attention(x)
    with pytest.raises(ValueError, match="keys and values wanted, or a cache"):
        attention(x, cache=KeyValueCache())
    with pytest.raises(ValueError, match=r"queries \(2, q_len, 4\).*got \(3, 1, 4\)"):
        attention(torch.zeros(3, 1, 4), cache=attention.project(x, x))
    with pytest.raises(ValueError, match=r"\(2, 3, 4\), \(2, 3, 4\) and None"):
        attention(x, x)


@pytest.mark.parametrize(
    "shapes",
    [[(1, 1, 2, 4)] * 2, [(2, 3, 1, 4)] * 2, [(2, 1, 1, 5)] * 2, [(2, 1, 1, 4), (2, 1, 2, 4)]],
)
def test_what_does_not_fit_is_refused(shapes, readers_view):
    """Another batch (of one, which would be repeated), other heads, another width; values alone."""
    cache = KeyValueCache()
    cache.append(torch.zeros(2, 1, 3, 4), torch.zeros(2, 1, 3, 4))
    with pytest.raises(ValueError, match=r"\(2, 1, new, 4\) wanted, got") as told:
        cache.append(*map(torch.zeros, shapes))
    assert all(str(shape) in str(told.value) for shape in shapes) and len(cache) == 3
