"""Redcoats and Dervishes in sentences."""

from battles.english.redcoats.muster_roll import muster_roll
from battles.english.redcoats.tale import Tale, begins_turn

__all__ = ["Tale", "begins_turn", "muster_roll"]
