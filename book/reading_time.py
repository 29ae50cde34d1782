"""How long each section takes: python book/reading_time.py

Counts what a section holds and multiplies by rates for technical texts: slow readers of English
manage some 130 words a minute, of Chinese some 220 characters (about half of what both manage in a
novel). A visible line of code takes 5 seconds, a picture or a slider a minute and a half, an
exercise ten minutes. The index of either edition states the sums of the edition that takes longer,
rounded to ten minutes; a test compares them.
"""

import json
import re
from pathlib import Path
from typing import NamedTuple

BOOK = Path(__file__).parent
HAN = r"[一-鿿]"
CHARACTERS_A_MINUTE, WORDS_A_MINUTE, LINES_A_MINUTE = 220, 130, 12
MINUTES_A_PICTURE, MINUTES_AN_EXERCISE = 1.5, 10
EXERCISES = ("## Exercises", "## 练习")
EXERCISE = r"^\*\*(?:Exercise|练习) \d+"


class Minutes(NamedTuple):
    """What a reader needs, to read and to do the exercises besides."""

    reading: float
    exercises: float


def minutes(notebook: dict) -> Minutes:
    """The minutes that a notebook takes.

    Args:
        notebook: as it stands in its file.
    """
    reading = exercises = 0.0
    in_exercises = False
    for cell in notebook["cells"]:
        source = "".join(cell["source"])
        if cell["cell_type"] == "markdown":
            before, *after = re.split(f"^(?={'|'.join(EXERCISES)})", source, flags=re.M)
            if not in_exercises:
                reading += text_minutes(before)
            in_exercises = in_exercises or bool(after)
            exercises += MINUTES_AN_EXERCISE * len(re.findall(EXERCISE, source, re.M))
        elif not in_exercises:
            hidden = {"hide-input", "hide-cell"} & set(cell["metadata"].get("tags", ()))
            reading += 0 if hidden else len(source.splitlines()) / LINES_A_MINUTE
            shown = [output.get("data", {}) for output in cell["outputs"]]
            reading += MINUTES_A_PICTURE * sum("image/png" in data for data in shown)
            reading += MINUTES_A_PICTURE * sum("image/svg+xml" in data for data in shown)
    return Minutes(reading, exercises)


def text_minutes(text: str) -> float:
    """Chinese characters and words in Latin letters; formulas count as a word for each letter."""
    words = re.findall(r"[A-Za-z]+|\d+", re.sub(HAN, " ", text))
    return len(re.findall(HAN, text)) / CHARACTERS_A_MINUTE + len(words) / WORDS_A_MINUTE


def rounded(value: float) -> int:
    """To ten minutes, at least ten."""
    return max(10, round(value / 10) * 10)


def sections() -> dict[str, Minutes]:
    """Of each section, by its name, in the edition that takes longer."""
    return {
        path.stem: max(
            minutes(json.loads((BOOK / edition / path.name).read_text(encoding="utf-8")))
            for edition in ("zh", "en")
        )
        for path in sorted((BOOK / "zh").glob("*.ipynb"))
    }


def main() -> None:
    print("minutes to read, with the exercises")
    for name, (reading, exercises) in sections().items():
        print(f"{rounded(reading):4} {rounded(reading + exercises):4}  {name}")


if __name__ == "__main__":
    main()
