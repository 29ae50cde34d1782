"""The folder of a course: who takes it, and what lies where."""
