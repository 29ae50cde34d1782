"""From what was handed in to marks, for a class at once."""
