"""'Eres to You Fuzzy Wuzzy: battles of the Sudan on an open table, a book like any other."""

from battles.books.fuzzy_wuzzy.engine import engine

__all__ = ["engine"]
