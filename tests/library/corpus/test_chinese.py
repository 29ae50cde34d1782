"""The Chinese corpus: what people say, linked word by word."""

import hashlib
import re
from itertools import combinations

import pytest

import attention_lib.corpus
from attention_lib import Pair, Vocabulary, grammar_corpus
from attention_lib.corpus import chinese
from attention_lib.corpus.draws import RandomDraws
from attention_lib.corpus.idioms import idioms
from attention_lib.corpus.lexicon import (
    ADJECTIVES,
    INTRANSITIVE_VERBS,
    MOTION_VERBS,
    NOUNS,
    STATES,
    TRANSITIVE_VERBS,
)
from attention_lib.corpus.sentences import MORE_SENTENCES, SENTENCES
from attention_lib.corpus.spelling import in_characters, spell

ALL = SENTENCES | MORE_SENTENCES


@pytest.fixture(scope="module")
def corpus(unchecked):
    """The default corpus into Chinese."""
    with unchecked():
        return grammar_corpus(target="chinese")


@pytest.fixture(scope="module")
def sentences(unchecked):
    """Fifteen hundred sentences of each kind, in Chinese and in French, by their English text."""
    draws = RandomDraws(1)
    with unchecked():
        drawn = [kind(draws) for kind in ALL for _ in range(1500)]
        pairs = [(spell(phrase, "chinese"), spell(phrase)) for phrase in drawn]
    return {" ".join(zh.source): (zh, fr) for zh, fr in pairs}


# By hand: the translation, its sure links (Chinese word, English word), and, after a bar, the
# possible ones beside them. The second of two equal words is written 的2.
BY_HAND = """
i'm hungry .
我 很 饿 。
我=i'm 饿=hungry 。=. | 很=i'm

marie isn't tired .
玛丽 不 累 。
玛丽=marie 不=isn't 累=tired 。=. |

he's not home .
他 不 在 家 。
他=he's 不=not 在=he's 家=home 。=. |

i'm ten years old .
我 十 岁 。
我=i'm 十=ten 岁=years 。=. | 岁=old 岁=i'm

marie's cat is black .
玛丽 的 猫 是 黑色 的 。
玛丽=marie's 的=marie's 猫=cat 是=is 黑色=black 。=. | 的2=is 的2=black

we sing .
我们 在 唱歌 。
我们=we 唱歌=sing 。=. | 在=sing

we eat in the garden .
我们 在 花园 里 吃饭 。
我们=we 在=in 花园=garden 里=in 吃饭=eat 。=. | 花园=the

she comes in the car .
她 来到 汽车 里 。
她=she 来到=comes 汽车=car 里=in 。=. | 汽车=the

we work every day .
我们 每天 都 工作 。
我们=we 工作=work 每天=every 每天=day 。=. | 都=every

i don't sleep every day .
我 不 是 每天 都 睡觉 。
我=i 不=don't 睡觉=sleep 每天=every 每天=day 。=. | 是=don't 都=every

we don't look for them .
我们 不 找 他们 。
我们=we 不=don't 找=look 他们=them 。=. | 找=for

she doesn't find it .
她 找不到 它 。
她=she 找不到=doesn't 找不到=find 它=it 。=. |

he bought a dress .
他 买 了 一 条 裙子 。
他=he 买=bought 一=a 裙子=dress 。=. | 了=bought 条=a 条=dress

i bought a tree with the boy today .
我 今天 和 男孩 一起 买 了 一 棵 树 。
我=i 今天=today 和=with 男孩=boy 一起=with 买=bought 一=a 树=tree 。=. | 男孩=the 了=bought 棵=a \
棵=tree

they didn't buy a mouse .
他们 没 买 老鼠 。
他们=they 没=didn't 买=buy 老鼠=mouse 。=. | 老鼠=a

i liked the friend .
我 喜欢 过 那 位 朋友 。
我=i 喜欢=liked 那=the 朋友=friend 。=. | 过=liked 位=the 位=friend

i don't want two big cats .
我 不 想要 两 只 大 猫 。
我=i 不=don't 想要=want 两=two 大=big 猫=cats 。=. | 只=two 只=cats

the boy is going to leave tonight .
那 个 男孩 今晚 要 离开 。
那=the 男孩=boy 今晚=tonight 要=going 离开=leave 。=. | 个=the 个=boy 要=is 要=to

don't run !
别 跑 ！
别=don't 跑=run ！=! |

let's dance !
我们 跳舞 吧 ！
我们=let's 跳舞=dance 吧=let's ！=! |

does she see the door ?
她 看见 了 那 扇 门 吗 ？
她=she 看见=see 那=the 门=door 吗=does ？=? | 吗=? 了=see 扇=the 扇=door

where is my orange ?
我 的 橙子 在 哪儿 ？
我=my 橙子=orange 在=is 哪儿=where ？=? | 的=my 的=orange

where is my friend ?
我 朋友 在 哪儿 ？
我=my 朋友=friend 在=is 哪儿=where ？=? |

there are two boxes under the chair .
椅子 下面 有 两 个 盒子 。
椅子=chair 下面=under 有=are 两=two 盒子=boxes 。=. | 椅子=the 有=there 个=two 个=boxes

the lamp in the garden is red .
花园 里 的 灯 是 红色 的 。
花园=garden 里=in 灯=lamp 是=is 红色=red 。=. | 花园=the2 的=in 的=lamp 灯=the 的2=is 的2=red

the cat is bigger than the cow .
那 只 猫 比 那 头 奶牛 大 。
那=the 猫=cat 比=than 那2=the2 奶牛=cow 大=bigger 。=. | 只=the 只=cat 头=the2 头=cow 大=is

we dance too .
我们 也 在 跳舞 。
我们=we 也=too 跳舞=dance 。=. | 在=dance

they all win .
他们 都 赢 了 。
他们=they 都=all 赢=win 。=. | 了=win

he doesn't have a car .
他 没有 汽车 。
他=he 没有=doesn't 没有=have 汽车=car 。=. | 汽车=a

what does he read ?
他 在 读 什么 ？
他=he 读=read 什么=what ？=? | 在=read 什么=does

where does he go ?
他 去 哪儿 ？
他=he 去=go 哪儿=where ？=? | 哪儿=does
"""


