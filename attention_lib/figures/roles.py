"""One colour for each role, in diagrams, plots and heatmaps alike.

The colours are told apart by readers who are colour-blind (after Okabe and Ito, 2008). None of
them carries a meaning alone: there is always a letter or a word, too.
"""

ROLES = {
    "query": "#0072B2",
    "key": "#B87A00",
    "value": "#00805C",
    "weight": "#C2410C",
    "output": "#A3478A",
}
# The same on a dark ground.
ROLES_ON_DARK = {
    "query": "#56B4E9",
    "key": "#E69F00",
    "value": "#2FC79A",
    "weight": "#FF7A45",
    "output": "#E58FC4",
}
