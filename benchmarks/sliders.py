"""How heavy the pages are and how fast their sliders: python -m benchmarks.sliders

Pages need the built site (python book/build.py) and a Chromium; `--kernel` leaves them out. Times
are medians. Those of pages say little on a busy machine; those of a kernel are processor time.
"""

import gzip
import statistics
import sys
import threading
import time
from pathlib import Path

import matplotlib.pyplot as plt
import torch
from playwright.sync_api import sync_playwright

from attention_lib import attend, explore, kernel_scores, show_heatmaps
from book.serve import open_server
from tests import browser as browsers

ROOT = Path(__file__).parents[1]
SITE = ROOT / "_build" / "site"

# From the event of a moved slider to the frame after the one that paints it.
MOVE = """async (slider) => {
  const times = [];
  for (let position = Number(slider.min); position <= Number(slider.max); position++) {
    const start = performance.now();
    slider.value = position;
    slider.dispatchEvent(new Event("input", {bubbles: true}));
    await new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
    times.push(performance.now() - start);
  }
  return times;
}"""


def measure_pages():
    with open_server(SITE, 0) as server, sync_playwright() as playwright:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        browser = playwright.chromium.launch(
            executable_path=browsers.find(), args=browsers.ARGUMENTS
        )
        for page in sorted(SITE.glob("*/[0-9]*.html")):
            name = page.relative_to(SITE).as_posix()
            tab = browser.new_page()
            tab.goto(f"http://127.0.0.1:{server.server_port}/{name}", wait_until="networkidle")
            times = [
                took
                for slider in tab.locator(".explore input").all()
                for took in slider.evaluate(MOVE)
            ]
            weight = len(gzip.compress(page.read_bytes())) / 1000
            print(
                f"{name}: {weight:.0f} KB gzipped; {len(times)} moves, "
                f"median {statistics.median(times):.0f} ms, worst {max(times):.0f} ms"
            )
            tab.close()
        browser.close()
        server.shutdown()


def draw_curve(width=1.0):
    keys = torch.linspace(0, 5, 50)[:, None]
    queries = torch.linspace(0, 5, 101)[:, None]
    figure, axis = plt.subplots(figsize=(6.4, 3.6))
    axis.plot(keys, keys.sin(), "o", label="data")
    axis.plot(queries, attend(kernel_scores(queries, keys, width), keys.sin())[0])
    axis.legend()
    return figure


SENTENCE = "the small cat doesn't sleep here . <eos>".split()


def draw_heads(temperature=1.0, first="the"):
    """Four heatmaps of eight by eight; with another ``first`` word, margins are not known yet."""
    scores = torch.randn(4, 8, 8, generator=torch.Generator().manual_seed(0))
    words = [first, *SENTENCE[1:]]
    return show_heatmaps(
        (scores / temperature).softmax(dim=-1),
        query_labels=words,
        key_labels=words,
        titles=[f"head {head}" for head in range(1, 5)],
        largest=1.0,
    )


def measure_kernel():
    """What a kernel does between two positions; the messages to and fro come on top."""
    steps = [0.1 * step for step in range(1, 21)]
    words = ["the", *(f"the{n}" for n in range(19))]
    for what, explorer in {
        "a curve": explore(draw_curve, width=steps),
        "four heatmaps": explore(draw_heads, temperature=steps),
        "four heatmaps with new labels": explore(draw_heads, first=words),
    }.items():
        slider = explorer.widget().children[-1]
        times = []
        for position in range(20):
            start = time.process_time()
            slider.index = position
            times.append(time.process_time() - start)
        print(f"with a kernel, {what}: {1000 * statistics.median(times):.0f} ms to the new picture")


if __name__ == "__main__":
    torch.set_num_threads(1)
    if "--kernel" not in sys.argv:
        measure_pages()
    measure_kernel()
