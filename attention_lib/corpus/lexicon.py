"""The words of the grammar: tables of English words with their French forms.

How to add to them is told in ``attention_lib/corpus/__init__.py``, what the columns are in
``word_classes.py``. An underscore stands for a space.
"""

from attention_lib.corpus.word_classes import (
    Adjective,
    Determiner,
    Modal,
    Noun,
    Preposition,
    Pronoun,
    Verb,
    by_person,
    read_table,
)

NOUNS = read_table(
    Noun,
    """
boy        boys        garçon    garçons    m  person
girl       girls       fille     filles     f  person
man        men         homme     hommes     m  person
woman      women       femme     femmes     f  person
child      children    enfant    enfants    m  person
king       kings       roi       rois       m  person
queen      queens      reine     reines     f  person
neighbor   neighbors   voisin    voisins    m  person
student    students    étudiant  étudiants  m  person
friend     friends     ami       amis       m  person
sister     sisters     sœur      sœurs      f  person
brother    brothers    frère     frères     m  person
cat        cats        chat      chats      m  animal
dog        dogs        chien     chiens     m  animal
bird       birds       oiseau    oiseaux    m  animal
horse      horses      cheval    chevaux    m  animal
cow        cows        vache     vaches     f  animal
mouse      mice        souris    souris     f  animal
car        cars        voiture   voitures   f  thing
house      houses      maison    maisons    f  thing
table      tables      table     tables     f  thing
chair      chairs      chaise    chaises    f  thing
flower     flowers     fleur     fleurs     f  thing
hat        hats        chapeau   chapeaux   m  thing
dress      dresses     robe      robes      f  thing
tree       trees       arbre     arbres     m  thing
key        keys        clé       clés       f  thing
boat       boats       bateau    bateaux    m  thing
bike       bikes       vélo      vélos      m  thing
train      trains      train     trains     m  thing
shirt      shirts      chemise   chemises   f  thing
picture    pictures    image     images     f  thing
school     schools     école     écoles     f  thing
lamp       lamps       lampe     lampes     f  thing
bag        bags        sac       sacs       m  thing
cup        cups        tasse     tasses     f  thing
garden     gardens     jardin    jardins    m  thing
apple      apples      pomme     pommes     f  edible
egg        eggs        œuf       œufs       m  edible
cake       cakes       gâteau    gâteaux    m  edible
orange     oranges     orange    oranges    f  edible
book       books       livre     livres     m  readable
letter     letters     lettre    lettres    f  readable
newspaper  newspapers  journal   journaux   m  readable
door       doors       porte     portes     f  openable
window     windows     fenêtre   fenêtres   f  openable
box        boxes       boîte     boîtes     f  openable
""",
)

