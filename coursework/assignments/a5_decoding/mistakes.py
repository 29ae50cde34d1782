"""What often goes wrong in a step of decoding, and how a student is told."""

import torch

from coursework.assignments.a5_decoding.given import position_encoding
from coursework.assignments.reasons import (
    NO_SCALE,
    NO_SOFTMAX,
    NOT_NORMALISED,
    ROLES,
    SCALE_D,
    SCALE_LENGTH,
    SCALE_UP,
)
from coursework.questions.cases import Message, Mistake


def append(cache, new):
    return torch.cat([cache, new.unsqueeze(1)], dim=1)


def prepend(cache, new):
    return torch.cat([new.unsqueeze(1), cache], dim=1)


def step_with(
    position=lambda x, keys: position_encoding(keys.shape[1], x.shape[-1]),
    project=lambda x, bare, w_q, w_k, w_v: (x @ w_q, x @ w_k, x @ w_v),
    scale=lambda x, keys: keys.shape[-1] ** -0.5,
    weigh=lambda scores: scores.softmax(1),
    join=append,
    seen=lambda cache: cache,
    returned=lambda output, keys, values, old_keys, old_values: (output, keys, values),
):
    """A step with another position, projection, scale, softmax, cache, or result."""

    def step(x, keys, values, w_q, w_k, w_v):
        query, key, value = project(x + position(x, keys), x, w_q, w_k, w_v)
        all_keys, all_values = join(keys, key), join(values, value)
        scores = (seen(all_keys) * query.unsqueeze(1)).sum(-1, keepdim=True) * scale(x, all_keys)
        output = (weigh(scores) * seen(all_values)).sum(1)
        return returned(output, all_keys, all_values, keys, values)

    return step


POSITION_ZERO = Message(
    "position-zero",
    "每一步都读位置 0：新词元的位置是缓存的长度 t。",
    "Every step reads position 0: the position of the newest token is the length t of the cache.",
)
POSITION_NEXT = Message(
    "position-off-by-one",
    "位置差了一：缓存中有 t 个词元，新词元的位置就是 t（从 0 数起）。",
    "The position is off by one: after t tokens in the cache, the newest is at position t, "
    "counted from 0.",
)
NO_POSITION = Message(
    "no-position",
    "没有加上位置编码：x 先要加上位置 t 的编码。",
    "No position is added: x needs the encoding of position t first.",
)
POSITION_PARTLY = Message(
    "position-partly",
    "位置编码只加在了一部分上：查询、键和值都从加了位置的 x 投影。",
    "The position reaches only a part: queries, keys and values are all projected from x with "
    "its position.",
)
IN_FRONT = Message(
    "cache-in-front",
    "新的键和值放在了缓存的前面：应当接在末尾，否则顺序就乱了。",
    "The new key and value stand in front of the cache: they belong at its end, in order.",
)
OLD_CACHE = Message(
    "cache-not-longer",
    "返回的是旧缓存：新的键和值没有存进去，下一步就看不见这个词元。",
    "The old cache is returned: the new key and value are not in it, and the next step will not "
    "see this token.",
)
CACHE_SWAPPED = Message(
    "keys-and-values-swapped",
    "键和值弄反了。",
    "Keys and values have changed places.",
)
NOT_ITSELF = Message(
    "newest-not-seen",
    "新词元看不见自己：注意力要算上刚接到缓存末尾的键和值。",
    "The newest token does not see itself: attend to the key and value just appended, too.",
)
ONLY_ITSELF = Message(
    "cache-not-read",
    "新词元只看见自己：注意力没有用上缓存。",
    "The newest token sees only itself: the cache takes no part in the attention.",
)
ONLY_NEW = Message(
    "cache-dropped",
    "返回的缓存里只有新词元：以前的键和值丢了。",
    "The cache that is returned holds only the newest token: the keys and values before are lost.",
)
WRONG_AXIS = Message(
    "wrong-axis",
    "softmax 沿错误的轴：应当在缓存的各个位置上归一化，而不是在批量上。",
    "The softmax runs over the wrong axis: normalise over the positions of the cache, "
    "not over the batch.",
)
SCALE_TWICE = Message(
    "scaled-twice",
    "缩放了两次。",
    "The scores are scaled twice.",
)
SCALED_KEYS = Message(
    "scaled-keys-cached",
    "缓存里存的是缩放过的键：缩放的是分数，键应当原样存下。",
    "Scaled keys are stored in the cache: scale the scores, and store the keys as they are.",
)
TRANSPOSED = Message(
    "projection-transposed",
    "权重矩阵转置了：这里的约定是 x @ w，而不是 x @ w.T。",
    "The weight matrices are transposed: here it is x @ w, not x @ w.T.",
)
RAW = Message(
    "not-projected",
    "有的部分没有投影：查询、键和值各有自己的权重矩阵。",
    "Something is not projected: query, key and value each have a weight matrix.",
)


