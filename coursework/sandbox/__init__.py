"""Where a student's code runs: walls around a process that is not trusted."""
