"""The secret without which nothing is marked."""

import pytest

from coursework.questions.cases import PUBLIC_SEED, secret_seed


def test_marking_needs_a_secret(monkeypatch):
    """Without a secret the hidden cases would be the public ones."""
    for poor in ("", "short", PUBLIC_SEED):
        monkeypatch.setenv("COURSEWORK_SEED", poor)
        with pytest.raises(LookupError, match="COURSEWORK_SEED"):
            secret_seed()
    monkeypatch.setenv("COURSEWORK_SEED", "long enough a secret")
    assert secret_seed() == "long enough a secret"
