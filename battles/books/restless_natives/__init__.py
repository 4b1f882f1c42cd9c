"""Restless Natives: battles of the Sudan in inches on an open table, a book like any other."""

from battles.books.restless_natives.engine import engine

__all__ = ["engine"]
