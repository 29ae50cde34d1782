# `docker build --tag attention .`, then `docker run --rm --security-opt seccomp=unconfined attention`
# checks everything. (Docker's filter of system calls forbids the sandbox in which coursework is
# marked.)

# What `make` takes: all of .devcontainer, where the repository is mounted.
FROM python:3.11-slim-bookworm AS tools
RUN apt-get update \
    && DEBIAN_FRONTEND=noninteractive \
       apt-get install --yes --no-install-recommends bubblewrap chromium-headless-shell git libseccomp2 make \
    && rm -rf /var/lib/apt/lists/*
# JupyterLab refuses to run as root.
RUN useradd --create-home --shell /bin/bash reader && install --directory --owner=reader /book
USER reader
# PyTorch's CPU build instead of several gigabytes.
ENV PIP_EXTRA_INDEX_URL=https://download.pytorch.org/whl/cpu

FROM tools
WORKDIR /book
COPY --chown=reader . .
RUN PIP_NO_CACHE_DIR=1 make .venv/installed
# Here a missing browser is a failure, not a reason to skip what needs one.
ENV CI=true
CMD ["make", "test"]
