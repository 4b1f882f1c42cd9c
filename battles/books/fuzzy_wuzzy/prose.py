"""'Eres to You Fuzzy Wuzzy in sentences."""

from battles.books.fuzzy_wuzzy.muster_roll import muster_roll
from battles.books.fuzzy_wuzzy.tale import Tale, begins_turn

__all__ = ["Tale", "begins_turn", "muster_roll"]
