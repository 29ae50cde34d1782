"""The rows of the lexicon: what is known of a noun, an adjective, a verb in both languages."""

from typing import NamedTuple, TypeVar

Row = TypeVar("Row")

# Which of its forms a verb takes: every subject but *I*, *you* and *we* takes that of *he* or
# that of *they*.
PERSONS = ("i", "you", "he", "we", "they")


def by_person(*forms: str) -> dict[str, str]:
    """The forms of a verb for I, you, he, we, they.

    >>> by_person("am", "are", "is", "are", "are")["he"]
    'is'
    """
    return dict(zip(PERSONS, forms, strict=True))


def read_table(row: type[Row], text: str) -> list[Row]:
    """One row per line, cells separated by spaces.

    Raises:
        ValueError: a line has too many cells, or too few.
    """
    rows = []
    for line in text.strip().split("\n"):
        try:
            rows.append(row(*(cell.replace("_", " ") for cell in line.split())))
        except TypeError:
            raise ValueError(f"{', '.join(row._fields)} wanted, got {line!r}") from None
    return rows


class Noun(NamedTuple):
    """A noun, its gender, and what kind of thing it names."""

    singular: str
    plural: str
    french_singular: str
    french_plural: str
    gender: str
    kind: str

    def english(self, plural: bool) -> str:
        return self.plural if plural else self.singular

    def french(self, plural: bool) -> str:
        return self.french_plural if plural else self.french_singular


class Adjective(NamedTuple):
    """An adjective, its place in French, and the kinds of nouns that it describes."""

    english: str
    masculine: str
    feminine: str
    masculine_plural: str
    feminine_plural: str
    place: str = ""
    kinds: str = ""

    def french(self, feminine: bool, plural: bool) -> str:
        """The form that agrees with a noun."""
        if plural:
            return self.feminine_plural if feminine else self.masculine_plural
        return self.feminine if feminine else self.masculine


class Verb(NamedTuple):
    """A verb, its forms, and the kinds of nouns that can be its object."""

    base: str
    third_person: str
    past: str
    je: str
    tu: str
    il: str
    nous: str
    ils: str
    participle: str
    infinitive: str
    objects: str = ""

    @property
    def present(self) -> dict[str, str]:
        """The French forms of the present, by person."""
        return by_person(self.je, self.tu, self.il, self.nous, self.ils)

    @property
    def imperative(self) -> str:
        # Verbs in -er drop the s: tu chantes, but chante ! – tu dors, and dors !
        return self.tu.removesuffix("s") if self.infinitive.endswith("er") else self.tu


class Pronoun(NamedTuple):
    """A subject pronoun, its French form after a preposition, and what a verb agrees with."""

    english: str
    french: str
    stressed: str
    person: str
    number: str
    gender: str


class Preposition(NamedTuple):
    """A preposition of place, and the nouns that go with it."""

    english: str
    french: str
    nouns: str


class Determiner(NamedTuple):
    """An article or its like, which in French agrees with the noun."""

    singular: str
    plural: str
    masculine: str
    feminine: str
    french_plural: str

    def english(self, plural: bool) -> str:
        return self.plural if plural else self.singular

    def french(self, feminine: bool, plural: bool) -> str:
        """The form that agrees with a noun."""
        if plural:
            return self.french_plural
        return self.feminine if feminine else self.masculine


class Modal(NamedTuple):
    """A verb that takes another in the infinitive."""

    english: str
    je: str
    tu: str
    il: str
    nous: str
    ils: str

    @property
    def present(self) -> dict[str, str]:
        """The French forms of the present, by person."""
        return by_person(self.je, self.tu, self.il, self.nous, self.ils)