ADJECTIVES = read_table(
    Adjective,
    """
red        rouge     rouge      rouges    rouges      after   thing,edible,openable
black      noir      noire      noirs     noires      after   animal,thing,openable
white      blanc     blanche    blancs    blanches    after   animal,thing,openable
green      vert      verte      verts     vertes      after   thing,edible,openable
blue       bleu      bleue      bleus     bleues      after   thing,openable
yellow     jaune     jaune      jaunes    jaunes      after   thing,edible,openable
heavy      lourd     lourde     lourds    lourdes     after   thing,readable,openable
expensive  cher      chère      chers     chères      after   thing,edible,readable
empty      vide      vide       vides     vides       after   openable
strange    étrange   étrange    étranges  étranges    after   living,thing,readable,openable
clean      propre    propre     propres   propres     after   thing,openable
french     français  française  français  françaises  after   person,readable
big        grand     grande     grands    grandes     before  living,thing,edible,openable
small      petit     petite     petits    petites     before  living,thing,edible,openable
young      jeune     jeune      jeunes    jeunes      before  living
old        vieux     vieille    vieux     vieilles    before  living,thing,readable,openable
new        nouveau   nouvelle   nouveaux  nouvelles   before  thing,readable,openable
beautiful  beau      belle      beaux     belles      before  living,thing,readable,openable
good       bon       bonne      bons      bonnes      before  person,edible,readable
bad        mauvais   mauvaise   mauvais   mauvaises   before  edible,readable
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

TRANSITIVE_VERBS = read_table(
    Verb,
    """
see   sees   saw    vois     vois     voit    voyons    voient    vu      voir     anything
like  likes  liked  aime     aimes    aime    aimons    aiment    aimé    aimer    anything
buy   buys   bought achète   achètes  achète  achetons  achètent  acheté  acheter  animal,object
take  takes  took   prends   prends   prend   prenons   prennent  pris    prendre  object
find  finds  found  trouve   trouves  trouve  trouvons  trouvent  trouvé  trouver  anything
sell  sells  sold   vends    vends    vend    vendons   vendent   vendu   vendre   animal,object
want  wants  wanted veux     veux     veut    voulons   veulent   voulu   vouloir  animal,object
hear  hears  heard  entends  entends  entend  entendons entendent entendu entendre living
read  reads  read   lis      lis      lit     lisons    lisent    lu      lire     readable
eat   eats   ate    mange    manges   mange   mangeons  mangent   mangé   manger   edible
open  opens  opened ouvre    ouvres   ouvre   ouvrons   ouvrent   ouvert  ouvrir   openable
close closes closed ferme    fermes   ferme   fermons   ferment   fermé   fermer   openable
wash washes washed lave laves lave lavons lavent lavé laver animal,thing,openable
hide  hides  hid    cache    caches   cache   cachons   cachent   caché   cacher   animal,object
look_for looks_for looked_for cherche cherches cherche cherchons cherchent cherché chercher anything
lose  loses  lost   perds    perds    perd    perdons   perdent   perdu   perdre   animal,object
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

VERBS_ALONE = INTRANSITIVE_VERBS + MOTION_VERBS

BE = by_person("am", "are", "is", "are", "are")
SHORT_BE = by_person("'m", "'re", "'s", "'re", "'re")
DO = by_person("do", "do", "does", "do", "do")
DONT = by_person("don't", "don't", "doesn't", "don't", "don't")
ETRE = by_person("suis", "es", "est", "sommes", "sont")
AVOIR = by_person("ai", "as", "a", "avons", "ont")
ALLER = by_person("vais", "vas", "va", "allons", "vont")

PRONOUNS = read_table(
    Pronoun,
    """
i     je    moi   i     singular  m
you   tu    toi   you   singular  m
he    il    lui   he    singular  m
she   elle  elle  he    singular  f
we    nous  nous  we    plural    m
they  ils   eux   they  plural    m
""",
)

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

THE, A, THIS = read_table(
    Determiner,
    """
the    the    le     la     les
a      some   un     une    des
this   these  ce     cette  ces
""",
)

POSSESSIVES = read_table(
    Determiner,
    """
my     my     mon    ma     mes
your   your   ton    ta     tes
his    his    son    sa     ses
her    her    son    sa     ses
our    our    notre  notre  nos
their  their  leur   leur   leurs
""",
)

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

# Templates in the three languages; how they link words is told in ``synchronous.py``.
FIXED_PLACES = [
    ("at school", "à[at](school) la[at](school) école[school](at)", "学校[school](at)"),
    ("at the market", "à[at] le[the] marché[market]", "市场[market](at,the)"),
    ("at the station", "à[at] la[the] gare[station]", "车站[station](at,the)"),
]
TIMES = [
    ("today", "aujourd'hui[today]", "今天[today]"),
    ("now", "maintenant[now]", "现在[now]"),
    ("tonight", "ce[tonight] soir[tonight]", "今晚[tonight]"),
    (
        "this morning",
        "ce[this](morning) matin[morning](this)",
        "今天[this](morning) 早上[morning](this)",
    ),
    ("every day", "tous[every](day) les[every](day) jours[day](every)", "每天[every,day]"),
]
