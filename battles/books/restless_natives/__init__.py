"""Restless Natives: a book for battles on an open table, measured in inches."""
