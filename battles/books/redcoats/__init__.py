"""Redcoats and Dervishes: battles of the Sudan on a gridded field, a book like any other."""