def no_position(x, keys):
    return torch.zeros_like(x)


def scaled_keys(x, bare, w_q, w_k, w_v):
    return x @ w_q, x @ w_k * w_k.shape[1] ** -0.5, x @ w_v


STEP_MISTAKES = (
    Mistake(POSITION_ZERO, step_with(lambda x, keys: position_encoding(0, x.shape[-1]))),
    Mistake(
        POSITION_NEXT,
        step_with(lambda x, keys: position_encoding(keys.shape[1] + 1, x.shape[-1])),
    ),
    Mistake(
        POSITION_NEXT,
        step_with(lambda x, keys: position_encoding(keys.shape[1] - 1, x.shape[-1])),
    ),
    Mistake(NO_POSITION, step_with(no_position)),
    Mistake(
        POSITION_PARTLY, step_with(project=lambda x, bare, q, k, v: (x @ q, bare @ k, bare @ v))
    ),
    Mistake(POSITION_PARTLY, step_with(project=lambda x, bare, q, k, v: (bare @ q, x @ k, x @ v))),
    Mistake(POSITION_PARTLY, step_with(project=lambda x, bare, q, k, v: (x @ q, x @ k, bare @ v))),
    Mistake(IN_FRONT, step_with(join=prepend)),
    Mistake(OLD_CACHE, step_with(returned=lambda o, k, v, old_k, old_v: (o, old_k, old_v))),
    Mistake(
        OLD_CACHE,
        step_with(
            seen=lambda cache: cache[:, :-1],
            returned=lambda o, k, v, old_k, old_v: (o, old_k, old_v),
        ),
    ),
    Mistake(CACHE_SWAPPED, step_with(returned=lambda o, k, v, *old: (o, v, k))),
    Mistake(CACHE_SWAPPED, step_with(project=lambda x, b, q, k, v: (x @ q, x @ v, x @ k))),
    Mistake(NOT_ITSELF, step_with(seen=lambda cache: cache[:, :-1])),
    Mistake(
        NOT_ITSELF,
        step_with(seen=lambda cache: cache[:, : max(1, cache.shape[1] - 1)]),
    ),
    Mistake(ONLY_ITSELF, step_with(seen=lambda cache: cache[:, -1:])),
    Mistake(ONLY_NEW, step_with(join=lambda cache, new: new.unsqueeze(1))),
    Mistake(ONLY_NEW, step_with(returned=lambda o, k, v, *old: (o, k[:, -1:], v[:, -1:]))),
    Mistake(WRONG_AXIS, step_with(weigh=lambda scores: scores.softmax(0))),
    Mistake(WRONG_AXIS, step_with(weigh=torch.ones_like)),
    Mistake(NO_SOFTMAX, step_with(weigh=lambda scores: scores)),
    Mistake(NOT_NORMALISED, step_with(weigh=lambda scores: scores.exp())),
    Mistake(NO_SCALE, step_with(scale=lambda x, keys: 1.0)),
    Mistake(SCALE_D, step_with(scale=lambda x, keys: 1 / keys.shape[-1])),
    Mistake(SCALE_UP, step_with(scale=lambda x, keys: keys.shape[-1] ** 0.5)),
    Mistake(SCALE_LENGTH, step_with(scale=lambda x, keys: keys.shape[1] ** -0.5)),
    Mistake(SCALED_KEYS, step_with(project=scaled_keys, scale=lambda x, keys: 1.0)),
    Mistake(SCALE_TWICE, step_with(project=scaled_keys)),
    Mistake(TRANSPOSED, step_with(project=lambda x, b, q, k, v: (x @ q.T, x @ k.T, x @ v.T))),
    Mistake(ROLES, step_with(project=lambda x, b, q, k, v: (x @ k, x @ q, x @ v))),
    Mistake(RAW, step_with(project=lambda x, b, q, k, v: (x @ q, x, x))),
    Mistake(RAW, step_with(project=lambda x, b, q, k, v: (x, x @ k, x @ v))),
    Mistake(RAW, step_with(project=lambda x, b, q, k, v: (x @ q, x @ k, x))),
)
