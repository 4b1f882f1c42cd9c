"""What changes battles: every change goes through one of these."""

from battles.journal import Damaged, Refused
from battles.services.from_table import take_report
from battles.services.proof import Proof, verify_battle
from battles.services.record import NOBODY, Asked, call_off, fought, handed_over, record
from battles.services.start import start

__all__ = [
    "NOBODY",
    "Asked",
    "Damaged",
    "Proof",
    "Refused",
    "call_off",
    "fought",
    "handed_over",
    "record",
    "start",
    "take_report",
    "verify_battle",
]
