"""A pair of sentences in two languages, and the tokens of a sentence."""

import re
import unicodedata
from dataclasses import dataclass

# Named spaces, but no white space to Python: zero width, word joiner, byte order mark.
INVISIBLE_SPACES = re.compile("[\u180e\u200b\u2060\ufeff]")
APOSTROPHES = re.compile("[‘’ʼ＇]")
PUNCTUATION = re.compile(r"([,.!?])")
# All punctuation that is made for Chinese, Japanese and Korean, in its several widths.
WIDE_PUNCTUATION = re.compile(
    "([\u3001-\u3003\u3008-\u3011\u3014-\u301f\u3030\u303d\u30a0\u30fb\ufe10-\ufe19\ufe30-\ufe52"
    "\ufe54-\ufe61\ufe63\ufe68\ufe6a\ufe6b\uff01-\uff03\uff05-\uff0a\uff0c-\uff0f\uff1a\uff1b\uff1f"
    "\uff20\uff3b-\uff3d\uff3f\uff5b\uff5d\uff5f-\uff65])"
)
# Characters of scripts that are written without spaces: Han (with 々 and 〇) and Japanese kana.
HAN = "\u2e80-\u2fd5\u3005-\u3007\u3021-\u3029\u3038-\u303b\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff"
RARE_HAN = "\U00020000-\U0003ffff"
KANA = "\u3041-\u3096\u309b-\u309f\u30a1-\u30fa\u30fc-\u30ff\u31f0-\u31ff\uff66-\uff9f"
UNSPACED = re.compile(f"([{HAN}{RARE_HAN}{KANA}])")
# Marks that both kinds of script use: in English they stay with their word, as they always did.
SHARED_PUNCTUATION = re.compile('([“”„…‥—–·•;:()"])')
# Short French words that lose their vowel: j'ai, l'été, qu'il – but not aujourd'hui, don't.
ELISION = re.compile(r"(?<![\w'])([cdjlmnst]|(?:jus|lors|puis)?qu)'(?=\w)")


@dataclass(frozen=True)
class Pair:
    """A sentence and its translation, with the links between their words where they are known.

    A link ``(t, s)`` says that word ``t`` of the target translates word ``s`` of the source.
    A sure link is beyond doubt; the possible links, which include the sure ones, are all that a
    careful reader would let pass: in *la voiture*, the article translates *the*, but it was the
    noun that chose *la*.

    Source: Och and Ney, "A Systematic Comparison of Various Statistical Alignment Models", 2003.
    """

    source: tuple[str, ...]
    target: tuple[str, ...]
    sure: frozenset[tuple[int, int]] = frozenset()
    possible: frozenset[tuple[int, int]] = frozenset()

    def __str__(self) -> str:
        return f"{' '.join(self.source)} → {' '.join(self.target)}"


def tokenize(text: str) -> list[str]:
    """Cut a text into lower-case words and the marks ``, . ! ?``.

    Every kind of space separates words, and a French elided word stands alone, with its
    apostrophe. Letters keep their accents and are composed (NFC), so that é is one character
    however it was typed.

    Chinese and Japanese have no spaces: each Han character and each kana is a token, and so is
    each of their marks (，。！？；：、（）「」). In a text with such characters, the marks that
    English uses too (“ ” … ; : ( )) are split off as well. Korean has spaces, and is cut there.
    Thai, Lao, Khmer and Burmese are not cut: for them, or for Chinese words instead of
    characters, give :func:`read_pairs` a tokenizer made for the language.

    >>> tokenize("He's calm.")
    ["he's", 'calm', '.']
    >>> tokenize("J’ai perdu !")
    ["j'", 'ai', 'perdu', '!']
    >>> tokenize("我喜欢GPT，你呢？")
    ['我', '喜', '欢', 'gpt', '，', '你', '呢', '？']
    """
    text = unicodedata.normalize("NFC", text.lower())
    text = APOSTROPHES.sub("'", INVISIBLE_SPACES.sub(" ", text))
    text = WIDE_PUNCTUATION.sub(r" \1 ", PUNCTUATION.sub(r" \1 ", text))
    if UNSPACED.search(text):
        text = SHARED_PUNCTUATION.sub(r" \1 ", UNSPACED.sub(r" \1 ", text))
    return ELISION.sub(r"\1' ", text).split()
