"""The page of questions: its links lead to cells, its numbers are measured, its claims hold."""

import importlib.util
import re
from collections import Counter

import pytest
import torch
import torch.nn.functional as F
from book_files import EDITIONS, ROOT, read, texts
from torch import nn

from attention_lib import (
    KernelRegression,
    MultiHeadAttention,
    attend,
    causal_mask,
    dot_product_scores,
    kernel_scores,
    masked_softmax,
    padding_mask,
    sinusoidal_positions,
)
from attention_lib.transformer_layers import EncoderLayer

spec = importlib.util.spec_from_file_location("cell_links", ROOT / "book/_ext/cell_links.py")
cell_links = importlib.util.module_from_spec(spec)
spec.loader.exec_module(cell_links)

LINK = r"\{cell\}`(\w+)#(\w+)`"


def answers(edition):
    """The questions in their order, each with its answer."""
    text = (ROOT / "book" / edition / "questions.md").read_text(encoding="utf-8")
    return re.findall(r"^### (.+?)\n\n(.+?)(?=\n\n(?:##|\()|\Z)", text, re.M | re.S)


def addresses(edition):
    """What leads to each question: a heading in Chinese has none of its own that would last."""
    text = (ROOT / "book" / edition / "questions.md").read_text(encoding="utf-8")
    return re.findall(r"^\(question-([a-z-]+)\)=\n### ", text, re.M)


def linked(edition):
    return [re.findall(LINK, answer) for _, answer in answers(edition)]


def test_thirty_questions():
    """As many in either edition, each asked as one, answered in a few lines, with a link."""
    for edition, mark in (("zh", "？"), ("en", "?")):
        asked = answers(edition)
        assert len(asked) == len({question for question, _ in asked}) == 30
        for question, answer in asked:
            assert question.endswith(mark), question
            assert re.search(LINK, answer), question
    assert linked("zh") == linked("en")
    assert addresses("zh") == addresses("en") and len(set(addresses("zh"))) == 30


@pytest.mark.parametrize("edition", EDITIONS)
def test_links_lead_to_cells(edition):
    """A cell that was removed would leave a link to nowhere."""
    for name, cell in (link for links in linked(edition) for link in links):
        notebook = read(ROOT / "book" / edition / f"{name}.ipynb")
        assert cell_links.heading_number(notebook, cell) is not None, (name, cell)


# Numbers in the answers that the tests below compute: no section has them.
COMPUTED = ["0.08", "0.12", "33", "0.19", "0.97", "0.69", "0.2", "0.8", "1.25"]


@pytest.mark.parametrize("edition", EDITIONS)
def test_numbers_are_those_of_the_sections(edition):
    """What was measured stands in a section that the answer links to, or is computed here."""
    number = r"\d[\d,]*\.\d+|\d[\d,]*(?= ?[%％])|\d{1,3}(?:,\d{3})+|\d{2,}"
    for question, answer in answers(edition):
        prose = re.sub(LINK + r"|\{\w+\}`[^`]+`|\$[^$]+\$|`[^`]+`|(?<!\d)(?:19|20)\d\d", "", answer)
        said = set(re.findall(number, prose)) - set(COMPUTED)
        there = ""
        for name, _ in re.findall(LINK, answer):
            for cell in read(ROOT / "book" / edition / f"{name}.ipynb")["cells"]:
                there += "\n".join([cell["source"], *map(texts, cell.get("outputs", []))]) + "\n"
        assert not (said - set(re.findall(number, there))), question


def test_a_heading_is_counted_where_it_stands():
    """Counted by hand: code and fences are no headings, a cell between belongs to the last one."""
    kinds = [
        ("markdown", "a", "# Title\n\ntext"),
        ("code", "b", "# a comment"),
        ("markdown", "c", "## One\n\n```python\n# a comment\n```\n\n### Two"),
        ("code", "d", "1"),
    ]
    notebook = {"cells": [{"cell_type": k, "id": i, "source": s} for k, i, s in kinds]}
    found = [cell_links.heading_number(notebook, cell) for cell in "abcde"]
    assert found == [0, 0, 1, 2, None]


# What the answers claim, and no section shows.


def normal(*shape, seed=0):
    generator = torch.Generator().manual_seed(seed)
    return torch.randn(*shape, generator=generator, dtype=torch.float64)


def test_far_keys_weigh_less():
    """The larger the distance, the lower the score: minus stands before the square."""
    scores = kernel_scores(torch.zeros(1, 1), torch.tensor([[0.5], [-1.0], [3.0]]), width=1.0)
    assert scores[0].diff().lt(0).all()