def link(text: str, target: list[str], source: list[str]) -> tuple[int, int]:
    """的2=red: the second 的 is linked to *red*."""
    return tuple(
        [place for place, each in enumerate(words) if each == word][int(nth or 1) - 1]
        for words, (word, nth) in zip(
            (target, source),
            (re.fullmatch(r"(.+?)(\d?)", side).groups() for side in text.split("=", 1)),
            strict=True,
        )
    )


@pytest.mark.parametrize(
    ("english", "translation", "links"),
    [example.split("\n") for example in BY_HAND.strip().split("\n\n")],
)
def test_translations_and_links_by_hand(sentences, english, translation, links):
    """Measure words, 的, 了 and 过 and 在, 不 and 没 and 别, times and places before the verb."""
    source, target = english.split(), translation.split()
    sure, beside = (
        {link(each, target, source) for each in part.split()} for part in links.split("|")
    )
    expected = Pair(tuple(source), tuple(target), frozenset(sure), frozenset(sure | beside))
    assert sentences[english][0] == expected


def test_every_word_is_linked(sentences):
    """Either side: for sure, or, like a measure word or an article, with what it belongs to."""
    for pair in [*(zh for zh, _ in sentences.values()), *idioms("chinese")]:
        assert pair.sure <= pair.possible
        assert {t for t, _ in pair.possible} == set(range(len(pair.target))), pair
        assert {s for _, s in pair.possible} == set(range(len(pair.source))), pair


def test_what_has_no_partner_is_known(sentences):
    """Without a sure link stand particles, measure words, and 在 or 是 where English has none."""
    measures = {noun.measure for noun in chinese.NOUNS.values()}
    for pair, _ in sentences.values():
        sure = {t for t, _ in pair.sure}
        for t, word in enumerate(pair.target):
            assert t in sure or word in measures | chinese.PARTICLES | {"在", "是", "一起"}, pair


def test_equal_sentences_have_one_translation(unchecked):
    """Drawn with several seeds: a sentence with two translations could not be learned."""
    known: dict[str, str] = {}
    with unchecked():
        for seed in range(4):
            draws = RandomDraws(seed)
            for kind in ALL:
                for _ in range(400):
                    english, translation = str(spell(kind(draws), "chinese")).split(" → ")
                    assert known.setdefault(english, translation) == translation, english


