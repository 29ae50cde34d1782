"""One term for one thing: the glossary, and the pages that it speaks for."""

import re

import pytest
from book_files import EDITIONS, ROOT, outputs, read, texts

from attention_lib.figures.diagrams.words import TERMS

PAGES = sorted(
    path for path in (ROOT / "book" / "zh").iterdir() if path.suffix in (".ipynb", ".md")
)

# The key terms of the chapter that this course is about.
KEY_TERMS = (
    "注意力经济 查询 键 值 注意力汇聚 注意力评分函数 加性注意力 缩放点积注意力 Bahdanau~注意力 "
    "对齐 多头注意力 自注意力 位置编码 Transformer 层规范化"
)

# What a translator might write, and what this book says instead.
VARIANTS = {
    "注意力汇聚": "注意力池化 注意力聚合 注意力聚集 注意力合并",
    "汇聚": "池化",
    "查询": "询问向量 查询项 查询子",
    "键": "键项 键码",
    "注意力评分函数": "打分函数 得分函数 计分函数 分数函数",
    "分数": "得分 分值",
    "注意力权重": "权值 注意力系数 关注度 关注权重",
    "掩码": "遮罩 遮蔽 掩膜 蒙版 蒙板 掩模",
    "填充": "补白 垫充",
    "加性注意力": "加法注意力 相加注意力 附加注意力 累加注意力 可加注意力",
    "缩放点积注意力": "内积 点乘 数量积 标量积 比例点积 标度点积",
    "自注意力": "自我注意 自关注 自身注意 自注意机制",
    "内部注意力": "内注意力 内在注意力",
    "多头注意力": "多头关注 多头机制",
    "注意力": "注意机制 关注机制 注意力机理",
    "位置编码": "位置嵌入 位置编码器 方位编码",
    "词元": "令牌 代币 词例 词符",
    "自主性提示": "自主性线索 自主线索 意志性提示 随意性提示 主动提示",
    "非自主性提示": "非自主线索 非自主性线索 不自主 非意志性 被动提示",
    "突出性": "显著性提示 视觉显著性 凸显性 突显性",
    "注意力热图": "热力图 热度图 热点图",
    "核宽度": "带宽 窗宽 核尺寸",
    "Nadaraya–Watson 核回归": "内核回归 核函数回归",
    "留一法": "留一交叉 去一法 舍一法",
    "层规范化": "层归一化 层标准化 层正规化 层正则化 层规格化",
    "批量规范化": "批归一化 批量归一化 批标准化 批量标准化 批规范化",
    "残差连接": "残差链接 残余连接 跳跃连接 跳跃链接 跳接",
    "基于位置的前馈网络": "逐位置前馈 逐位前馈 位置前馈 逐点前馈",
    "编码器": "编码者 编码机",
    "解码器": "解码者 译码器 解码机",
    "上下文": "语境向量 语境变量 上下文矢量",
    "对齐": "配准",
    "完全匹配": "精确匹配 严格匹配",
    "置换等变": "排列等变 置换等价 置换同变",
    "Transformer": "变形金刚 变换器 转换器 变压器",
    "最大路径长度": "最长路径长度",
    "顺序操作": "串行操作 时序操作",
    "计算复杂度": "计算复杂性 运算复杂度",
    "序列到序列": "序列对序列 序列至序列 序列转序列",
}


def words(path):
    """All that is written in a page, labels and comments in its code included."""
    if path.suffix != ".ipynb":
        return path.read_text(encoding="utf-8")
    return "\n\n".join(cell["source"] for cell in read(path)["cells"])


def glossary(edition):
    """The entries in their order: the English term, the Chinese term, the definition."""
    text = words(ROOT / "book" / edition / "summary.md")
    (block,) = re.findall(r"^```\{glossary\}\n(.+?)^```$", text, re.M | re.S)
    entries = []
    for entry in block.strip().split("\n\n"):
        term, definition = entry.split("\n  ")
        if edition == "zh":
            chinese, english = re.fullmatch(r"([^（]+)(?:（(.+)）)?", term).groups()
        else:
            english, chinese = re.fullmatch(r"([^(]+?)(?: \((.+)\))?", term).groups()
        entries.append((english or chinese, chinese or english, definition))
    return entries


