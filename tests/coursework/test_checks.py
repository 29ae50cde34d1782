"""What is said about right and wrong solutions, run in this process: they are our own."""

import pytest
from wrong_solutions import MASKED_SOFTMAX, SDPA

from coursework.assignments import a1_scores
from coursework.assignments.a1_scores import ASSIGNMENT
from coursework.cases import PUBLIC_SEED, secret_seed
from coursework.checks import judge
from coursework.worker import answer, run_cells

SEEDS = ["one seed", "another seed", "a third seed"]


def verdicts(question, code, seed):
    """The verdicts on a question, where the student's code follows the reference."""
    defined, failed = run_cells([*ASSIGNMENT.solution_cells(), code], seconds=60)
    assert not failed
    cases = question.cases(seed)
    function = defined[question.function]
    answers = [answer(function, c.arguments, c.keywords, c.gradient_of) for c in cases]
    return judge(question, cases, answers)


def reasons(question, code, seed):
    return {case.title.name: r.name for case, r in verdicts(question, code, seed) if r}


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("name", MASKED_SOFTMAX)
def test_wrong_masked_softmax_is_told_what_is_wrong(name, seed):
    """Each wrong solution fails the cases it should, with the reason that is meant for it."""
    wrong = MASKED_SOFTMAX[name]
    assert reasons(a1_scores.MASKED_SOFTMAX, wrong.code, seed) == wrong.reasons


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("name", SDPA)
def test_wrong_attention_is_told_what_is_wrong(name, seed):
    """Each wrong solution fails the cases it should, with the reason that is meant for it."""
    wrong = SDPA[name]
    assert reasons(a1_scores.SDPA, wrong.code, seed) == wrong.reasons


REWRITES = {
    "softmax, then zeros for NaN": """
def masked_softmax(scores, mask, dim=-1):
    return torch.softmax(scores.masked_fill(~mask, float("-inf")), dim).nan_to_num(nan=0.0)
""",
    "logarithms": """
def masked_softmax(scores, mask, dim=-1):
    s = torch.where(mask, scores, -math.inf)
    return torch.exp(s - torch.logsumexp(s, dim, keepdim=True)).nan_to_num(0.0)
""",
    "finite fill, then zeros": """
def masked_softmax(scores, mask, dim=-1):
    return torch.softmax(scores.masked_fill(~mask, -1e9), dim) * mask
""",
    "softmax of what is allowed, normalised again": """
def masked_softmax(scores, mask, dim=-1):
    w = torch.softmax(scores.masked_fill(~mask, scores.min() - 50), dim) * mask
    return w / w.sum(dim, keepdim=True).clamp_min(1e-12)
""",
    "in double precision": """
def masked_softmax(scores, mask, dim=-1):
    return scores.double().masked_fill(~mask, -math.inf).softmax(dim).nan_to_num().float()
""",
    "einsum": """
def sdpa(q, k, v, mask=None):
    s = torch.einsum("...nd,...md->...nm", q, k) * q.shape[-1] ** -0.5
    mask = torch.ones_like(s).bool() if mask is None else torch.broadcast_to(mask, s.shape)
    return torch.einsum("...nm,...mv->...nv", masked_softmax(s, mask), v)
""",
    "queries scaled first, other names": """
def sdpa(queries, keys, values, mask=None):
    scaled = queries / math.sqrt(queries.shape[-1])
    s = scaled.matmul(keys.transpose(-1, -2))
    if mask is not None:
        s = s.masked_fill(mask.logical_not(), -math.inf)
    return torch.softmax(s, dim=-1).matmul(values)
""",
    "scores the other way round": """
def sdpa(q, k, v, mask=None):
    s = (k @ q.mT).mT / math.sqrt(k.shape[-1])
    return masked_softmax(s, torch.ones_like(s).bool() if mask is None else mask) @ v
""",
    "a loop": """
def sdpa(q, k, v, mask=None):
    rows = []
    for i in range(q.shape[-2]):
        s = (q[..., i : i + 1, :] * k).sum(-1) / math.sqrt(q.shape[-1])
        allowed = torch.ones_like(s).bool() if mask is None else mask[i].expand_as(s)
        rows.append((masked_softmax(s, allowed).unsqueeze(-1) * v).sum(-2))
    return torch.stack(rows, dim=-2)
""",
}


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("name", REWRITES)
def test_right_solutions_in_other_words_get_full_marks(name, seed):
    """What is marked is what a function computes, not how it is written."""
    for question in ASSIGNMENT.questions:
        assert reasons(question, REWRITES[name], seed) == {}


@pytest.mark.parametrize("question", ASSIGNMENT.questions, ids=lambda question: question.name)
def test_reference_gets_full_marks_for_many_seeds(question):
    """No secret seed makes a case on which a right answer fails."""
    for seed in range(300):
        assert reasons(question, "", f"seed {seed}") == {}


@pytest.mark.parametrize("question", ASSIGNMENT.questions, ids=lambda question: question.name)
def test_cases_follow_from_the_seed(question):
    """The same seed makes the same cases anywhere; another seed makes others, worth the same."""

    def numbers(seed):
        return [array.tobytes() for case in question.cases(seed) for array in case.arguments]

    assert numbers("one seed") == numbers("one seed")
    assert numbers("one seed") != numbers("another seed")
    points = [[case.points for case in question.cases(seed)] for seed in SEEDS]
    assert points[0] == points[1] == points[2]


def test_every_reason_is_said_in_both_languages():
    """A student reads the reason in the language of the edition."""
    for question in ASSIGNMENT.questions:
        said = [mistake.reason for mistake in question.mistakes]
        said += [case.title for case in question.cases(PUBLIC_SEED)]
        for reason in said:
            assert any("一" <= character <= "鿿" for character in reason.zh), reason
            assert reason.en.isascii() or "√" in reason.en or "−" in reason.en, reason


def test_every_known_mistake_is_met_by_a_wrong_solution():
    """No message is left that no test has seen."""
    for question, wrong in zip(ASSIGNMENT.questions, (MASKED_SOFTMAX, SDPA), strict=True):
        met = {reason for solution in wrong.values() for reason in solution.reasons.values()}
        assert {mistake.reason.name for mistake in question.mistakes} <= met


def test_marking_needs_a_secret(monkeypatch):
    """Without a secret the hidden cases would be the public ones."""
    for poor in ("", "short", PUBLIC_SEED):
        monkeypatch.setenv("COURSEWORK_SEED", poor)
        with pytest.raises(LookupError, match="COURSEWORK_SEED"):
            secret_seed()
    monkeypatch.setenv("COURSEWORK_SEED", "long enough a secret")
    assert secret_seed() == "long enough a secret"
