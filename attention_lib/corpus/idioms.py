"""Idioms: what a grammar cannot build, since they are not translated word by word.

In the table, ``|`` cuts a sentence into parts that translate each other in order.
"""

import re
from collections.abc import Callable

from attention_lib.corpus import idioms_chinese
from attention_lib.corpus.pairs import Pair, tokenize

TABLE = """
go | .                                  va | !
hello | !                               bonjour | !
good morning | !                        bonjour | !
good evening | !                        bonsoir | !
good | night | !                        bonne | nuit | !
goodbye | !                             au revoir | !
thank you | .                           merci | .
thank you | very much | .               merci | beaucoup | .
you're welcome | .                      de rien | .
please | .                              s'il te plaît | .
excuse me | .                           excuse-moi | .
i'm | sorry | .                         je suis | désolé | .
no | problem | .                        pas de | problème | .
of course | .                           bien sûr | .
what | time | is it | ?                 quelle | heure | est-il | ?
how | are you | ?                       comment | vas-tu | ?
i'm | fine | .                          je vais | bien | .
what's your name | ?                    comment t'appelles-tu | ?
my name is | marie | .                  je m'appelle | marie | .
my name is | paul | .                   je m'appelle | paul | .
how old | are you | ?                   quel âge | as-tu | ?
nice to meet you | .                    enchanté | .
see you | tomorrow | .                  à | demain | .
see you | soon | .                      à | bientôt | .
see you | later | .                     à | plus tard | .
good | luck | !                         bonne | chance | !
happy | birthday | !                    joyeux | anniversaire | !
congratulations | !                     félicitations | !
cheers | !                              santé | !
enjoy your meal | !                     bon appétit | !
have a good trip | !                    bon voyage | !
welcome | !                             bienvenue | !
bless you | !                           à tes souhaits | !
hurry up | !                            dépêche-toi | !
shut up | !                             tais-toi | !
be | careful | !                        fais | attention | !
watch out | !                           attention | !
help | !                                au secours | !
fire | !                                au feu | !
stop | !                                arrête | !
wake up | !                             réveille-toi | !
get up | !                              lève-toi | !
sit down | .                            assieds-toi | .
stand up | .                            lève-toi | .
calm down | .                           calme-toi | .
come on | !                             allez | !
come | here | !                         viens | ici | !
go away | !                             va-t'en | !
leave me | alone | !                    laisse-moi | tranquille | !
let me | see | .                        laisse-moi | voir | .
let's go | !                            allons-y | !
let's go | .                            allons-y | .
i | don't know | .                      je | ne sais pas | .
i | don't understand | .                je | ne comprends pas | .
i don't care | .                        ça m'est égal | .
i | agree | .                           je | suis d'accord | .
it | doesn't matter | .                 ça | ne fait rien | .
never mind | .                          tant pis | .
too bad | !                             dommage | !
what a | pity | !                       quel | dommage | !
that's enough | .                       ça suffit | .
it | depends | .                        ça | dépend | .
it's raining | .                        il pleut | .
it's snowing | .                        il neige | .
it's | cold | .                         il fait | froid | .
it's | hot | .                          il fait | chaud | .
it's | late | .                         il est | tard | .
it's | early | .                        il est | tôt | .
it's | my | turn | .                    c'est | mon | tour | .
it's | easy | .                         c'est | facile | .
it's | true | .                         c'est | vrai | .
it's not | true | .                     ce n'est pas | vrai | .
that's | life | .                       c'est | la vie | .
i | love you | .                        je | t'aime | .
i miss you | .                          tu me manques | .
i'm | on my way | .                     je suis | en route | .
i'm | in a hurry | .                    je suis | pressé | .
i'm | in love | .                       je suis | amoureux | .
i'm | sleepy | .                        j'ai | sommeil | .
i'm kidding | .                         je plaisante | .
i | have | a | question | .             j' | ai | une | question | .
i | have a headache | .                 j' | ai mal à la tête | .
i | changed | my mind | .               j' | ai changé | d'avis | .
i | feel sick | .                       j' | ai mal au cœur | .
i | give up | .                         j' | abandonne | .
i | can't wait | .                      j' | ai hâte | .
what's new | ?                          quoi de neuf | ?
what's the matter | ?                   qu'y a-t-il | ?
what | happened | ?                     que | s'est-il passé | ?
what | do you mean | ?                  que | veux-tu dire | ?
how much | is it | ?                    combien | ça coûte | ?
why | not | ?                           pourquoi | pas | ?
who | knows | ?                         qui | sait | ?
really | ?                              vraiment | ?
are you | sure | ?                      es-tu | sûr | ?
are you kidding | ?                     tu plaisantes | ?
have fun | !                            amuse-toi bien | !
take care | !                           prends soin de toi | !
time | flies | .                        le temps | passe vite | .
better | late | than | never | .        mieux vaut | tard | que | jamais | .
"""


TABLES = {"french": (TABLE, tokenize), "chinese": (idioms_chinese.TABLE, str.split)}


def idioms(target: str = "french") -> list[Pair]:
    """The pairs of the table of that language, with links.

    Where a part is one word on either side, all its links are sure. Where several words stand
    for several others, no single link is beyond doubt, and all are only possible.
    """
    table, cut = TABLES[target]
    return [_pair(*re.split(" {2,}", line), cut) for line in table.strip().split("\n")]


def _pair(english: str, translation: str, cut: Callable[[str], list[str]]) -> Pair:
    source, target, sure, possible = [], [], set(), set()
    for english_part, other_part in zip(english.split("|"), translation.split("|"), strict=True):
        words, others = tokenize(english_part), cut(other_part)
        links = {
            (len(target) + t, len(source) + s)
            for t in range(len(others))
            for s in range(len(words))
        }
        possible |= links
        if 1 in (len(words), len(others)):
            sure |= links
        source += words
        target += others
    return Pair(tuple(source), tuple(target), frozenset(sure), frozenset(possible))
