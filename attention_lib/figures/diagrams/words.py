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
    "head": ("头", "head"),
    "multi_head": ("多头注意力", "multi-head attention"),
    "self_attention": ("自注意力", "self-attention"),
    "masked": ("掩蔽多头自注意力", "masked multi-head self-attention"),
    "cross_attention": ("编码器–解码器注意力", "encoder–decoder attention"),
    "feed_forward": ("基于位置的前馈网络", "position-wise feed-forward network"),
    "norm": ("层规范化", "layer normalisation"),
    "residual": ("残差连接", "residual connection"),
    "positions": ("位置编码", "position encoding"),
    "encoder": ("编码器", "encoder"),
    "decoder": ("解码器", "decoder"),
    "causal_mask": ("因果掩码", "causal mask"),
    "cache": ("键值缓存", "key–value cache"),
}


def term(name: str, language: str) -> str:
    """The term in the language of the edition, ``zh`` or ``en``."""
    return TERMS[name][("zh", "en").index(language)]
