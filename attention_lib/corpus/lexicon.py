"""The words of the grammar: tables of English words with their French forms.

Nouns are of six kinds, so that books are read and doors opened, not the other way round:
p(erson), a(nimal), t(hing), e(dible), r(eadable), o(penable). The last column of a table says
which kinds an adjective can describe, or a verb have as object. An underscore stands for a space.
"""

from typing import NamedTuple, TypeVar

Row = TypeVar("Row")


def read_table(row: type[Row], text: str) -> list[Row]:
    """One row per line, cells separated by spaces."""
    lines = [line.split() for line in text.strip().split("\n")]
    return [row(*(cell.replace("_", " ") for cell in line)) for line in lines]


class Noun(NamedTuple):
    """A noun, its gender, and what kind of thing it names."""

    singular: str
    plural: str
    french_singular: str
    french_plural: str
    gender: str
    kind: str


NOUNS = read_table(
    Noun,
    """
boy        boys        garçon    garçons    m  p
girl       girls       fille     filles     f  p
man        men         homme     hommes     m  p
woman      women       femme     femmes     f  p
child      children    enfant    enfants    m  p
king       kings       roi       rois       m  p
queen      queens      reine     reines     f  p
neighbor   neighbors   voisin    voisins    m  p
student    students    étudiant  étudiants  m  p
friend     friends     ami       amis       m  p
sister     sisters     sœur      sœurs      f  p
brother    brothers    frère     frères     m  p
cat        cats        chat      chats      m  a
dog        dogs        chien     chiens     m  a
bird       birds       oiseau    oiseaux    m  a
horse      horses      cheval    chevaux    m  a
cow        cows        vache     vaches     f  a
mouse      mice        souris    souris     f  a
car        cars        voiture   voitures   f  t
house      houses      maison    maisons    f  t
table      tables      table     tables     f  t
chair      chairs      chaise    chaises    f  t
flower     flowers     fleur     fleurs     f  t
hat        hats        chapeau   chapeaux   m  t
dress      dresses     robe      robes      f  t
tree       trees       arbre     arbres     m  t
key        keys        clé       clés       f  t
boat       boats       bateau    bateaux    m  t
bike       bikes       vélo      vélos      m  t
train      trains      train     trains     m  t
shirt      shirts      chemise   chemises   f  t
picture    pictures    image     images     f  t
school     schools     école     écoles     f  t
lamp       lamps       lampe     lampes     f  t
bag        bags        sac       sacs       m  t
cup        cups        tasse     tasses     f  t
garden     gardens     jardin    jardins    m  t
apple      apples      pomme     pommes     f  e
egg        eggs        œuf       œufs       m  e
cake       cakes       gâteau    gâteaux    m  e
orange     oranges     orange    oranges    f  e
book       books       livre     livres     m  r
letter     letters     lettre    lettres    f  r
newspaper  newspapers  journal   journaux   m  r
door       doors       porte     portes     f  o
window     windows     fenêtre   fenêtres   f  o
box        boxes       boîte     boîtes     f  o
""",
)


class Adjective(NamedTuple):
    """An adjective, its place in French, and the kinds of nouns that it describes."""

    english: str
    masculine: str
    feminine: str
    masculine_plural: str
    feminine_plural: str
    place: str = ""
    kinds: str = ""

    def agreeing(self, feminine: bool, plural: bool) -> str:
        return self[1 + feminine + 2 * plural]


ADJECTIVES = read_table(
    Adjective,
    """
red        rouge     rouge      rouges    rouges      after   teo
black      noir      noire      noirs     noires      after   tao
white      blanc     blanche    blancs    blanches    after   tao
green      vert      verte      verts     vertes      after   teo
blue       bleu      bleue      bleus     bleues      after   to
yellow     jaune     jaune      jaunes    jaunes      after   teo
heavy      lourd     lourde     lourds    lourdes     after   tor
expensive  cher      chère      chers     chères      after   ter
empty      vide      vide       vides     vides       after   o
strange    étrange   étrange    étranges  étranges    after   parto
clean      propre    propre     propres   propres     after   to
french     français  française  français  françaises  after   pr
big        grand     grande     grands    grandes     before  pateo
small      petit     petite     petits    petites     before  pateo
young      jeune     jeune      jeunes    jeunes      before  pa
old        vieux     vieille    vieux     vieilles    before  patro
new        nouveau   nouvelle   nouveaux  nouvelles   before  tro
beautiful  beau      belle      beaux     belles      before  patro
good       bon       bonne      bons      bonnes      before  per
bad        mauvais   mauvaise   mauvais   mauvaises   before  er
""",
)

