"""A scenario that the program does not ship, as data alone."""
