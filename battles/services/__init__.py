"""What changes battles: every change goes through one of these."""

from battles.journal import Damaged, Refused, Stale
from battles.services.act import NotYours, act
from battles.services.fights import (
    Wanted,
    accept,
    begin_fight,
    correct,
    finish,
    finish_late,
    lead,
    pause,
    stand_in,
    take_back,
    take_up,
)
from battles.services.from_table import take_report
from battles.services.proof import Proof, verify_battle
from battles.services.record import NOBODY, Asked, call_off, fought, handed_over, record
from battles.services.start import start
from battles.services.turns import About, Span, Word, note, words

__all__ = [
    "NOBODY",
    "About",
    "Asked",
    "Damaged",
    "NotYours",
    "Proof",
    "Refused",
    "Span",
    "Stale",
    "Wanted",
    "Word",
    "accept",
    "act",
    "begin_fight",
    "call_off",
    "correct",
    "finish",
    "finish_late",
    "fought",
    "handed_over",
    "lead",
    "note",
    "pause",
    "record",
    "stand_in",
    "start",
    "take_back",
    "take_report",
    "take_up",
    "verify_battle",
    "words",
]
