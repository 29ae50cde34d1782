"""Sequence to sequence with attention, unrolled: a row for each step, a context of its own."""

from collections.abc import Sequence
from dataclasses import dataclass

from attention_lib.figures.diagrams.letters import Number, box_width, subscript
from attention_lib.figures.diagrams.picture import Picture
from attention_lib.figures.diagrams.words import term

TEXTS = {
    "title": {
        "zh": "带注意力的序列到序列：{source} → {target}，每一步一个上下文",
        "en": "Sequence to sequence with attention: {source} → {target}, a context for each step",
    },
    "description": {
        "zh": "一行是解码器的一步：查询与每个源词的状态比较，得到分数和权重；上下文是这些状态的"
        "加权和，下一个词由它而来。",
        "en": "A row is a step of the decoder: its query is compared with the state of each source "
        "word, which gives scores and weights; the context is the weighted sum of these states, "
        "and the next word comes from it.",
    },
    "states": {"zh": "编码器的状态：键和值", "en": "states of the encoder: keys and values"},
    "weight": {"zh": "权重", "en": "weight"},
    "context": {"zh": "上下文", "en": "context"},
    "sum": {"zh": "加权求和", "en": "weighted sum"},
}
HEIGHT, SCORE = 24, 44


@dataclass(frozen=True)
class Places:
    """Where everything stands: steps one below the other, source words side by side."""

    narrow: bool
    boxes: dict[str, Number]  # the width of one box of a state, a query and a context
    d: int
    words: int  # of the source

    @property
    def bar(self) -> Number:
        return 84 if self.narrow else 76

    @property
    def column(self) -> Number:
        """From a source word to the next."""
        return 114 if self.narrow else max(self.d * self.boxes["state"], SCORE + self.bar + 14) + 22

    @property
    def first(self) -> Number:
        """The left edge of the first source word: wide, behind the query."""
        return 0 if self.narrow else self.d * self.boxes["query"] + 26

    def word(self, j: int) -> Number:
        return self.first + self.column * j

    def row(self, t: int) -> Number:
        """The height of a step; narrow, its query, scores, weights and context in four lines."""
        return 142 + 180 * t if self.narrow else 92 + 56 * t

    def context(self, t: int) -> tuple[Number, Number]:
        if self.narrow:
            return 85, self.row(t) + 124
        return self.first + self.column * self.words + 10, self.row(t)


def sequence_with_attention(
    picture: Picture,
    language: str,
    narrow: bool,
    *,
    source: Sequence[str],
    target: Sequence[str],
    states: Sequence[Sequence[Number]],
    queries: Sequence[Sequence[Number]],
    scores: Sequence[Sequence[Number]],
    weights: Sequence[Sequence[Number]],
    contexts: Sequence[Sequence[Number]],
    rule: str = "q·k / √d",
    digits: int = 1,
    query_digits: int = 0,
    context_digits: int = 2,
) -> tuple[str, str]:
    """Draw the picture; its parts are state, query, score, weight, context, word.

    The number of the step stands first: ``score:1`` are the scores of the second step.

    Args:
        source, target: the words, n and m of them.
        states: of the encoder, which are keys and values, shape ``(n, d)``.
        queries: the decoder's state before each word, shape ``(m, d)``.
        scores, weights: shape ``(m, n)``.
        contexts: shape ``(m, d)``.
        rule: how a score comes about, in letters.
        digits, query_digits, context_digits: behind the decimal points.

    Returns:
        The title and the description.
    """
    text = {name: words[language] for name, words in TEXTS.items()}
    text |= {name: term(name, language) for name in ("query", "score")}
    boxes = {
        "state": box_width(states, digits),
        "query": box_width(queries, query_digits),
        "context": box_width(contexts, context_digits) - (3 if narrow else 0),
    }
    places = Places(narrow, boxes, len(states[0]), len(source))
    picture.text(places.first, -22, text["states"], "value", anchor="start", of="state", name=True)
    for j, (word, state) in enumerate(zip(source, states, strict=True)):
        _state(picture, places, j, word, state, digits)
    for t, word in enumerate(target):
        _query(picture, places, text, t, queries[t], query_digits)
        for j, name in enumerate(source):
            _weight(picture, places, text, (t, j), name, scores[t][j], weights[t][j])
        _context(picture, places, text, t, contexts[t], context_digits)
        _word(picture, places, t, word)
    _foot(picture, places, text, len(target), rule)
    names = {"source": " ".join(source), "target": " ".join(target)}
    return text["title"].format(**names), text["description"]


