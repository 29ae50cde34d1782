"""Pairs of sentences: from files, and from a grammar of our own that knows the alignments."""