@pytest.mark.parametrize(
    "mistake",
    [
        r"没 (?:\S+ )*了 ",  # 没 and 了 exclude each other
        r"没 不|不 没|没 是|不 有",
        r"二 [个只条本辆]",
        r"(?:一|那|这|两|三|四|十) (?:猫|狗|书|汽车|男孩|女孩|房子)",  # no measure word
        r"(?:些|一些) (?:个|只|条|本|辆|把) ",
        r"一 个 (?:猫|狗|书|汽车|树|马|花|信)",
        r"[个只条本辆] [个只条本辆] ",
        r"的 的|了 了|在 在 在",
        r"(?:今天|现在|今晚|每天) [。！？]",  # a time stands before the verb
        r"吗 [。！]|什么 [。！]|哪儿 [。！]",
        r"很 (?:红色|黑色|空|新|迟到|外面)",
        r"比 .* 很 ",
        r"(?:睡觉|工作|跑步|游泳|唱歌|跳舞|吃饭|说话) (?:了 )?在 ",  # and so does a place
    ],
)
def test_no_chinese_mistake(sentences, mistake):
    """Patterns that a teacher would underline."""
    assert len(sentences) > 15_000
    for pair, _ in sentences.values():
        assert not re.search(mistake, " ".join(pair.target)), pair


def test_every_token_is_chinese_and_every_sentence_ends(sentences):
    """Nothing is left untranslated, and the mark is full width."""
    for pair in [*(zh for zh, _ in sentences.values()), *idioms("chinese")]:
        assert re.fullmatch(r"(?:[\u4e00-\u9fff]+ )+[。！？]", " ".join(pair.target)), pair


def test_the_new_kinds_are_said_in_french_too(sentences):
    """By hand, one of each."""
    french = {
        "he sleeps too .": "il dort aussi .",
        "she is sick too .": "elle est malade aussi .",
        "they all work .": "ils travaillent tous .",
        "the cat is bigger than the cow .": "le chat est plus grand que la vache .",
        "he doesn't have a dog .": "il n' a pas de chien .",
        "does he have a man ?": "est-ce qu' il a un homme ?",
        "i bought a tree with the boy today .": (
            "j' ai acheté un arbre avec le garçon aujourd'hui ."
        ),
        "the lamp in the garden is red .": "la lampe dans le jardin est rouge .",
        "what does he see ?": "qu' est-ce qu' il voit ?",
        "where does he go ?": "où est-ce qu' il va ?",
        "when does he go ?": "quand est-ce qu' il va ?",
    }
    for english, wanted in french.items():
        pair = sentences[english][1]
        assert " ".join(pair.target) == wanted
        assert {t for t, _ in pair.sure} == set(range(len(pair.target)))
        assert {s for _, s in pair.possible} == set(range(len(pair.source)))


def test_the_table_of_kinds(unchecked):
    """Each kind has a row in the docstring, whose example that kind can say."""
    table = attention_lib.corpus.__doc__.split("The kinds of sentence\n")[1].split("=\n")[1]
    rows = [re.split(r"\s{2,}", row) for row in table.split("\n")[:-1]]
    assert [name for name, *_ in rows] == [kind.__name__ for kind in ALL]
    with unchecked():
        for kind, (_, english, translation) in zip(ALL, rows, strict=True):
            draws = RandomDraws(0)
            said = [str(spell(kind(draws), "chinese")) for _ in range(200)]
            assert f"{english} → {translation}" in said


# The parts


def test_the_parts(corpus):
    """As of the French corpus: sizes, no test sentence in training, words known."""
    assert [len(corpus[part]) for part in corpus] == [16_000, 500, 500, 500]
    held_out = [
        pair.source for part in ("validation", "test", "compositional") for pair in corpus[part]
    ]
    assert len(set(held_out)) == len(held_out)
    assert not set(held_out) & {pair.source for pair in corpus["train"]}
    for side in ("source", "target"):
        vocabulary = Vocabulary([getattr(pair, side) for pair in corpus["train"]])
        assert 300 < len(vocabulary) < 700
        for pairs in corpus.values():
            for pair in pairs:
                assert set(getattr(pair, side)) <= set(vocabulary.words)
    assert max(len(pair.target) for pairs in corpus.values() for pair in pairs) <= 18
    assert corpus["train"][::16] == [idioms("chinese")[n % 100] for n in range(1000)]


