"""The kinds of sentence, and how often each is drawn."""

from collections.abc import Callable, Sequence

from attention_lib.corpus import acting, asking, being, tenses
from attention_lib.corpus.draws import RandomDraws
from attention_lib.corpus.synchronous import Phrase

SentenceKind = Callable[[RandomDraws], Phrase]

SENTENCES: dict[SentenceKind, int] = {
    being.state: 40,
    being.sensation: 11,
    being.age: 10,
    being.whereabouts: 13,
    being.at_home: 8,
    being.quality: 10,
    acting.verb_alone: 20,
    acting.verb_negated: 13,
    acting.verb_with_frequency: 10,
    acting.verb_with_never: 7,
    acting.verb_with_object: 70,
    acting.verb_with_pronoun: 28,
    tenses.past_alone: 30,
    tenses.past_with_object: 30,
    tenses.future: 20,
    tenses.modal: 15,
    tenses.wish: 15,
    asking.command: 10,
    asking.prohibition: 5,
    asking.invitation: 5,
    asking.yes_no_question: 18,
    asking.where_question: 12,
    asking.who_question: 10,
    being.there_is: 18,
}
# What the Chinese corpus has beside these. All are said in French, too; but the French corpus
# leaves them out, since what was trained on it and the book's numbers rest on the kinds above.
MORE_SENTENCES: dict[SentenceKind, int] = {
    acting.does_it_too: 10,
    being.is_it_too: 8,
    acting.all_do: 12,
    being.comparison: 22,
    tenses.deed: 45,
    being.located_thing: 30,
    being.possession: 22,
    asking.possession_question: 8,
    asking.what_question: 12,
    asking.where_does_question: 10,
    asking.when_question: 8,
}


def by_weight(kinds: dict[SentenceKind, int]) -> list[SentenceKind]:
    """Each kind as often as its weight says."""
    return [kind for kind, weight in kinds.items() for _ in range(weight)]


SENTENCE_KINDS = by_weight(SENTENCES)
ALL_KINDS = by_weight(SENTENCES | MORE_SENTENCES)


def sentence(draws: RandomDraws, kinds: Sequence[SentenceKind] = SENTENCE_KINDS) -> Phrase:
    """A sentence of a kind drawn by its weight."""
    kind = draws.choice(kinds)
    return kind(draws)
