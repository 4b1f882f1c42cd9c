"""Restless Natives: battles of the Sudan in inches on an open table, a book like any other."""
