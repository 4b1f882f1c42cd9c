"""Redcoats and Dervishes in sentences."""

from battles.books.redcoats.muster_roll import muster_roll
from battles.books.redcoats.tale import Tale, begins_turn

__all__ = ["Tale", "begins_turn", "muster_roll"]
