"""All writes to battles; pages and the REST interface import them from here."""

from battles.history.journal import Damaged, Refused, Stale
from battles.services.act import NotYours, act
from battles.services.fights import (
    NewFight,
    accept,
    begin_fight,
    correct,
    finish,
    finish_late,
    lead,
    may_undo,
    pause,
    rewind,
    stand_in,
    take_up,
    undo,
)
from battles.services.proof import BattleProof, verify_battle
from battles.services.record import (
    NOBODY,
    BattleRequest,
    call_off,
    create_waiting_battle,
    record,
    record_table_report,
    start,
)
from battles.services.tabletop_result import take_report
from battles.services.thrown import (
    BegunBattle,
    SideThrow,
    begin_thrown,
    generating_books,
    read_throw,
    throw_for_sides,
)
from battles.services.turn_notices import NoticeKind, Span, TurnNotice, due_notices, mark_sent

__all__ = [
    "NOBODY",
    "BattleProof",
    "BattleRequest",
    "BegunBattle",
    "Damaged",
    "NewFight",
    "NotYours",
    "NoticeKind",
    "Refused",
    "SideThrow",
    "Span",
    "Stale",
    "TurnNotice",
    "accept",
    "act",
    "begin_fight",
    "begin_thrown",
    "call_off",
    "correct",
    "create_waiting_battle",
    "due_notices",
    "finish",
    "finish_late",
    "generating_books",
    "lead",
    "mark_sent",
    "may_undo",
    "pause",
    "read_throw",
    "record",
    "record_table_report",
    "rewind",
    "stand_in",
    "start",
    "take_report",
    "take_up",
    "throw_for_sides",
    "undo",
    "verify_battle",
]
