"""Pairs of sentences from files: the data set of ManyThings, or a file of your own."""

import os
import re
import zipfile
from collections.abc import Callable, Sequence
from pathlib import Path

import pooch

from attention_lib.corpus.columns import check_columns
from attention_lib.corpus.pairs import Pair, tokenize
from attention_lib.corpus.text_encoding import decode

FRA_ENG = "https://www.manythings.org/anki/fra-eng.zip"
Tokenizer = Callable[[str], Sequence[str]]


def read_pairs(
    path: str | os.PathLike,
    encoding: str = "utf-8",
    tokenize: Tokenizer | tuple[Tokenizer, Tokenizer] = tokenize,
) -> list[Pair]:
    """Read a file with one pair per line: source, tab, target.

    Further columns, such as the attribution in the files of ManyThings, are not read, and
    blank lines hold no pair. Every other line must give a pair: nothing is dropped.

    Args:
        path: a text file, or a zip archive with one.
        encoding: of the text. Where it does not fit, the error names those that do.
        tokenize: what cuts a sentence into tokens, such as ``jieba.lcut`` for Chinese words; or
            two, for source and target.

    Raises:
        ValueError: the bytes are no text in this encoding, a line is no pair, the columns hold
            something else than sentences, or there is no pair.
        TypeError: ``tokenize`` gives a text instead of tokens.
    """
    rows = []
    text = decode(_text_bytes(Path(path)), encoding, path)
    for number, line in enumerate(re.split(r"\r\n|\r|\n", text), start=1):
        if not line.strip():
            continue
        source, target = tokenize if isinstance(tokenize, tuple) else (tokenize, tokenize)
        columns = [*line.split("\t"), ""]
        pair = Pair(_tokens(columns[0], source), _tokens(columns[1], target))
        if not (pair.source and pair.target):
            raise ValueError(
                f"{path}, line {number}: source, tab, target wanted, got {line[:80]!r}"
            )
        rows.append((columns[:-1], pair))
    if not rows:
        raise ValueError(f"{path}: lines of source, tab, target wanted, got an empty file")
    check_columns([columns for columns, _ in rows], path)
    return [pair for _, pair in rows]


def _tokens(text: str, tokenize: Tokenizer) -> tuple[str, ...]:
    tokens = tokenize(text)
    if isinstance(tokens, str):
        raise TypeError(f"a tokenizer that gives a list of tokens wanted, got the text {tokens!r}")
    return tuple(tokens)


def load_pairs(
    name_or_path: str | os.PathLike,
    encoding: str = "utf-8",
    tokenize: Tokenizer | tuple[Tokenizer, Tokenizer] = tokenize,
) -> list[Pair]:
    """Load ``"fra-eng"``, the English–French sentences of Tatoeba, or a file of your own.

    The archive is downloaded once and kept in the user's cache. It comes without a checksum:
    ManyThings renews it every few months under the same address, so that any checksum written
    here would soon refuse the right file. What guards it is the archive's own, and that every
    line must be a pair.

    Args:
        name_or_path: ``"fra-eng"``, or the path of a file for :func:`read_pairs`.
        encoding, tokenize: as in :func:`read_pairs`.

    Raises:
        ConnectionError: the archive cannot be downloaded.
        FileNotFoundError: neither a data set nor a file has this name.
    """
    if name_or_path == "fra-eng":
        return read_pairs(_download(), encoding, tokenize)
    if not Path(name_or_path).is_file():
        raise FileNotFoundError(
            f"'fra-eng' or the path of a file wanted, got {str(name_or_path)!r}"
        )
    return read_pairs(name_or_path, encoding, tokenize)


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
