"""Derive the settings of each edition from the two lists at the root of the repository.

``_config.yml`` and ``_toc.yml`` describe the Chinese edition as a plain ``jupyter-book build .``
reads them. An edition's own build has ``book/<edition>`` as its source folder, so that its
addresses are short, and therefore needs a table of contents without that prefix and absolute
paths to everything outside.
"""

import copy
from pathlib import Path

import yaml

ROOT = Path(__file__).resolve().parents[1]


def derive():
    """Return ``{edition: (config, toc)}``, both as YAML text."""
    config = yaml.safe_load((ROOT / "_config.yml").read_text(encoding="utf-8"))
    toc = (ROOT / "_toc.yml").read_text(encoding="utf-8").replace("book/zh/", "")
    changes = config.pop("editions")
    configs = {edition: merge(config, change) for edition, change in changes.items()}
    described = {
        edition: {"name": own.pop("name"), "lang": language(own).replace("_", "-")}
        for edition, own in configs.items()
    }
    for edition, own in configs.items():
        own["repository"]["path_to_book"] = f"book/{edition}"
        own["bibtex_bibfiles"] = [str(ROOT / path) for path in own["bibtex_bibfiles"]]
        local = own["sphinx"]["local_extensions"]
        local.update({extension: str(ROOT / path) for extension, path in local.items()})
        # Warnings are errors in this build: every failing page is to be reported, with its cell.
        own["execute"] |= {"raise_on_error": False, "show_tb": True}
        own["sphinx"]["config"] |= {"edition": edition, "editions": described}
    return {edition: (dump(own), toc) for edition, own in configs.items()}


def language(config):
    return config["sphinx"]["config"]["language"]


def merge(base, changes):
    """Return ``base`` with ``changes`` in the places where they stand; neither is altered."""
    merged = copy.deepcopy(base)
    for key, value in changes.items():
        merged[key] = merge(merged.get(key, {}), value) if isinstance(value, dict) else value
    return merged


def dump(config):
    return yaml.safe_dump(config, allow_unicode=True, sort_keys=True)
