"""The signal that a battle has a report."""

from django.dispatch import Signal

battle_reported = Signal()
"""Sent on commit with `battle`, which has its report. May be sent twice for a battle."""
