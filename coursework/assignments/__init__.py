"""The assignments, one per file: questions, solutions, cases, and the mistakes that are known."""
