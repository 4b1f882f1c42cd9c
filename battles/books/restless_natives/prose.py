"""Restless Natives in sentences."""

from battles.books.restless_natives.muster_roll import muster_roll
from battles.books.restless_natives.tale import Tale, begins_turn

__all__ = ["Tale", "begins_turn", "muster_roll"]
