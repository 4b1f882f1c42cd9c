"""What changes battles: every change goes through one of these."""

from battles.journal import Damaged, Refused
from battles.services.record import call_off, fought, handed_over, record

__all__ = ["Damaged", "Refused", "call_off", "fought", "handed_over", "record"]
