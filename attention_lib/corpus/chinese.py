"""The Chinese of the grammar's words: tables by the English word, and which forms they have.

How to add to them is told in ``attention_lib/corpus/__init__.py``. An underscore stands for a
space between two words, and ``-`` for what a word does not have. Particles and measure words have
no English partner: ``synchronous.word`` links them to what they belong to, as possible links.
"""

from typing import NamedTuple

from attention_lib.corpus.word_classes import Row, read_table


class Noun(NamedTuple):
    """A noun, and its measure word: 一 *只* 猫. Of kin, *my* needs no 的: 我 妹妹."""

    english: str
    text: str
    measure: str
    kin: str = ""


class Adjective(NamedTuple):
    """An adjective before its noun (红色 的 汽车), after *is*, and how *is* is said."""

    english: str
    attribute: str
    predicate: str
    copula: str


class Verb(NamedTuple):
    """A verb, and how it goes on in time.

    - ``ongoing`` lasts: 他 在 睡觉. ``plain`` does not say: 他 卖 一 辆 汽车.
    - ``state`` has no end: 他 喜欢 猫, in the past 喜欢 过, in the future 会 喜欢.
    - ``change`` is over as soon as it has begun: 他 赢 了, also in the present.
    """

    english: str
    plain: str
    aspect: str
    negated: str = "不"  # a word before the verb, or, with more than a character, instead of it
    planned: str = "-"  # after 要, 想 and 必须, where that differs
    imperative: str = "-"  # where that differs
    destination: str = "-"  # with a place behind it: 他 留在 花园 里


class Copula(NamedTuple):
    """How *is* and *is not* are said, as templates: C is what is said of the subject."""

    affirmed: str
    negated: str


class Table(dict[str, Row]):
    """Rows by their English word."""

    def __missing__(self, english: str) -> Row:
        raise ValueError(f"no Chinese for {english!r}: chinese.py needs a row for it")


def _by_english(row: type[Row], text: str) -> Table:
    return Table((each[0], each) for each in read_table(row, text))


NOUNS = _by_english(
    Noun,
    """
boy        男孩    个
girl       女孩    个
man        男人    个
woman      女人    个
child      孩子    个
king       国王    位
queen      王后    位
neighbor   邻居    位   kin
student    学生    名
friend     朋友    位   kin
sister     妹妹    个   kin
brother    弟弟    个   kin
cat        猫      只
dog        狗      条
bird       鸟      只
horse      马      匹
cow        奶牛    头
mouse      老鼠    只
car        汽车    辆
house      房子    座
table      桌子    张
chair      椅子    把
flower     花      朵
hat        帽子    顶
dress      裙子    条
tree       树      棵
key        钥匙    把
boat       船      条
bike       自行车  辆
train      火车    列
shirt      衬衫    件
picture    画      幅
school     学校    所
lamp       灯      盏
bag        包      个
cup        杯子    个
garden     花园    座
apple      苹果    个
egg        鸡蛋    个
cake       蛋糕    块
orange     橙子    个
book       书      本
letter     信      封
newspaper  报纸    份
door       门      扇
window     窗户    扇
box        盒子    个
""",
)

# Where a word depends on what it describes, the kind of noun stands behind a slash.
ADJECTIVES = _by_english(
    Adjective,
    """
red               红色_的    红色    class
black             黑色_的    黑色    class
black/animal      黑         黑色    class
white             白色_的    白色    class
white/animal      白         白色    class
green             绿色_的    绿色    class
blue              蓝色_的    蓝色    class
yellow            黄色_的    黄色    class
heavy             沉重_的    沉重    quality
expensive         昂贵_的    贵      quality
empty             空_的      空      class
strange           奇怪_的    奇怪    quality
clean             干净_的    干净    quality
french            法国       法国    class
french/readable   法语       法语    class
big               大         大      quality
small             小         小      quality
young             年轻_的    年轻    quality
old               旧         旧      quality
old/person        年老_的    老      quality
old/animal        年老_的    老      quality
new               新         新      class
beautiful         漂亮_的    漂亮    quality
good              好         好      quality
bad               糟糕_的    糟糕    quality
bad/edible        坏         坏      class
""",
)

STATES = _by_english(
    Adjective,
    """
tired    -   累      quality
happy    -   高兴    quality
sad      -   难过    quality
calm     -   冷静    quality
sick     -   生病    change
ready    -   准备好  change
alone    -   孤单    quality
free     -   自由    quality
busy     -   忙      quality
lost     -   迷路    change
rich     -   富有    quality
fat      -   胖      quality
strong   -   强壮    quality
late     -   迟到    change
outside  -   外面    place
here     -   这儿    place
certain  -   确定    quality
hungry   -   饿      quality
thirsty  -   渴      quality
cold     -   冷      quality
hot      -   热      quality
afraid   -   害怕    quality
right    -   对      verdict
wrong    -   错      change
""",
)

