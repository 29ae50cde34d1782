"""The sliders of ``explore`` where a kernel runs: core ipywidgets only.

``SelectionSlider``, ``Image`` and ``HTML`` are in ipywidgets from 7.7 (Colab's) to 8, and need
no widget manager of their own.
"""

import html

from attention_lib.figures import player


def widget(explorer, first):
    """A column of sliders and the picture that follows them.

    An exception in ``draw`` is shown under the sliders; the picture stays as it was, and the
    next move draws again.
    """
    import ipywidgets

    picture = ipywidgets.Image(format="png", layout={"max_width": "100%", "width": "560px"})
    words = ipywidgets.HTML()
    sliders = {
        name: ipywidgets.SelectionSlider(
            options=list(by_label.items()),
            value=explorer.start[name],
            description=explorer.labels[name],
            style={"description_width": "initial"},
            layout={"width": "auto", "max_width": "560px"},
        )
        for name, by_label in explorer.choices.items()
    }

    def show(frame):
        picture.value = frame.picture
        words.value = f"<p>{html.escape(frame.note)}</p>" if frame.note else ""
        if frame.tables:
            words.value += (
                f"<details><summary>{html.escape(explorer.table)}</summary>"
                f"{player.tables_html(frame.tables)}</details>"
            )

    def redraw(_):
        try:
            show(explorer.frame({name: slider.value for name, slider in sliders.items()}, "png"))
        except Exception as error:
            words.value = f'<pre role="alert" style="color: #c00">{html.escape(str(error))}</pre>'

    for slider in sliders.values():
        slider.observe(redraw, "value")
    show(first)
    return ipywidgets.VBox([picture, words, *sliders.values()])
