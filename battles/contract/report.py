"""The report of a battle with the events all books share, and the check that it adds up."""

from enum import StrEnum
from typing import Annotated, Any

import msgspec

from battles.contract.brief import AFLOAT, Brief, Side, Troop, TroopKind
from battles.core.decoding import none_is
from battles.core.game import Event
from battles.core.validation import hidden_characters_in

# The events that all books share, and the result of a battle.


class BattleResult(msgspec.Struct, frozen=True, omit_defaults=True):
    """The result of a battle; `winner` is None for a draw.

    `how` is "destroyed", "broke off", "nightfall", "objective", "cards" or "second joker", as far
    as the book has such an end.
    """

    winner: Side | None
    how: str
    reason: str


class BattleEnded(Event, frozen=True):
    """The battle is over."""

    result: BattleResult


class Corrected(Event, frozen=True):
    """The umpire has corrected a unit: `now` is its new value, or it is removed with nothing left.

    Each book narrows `now` to its own units in a subclass of this name.
    """

    unit: int
    now: Any


# The report of a battle, and the check that it accounts for every unit.


TAKEN = frozenset(
    {TroopKind.GUN, TroopKind.INFANTRY, TroopKind.ENGINEERS, TroopKind.NAVAL, TroopKind.CAMEL_CORPS}
)
"""The units that the Mahdists may capture when they destroy them: guns and rifles (9.9)."""


class Fate(StrEnum):
    """The fate of a unit; a leader is in good order or eliminated."""

    GOOD = "good order"
    DISRUPTED = "disrupted"
    ELIMINATED = "eliminated"
    CAPTURED = "captured"


class SideResult(StrEnum):
    WON = "won"
    LOST = "lost"
    DREW = "drew"


class Report(msgspec.Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """The result of a battle: the fate of every unit of the brief by its number, and the winner.

    `book` is the book's slug ("redcoats"), "combat-table" or "tabletop"; `ending` says in words why
    it was over, `turns` after how many, if counted. `winner` is None where nobody has won.
    """

    battle: Annotated[str, msgspec.Meta(max_length=100)]
    book: Annotated[str, msgspec.Meta(max_length=40)]
    fates: dict[int, Fate]
    winner: Side | None = None
    ending: Annotated[str, msgspec.Meta(max_length=300)] = ""
    turns: Annotated[int, msgspec.Meta(ge=0, le=1000), none_is(0)] = 0

    def standing(self, side: Side) -> SideResult:
        """Return whether that side has won, lost or drawn (9.8)."""
        if self.winner is None:
            return SideResult.DREW
        return SideResult.WON if self.winner is side else SideResult.LOST


class Unfit(ValueError):
    """A report that does not fit its battle; the message lists every fault."""


def conserve(brief: Brief, report: Report) -> None:
    """Check that the report accounts for every unit of the brief exactly once.

    Raises Unfit, which names every unit that is missing, unknown or has an impossible fate.
    """
    faults = list(_faults(brief, report))
    if faults:
        raise Unfit(" ".join(faults))


def _faults(brief: Brief, report: Report) -> list[str]:
    if report.battle != brief.id:
        return [f"This is a report of the battle {report.battle}, not of {brief.id}."]
    troops = {troop.id: troop for troop in brief.troops()}
    missing = [_label(troop) for number, troop in troops.items() if number not in report.fates]
    unknown = [str(number) for number in report.fates if number not in troops]
    faults = []
    if hidden := hidden_characters_in(report.ending):
        faults.append(f"The reason contains the invisible character {hidden}.")
    if missing:
        faults.append(f"Nothing is said of {', '.join(missing)}.")
    if unknown:
        faults.append(f"No unit {', '.join(unknown)} was in the battle.")
    for number, fate in report.fates.items():
        if number in troops:
            faults += _impossible(troops[number], fate, report)
    return faults


def _impossible(troop: Troop, fate: Fate, report: Report) -> list[str]:
    if troop.disrupted and fate is Fate.GOOD and troop.kind not in AFLOAT:
        return [f"{_label(troop)} was disrupted before; it recovers in the campaign alone (9.7)."]
    if fate is not Fate.GOOD and troop.kind is TroopKind.FLEET:
        return [f"{_label(troop)} lies out of reach; nothing can happen to it (8.25)."]
    if fate is Fate.DISRUPTED and troop.kind is TroopKind.LEADER:
        return [f"{_label(troop)} is a leader, and leaders are not disrupted (7.2)."]
    if fate is Fate.CAPTURED and not _can_be_captured(troop, report.winner):
        reason = "guns and rifles are taken, where the Mahdists have won (9.9)"
        return [f"{_label(troop)} cannot be captured: {reason}."]
    return []


def _can_be_captured(troop: Troop, winner: Side | None) -> bool:
    return troop.kind in TAKEN and troop.nation.side is not winner and winner is Side.MAHDIST


def _label(troop: Troop) -> str:
    name = (
        troop.name or f"{troop.nation} {troop.kind} {troop.strength or ''}{troop.quality}".strip()
    )
    return f"{name} (unit {troop.id})"