# {is_} and {not_} are the English words, which may be the same one: isn't.
COPULAS = {
    "quality": Copula("很({is_}) C", "不[{not_}]({is_}) C"),
    "class": Copula("是[{is_}] C 的({is_},C)", "不[{not_}] 是[{is_}] C 的({is_},C)"),
    "change": Copula("C 了({is_})", "没[{not_}]({is_}) C"),
    "place": Copula("在[{is_}] C", "不[{not_}] 在[{is_}] C"),
    "company": Copula("C 在[{is_}] 一起(C)", "不[{not_}] C 在[{is_}] 一起(C)"),
    "verdict": Copula("是[{is_}] C 的({is_},C)", "不[{not_}]({is_}) C"),
    "number": Copula("C({is_})", "不[{not_}]({is_}) C"),
}

VERBS_WITH_OBJECT = _by_english(
    Verb,
    """
see       看见    plain    看不见  看
like      喜欢    state
buy       买      plain
take      拿      plain
find      找到    plain    找不到
sell      卖      plain
want      想要    state
hear      听见    plain    听不见  听
read      读      ongoing
eat       吃      ongoing
open      打开    plain
close     关上    plain
wash      洗      ongoing
hide      藏      plain
look_for  找      ongoing
lose      丢      change   没  丢掉
""",
)

VERBS_ALONE = _by_english(
    Verb,
    """
sleep   睡觉   ongoing
work    工作   ongoing
run     跑步   ongoing  不  跑步  跑
swim    游泳   ongoing
sing    唱歌   ongoing
dance   跳舞   ongoing
cry     哭     ongoing
laugh   笑     ongoing
win     赢     change   没
lose    输     change   没
eat     吃饭   ongoing
wait    等     ongoing
speak   说话   ongoing
listen  听     ongoing
leave   离开   change
come    来     change   不  来    来    来到
arrive  到     change   没  到达  到    到
fall    摔倒   change   没
stay    留下   change   不  留下  留下  留在
go      去     change   不  去    去    去
""",
)

PRONOUNS = {"i": "我", "you": "你", "he": "他", "she": "她", "we": "我们", "they": "他们"}
PRONOUNS |= {"me": "我", "him": "他", "her": "她", "it": "它", "us": "我们", "them": "他们"}
# Of whom kin is without 的: 我 妹妹, but 他们 的 妹妹.
NEAR_OWNERS = ("my", "your", "his", "her")
OWNERS = {"my": "我", "your": "你", "his": "他", "her": "她", "our": "我们", "their": "他们"}
# The rule for names is to write them as they sound.
NAMES = {"marie": "玛丽", "paul": "保罗", "alice": "爱丽丝", "tom": "汤姆"}
# Before a measure word two is 两; in counting it is 二: 二十.
NUMBERS = {"two": "两", "three": "三", "four": "四", "ten": "十"}
COMPARED = {"bigger": "大", "smaller": "小", "younger": "年轻", "older": "旧", "heavier": "重"}
COMPARED |= {"cleaner": "干净", "stranger": "奇怪", "older/person": "大", "older/animal": "大"}
AGES = {"six": "六", "seven": "七", "eight": "八", "ten": "十", "twenty": "二十"}
DETERMINERS = {"the": "那", "a": "一", "this": "这"}
PLURAL_DETERMINERS = {"the": "那些", "some": "一些", "these": "这些"}
MODALS = {"can": "能", "must": "必须", "want": "想", "like": "喜欢"}
FREQUENCIES = {"often": "经常", "always": "总是", "sometimes": "有时", "never": "从不"}
# Where something is, behind the noun: 在 花园 里. In a boat and in a train is said 上.
LOCALIZERS = {"in": "里", "on": "上", "under": "下面", "behind": "后面", "near": "旁边"}
ON_BOARD = ("boat", "train")
MARKS = {".": "。", "!": "！", "?": "？", ",": "，"}
# No English word stands behind these: they belong to the word beside them.
PARTICLES = frozenset({"的", "了", "过", "很", "都"})


def adjective(english: str, kind: str) -> Adjective:
    """The adjective as it is said of this kind of noun."""
    return ADJECTIVES.get(f"{english}/{kind}") or ADJECTIVES[english]


def with_object(base: str) -> Verb:
    """The verb that takes an object: *lose* is 丢 with one, and 输 alone."""
    return VERBS_WITH_OBJECT[base]


def localizer(preposition: str, noun: str) -> str:
    return "上" if preposition == "in" and noun in ON_BOARD else LOCALIZERS[preposition]
