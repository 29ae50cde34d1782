"""What becomes of the marks: gradebook, feedback, tables for learning platforms."""