def section(definition):
    """The section that a definition leads to, or nothing if it has no link."""
    return re.search(r" → (?:\{doc\}`(\w+)`|[\w ]+)$", definition)[1]


def plain(text):
    return re.sub(r"[-–]", "-", text.lower())


def test_glossaries_are_paired():
    """The same entries in the same order, each term once, each leading to the same section."""
    zh, en = (glossary(edition) for edition in EDITIONS)
    assert [entry[:2] for entry in zh] == [entry[:2] for entry in en]
    assert [section(entry[2]) for entry in zh] == [section(entry[2]) for entry in en]
    for column in (0, 1):
        terms = [entry[column] for entry in zh]
        assert len(set(terms)) == len(terms)


def test_glossary_holds_the_key_terms():
    """Every key term of the source chapter is defined."""
    defined = {chinese for _, chinese, _ in glossary("zh")}
    assert {term.replace("~", " ") for term in KEY_TERMS.split()} <= defined


@pytest.mark.parametrize(("edition", "end"), [("zh", "。"), ("en", r"\.(?= )")])
def test_definitions_are_short(edition, end):
    """One or two sentences: a glossary reminds, the section teaches."""
    for _, _, definition in glossary(edition):
        assert 1 <= len(re.findall(end, definition)) <= 2, definition


@pytest.mark.parametrize("edition", EDITIONS)
def test_terms_are_those_of_the_sections(edition):
    """Each term stands, word for word, in the section that its definition leads to."""
    checked = 0
    for english, chinese, definition in glossary(edition):
        name = section(definition)
        path = ROOT / "book" / edition / f"{name}.ipynb"
        if name and path.exists():  # whether a link leads anywhere is for the build to say
            term = chinese if edition == "zh" else english
            assert plain(term) in plain(words(path)), f"{term} is not in {name}"
            checked += 1
    assert checked > 30


def test_diagrams_take_their_words_from_the_glossary():
    """A picture that calls a thing by another name would be a second thing."""
    pairs = {(plain(chinese), plain(english)) for english, chinese, _ in glossary("zh")}
    for chinese, english in TERMS.values():
        assert (plain(chinese), plain(english)) in pairs, (chinese, english)


def test_no_variant_is_a_term():
    """Or the list would forbid what the glossary demands."""
    right = [*VARIANTS, *(chinese for _, chinese, _ in glossary("zh"))]
    for variant in " ".join(VARIANTS.values()).split():
        assert not [term for term in right if variant in term], variant


DRAWN = sorted((ROOT / "attention_lib/figures/diagrams").glob("*.py"))


@pytest.mark.parametrize("path", PAGES + DRAWN, ids=lambda path: path.name)
def test_chinese_pages_keep_to_the_terms(path):
    """A second name for the same thing makes a reader look for a second thing."""
    text = words(path)
    found = {
        variant: term
        for term, variants in VARIANTS.items()
        for variant in variants.split()
        if variant in text
    }
    assert not found, f"found, with the term to use instead: {found}"


@pytest.mark.parametrize("edition", EDITIONS)
def test_summary_reports_what_was_measured(edition):
    """Every number in the table of measurements is in an output or a table of that section."""
    rows = re.findall(
        r"^\| \{doc\}`(\w+)` \|.+\| (.+?) \|$", words(ROOT / "book" / edition / "summary.md"), re.M
    )
    assert {name[:2] for name, _ in rows} >= {"01", "02", "03", "06"}
    number = r"\d+(?:\.\d+)?"
    for name, measured in rows:
        claimed = re.findall(number, measured)
        if claimed:
            path = ROOT / "book" / edition / f"{name}.ipynb"
            stored = "\n".join(texts(output) for _, output in outputs(path))
            # Medians over five seeds: test_benchmarked.py holds them to the benchmarks.
            stored += "\n".join(re.findall(r"^\|.*\d–\d.*\|$", words(path), re.M))
            assert set(claimed) <= set(re.findall(number, stored)), (name, measured)
