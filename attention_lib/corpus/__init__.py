"""Pairs of sentences: from files, and from a grammar of our own that knows the alignments.

Files are read in ``pair_files.py``. The grammar writes English and French at the same time:
its words stand in the tables of ``lexicon.py``, its kinds of sentence in ``sentences.py``. It
grows by a line. Whatever is added changes the corpus of every seed: what was trained on the old
one has to be trained again, and the fingerprints in ``tests/library/corpus/test_grammar.py`` are
to be renewed. Everything is in lower case, and an English word has one French translation, or the
same sentence would have two. An underscore stands for a space: ``look_for``.

How to add a noun
-----------------
Write a row into ``NOUNS``: singular, plural, the same in French, gender, kind. The kinds are in
``kinds.py``. ::

    teacher teachers professeur professeurs m person

A place where something can be is also listed in ``PREPOSITIONS``. The article follows the
spelling: an English vowel takes *an* (not *university*, not *hour*), and a French *h* counts as
silent (*homme*, not *héros*).

How to add an adjective
-----------------------
Write a row into ``ADJECTIVES``: English, French masculine, feminine and their plurals, whether
it stands before or after a French noun, and the kinds of nouns that it can describe. ::

    brown brun brune bruns brunes after animal,thing,openable

How to add a verb
-----------------
Write a row into ``TRANSITIVE_VERBS``: *draw*, *he draws*, *he drew*, the French forms for *je, tu,
il, nous, ils*, participle, infinitive, and the kinds of nouns that can be its object. ::

    draw draws drew dessine dessines dessine dessinons dessinent dessiné dessiner anything

Without the last column, it is a row of ``INTRANSITIVE_VERBS``, or of ``MOTION_VERBS`` if it makes
its past with *être*. Agreement, negation, questions, future and links come by themselves.

How to add a kind of sentence
-----------------------------
Write a function into ``sentences.py``. It draws its parts and puts them into two templates; how
these link the words is told in ``synchronous.py``. ::

    def why_question(draws: RandomDraws) -> Phrase:
        \"\"\"why does he sleep ? → pourquoi est-ce qu' il dort ?\"\"\"
        who, verb = subject(draws), draws.choice(VERBS_ALONE)
        do = DO[who.person]
        french = f"pourquoi[why] est-ce[{do}] que[{do}] S V ?"
        return rule(f"why {do} S V ?", french, S=who.phrase, V=bare(verb, who))

Then say in ``SENTENCES`` how often it is drawn. The others together have 428. ::

    why_question: 10,
"""