def test_a_width_for_each_key_learns_the_noise():
    """One width for each of 50 points: leave-one-out gets better, the estimate worse."""

    def true_curve(x):
        return 1.5 * torch.sin(2 * x) + x

    queries = torch.linspace(0, 5, 101)[:, None]
    others = ~torch.eye(50, dtype=torch.bool)
    keys, values, widths = [], [], []
    for seed in range(40):  # the data sets of section 2
        generator = torch.Generator().manual_seed(seed)
        keys.append((5 * torch.rand(50, 1, generator=generator)).sort(dim=0).values)
        noise = 0.5 * torch.randn(50, 1, generator=generator)
        values.append(true_curve(keys[-1]) + noise)
        widths.append(KernelRegression(keys[-1], values[-1]).fit().width.item())
    keys, values = torch.stack(keys), torch.stack(values)
    shared = torch.tensor(widths)[:, None, None]

    def errors(widths):
        def scores(asked):
            return -(((asked - keys.mT) / widths) ** 2) / 2

        left_out = attend(scores(keys), values, others)[0] - values
        off = attend(scores(queries), values)[0] - true_curve(queries)
        return left_out.square().mean((1, 2)), off.square().mean((1, 2))

    log_widths = shared.log().expand(40, 1, 50).clone().requires_grad_()
    optimizer = torch.optim.Adam([log_widths], lr=0.05)
    for _ in range(500):
        optimizer.zero_grad()
        errors(log_widths.exp())[0].sum().backward()
        optimizer.step()
    (left_out, off), (left_out_each, off_each) = errors(shared), errors(log_widths.exp())
    assert (left_out_each < left_out).all()
    worse = (off_each > off).sum().item()
    assert abs(worse - 33) <= 2, f"worse in {worse} of 40 data sets: then the answer says otherwise"
    assert abs(off.median() - 0.08) < 0.01 and abs(off_each.median() - 0.12) < 0.01
    # The nearest other point is some tenths of a unit away: such a key is seen by itself alone.
    assert (log_widths.exp().amin((1, 2)) < 0.02).sum() > 20


def test_kernel_regression_is_attention_over_the_training_data():
    """The same function; but a batch holds inputs that never see one another."""
    keys, values, queries = normal(7, 1), normal(7, 1, seed=1), normal(3, 1, seed=2)
    kernel = torch.exp(-((queries - keys.T) ** 2) / 2)
    by_hand = (kernel @ values) / kernel.sum(1, keepdim=True)
    assert torch.allclose(attend(kernel_scores(queries, keys, 1.0), values)[0], by_hand)

    layer = MultiHeadAttention(8, 2).double()
    batch = normal(2, 5, 8)
    other = torch.stack([batch[0], normal(5, 8, seed=3)])
    assert torch.equal(layer(batch, batch, batch)[0], layer(other, other, other)[0])


def test_features_need_a_vector_of_their_own():
    """Numbers as tokens: exchanged, they give the same sum, unless each says which one it is."""
    direction, names, layer = normal(8), normal(4, 8, seed=1), MultiHeadAttention(8, 2).double()

    def represent(features, names):
        tokens = (features[:, None] * direction + names)[None]
        return layer(tokens, tokens, tokens).mean(1)

    features = normal(4, seed=2)
    exchanged = features[[1, 0, 2, 3]]
    no_names = torch.zeros_like(names)
    assert torch.allclose(represent(features, no_names), represent(exchanged, no_names))
    assert not torch.allclose(represent(features, names), represent(exchanged, names), atol=1e-3)


def test_dividing_by_the_sum_is_no_softmax():
    """Scores that add up to zero, or have both signs, give no weights when divided by their sum."""
    scores = torch.tensor([2.0, -1.0, -1.0])
    assert not torch.isfinite(scores / scores.sum()).any()
    scores = torch.tensor([2.0, -1.0, 1.0])
    assert (scores / scores.sum()).tolist() == [1.0, -0.5, 0.5]
    assert torch.allclose(torch.softmax(scores + 100, -1), torch.softmax(scores, -1))


def test_two_matrices_make_one_of_low_rank():
    """W_q and W_k act as their product; of one matrix alone, every score would be symmetric."""
    x, to_query, to_key = normal(6, 16), normal(16, 4, seed=1), normal(16, 4, seed=2)
    scores = dot_product_scores(x @ to_query, x @ to_key)
    product = to_query @ to_key.T
    assert torch.allclose(scores, x @ product @ x.T / 2)
    assert torch.linalg.matrix_rank(product) == 4
    same = dot_product_scores(x @ to_query, x @ to_query)
    assert torch.allclose(same, same.T) and not torch.allclose(scores, scores.T)
    # A token that is asked by itself gets the square of a norm: it cannot look away from itself.
    assert (same.diagonal() >= 0).all()


