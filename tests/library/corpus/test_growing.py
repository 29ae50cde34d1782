"""The grammar grows as its docstring says, and says what is wrong with a row or a rule."""

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import attention_lib.corpus.sentences
from attention_lib import Pair
from attention_lib.corpus import lexicon
from attention_lib.corpus.kinds import KINDS, kinds_in
from attention_lib.corpus.lexicon import ADJECTIVES, NOUNS, PREPOSITIONS, PRONOUNS, STATES
from attention_lib.corpus.synchronous import rule, word
from attention_lib.corpus.word_classes import PERSONS, Noun, read_table

FOLDER = Path(attention_lib.corpus.__file__).parent
TRANSITIVE, ALONE = lexicon.TRANSITIVE_VERBS, lexicon.INTRANSITIVE_VERBS + lexicon.MOTION_VERBS

# Every kind of sentence 3,000 times: in what is left, the words of `sys.argv` occur.
DRAW = """
import json, sys
from attention_lib.corpus.draws import RandomDraws
from attention_lib.corpus.sentences import SENTENCES
from attention_lib.corpus.spelling import spell
from attention_lib.corpus.synchronous import LANGUAGES
draws = RandomDraws(0)
phrases = [kind(draws) for kind in SENTENCES for _ in range(3000)]
print(json.dumps([
    [
        (pair.source, pair.target, sorted(pair.sure), sorted(pair.possible))
        for pair in (spell(phrase, language) for language in LANGUAGES)
    ]
    for phrase in phrases if set(phrase.english) & set(sys.argv[1:])
]))
"""


def examples(title: str) -> list[str]:
    """The indented lines under a title of the docstring, block by block."""
    section = attention_lib.corpus.__doc__.split(f"How to add {title}\n")[1].split("How to add")[0]
    blocks = re.findall(r"::\n\n((?:    .*\n)+)", section + "\n")
    return [re.sub("^    ", "", block, flags=re.MULTILINE) for block in blocks]


@pytest.fixture(scope="module")
def grown(tmp_path_factory):
    """French and Chinese of a copy to which each example of the docstring was added, as it says."""
    root = tmp_path_factory.mktemp("grown")
    folder = root / "attention_lib" / "corpus"
    shutil.copytree(FOLDER, folder, ignore=shutil.ignore_patterns("__pycache__"))
    # The copy has no more of the library: the corpus stands alone.
    (root / "attention_lib" / "__init__.py").touch()

    def insert(file, after, new):
        text = (folder / file).read_text(encoding="utf-8")
        assert text.count(after) == 1
        (folder / file).write_text(text.replace(after, after + new), encoding="utf-8")

    tables = {"a noun": "NOUNS", "an adjective": "ADJECTIVES", "a verb": "TRANSITIVE_VERBS"}
    for title, table in tables.items():
        row, row_zh = examples(title)
        columns = {"NOUNS": "Noun", "ADJECTIVES": "Adjective"}.get(table, "Verb")
        table_zh = "VERBS_WITH_OBJECT" if columns == "Verb" else table
        insert("lexicon.py", f'\n{table} = read_table(\n    {columns},\n    """\n', row)
        insert("chinese.py", f'\n{table_zh} = _by_english(\n    {columns},\n    """\n', row_zh)
    function, weight = examples("a kind of sentence")
    insert("asking.py", "\n# Questions\n\n\n", function + "\n\n")
    insert("sentences.py", "\nSENTENCES: dict[SentenceKind, int] = {\n", "    " + weight)

    words = ["teacher", "teachers", "brown", "draw", "draws", "drew", "why"]
    drawn = subprocess.run(
        [sys.executable, "-c", DRAW, *words],
        env={**os.environ, "PYTHONPATH": str(root)},
        cwd=root,
        check=True,
        capture_output=True,
        text=True,
    ).stdout
    by_language = zip(*json.loads(drawn), strict=True)
    french, chinese = (
        [
            Pair(tuple(source), tuple(target), *(frozenset(map(tuple, links)) for links in linked))
            for source, target, *linked in pairs
        ]
        for pairs in by_language
    )
    return tuple({" ".join(pair.source): pair for pair in pairs} for pairs in (french, chinese))


@pytest.mark.parametrize(
    ("english", "french", "links"),
    [
        (
            "she draws them .",
            "elle les dessine .",
            "elle=she les=them dessine=draws .=.",
        ),
        (
            "they don't draw him .",
            "ils ne le dessinent pas .",
            "ils=they ne=don't le=him dessinent=draw pas=don't .=.",
        ),
        (
            "why does he sleep ?",
            "pourquoi est-ce qu' il dort ?",
            "pourquoi=why est-ce=does qu'=does il=he dort=sleep ?=?",
        ),
    ],
)
def test_what_was_added_is_said_and_linked(grown, english, french, links):
    """By hand; none of these has a possible link beside the sure ones."""
    source, target = tuple(english.split()), tuple(french.split())
    sure = frozenset(
        (target.index(t), source.index(s)) for t, s in (link.split("=") for link in links.split())
    )
    assert grown[0][english] == Pair(source, target, sure, sure)


@pytest.mark.parametrize(
    ("english", "chinese"),
    [
        ("she draws them .", "她 在 画 他们 。"),
        ("they don't draw him .", "他们 不 画 他 。"),
        ("why does he sleep ?", "他 为什么 睡觉 ？"),
    ],
)
def test_what_was_added_is_said_in_chinese(grown, english, chinese):
    """By hand."""
    assert " ".join(grown[1][english].target) == chinese


