"""The look of diagrams: colours by role, in the light and the dark themes of all places."""

from math import ceil

from attention_lib.figures.diagrams.letters import FONT_SIZE, Number
from attention_lib.figures.roles import ROLES, ROLES_ON_DARK

# The dark themes of the site, of JupyterLab, of Colab and of VS Code.
DARK = (
    "[data-theme=dark]",
    "[data-jp-theme-light=false]",
    "html[theme=dark]",
    ".vscode-dark",
)
SMALLEST = 11  # pixels, the size of a letter that can still be read


def _colours(roles: dict[str, str], where: str) -> str:
    rules = (f"{where} .{role}{{--role:{colour}}}" for role, colour in roles.items())
    return "".join(rules)


_SHAPES = f"""
.diagram .plain{{--role:currentColor}}
.diagram svg,svg.diagram{{display:block;width:100%;height:auto;margin:auto;fill:currentColor}}
.diagram text{{font:{FONT_SIZE}px system-ui,sans-serif;fill:currentColor}}
.diagram .num{{font-variant-numeric:tabular-nums}}
.diagram .name text{{fill:var(--role);font-weight:600}}
.diagram .words{{opacity:.8}}
.diagram .box{{fill:var(--role);fill-opacity:.14;stroke:var(--role);stroke-width:1.2}}
.diagram .plain .box{{fill-opacity:.04;stroke-opacity:.5}}
.diagram .ink,.diagram .none{{fill:var(--role);stroke:var(--role);stroke-width:1}}
.diagram .none{{fill:none;stroke-opacity:.5}}
.diagram .cross{{stroke:currentColor;stroke-opacity:.35;fill:none}}
.diagram .full{{fill:var(--role);opacity:.75}}
.diagram .frame{{fill:none;stroke:currentColor;stroke-opacity:.4;stroke-dasharray:4 4}}
.diagram .faint{{fill:none;stroke:currentColor;stroke-opacity:.25}}
.diagram .line{{fill:none;stroke:currentColor;stroke-opacity:.5;stroke-width:1.4}}
.diagram path{{stroke-linejoin:round}}
.diagram .head{{fill:currentColor;fill-opacity:.6}}
.diagram .dim{{opacity:.35}}
.diagram a:is(:hover,:focus-visible) .box{{stroke-width:3}}
"""

# On a page. A container, as a cell of a notebook may be narrower than the window.
_PAGE = (
    _colours(ROLES, ".diagram")
    + "".join(_colours(ROLES_ON_DARK, f"{theme} .diagram") for theme in DARK)
    + _SHAPES
    + ".diagram{container-type:inline-size;margin:1rem 0}.diagram .narrow{display:none}"
    # A link reads like the other words of the drawing, underlined.
    + ".diagram a{color:inherit;text-decoration:underline}"
    # The site's theme puts a light card behind what a cell displays in the dark.
    + "html[data-theme=dark] .bd-content div.cell_output .text_html:has(div.diagram)"
    + "{background:none;color:inherit;padding:0}"
    + f"@media print{{{_colours(ROLES, '.diagram.diagram')}}}"
)


def least_width(width: Number) -> int:
    """The width of a column, in pixels, from which on a drawing can be read in it."""
    return ceil(width * SMALLEST / FONT_SIZE)


def on_page(width: Number) -> str:
    """The rules for a page, which shows a drawing of this width where there is room for it.

    Elsewhere it shows the other layout, in the element that is named after the least width.
    """
    least = least_width(width)
    return (
        _PAGE
        + f"@container (max-width:{least - 1}px){{.diagram .from-{least} .wide{{display:none}}"
        + f".diagram .from-{least} .narrow{{display:block}}}}"
    )


# In a file of its own, where nothing but the system says which theme it is.
ALONE = (
    _colours(ROLES, ".diagram")
    + _SHAPES
    + "svg{color:#1f2328}@media (prefers-color-scheme:dark){svg{color:#e6edf3}"
    + _colours(ROLES_ON_DARK, ".diagram")
    + "}"
)


def style(rules: str) -> str:
    return f"<style>{rules.replace(chr(10), '')}</style>"
