"""Words of the themes' interface that their own Chinese catalogues leave in English."""

from gettext import NullTranslations

from sphinx.locale import translators

WORDS = {
    "Color mode": "配色",
    "Launch interactive content": "在线运行",
    "Launch on": "运行于",
    "Link to this heading": "此标题的链接",
    "Link to this equation": "此公式的链接",
    "Link to this image": "此图的链接",
    "Link to this table": "此表的链接",
    "logo": "标志",
    "System Settings": "跟随系统",
    "Toggle primary sidebar": "显示或隐藏章节目录",
    "Toggle secondary sidebar": "显示或隐藏本页目录",
}


class Words(NullTranslations):
    def gettext(self, message):
        return WORDS.get(message, message)


def add_words(app):
    if app.config.language == "zh_CN":
        for catalog in ("sphinx", "booktheme"):
            translators["general", catalog].add_fallback(Words())


def setup(app):
    app.connect("builder-inited", add_words)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
