"""The terms that stand in diagrams, as the glossary has them, in Chinese and in English.

What is no term, such as a title or a remark of one diagram, stands beside that diagram.
"""

TERMS = {
    "query": ("查询", "query"),
    "key": ("键", "key"),
    "value": ("值", "value"),
    "score": ("分数", "score"),
    "weights": ("注意力权重", "attention weights"),
    "pooling": ("注意力汇聚", "attention pooling"),
    "token": ("词元", "token"),
    "encoder": ("编码器", "encoder"),
    "decoder": ("解码器", "decoder"),
}


def term(name: str, language: str) -> str:
    """The term in the language of the edition, ``zh`` or ``en``."""
    return TERMS[name][("zh", "en").index(language)]
