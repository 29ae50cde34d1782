"""Make the font for Chinese labels in figures: ``python book/make_font.py``.

It is a part of Noto Sans SC, from Debian's package fonts-noto-cjk (``apt-get install
fonts-noto-cjk``): the 3,755 characters of the first level of GB 2312, those that a page of modern
Chinese is made of, and punctuation. The whole font weighs ten times as much. What comes out is
committed, in ``attention_lib/figures/han_font/``, and travels with the library.
"""

import sys
from pathlib import Path

from fontTools import subset
from fontTools.ttLib import TTCollection

WHOLE = Path("/usr/share/fonts/opentype/noto/NotoSansCJK-Regular.ttc")
PART = Path(__file__).parents[1] / "attention_lib/figures/han_font/AttentionHanSans.otf"
# A name of its own: a reader's whole Noto must not be taken for this part of it.
FAMILY = "Attention Han Sans"
# Marks of Chinese text and full-width forms, and what formulas and tables need beside it.
RANGES = [(0x20, 0x7E), (0xA0, 0xFF), (0x2010, 0x2027), (0x2190, 0x2193), (0x3000, 0x301F)]
RANGES += [(0xFF01, 0xFF5E), (0x2460, 0x2473), (0x391, 0x3C9)]
SINGLE = "−√∞≈≠≤≥∈∑∏ⁿ₀₁₂₃₄₅₆₇₈₉⊤"


def first_level():
    """The characters of rows 16 to 55 of GB 2312; the last row has 89 of 94."""
    for row in range(0xB0, 0xD8):
        for column in range(0xA1, 0xFA if row == 0xD7 else 0xFF):
            yield bytes((row, column)).decode("gb2312")


def main():
    if not WHOLE.exists():
        sys.exit(f"{WHOLE} is not there: apt-get install fonts-noto-cjk")
    fonts = TTCollection(WHOLE).fonts
    font = next(font for font in fonts if font["name"].getDebugName(1) == "Noto Sans CJK SC")
    han = set(first_level())
    assert len(han) == 3755
    options = subset.Options(layout_features=[], hinting=False, desubroutinize=False)
    options.name_IDs = [0, 1, 2, 4, 6, 13, 14]  # copyright and licence stay with the letters
    subsetter = subset.Subsetter(options)
    ranges = (range(first, last + 1) for first, last in RANGES)
    subsetter.populate(unicodes={*map(ord, han), *map(ord, SINGLE)}.union(*ranges))
    subsetter.subset(font)
    names = {1: FAMILY, 4: FAMILY, 6: FAMILY.replace(" ", "")}
    for record in font["name"].names:
        record.string = names.get(record.nameID, record.toUnicode())
    PART.parent.mkdir(exist_ok=True)
    font.save(PART)
    print(f"{PART.name}: {PART.stat().st_size / 1e6:.2f} MB")


if __name__ == "__main__":
    main()
