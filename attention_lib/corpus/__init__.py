"""Pairs of sentences: from files, and from a grammar of our own that knows the alignments.

Files are read in ``pair_files.py``. The grammar writes all its languages at the same time: the
English and French words stand in the tables of ``lexicon.py``, the Chinese ones in
``chinese.py``, its kinds of sentence in ``being.py``, ``acting.py``, ``tenses.py`` and
``asking.py``, and how often each is drawn in ``sentences.py``. It grows by a line a language.
Whatever is added changes the corpus of every seed: what was trained on the old one has to be
trained again, and the fingerprints in ``tests/library/corpus`` are to be renewed. Everything is in
lower case, and an English word has one translation in a language, or the same sentence would have
two. An underscore stands for a space: ``look_for``.

How to add a noun
-----------------
Write a row into ``NOUNS``: singular, plural, the same in French, gender, kind. The kinds are in
``kinds.py``. ::

    teacher teachers professeur professeurs m person

A place where something can be is also listed in ``PREPOSITIONS``. The article follows the
spelling: an English vowel takes *an* (not *university*, not *hour*), and a French *h* counts as
silent (*homme*, not *héros*). In Chinese, a row of ``NOUNS`` in ``chinese.py`` has the word and
its measure word. ::

    teacher 老师 位

How to add an adjective
-----------------------
Write a row into ``ADJECTIVES``: English, French masculine, feminine and their plurals, whether
it stands before or after a French noun, and the kinds of nouns that it can describe. ::

    brown brun brune bruns brunes after animal,thing,openable

In ``chinese.py``: before the noun, with or without 的, then after *is*, and how *is* is said:
``quality`` for 很 漂亮, ``class`` for 是 红色 的. Where this depends on the noun, another row has
the kind behind a slash: ``black/animal``. ::

    brown 棕色_的 棕色 class

How to add a verb
-----------------
Write a row into ``TRANSITIVE_VERBS``: *draw*, *he draws*, *he drew*, the French forms for *je, tu,
il, nous, ils*, participle, infinitive, and the kinds of nouns that can be its object. ::

    draw draws drew dessine dessines dessine dessinons dessinent dessiné dessiner anything

Without the last column, it is a row of ``INTRANSITIVE_VERBS``, or of ``MOTION_VERBS`` if it makes
its past with *être*. Agreement, negation, questions, future and links come by themselves. In
``chinese.py`` it is a row of ``VERBS_WITH_OBJECT``, or of ``VERBS_ALONE``: the verb, and how it
goes on in time (``ongoing`` for 在 画, see there). ::

    draw 画 ongoing

How to add a kind of sentence
-----------------------------
Write a function, a question for instance into ``asking.py``. It draws its parts and puts them into
a template for each language; how these link the words is told in ``synchronous.py``, and where a
Chinese verb and its time and place stand in ``word_order.py``. ::

    def why_question(draws: RandomDraws) -> Phrase:
        \"\"\"why does he sleep ? → pourquoi est-ce qu' il dort ? → 他 为什么 睡觉 ？\"\"\"
        who, verb = subject(draws), draws.choice(VERBS_ALONE)
        do = DO[who.person]
        french = f"pourquoi[why] est-ce[{do}] que[{do}] S V ?"
        zh = word_order.usual(chinese.VERBS_ALONE[verb.base], NO_ADJUNCT, f"为什么[why]({do})")
        parts = {"S": who.phrase, "V": bare(verb, who, zh.verb)}
        return rule(f"why {do} S V ?", french, f"S {zh.order} ?", **parts)

Then say in ``SENTENCES`` of ``sentences.py`` how often it is drawn. The others together have
428. ::

    asking.why_question: 10,

How to add a language
---------------------
Name it in ``LANGUAGES`` and in ``Phrase``, give ``rule`` and ``word`` a template for it, put its
words into a table as ``chinese.py`` does, and say in ``spelling.py`` how it is spelt. Templates
may be added kind by kind; ``grammar_corpus`` offers the kinds of ``KINDS`` for each target.

The kinds of sentence
---------------------
With an example each, in English and Chinese:

===================  ========================================  ==============================
state                you're rich .                             你 很 富有 。
sensation            she is hungry .                           她 很 饿 。
age                  tom is six years old .                    汤姆 六 岁 。
whereabouts          he is under the table .                   他 在 桌子 下面 。
at_home              we're home .                              我们 在 家 。
quality              paul's garden is new .                    保罗 的 花园 是 新 的 。
verb_alone           she swims .                               她 在 游泳 。
verb_negated         tom doesn't come .                        汤姆 不 来 。
verb_with_frequency  he sometimes eats .                       他 有时 吃饭 。
verb_with_never      she never swims .                         她 从不 游泳 。
verb_with_object     paul sells marie's book .                 保罗 卖 玛丽 的 书 。
verb_with_pronoun    they hear me .                            他们 听见 我 。
past_alone           they danced .                             他们 跳舞 了 。
past_with_object     i bought a red cake .                     我 买 了 一 块 红色 的 蛋糕 。
future               we are going to sing .                    我们 要 唱歌 。
modal                you must work .                           你 必须 工作 。
wish                 she likes to swim .                       她 喜欢 游泳 。
command              laugh !                                   笑 ！
prohibition          don't fall !                              别 摔倒 ！
invitation           let's sing !                              我们 唱歌 吧 ！
yes_no_question      does he hear the horse ?                  他 听见 了 那 匹 马 吗 ？
where_question       where is his letter ?                     他 的 信 在 哪儿 ？
who_question         who reads a letter ?                      谁 在 读 一 封 信 ？
there_is             there are two books under the tree .      树 下面 有 两 本 书 。
does_it_too          we swim too .                             我们 也 在 游泳 。
is_it_too            we are busy too .                         我们 也 很 忙 。
all_do               they all sleep .                          他们 都 在 睡觉 。
comparison           this egg is bigger than the orange .      这 个 鸡蛋 比 那 个 橙子 大 。
deed                 i bought marie's oranges in the garden .  我 在 花园 里 买 了 玛丽 的 橙子 。
located_thing        the tree in the garden is clean .         花园 里 的 树 很 干净 。
possession           she has a newspaper .                     她 有 一 份 报纸 。
possession_question  does marie have a car ?                   玛丽 有 一 辆 汽车 吗 ？
what_question        what does he see ?                        他 看见 什么 ？
where_does_question  where do we sing ?                        我们 在 哪儿 唱歌 ？
when_question        when do they come ?                       他们 什么时候 来 ？
===================  ========================================  ==============================
"""
