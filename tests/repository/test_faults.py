"""The list of planted faults fits the files as they are; planting them is a weekly matter."""

import pytest

from tests.planted_faults import FAULTS, ROOT, found


@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: f"{fault.file}-{fault.named}")
def test_a_fault_can_be_planted(fault):
    """Its old text stands once in its file, and its test is there."""
    text = (ROOT / found(fault.file)).read_text(encoding="utf-8")
    assert text.count(fault.old) == 1
    assert fault.old != fault.new
    assert found(fault.tests).name.startswith("test_")


def test_there_are_faults_in_every_part():
    """Library, notebooks, machinery of the book, coursework."""
    assert len(FAULTS) >= 20
    for part in ("attention_lib/", "book/zh/", "book/_ext/", "coursework/", "tests/"):
        assert any(fault.file.startswith(part) for fault in FAULTS), part
