"""Pairs of sentences in two languages, made from text or read from files."""

import os
import re
import unicodedata
import zipfile
from dataclasses import dataclass
from pathlib import Path

import pooch

FRA_ENG = "https://www.manythings.org/anki/fra-eng.zip"

# Named spaces, but no white space to Python: zero width, word joiner, byte order mark.
INVISIBLE_SPACES = re.compile("[\u180e\u200b\u2060\ufeff]")
APOSTROPHES = re.compile("[‘’ʼ＇]")
PUNCTUATION = re.compile(r"([,.!?])")
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

    >>> tokenize("He's calm.")
    ["he's", 'calm', '.']
    >>> tokenize("J’ai perdu !")
    ["j'", 'ai', 'perdu', '!']
    """
    text = unicodedata.normalize("NFC", text.lower())
    text = APOSTROPHES.sub("'", INVISIBLE_SPACES.sub(" ", text))
    return ELISION.sub(r"\1' ", PUNCTUATION.sub(r" \1 ", text)).split()


def read_pairs(path: str | os.PathLike, encoding: str = "utf-8") -> list[Pair]:
    """Read a file with one pair per line: source, tab, target.

    Further columns, such as the attribution in the files of ManyThings, are not read, and
    blank lines hold no pair. Every other line must give a pair: nothing is dropped.

    Args:
        path: a text file, or a zip archive with one.
        encoding: of the text; files from older Windows programs may need ``"cp1252"``.

    Raises:
        ValueError: the bytes are no text in this encoding, a line is no pair, or there is none.
    """
    text = _decoded(_text_bytes(Path(path)), path, encoding)
    pairs = []
    for number, line in enumerate(re.split(r"\r\n|\r|\n", text), start=1):
        if not line.strip():
            continue
        source, target = (tuple(tokenize(column)) for column in [*line.split("\t"), "", ""][:2])
        if not (source and target):
            raise ValueError(
                f"{path}, line {number}: source, tab, target wanted, got {line[:80]!r}"
            )
        pairs.append(Pair(source, target))
    if not pairs:
        raise ValueError(f"{path}: lines of source, tab, target wanted, got an empty file")
    return pairs


def load_pairs(name_or_path: str | os.PathLike) -> list[Pair]:
    """Load ``"fra-eng"``, the English–French sentences of Tatoeba, or a file of your own.

    The archive is downloaded once and kept in the user's cache. It comes without a checksum:
    ManyThings renews it every few months under the same address, so that any checksum written
    here would soon refuse the right file. What guards it is the archive's own, and that every
    line must be a pair.

    Args:
        name_or_path: ``"fra-eng"``, or the path of a file for :func:`read_pairs`.

    Raises:
        ConnectionError: the archive cannot be downloaded.
        FileNotFoundError: neither a data set nor a file has this name.
    """
    if name_or_path == "fra-eng":
        return read_pairs(_download())
    if not Path(name_or_path).is_file():
        raise FileNotFoundError(
            f"'fra-eng' or the path of a file wanted, got {str(name_or_path)!r}"
        )
    return read_pairs(name_or_path)


def _download() -> str:
    # Some hosts turn away clients that do not say who they are.
    client = pooch.HTTPDownloader(progressbar=True, headers={"User-Agent": "attention_lib"})
    cache = pooch.os_cache("attention_lib")
    try:
        path = pooch.retrieve(FRA_ENG, None, fname="fra-eng.zip", path=cache, downloader=client)
        if not zipfile.is_zipfile(path):
            os.remove(path)  # a log-in page, say, must not stay in the cache
            raise zipfile.BadZipFile
    except (OSError, zipfile.BadZipFile) as error:
        raise ConnectionError(
            f"no download of {FRA_ENG} ({type(error).__name__}): give load_pairs the path of a "
            "copy, or take grammar_corpus(), which needs no network"
        ) from None
    return path


def _text_bytes(path: Path) -> bytes:
    if not zipfile.is_zipfile(path):
        return path.read_bytes()
    with zipfile.ZipFile(path) as archive:
        texts = [name for name in archive.namelist() if re.search(r"(^|/)[^._/][^/]*\.txt$", name)]
        if len(texts) != 1:
            raise ValueError(f"{path}: one text file in the archive wanted, got {texts}")
        return archive.read(texts[0])


def _decoded(content: bytes, path: str | os.PathLike, encoding: str) -> str:
    try:
        return content.decode(encoding)
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        raise ValueError(
            f"{path}, line {line}: text in {encoding} wanted, got the byte "
            f"0x{content[error.start]:02x}; a file from Windows may need "
            "encoding='cp1252' or 'utf-16'"
        ) from None
