"""The forms in which players answer the questions of a battle, for every book."""
