"""Coursework: assignments, and a checker that marks them without trusting what is handed in."""
