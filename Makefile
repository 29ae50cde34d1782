# `make` alone lists what there is to make. Options of pip pass through, for instance
#   make book PIP_EXTRA_INDEX_URL=<address of an index with PyTorch's CPU builds>

.DEFAULT_GOAL := help
.PHONY: help book test lab clean

VENV := .venv
PORT := 8000
# One more than there are cores: tests in a browser wait much of their time.
WORKERS := $(shell echo $$(($$(getconf _NPROCESSORS_ONLN) + 1)))

help: ## list these targets
	@awk -F ':.*## ' '/^[a-z]+:.*## / {printf "  make %-6s %s\n", $$1, $$2}' Makefile

book: $(VENV)/installed ## build both editions and serve them (PORT=8000)
	@$(VENV)/bin/python book/build.py --serve --port $(PORT)

test: $(VENV)/installed ## check everything: style, library, notebooks, site in a browser
	$(VENV)/bin/ruff check .
	$(VENV)/bin/ruff format --check .
	$(VENV)/bin/python tests/browser.py
	$(VENV)/bin/python -m pytest --numprocesses $(WORKERS) --maxprocesses 4

lab: $(VENV)/installed ## open the notebooks in JupyterLab
	$(VENV)/bin/jupyter lab book

clean: ## remove what was built, keep the environment
	rm -rf _build

# Written last, so that an installation that broke off is taken up again.
$(VENV)/installed: requirements.txt pyproject.toml
	@for python in python3.11 python3 python3.12 python3.13; do \
	  "$$python" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && break; \
	  python=; \
	done; \
	test "$$python" || { echo "Python 3.11 or later is needed, found none on the PATH." >&2; exit 1; }; \
	rm -f $@ && "$$python" -m venv $(VENV)
	$(VENV)/bin/python -m pip install --disable-pip-version-check -r requirements.txt
	$(VENV)/bin/python -m pip install --disable-pip-version-check --no-deps -e .
	@touch $@
