"""Diagrams of the course: one visual language, with the numbers of the example at hand."""
