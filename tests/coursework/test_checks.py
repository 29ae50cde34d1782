"""How answers are judged: what practice prints, and that marking has cases of its own."""

import a1_wrong_solutions
import pytest

from coursework.assignments import a1_scores
from coursework.cases import PUBLIC_SEED, secret_seed
from coursework.checks import practise
from coursework.worker import run_cells


@pytest.mark.parametrize(
    "language, sentence", [("zh", "分数没有缩放"), ("en", "The scores are not scaled")]
)
def test_practice_says_what_is_wrong(language, sentence, capsys):
    """In the notebook, the public cases say in the edition's language what is wrong."""
    wrong = a1_wrong_solutions.SDPA["no scale"]
    defined, _ = run_cells([*a1_scores.ASSIGNMENT.solution_cells(), wrong.code], seconds=60)
    practise(a1_scores.SDPA, defined["sdpa"], language)
    printed = capsys.readouterr().out
    assert sentence in printed
    assert printed.count("✓") == 2 and printed.count("✗") == 3


def test_marking_needs_a_secret(monkeypatch):
    """Without a secret the hidden cases would be the public ones."""
    for poor in ("", "short", PUBLIC_SEED):
        monkeypatch.setenv("COURSEWORK_SEED", poor)
        with pytest.raises(LookupError, match="COURSEWORK_SEED"):
            secret_seed()
    monkeypatch.setenv("COURSEWORK_SEED", "long enough a secret")
    assert secret_seed() == "long enough a secret"
