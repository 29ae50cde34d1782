"""How often do several heads find a division of labour? python benchmarks/two_questions.py

The task of Section 5: in a line of ten letters, each letter says which one stands before it and
which one is the capital. One layer of attention and a linear read-out, with the same width cut
into 1, 2, 4 or 8 heads: the same number of parameters each time.
"""

import argparse

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from attention_lib import MultiHeadAttention
from benchmarks.translation import spread

LENGTH, LETTERS, D_MODEL = 10, 8, 32
HEADS = (1, 2, 4, 8)


class Reader(nn.Module):
    def __init__(self, heads: int):
        super().__init__()
        self.letter = nn.Embedding(LETTERS, D_MODEL)
        self.case = nn.Embedding(2, D_MODEL)
        self.place = nn.Embedding(LENGTH, D_MODEL)
        self.attention = MultiHeadAttention(D_MODEL, heads)
        self.answers = nn.Linear(D_MODEL, 2 * LETTERS)

    def forward(self, letters: Tensor, capital: Tensor) -> Tensor:
        case = self.case(F.one_hot(capital, LENGTH))
        x = self.letter(letters) + case + self.place.weight
        return self.answers(self.attention(x, x, x)[:, 1:]).unflatten(-1, (2, LETTERS))


def lines(count: int, generator: torch.Generator) -> tuple[Tensor, Tensor, Tensor]:
    """Letters, the place of the capital, and the right answers ``(count, LENGTH - 1, 2)``."""
    letters = torch.randint(LETTERS, (count, LENGTH), generator=generator)
    capital = torch.randint(LENGTH, (count,), generator=generator)
    before = letters[:, :-1]
    far = letters.gather(1, capital[:, None]).expand_as(before)
    return letters, capital, torch.stack([before, far], dim=-1)


def right_after_training(heads: int, seed: int, steps: int = 250) -> tuple[float, float]:
    """The shares of right answers to both questions, the better one first."""
    torch.manual_seed(seed)
    model = Reader(heads)
    optimizer = torch.optim.Adam(model.parameters(), lr=0.01, fused=True)
    generator = torch.Generator().manual_seed(seed)
    for _ in range(steps):
        letters, capital, answers = lines(64, generator)
        loss = F.cross_entropy(model(letters, capital).flatten(0, 2), answers.flatten())
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    letters, capital, answers = lines(500, torch.Generator().manual_seed(1000))
    with torch.no_grad():
        right = (model(letters, capital).argmax(dim=-1) == answers).float().mean(dim=(0, 1))
    worst, best = sorted(right.tolist())
    return best, worst


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seeds", type=int, default=20, help="how many (default: %(default)s)")
    count = parser.parse_args().seeds
    torch.set_num_threads(1)
    print(f"{count} seeds: median (range) of the right answers in %, worse question")
    for heads in HEADS:
        worst = [100 * right_after_training(heads, seed)[1] for seed in range(count)]
        print(
            f"{heads} heads  {spread(worst, digits=1)}"
            f"  both questions over 95 %: {sum(share > 95 for share in worst)} of {count}",
            flush=True,
        )


if __name__ == "__main__":
    main()
