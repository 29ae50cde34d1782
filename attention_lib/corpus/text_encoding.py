"""The text of a file, in the encoding that was asked for, or an error that names one that fits."""

import codecs
import re

from charset_normalizer import from_bytes

# What programs wrote before UTF-8, in the order in which they are offered.
LEGACY = ("gb18030", "cp1252", "big5", "cp932", "cp949", "cp1251")
# Encodings in which nearly any bytes are letters, and Chinese becomes ÎÒ°®Äã.
LATIN = {"cp1252", "cp1250", "iso8859-1", "iso8859-2", "iso8859-15", "mac-roman"}
# No text holds NUL (it comes from UTF-16) or ESC (from the encodings ISO-2022).
NO_TEXT = re.compile("[\0\x1b]")
# Unused in the old single-byte encodings: where they turn up, cp1252 was written.
UNUSED = re.compile("[\x80-\x9f]")
# No language in Latin letters puts so many accents and signs in a row (Polish has żółć); Chinese
# and Russian read as cp1252 do: ÎÒ³ÔÁË, Ïðèâåò. Dashes and dots may be repeated.
ALL_ACCENTS = re.compile(r"[^\0-\x7f\s–—…]{5}")


def decode(content: bytes, encoding: str, name: object) -> str:
    """The text of a file, its byte order mark left out.

    Nothing is guessed: another encoding than the one asked for is offered, not taken. What a wrong
    one makes of a file is refused where it can be told from text: not every French *é* that was
    read as a Russian letter.

    Args:
        content: the bytes of the file.
        encoding: the name of a codec.
        name: of the file, for the errors.

    Raises:
        LookupError: there is no such codec.
        ValueError: the bytes are no text in this encoding, or hardly any that someone wrote.
    """
    try:
        text = content.decode(encoding)
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        byte = f"0x{content[error.start]:02x}"
        raise ValueError(
            f"{name}, line {line}: text in {encoding} wanted, got the byte {byte}; "
            f"{_offer(content)}"
        ) from None
    if _is_nonsense(text, content, codecs.lookup(encoding).name):
        raise ValueError(f"{name}: in {encoding} it reads {_sample(text)!r}; {_offer(content)}")
    return text.removeprefix("\ufeff")


def _is_nonsense(text: str, content: bytes, codec: str) -> bool:
    if NO_TEXT.search(text):
        return True
    if codec.startswith("utf"):
        return False
    if not content.isascii() and _reads(content, "utf-8"):
        return True  # other encodings do not make valid UTF-8 but by accident
    return codec in LATIN and bool(UNUSED.search(text) or ALL_ACCENTS.search(text))


def _offer(content: bytes) -> str:
    """The encodings that fit, each with what it makes of the first line that can tell."""
    fitting = _fitting(content)
    if not fitting:
        return "is it a text file?"
    readings = [f"{_sample(content.decode(name))!r} with encoding={name!r}" for name in fitting]
    return "it would read " + ", or ".join(readings)


def _fitting(content: bytes) -> list[str]:
    if content.startswith((codecs.BOM_UTF32_LE, codecs.BOM_UTF32_BE)):
        return ["utf-32"]
    if content.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return [name for name in ["utf-16"] if _reads(content, name)]
    if b"\0" in content:  # in UTF-16 each tab has one, before or behind it
        names = ["utf-16-be", "utf-16-le"]
        return [n for n in names if _reads(content, n) and not NO_TEXT.search(content.decode(n))]
    if _reads(content, "utf-8"):
        return ["iso2022_jp"] if b"\x1b$" in content else ["utf-8"]
    readable = [name for name in LEGACY if _reads(content, name)]
    # Up to half of a single short sentence may look messy to the measure.
    matches = from_bytes(content, cp_isolation=readable, threshold=0.5) if readable else []
    plausible = {match.encoding for match in matches}
    return [name for name in readable if name in plausible] or readable


def _reads(content: bytes, encoding: str) -> bool:
    try:
        content.decode(encoding)
    except UnicodeDecodeError:
        return False
    return True


def _sample(text: str) -> str:
    """The first line with a letter that encodings differ in."""
    lines = text.removeprefix("\ufeff").splitlines()
    return next((line for line in lines if not line.isascii()), text.split("\n")[0]).strip()[:40]