def test_many_weights_give_one_output():
    """Five keys, values of two components: the output does not say what the weights were."""
    values, weights = normal(5, 2), torch.full((5,), 0.2, dtype=torch.float64)
    constraints = torch.cat([values.T, torch.ones(1, 5, dtype=torch.float64)])
    unseen = torch.linalg.svd(constraints).Vh[-1]  # moves the weights, and neither output nor sum
    moved = weights + 0.19 * unseen / unseen.abs().max()
    assert (moved >= 0).all() and round((moved - weights).abs().max().item(), 2) == 0.19
    assert torch.allclose(moved @ values, weights @ values)


def test_added_positions_hold_concatenated_ones():
    """A layer on [x; p] with one matrix twice is one on x + p, and [x; 0] + [0; p] is [x; p]."""
    x, p, matrix = normal(6, 8), sinusoidal_positions(6, 8).double(), normal(8, 8, seed=1)
    both = torch.cat([x, p], dim=-1) @ torch.cat([matrix, matrix])
    assert torch.allclose(both, (x + p) @ matrix)
    nothing = torch.zeros_like(x)
    added = torch.cat([x, nothing], dim=-1) + torch.cat([nothing, p], dim=-1)
    assert torch.equal(added, torch.cat([x, p], dim=-1))
    # The score of two sums has four parts: word and place with word and place.
    key = normal(8, 8, seed=2)
    parts = sum((a @ matrix) @ (b @ key).T for a in (x, p) for b in (x, p))
    assert torch.allclose(((x + p) @ matrix) @ ((x + p) @ key).T, parts)


def test_words_that_are_nearly_all_right_make_few_right_sentences():
    """Twelve words, each right with probability 0.97: 0.97 multiplied by itself eleven times."""
    assert round(0.97**12, 2) == 0.69


def test_the_masks_hide_different_things():
    """Padding is hidden from all queries of its sentence, the future from those before it."""
    padding, causal = padding_mask(torch.tensor([2]), 4), causal_mask(4)
    assert padding[0].tolist() == [[True, True, False, False]]
    assert (padding & causal)[0].sum(1).tolist() == [1, 2, 2, 2]


@pytest.mark.parametrize("layers", [1, 2])
def test_in_use_the_mask_matters_from_the_second_layer_on(layers):
    """The last token may see all in any case; those before it, which it looks at, may not."""
    torch.manual_seed(0)
    stack = [EncoderLayer(16, 2, 32).double() for _ in range(layers)]
    masked = free = normal(1, 6, 16)
    for layer in stack:
        masked, free = layer(masked, causal_mask(6)), layer(free)
    same = torch.allclose(masked[:, -1], free[:, -1], rtol=0, atol=1e-10)
    assert same == (layers == 1)


def test_dropout_leaves_weights_that_no_longer_add_up():
    """Of five equal weights, dropout of 0.2 keeps each with a factor 1/0.8 = 1.25: 1 on average."""
    torch.manual_seed(0)
    sums = F.dropout(torch.full((10_000, 5), 0.2), 0.2).sum(1)
    assert torch.allclose(sums.unique(), torch.tensor([0.0, 0.25, 0.5, 0.75, 1.0, 1.25]))
    assert abs(sums.mean() - 1) < 0.01


def test_pytorch_returns_what_dropout_left():
    """With one key the weight is 1: in training PyTorch says 1.25 or 0, the library says 1."""
    torch.manual_seed(0)
    one, many = torch.randn(1, 1, 8), torch.randn(1, 200, 8)
    theirs = nn.MultiheadAttention(8, 1, dropout=0.2, batch_first=True)
    ours = MultiHeadAttention(8, 1, dropout=0.2)
    seen = Counter(round(w, 4) for w in theirs(many, one, one)[1].flatten().tolist())
    assert set(seen) == {0.0, 1.25}
    assert torch.equal(ours(many, one, one, return_weights=True)[1], torch.ones(1, 1, 200, 1))
    assert torch.equal(theirs.eval()(many, one, one)[1], torch.ones(1, 200, 1))


def test_a_cache_holds_no_future():
    """Word by word, with the keys and values kept, no mask is given, and the output is the same."""
    tokens = normal(1, 5, 8)
    scores = dot_product_scores(tokens, tokens)
    whole = masked_softmax(scores, causal_mask(5)) @ tokens
    for t in range(5):
        so_far = tokens[:, : t + 1]
        step = torch.softmax(dot_product_scores(tokens[:, t : t + 1], so_far), -1) @ so_far
        assert torch.allclose(step, whole[:, t : t + 1])


def test_one_query_of_many_is_asked_once():
    """Why queries are not kept: the next word's output needs every key, and its own query only."""
    tokens = normal(1, 5, 8)
    changed = tokens.clone()
    changed[:, :4] = normal(1, 4, 8, seed=1)  # other queries, before the last one
    last = attend(dot_product_scores(tokens, tokens), tokens)[0][:, -1]
    others = attend(dot_product_scores(changed, tokens), tokens)[0][:, -1]
    assert torch.allclose(last, others)