# Said of persons and animals, never beside a noun; the last few are no adjectives in French.
STATES = read_table(
    Adjective,
    """
tired    fatigué    fatiguée   fatigués   fatiguées
happy    heureux    heureuse   heureux    heureuses
sad      triste     triste     tristes    tristes
calm     calme      calme      calmes     calmes
sick     malade     malade     malades    malades
ready    prêt       prête      prêts      prêtes
alone    seul       seule      seuls      seules
free     libre      libre      libres     libres
busy     occupé     occupée    occupés    occupées
lost     perdu      perdue     perdus     perdues
rich     riche      riche      riches     riches
fat      gros       grosse     gros       grosses
strong   fort       forte      forts      fortes
late     en_retard  en_retard  en_retard  en_retard
outside  dehors     dehors     dehors     dehors
here     ici        ici        ici        ici
certain  certain    certaine   certains   certaines
""",
)


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
    def present(self) -> tuple[str, ...]:
        return self.je, self.tu, self.il, self.nous, self.ils

    @property
    def imperative(self) -> str:
        # Verbs in -er drop the s: tu chantes, but chante ! – tu dors, and dors !
        return self.tu.removesuffix("s") if self.infinitive.endswith("er") else self.tu


TRANSITIVE_VERBS = read_table(
    Verb,
    """
see      sees      saw        vois    vois     voit    voyons    voient    vu      voir     pateor
like     likes     liked      aime    aimes    aime    aimons    aiment    aimé    aimer    pateor
buy      buys      bought     achète  achètes  achète  achetons  achètent  acheté  acheter  ateor
take     takes     took       prends  prends   prend   prenons   prennent  pris    prendre  teor
find     finds     found      trouve  trouves  trouve  trouvons  trouvent  trouvé  trouver  pateor
sell     sells     sold       vends   vends    vend    vendons   vendent   vendu   vendre   ateor
want     wants     wanted     veux    veux     veut    voulons   veulent   voulu   vouloir  ateor
hear     hears     heard      entends entends  entend  entendons entendent entendu entendre pa
read     reads     read       lis     lis      lit     lisons    lisent    lu      lire     r
eat      eats      ate        mange   manges   mange   mangeons  mangent   mangé   manger   e
open     opens     opened     ouvre   ouvres   ouvre   ouvrons   ouvrent   ouvert  ouvrir   o
close    closes    closed     ferme   fermes   ferme   fermons   ferment   fermé   fermer   o
wash     washes    washed     lave    laves    lave    lavons    lavent    lavé    laver    ato
hide     hides     hid        cache   caches   cache   cachons   cachent   caché   cacher   ateor
look_for looks_for looked_for cherche cherches cherche cherchons cherchent cherché chercher pateor
lose     loses     lost       perds   perds    perd    perdons   perdent   perdu   perdre   ateor
""",
)

INTRANSITIVE_VERBS = read_table(
    Verb,
    """
sleep  sleeps  slept    dors      dors       dort      dormons     dorment     dormi     dormir
work   works   worked   travaille travailles travaille travaillons travaillent travaillé travailler
run    runs    ran      cours     cours      court     courons     courent     couru     courir
swim   swims   swam     nage      nages      nage      nageons     nagent      nagé      nager
sing   sings   sang     chante    chantes    chante    chantons    chantent    chanté    chanter
dance  dances  danced   danse     danses     danse     dansons     dansent     dansé     danser
cry    cries   cried    pleure    pleures    pleure    pleurons    pleurent    pleuré    pleurer
laugh  laughs  laughed  ris       ris        rit       rions       rient       ri        rire
win    wins    won      gagne     gagnes     gagne     gagnons     gagnent     gagné     gagner
lose   loses   lost     perds     perds      perd      perdons     perdent     perdu     perdre
eat    eats    ate      mange     manges     mange     mangeons    mangent     mangé     manger
wait   waits   waited   attends   attends    attend    attendons   attendent   attendu   attendre
speak  speaks  spoke    parle     parles     parle     parlons     parlent     parlé     parler
listen listens listened écoute    écoutes    écoute    écoutons    écoutent    écouté    écouter
""",
)

