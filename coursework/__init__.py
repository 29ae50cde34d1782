"""Coursework: assignments, and a checker that marks them without trusting what is handed in.

In rooms, each of which imports only from those above it:

    questions       cases, how answers are judged, and what passes through the wall
    practice        the checks that students install, and the packing of a package to hand in
    assignments     what is asked for marks, with solutions and known mistakes
    exercises       what sections of the book ask, for no marks
    sandbox         the walls, and the process behind them
    course          the folder of a course, its roster and its database
    handing_out     what students get, and the search for what they should not
    handed_in       what students hand in, told apart and read
    marking         marks, for one submission and for a class
    reports         gradebook, feedback, and tables

Students install ``questions`` and ``practice``, and no more.
"""
