"""Restless Natives in sentences."""

from battles.english.restless.muster_roll import muster_roll
from battles.english.restless.tale import Tale, begins_turn

__all__ = ["Tale", "begins_turn", "muster_roll"]
