"""The sliders of ``explore`` where a kernel runs: core ipywidgets only.

``SelectionSlider``, ``Image`` and ``HTML`` are in ipywidgets from 7.7 (Colab's) to 8, and need
no widget manager of their own.
"""

from collections.abc import Callable, Sequence
from html import escape

from attention_lib.figures.sliders import Frame, Slider
from attention_lib.figures.tables import tables_html


def widget(
    sliders: Sequence[Slider],
    first: Frame,
    draw: Callable[[tuple[int, ...]], Frame],
    *,
    table: str = "",
):
    """A column of sliders and the picture that follows them.

    An exception in ``draw`` is shown under the sliders; the picture stays as it was, and the
    next move draws again.

    Args:
        sliders: from top to bottom.
        first: the frame of the positions that the sliders start from, a PNG.
        draw: takes the sliders' positions and returns their frame, a PNG.
        table: the heading of the tables; nothing unfolds where the frames have none.

    Returns:
        An ``ipywidgets.VBox`` of the picture, the words under it and the sliders.
    """
    import ipywidgets

    picture = ipywidgets.Image(format="png", layout={"max_width": "100%", "width": "560px"})
    words = ipywidgets.HTML()
    handles = [
        ipywidgets.SelectionSlider(
            options=slider.choices,
            index=slider.start,
            description=slider.label,
            style={"description_width": "initial"},
            layout={"width": "auto", "max_width": "560px"},
        )
        for slider in sliders
    ]

    def show(frame):
        picture.value = frame.picture
        words.value = f"<p>{escape(frame.note)}</p>" if frame.note else ""
        if frame.tables:
            words.value += (
                f"<details><summary>{escape(table)}</summary>{tables_html(frame.tables)}</details>"
            )

    def redraw(_):
        try:
            show(draw(tuple(handle.index for handle in handles)))
        except Exception as error:
            words.value = f'<pre role="alert" style="color: #c00">{escape(str(error))}</pre>'

    for handle in handles:
        handle.observe(redraw, "index")
    show(first)
    return ipywidgets.VBox([picture, words, *handles])