# Verbs of coming and going make their past with être, and the participle agrees.
MOTION_VERBS = read_table(
    Verb,
    """
leave  leaves  left    pars   pars    part   partons  partent  parti  partir
come   comes   came    viens  viens   vient  venons   viennent venu   venir
arrive arrives arrived arrive arrives arrive arrivons arrivent arrivé arriver
fall   falls   fell    tombe  tombes  tombe  tombons  tombent  tombé  tomber
stay   stays   stayed  reste  restes  reste  restons  restent  resté  rester
go     goes    went    vais   vas     va     allons   vont     allé   aller
""",
)


class Pronoun(NamedTuple):
    """A subject pronoun, and its French form after a preposition."""

    english: str
    french: str
    stressed: str
    person: str
    number: str
    gender: str


PRONOUNS = read_table(
    Pronoun,
    """
i     je    moi   1  singular  m
you   tu    toi   2  singular  m
he    il    lui   3  singular  m
she   elle  elle  3  singular  f
we    nous  nous  1  plural    m
they  ils   eux   3  plural    m
""",
)


class Preposition(NamedTuple):
    """A preposition of place, and the nouns that go with it."""

    english: str
    french: str
    nouns: str


PREPOSITIONS = read_table(
    Preposition,
    """
in      dans      house,garden,car,school,box,bag,boat,train
on      sur       table,chair,box,bike,horse,boat,letter
under   sous      table,tree,chair,lamp,car,window
behind  derrière  house,door,tree,car,school,cow,horse
near    près_de   house,school,tree,door,window,garden,boat,girl,boy,dog
with    avec      boy,girl,dog,cat,friend,sister,brother,queen,king,child
""",
)


class Possessive(NamedTuple):
    """A possessive; its French form agrees with what is possessed."""

    english: str
    masculine: str
    feminine: str
    plural: str


POSSESSIVES = read_table(
    Possessive,
    """
my     mon    ma     mes
your   ton    ta     tes
his    son    sa     ses
her    son    sa     ses
our    notre  notre  nos
their  leur   leur   leurs
""",
)


class Modal(NamedTuple):
    """A verb that takes another in the infinitive."""

    english: str
    je: str
    tu: str
    il: str
    nous: str
    ils: str


MODALS = read_table(
    Modal,
    """
can   peux  peux  peut  pouvons  peuvent
must  dois  dois  doit  devons   doivent
""",
)

# Pairs of an English and a French word.
OBJECT_PRONOUNS = [("him", "le"), ("her", "la"), ("it", "le"), ("them", "les")]
OBJECT_PRONOUNS += [("me", "me"), ("you", "te"), ("us", "nous")]
NUMBERS = [("two", "deux"), ("three", "trois"), ("four", "quatre"), ("ten", "dix")]
AGES = [("six", "six"), ("seven", "sept"), ("eight", "huit"), ("ten", "dix"), ("twenty", "vingt")]
SENSATIONS = [("hungry", "faim"), ("thirsty", "soif"), ("cold", "froid"), ("hot", "chaud")]
SENSATIONS += [("afraid", "peur"), ("right", "raison"), ("wrong", "tort")]
FREQUENCIES = [("often", "souvent"), ("always", "toujours"), ("sometimes", "parfois")]
# The same in both languages; the gender is needed.
NAMES = [("marie", "f"), ("paul", "m"), ("alice", "f"), ("tom", "m")]

# Templates with links, read by `rule`.
FIXED_PLACES = [
    ("at school", "à=at~school la=at~school école=school~at"),
    ("at the market", "à=at le=the marché=market"),
    ("at the station", "à=at la=the gare=station"),
]
TIMES = [
    ("today", "aujourd'hui=today"),
    ("now", "maintenant=now"),
    ("tonight", "ce=tonight soir=tonight"),
    ("this morning", "ce=this~morning matin=morning~this"),
    ("every day", "tous=every~day les=every~day jours=day~every"),
]
