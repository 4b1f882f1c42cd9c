"""The one signal that goes up: whoever has handed a battle over hears of its report."""

from django.dispatch import Signal

battle_reported = Signal()
"""Sent on commit with `battle`, whose report stands. It may be sent twice for the same battle."""