def test_added_words_stand_in_chinese_as_their_rows_say(grown):
    """With its measure word, and with 的."""
    chinese = " | ".join(" ".join(pair.target) for pair in grown[1].values())
    assert " 位 老师 " in chinese and not re.search(r"[个名只] 老师", chinese)
    assert "棕色 的 " in chinese and "棕色 的 。" in chinese


@pytest.mark.parametrize(
    ("english", "french"),
    [
        ("teachers?", "professeurs?"),
        ("brown", "bruns?|brunes?"),
        ("draws?|drew", "dessin(?:e|es|ons|ent|é|er)"),
        ("why", "pourquoi"),
    ],
)
def test_an_added_word_is_linked_wherever_it_stands(grown, english, french):
    """In statements, questions, the past and the infinitive, for sure and with its translation."""
    found = [pair for pair in grown[0].values() if re.search(rf"\b(?:{english})\b", str(pair))]
    assert len(found) > 100
    for pair in found:
        words = {s for s, token in enumerate(pair.source) if re.fullmatch(english, token)}
        mots = {t for t, token in enumerate(pair.target) if re.fullmatch(french, token)}
        assert len(words) == len(mots) in (1, 2), pair  # two teachers may see each other
        assert words == {s for t, s in pair.sure if t in mots and s in words}, pair
        assert mots == {t for t, s in pair.sure if t in mots and s in words}, pair
        assert {t for t, _ in pair.sure} == set(range(len(pair.target)))
        assert {s for _, s in pair.possible} == set(range(len(pair.source)))


def test_an_added_word_agrees_and_finds_its_place(grown):
    """The teacher is masculine, brown stands behind the noun."""
    french = " | ".join(" ".join(pair.target) for pair in grown[0].values())
    assert " le professeur " in french and " les professeurs " in french
    assert not re.search(r"\b(?:la|une|cette|ma|ta|sa) professeur", french)
    assert re.search(r"\b(?:vache|souris|chemise|voiture|robe)s? brunes?\b", french)
    assert not re.search(r"\bbru\w+ (?:vache|souris|chat|chien|voiture|robe)", french)


def test_the_sum_in_the_docstring():
    """A newcomer weighs a new kind against it."""
    from_docstring = re.search(r"others together have\s+(\d+)", attention_lib.corpus.__doc__)
    assert int(from_docstring[1]) == sum(attention_lib.corpus.sentences.SENTENCES.values())


# What the tables hold


def test_the_tables_hold_what_the_rules_ask_for():
    """A slip in a table would show up as a strange sentence, or as none."""
    assert {noun.kind for noun in NOUNS} == KINDS
    assert {noun.gender for noun in NOUNS} == {pronoun.gender for pronoun in PRONOUNS} == {*"mf"}
    assert {adjective.place for adjective in ADJECTIVES} == {"before", "after"}
    assert {pronoun.person for pronoun in PRONOUNS} == set(PERSONS)
    cells = [adjective.kinds for adjective in ADJECTIVES] + [verb.objects for verb in TRANSITIVE]
    assert all(kinds_in(cell) <= KINDS for cell in cells)
    known = {noun.singular for noun in NOUNS}
    for preposition in PREPOSITIONS:
        assert set(preposition.nouns.split(",")) <= known


@pytest.mark.parametrize("table", [NOUNS, ADJECTIVES, STATES, TRANSITIVE, ALONE])
def test_no_word_stands_twice_in_a_table(table):
    """Two rows with the same English could give one sentence two translations."""
    assert len({row[0] for row in table}) == len(table)


def test_a_kind_that_does_not_exist_is_named():
    """With the kinds that do; an empty cell is none either."""
    for cell in ("thing,eatable", "thing,", "pateor"):
        with pytest.raises(ValueError, match=rf"animal, edible.*anything.*'{cell.split(',')[-1]}'"):
            kinds_in(cell)


def test_a_row_without_a_column_is_named():
    """The error shows the columns and the row."""
    for line in ("cat cats chat chats m", "cat cats chat chats m animal living"):
        with pytest.raises(ValueError, match=f"singular, plural, .*kind wanted, got '{line}'"):
            read_table(Noun, f"dog dogs chien chiens m animal\n{line}")


@pytest.mark.parametrize(
    ("template", "message"),
    [
        ("la[teh](N) N", r"'la\[teh\]\(N\)' is linked to 'teh', not in 'the N'"),
        ("la[the](M) N", "'M', not in 'the N'"),
        ("la N", "'la' is linked to 'la'"),
        ("la[the N", r"la\[the\]\(N\), got 'la\[the'"),
        ("la(N)[the] N", r"la\[the\]\(N\), got"),
        ("la[] N", r"la\[the\]\(N\), got"),
        ("la[the,] N", r"linked to '', not in"),
    ],
)
def test_a_slip_in_a_template_is_named(template, message):
    """The word and what it should be linked to."""
    with pytest.raises(ValueError, match=message):
        rule("the N", template, N=word("car", "voiture"))


def test_several_links_of_a_word():
    """By hand: he(0) 's(1) going(2) to(3)."""
    va = rule("he 's going to", "il[he] va[going]('s,to)").french[1]
    assert (va.text, va.sure, va.possible) == ("va", {2}, {1, 2, 3})
    tous, en = rule("all at once", "tous[all,once] en(at)").french
    assert (tous.sure, tous.possible) == ({0, 2}, {0, 2})
    assert (en.sure, en.possible) == (frozenset(), {1})