def _state(picture, places, j, word, state, digits):
    box, x = places.boxes["state"], places.word(j)
    name = f"{word}, h{subscript(j + 1)}"
    middle, anchor = (x, "start") if places.narrow else (x + box * places.d / 2, "middle")
    picture.text(middle, 0, name, anchor=anchor, of="state", silent=True)
    look = {"digits": digits, "box": (box, HEIGHT), "upright": places.narrow}
    picture.strip(f"state:{j}", x, 14, state, "value", says=name, **look)
    if j:
        picture.arrow(f"state:{j - 1}", f"state:{j}", bend=0)


def _query(picture, places, text, t, query, digits):
    y, box = places.row(t), (places.boxes["query"], HEIGHT)
    key, name = f"query:{t}", f"{text['query']} s{subscript(t)}"
    x, middle = (box[0] * places.d + 8, y + HEIGHT / 2) if places.narrow else (0, y - 14)
    picture.text(x, middle, name, "query", anchor="start", of=key, name=True, silent=True)
    picture.strip(key, 0, y, query, "query", says=name, digits=digits, box=box)


def _weight(picture, places, text, place, word, score, weight):
    """The score and the weight of one source word in one step."""
    t, j = place
    x, y = places.word(j), places.row(t)
    (score_x, score_y), (bar_x, bar_y), down = (x, y), (x + SCORE + 14, y + 2), {}
    if places.narrow:
        (score_x, score_y), (bar_x, bar_y) = (x + 8, y + 44), (x, y + 84)
        down = {"leave": "bottom", "enter": "top", "at": 0.2}
    score_key, weight_key = f"score:{t}:{j}", f"weight:{t}:{j}"
    box, says = (SCORE, HEIGHT), f"{word}, {text['score']} {t + 1}"
    picture.strip(score_key, score_x, score_y, [score], "weight", says=says, digits=2, box=box)
    size, says = (places.bar, 20), f"{word}, {text['weight']} {t + 1}"
    picture.bar(weight_key, bar_x, bar_y, weight, "weight", says=says, size=size)
    if not (t or places.narrow):  # narrow, the query stands in the way
        picture.arrow(f"state:{j}", score_key, leave="bottom", enter="top", at=0.15, bend=0)
    if not j:
        picture.arrow(f"query:{t}", score_key, bend=0.3, **down)
    picture.arrow(score_key, weight_key, bend=0, **down)


def _context(picture, places, text, t, context, digits):
    """What the weights choose of the source."""
    key, name = f"context:{t}", f"{text['context']} c{subscript(t + 1)}"
    (x, y), box = places.context(t), (places.boxes["context"], HEIGHT)
    spot, anchor = ((x - 6, y + HEIGHT / 2), "end") if places.narrow else ((x, y - 14), "start")
    picture.text(*spot, name, "output", anchor=anchor, of=key, name=True, silent=True)
    picture.strip(key, x, y, context, "output", says=name, digits=digits, box=box)
    if places.narrow:
        picture.arrow(f"weight:{t}:1", key, bend=0, leave="bottom", enter="top")
    else:
        picture.arrow(f"weight:{t}:{places.words - 1}", key, bend=0)


def _word(picture, places, t, word):
    """What comes of a context."""
    x, y = places.context(t)
    x += places.boxes["context"] * places.d + 12
    picture.box(f"word:{t}", x, y, 62, HEIGHT, word)
    picture.arrow(f"context:{t}", f"word:{t}", bend=0)


def _foot(picture, places, text, steps, rule):
    """How scores, weights and contexts come about."""
    x, y = places.first, places.context(steps - 1)[1] + HEIGHT + 14
    at = (0, 80, 160) if places.narrow else (0, SCORE + 40, places.context(0)[0] - x)
    for part, words, place in zip(
        ("score", "weight", "context"), (rule, "softmax", text["sum"]), at, strict=True
    ):
        picture.text(x + place, y, words, anchor="start", of=part)
