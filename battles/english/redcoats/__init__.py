"""Redcoats and Dervishes in sentences."""

from battles.english.redcoats.names import described, leader_name, unit_name
from battles.english.redcoats.tale import Tale

__all__ = ["Tale", "described", "leader_name", "unit_name"]