@pytest.mark.parametrize(
    ("arguments", "digest"),
    [
        (
            {"size": 300, "seed": 5},
            "c4837917f4a6cdfd63823ddbc6f454b6e2e3dac39832a7e5030e08900a69bb7e",
        ),
        ({}, "881c0361ef7d225f725bde8846dc93d0621685ec7cf99a8cd7eae06456d2fd67"),
    ],
)
def test_the_corpus_stays_as_it_is_bit_by_bit(unchecked, arguments, digest):
    """What is trained on it rests on it; a change on purpose writes the new digests here."""
    with unchecked():
        parts = grammar_corpus(**arguments, target="chinese")
    text = [
        (part, [(p.source, p.target, sorted(p.sure), sorted(p.possible)) for p in pairs])
        for part, pairs in parts.items()
    ]
    assert hashlib.sha256(repr(text).encode()).hexdigest() == digest


def test_characters_are_linked_as_their_words(corpus, unchecked):
    """By hand for one pair; the text stays the same for all."""
    pair = Pair(
        ("red", "cars"),
        ("红色", "的", "车"),
        frozenset({(0, 0), (2, 1)}),
        frozenset({(0, 0), (1, 0), (2, 1)}),
    )
    cut = in_characters(pair)
    assert cut.target == ("红", "色", "的", "车")
    assert cut.sure == {(0, 0), (1, 0), (3, 1)} and cut.possible == cut.sure | {(2, 0)}
    with unchecked():
        characters = grammar_corpus(target="chinese", tokens="characters")
    for one, other in zip(corpus["test"], characters["test"], strict=True):
        assert "".join(one.target) == "".join(other.target) and one.source == other.source
        assert {len(token) for token in other.target} == {1}


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"target": "german"}, "french, chinese, got 'german'"),
        ({"tokens": "letters"}, "words, characters, got 'letters'"),
    ],
)
def test_an_unknown_language_is_refused(arguments, message):
    """The message names what there is."""
    with pytest.raises(ValueError, match=message):
        grammar_corpus(10, **arguments)


# The tables


def test_the_tables_cover_the_lexicon():
    """Each word of the English and French tables has its Chinese, and none is left over."""
    assert list(chinese.NOUNS) == [noun.singular for noun in NOUNS]
    assert {name.split("/")[0] for name in chinese.ADJECTIVES} == {a.english for a in ADJECTIVES}
    assert {state.english for state in STATES} <= set(chinese.STATES)
    assert list(chinese.VERBS_WITH_OBJECT) == [verb.base for verb in TRANSITIVE_VERBS]
    assert list(chinese.VERBS_ALONE) == [verb.base for verb in INTRANSITIVE_VERBS + MOTION_VERBS]


def test_a_word_without_chinese_is_named():
    """Whoever adds a noun to one table only is told where the other row goes."""
    with pytest.raises(ValueError, match=r"no Chinese for 'teacher'.*chinese\.py"):
        chinese.NOUNS["teacher"]


def test_the_idioms_are_those_of_the_french_table():
    """The same hundred sentences, in the same order."""
    sources = [[pair.source for pair in idioms(target)] for target in ("french", "chinese")]
    assert sources[0] == sources[1]


def kendall(pairs):
    """Of all pairs of sure links, the share in the same order minus the share that cross."""
    same = crossed = 0
    for pair in pairs:
        for (t, s), (later_t, later_s) in combinations(sorted(pair.sure), 2):
            if t != later_t and s != later_s:
                same, crossed = same + (s < later_s), crossed + (s > later_s)
    return (same - crossed) / (same + crossed)


def test_words_move_farther_than_in_french(corpus, unchecked):
    """This is what the second language is there for."""
    with unchecked():
        french = grammar_corpus()["test"]
    assert (
        kendall([Pair(("a", "b", "c"), ("c", "a", "b"), frozenset({(0, 2), (1, 0), (2, 1)}))])
        == -1 / 3
    )
    assert kendall(corpus["test"]) < 0.75 < 0.85 < kendall(french)
