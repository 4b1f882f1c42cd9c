"""Battles that are handed over: to a book of battles, or to people at a table (9.4).

Where a campaign's battles are handed over, a combat waits for its report once it has been declared.
What is reported then takes the place of the campaign's own dice, and of them alone: capture,
retreat, leaders and the rest of the march follow as ever.
"""

import re
from collections.abc import Sequence
from functools import partial

import msgspec

from battles.contract.brief import Troop
from battles.contract.report import Fate, Report, Unfit, conserve
from battles.core.game import IllegalAction, Step
from battles.core.ledger import Ledger
from campaign.rules import actions as a
from campaign.rules import events as e
from campaign.rules.board import is_land, laws
from campaign.rules.combat.briefs import brief_of, present
from campaign.rules.combat.capture import capture, take
from campaign.rules.combat.procedure import by_table, conclude
from campaign.rules.losses import disrupt, remove
from campaign.rules.map import HexId
from campaign.rules.pieces import CANNOT_MELEE, Side, UnitId
from campaign.rules.questions import ToFight
from campaign.rules.stacking import fire_factor, melee_factor
from campaign.rules.state import BY_HAND, TABLE, Force, HandOff, State, Unit, asked, fought

HOPELESS = 10
"""Odds at which nobody takes the field: the campaign's own table settles it."""
LONGEST = 60
"""Days a battle may wait."""
_BOOK = re.compile(r"[a-z0-9][a-z0-9-]{0,39}")


def hand_over(ledger: Ledger[State]) -> None:
    """The combat waits for its report; one that nobody would fight out goes on by the table."""
    state = ledger.state
    arranged = state.hand_off
    if arranged is None or is_hopeless(state):
        ledger.then(*by_table(state.side))
        return
    brief = brief_of(state)
    ledger.emit(e.HandedOver(brief.id))
    ledger.ask(ToFight(state.side, brief, arranged.way))


def is_hopeless(state: State) -> bool:
    """Whether one side of the combat has nobody who can fight, or is hopelessly outnumbered."""
    combat = fought(state)
    weak, strong = sorted(_might(state, force) for force in (combat.attacker, combat.defender))
    return weak * HOPELESS < strong or not weak


def _might(state: State, force: Force) -> float:
    law = laws(state)
    land = [unit for unit in present(state, force) if is_land(unit)]
    return sum(max(fire_factor(law, unit), melee_factor(law, unit)) for unit in land)


def check_fight(state: State, action: a.Fight) -> None:
    """Whether there is such a way to fight a battle out."""
    asked(state, ToFight)
    check_way(action.by)


def fight(ledger: Ledger[State], action: a.Fight) -> None:
    """By the table the combat goes on at once; by anything else it waits for that."""
    question = asked(ledger.state, ToFight)
    if action.by == TABLE:
        ledger.then(*by_table(question.side))
    else:
        ledger.ask(msgspec.structs.replace(question, by=action.by))


def check_report(state: State, action: a.Reported) -> None:
    """Whether the report is of this battle and adds up; IllegalAction says what does not."""
    brief = asked(state, ToFight).battle
    try:
        conserve(brief, action.report)
    except Unfit as unfit:
        remedy = "Give every unit of the battle one fate it can have."
        raise IllegalAction("9.4", str(unfit), remedy) from unfit
    winner = action.report.winner
    if winner is not None and _is_wiped_out(brief.party(winner).troops, action.report):
        raise IllegalAction(
            "9.8",
            f"The {winner} side cannot have won: nobody of it is left.",
            "Without a winner the battle is drawn.",
        )


def _is_wiped_out(troops: Sequence[Troop], report: Report) -> bool:
    gone = (Fate.ELIMINATED, Fate.CAPTURED)
    fighting = [one for one in troops if one.kind not in CANNOT_MELEE]
    return all(report.fates[one.id] in gone for one in fighting)


def report(ledger: Ledger[State], action: a.Reported) -> None:
    """What the battle has cost, as it was reported; then the combat is settled (9.7 to 9.9)."""
    told = action.report
    ledger.emit(e.Fought(told.brief, told.book, _side(told.winner), told.ending, told.turns))
    captured = _with_fate(told, Fate.CAPTURED)
    ledger.then(Step("settle battle", (_side(told.winner) or "", *captured)))
    hurt = [ledger.state.units[number] for number in _with_fate(told, Fate.DISRUPTED)]
    disrupt(ledger, [unit.id for unit in hurt if not unit.disrupted], "combat")
    remove(ledger, [*_with_fate(told, Fate.ELIMINATED), *captured], "combat")


def _side(winner: Side | None) -> Side | None:
    return None if winner is None else Side(winner)


def _with_fate(told: Report, fate: Fate) -> list[UnitId]:
    return sorted(UnitId(number) for number, has in told.fates.items() if has is fate)


def settle(ledger: Ledger[State], winner: str, *captured: UnitId) -> None:
    """Retreat, capture and the end of the march after a battle that was handed over.

    Where the report names what was captured nobody throws for it (9.9).
    """
    taking = partial(_take_named, frozenset(captured)) if captured else capture
    conclude(ledger, Side(winner) if winner else None, taking)


def _take_named(
    named: frozenset[UnitId], ledger: Ledger[State], destroyed: Sequence[Unit], at: HexId
) -> None:
    take(ledger, [unit for unit in destroyed if unit.id in named], at)


def arrangement(way: str) -> HandOff | None:
    """How battles are fought from the beginning of a campaign; None by its own table.

    Raises IllegalAction for what cannot be a way.
    """
    check_way(way)
    return None if way == TABLE else HandOff(way)


def check_arrangement(state: State | None, action: a.HandOver) -> None:
    """Whether battles can be fought like that."""
    check_way(action.way)
    check_way(action.fallback)
    if action.fallback == BY_HAND:
        raise IllegalAction(
            "9.4",
            "A battle that nobody has fought by hand in time cannot wait to be fought by hand.",
            "Let it be fought by the table, or by a book.",
        )
    if not 0 <= action.days <= LONGEST:
        raise IllegalAction("9.4", f"A battle waits from 0 to {LONGEST} days.", "Choose so many.")


def arrange(ledger: Ledger[State], action: a.HandOver) -> None:
    """From now on battles are fought like that; one that is open already stays as it is."""
    ledger.emit(e.BattlesArranged(action.way, action.fallback, action.days, action.signed))


def check_way(way: str) -> None:
    """IllegalAction for what cannot be the name of a way to fight a battle."""
    if way != BY_HAND and not _BOOK.fullmatch(way):
        raise IllegalAction(
            "9.4",
            f"{way!r} is no way to fight a battle.",
            f"Name a book of battles, {TABLE!r} or {BY_HAND!r}.",
        )
