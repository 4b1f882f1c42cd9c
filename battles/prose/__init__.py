"""Battles in sentences: the narrative and the roster that all books share."""
