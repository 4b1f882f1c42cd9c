"""Hand-off of a combat as a battle: to a book, or to players at a table (9.4).

The combat becomes a brief: who meets whom, on what ground, from which side. It then waits for its
report, which replaces the campaign's own dice of the combat and nothing else: capture, retreat,
leaders and the rest of the march follow as usual.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from math import atan2, degrees

import msgspec

from battles.contract.brief import (
    CANNOT_MELEE,
    Bearing,
    Brief,
    BriefGround,
    Party,
    Side,
    Troop,
    TroopKind,
)
from battles.contract.report import Fate, Report, Unfit, conserve
from battles.core.game import IllegalAction, Ledger, Step
from campaign.rules.combat.losses import capture, take
from campaign.rules.combat.procedure import by_table, conclude
from campaign.rules.core import actions as a
from campaign.rules.core import events as e
from campaign.rules.core.board import board, chart, is_land, laws
from campaign.rules.core.pieces import UnitId, month_slug
from campaign.rules.core.questions import ToFight
from campaign.rules.core.state import (
    COMBAT_TABLE,
    TABLETOP,
    Combat,
    CombatForce,
    HandOff,
    State,
    Unit,
    current_combat,
    open_question,
    player_turn,
)
from campaign.rules.map import GroundClass as Yield
from campaign.rules.map import HexId, Nav
from campaign.rules.stacks import able_to_lead, countable_units, fire_factor, melee_factor
from campaign.rules.unit_losses import disrupt, remove

DUG_IN = 2
"""Player turns without a move before a zariba is built: one of each side, a month."""
_CLOCKWISE = tuple(Bearing)
_BEST_FIRST = (Nav.NAVIGABLE, Nav.SEASONAL, Nav.UNNAVIGABLE)


def brief_of(state: State) -> Brief:
    """Return the combat that has begun as a brief for a book.

    Raise IllegalAction when no combat is being fought.
    """
    combat = current_combat(state)
    attacker, defender = combat.attacker, combat.defender
    return Brief(
        id=_number(state, combat),
        title=_title(state, combat),
        attacker=_party(state, attacker),
        defender=_party(state, defender),
        ground=_ground(state, combat),
        month=month_slug(state.month),
        comes_from=_hexside_towards(state, defender.hex, attacker.hex),
        and_from=tuple(_close_friends(state, combat)),
        zariba=not combat.sortie and _has_dug_in(state, defender),
        sortie=combat.sortie,
    )


def units_present(state: State, force: CombatForce) -> list[Unit]:
    """Return the units of the force that take part.

    The fleet takes part only in a Mahdist march phase (8.25).
    """
    return [
        unit
        for unit in board(state).named(force.units)
        if unit.kind is not TroopKind.FLEET or state.side is Side.MAHDIST
    ]


def _number(state: State, combat: Combat) -> str:
    """Return the battle's number: month, both hexes, and a running count."""
    before = 0 if state.hand_off is None else state.hand_off.battles
    hexes = f"{combat.attacker.hex:04d}-{combat.defender.hex:04d}"
    return f"{month_slug(state.month)}-{hexes}-{before + 1}"


def is_at_same_place(brief: Brief, number: str) -> bool:
    """Return whether the battle of that number was at the brief's place.

    A sortie is named after the place it comes from, so both hexes have to be the same.
    """
    hexes = slice(2 if brief.sortie else 3, 4)
    return number.split("-")[hexes] == brief.id.split("-")[hexes]


def _title(state: State, combat: Combat) -> str:
    ground = chart(state)
    if combat.sortie:
        return f"The sortie from {ground.describe(combat.attacker.hex)}"
    where = ground.describe(combat.defender.hex)
    is_named = ground.hexes[combat.defender.hex].place is not None
    return f"The battle of {where}" if is_named else f"The battle {where}"


def _party(state: State, force: CombatForce) -> Party:
    units = units_present(state, force)
    commanding = able_to_lead(state, units)
    return Party(force.side, tuple(_troop(state, unit, leads=unit in commanding) for unit in units))


def _troop(state: State, unit: Unit, *, leads: bool) -> Troop:
    """Return the unit as a troop; a leader under a C-in-C has no tactical value (7.0)."""
    return Troop(
        unit.id,
        unit.kind,
        unit.nation,
        unit.quality,
        strength=unit.strength,
        disrupted=unit.disrupted,
        name=unit.name,
        tactical=laws(state).leader(unit.name).tactical if leads else 0,
    )


def _ground(state: State, combat: Combat) -> BriefGround:
    """Return the ground of the defender's hex; in a sortie it helps neither side (9.12)."""
    ground = chart(state)
    field = ground.hexes[combat.defender.hex]
    place = None if combat.sortie or field.place is None else ground.places[field.place]
    river, river_class = _rivers(state, field.id)
    return BriefGround(
        relief="flat" if combat.sortie else field.relief.value,
        cultivated=field.ground is Yield.CULTIVATED,
        place=place.name if place else "",
        settlement=place.kind.value if place else "",
        river=river,
        river_class=river_class,
        sea=_towards(
            state,
            field.id,
            (near for near in ground.neighbours[field.id] if ground.hexes[near].sea),
        ),
    )


def _rivers(state: State, hex_id: HexId) -> tuple[tuple[Bearing, ...], str]:
    """Return the hexsides on a river, and the best class of water among them."""
    sides = chart(state).sides
    banks = [near for near in chart(state).neighbours[hex_id] if (hex_id, near) in sides]
    classes = {sides[hex_id, near].nav for near in banks}
    best = next((nav.value for nav in _BEST_FIRST if nav in classes), "")
    return _towards(state, hex_id, banks), best


def _close_friends(state: State, combat: Combat) -> Iterator[Bearing]:
    """Yield the directions of other stacks of the attacker's side beside the defender."""
    friendly_hexes = board(state).occupied[combat.attacker.side]
    target = combat.defender.hex
    for near in chart(state).neighbours[target]:
        if near in friendly_hexes and near != combat.attacker.hex:
            yield _hexside_towards(state, target, near)


def _has_dug_in(state: State, force: CombatForce) -> bool:
    """Return whether at least half the stack has stood in its hex for a month."""
    hand_off = state.hand_off
    if hand_off is None:
        return False
    units = countable_units(units_present(state, force))
    long_since = player_turn(state) - DUG_IN
    stood = [unit for unit in units if hand_off.moved.get(unit.id, hand_off.since) <= long_since]
    return bool(units) and 2 * len(stood) >= len(units)


def _towards(state: State, hex_id: HexId, hexes: Iterable[HexId]) -> tuple[Bearing, ...]:
    return tuple(_hexside_towards(state, hex_id, near) for near in hexes)


def _hexside_towards(state: State, hex_id: HexId, neighbour: HexId) -> Bearing:
    """Return the hexside of `hex_id` towards its neighbour `neighbour`."""
    origin, other = chart(state).hexes[hex_id], chart(state).hexes[neighbour]
    angle = degrees(atan2(other.x - origin.x, other.y - origin.y))
    return _CLOCKWISE[round(angle / 60) % 6]


HOPELESS = 10
"""Odds above which a combat is not handed over but decided by the campaign's own table."""
LONGEST = 60
"""Limit of the days a battle may wait."""
_BOOK = re.compile(r"[a-z0-9][a-z0-9-]{0,39}")


def hand_over(ledger: Ledger[State]) -> None:
    """Hand the combat over and ask for its report; a hopeless one is decided by the table."""
    state = ledger.state
    arranged = state.hand_off
    if arranged is None or is_hopeless(state):
        ledger.then(*by_table(state.side))
        return
    brief = brief_of(state)
    ledger.emit(e.HandedOver(brief.id))
    ledger.ask(ToFight(state.side, brief, arranged.resolution))


def is_hopeless(state: State) -> bool:
    """Return whether a side has no fighters or is hopelessly outnumbered."""
    combat = current_combat(state)
    weak, strong = sorted(_might(state, force) for force in (combat.attacker, combat.defender))
    return weak * HOPELESS < strong or not weak


def _might(state: State, force: CombatForce) -> float:
    law = laws(state)
    land = [unit for unit in units_present(state, force) if is_land(unit)]
    return sum(max(fire_factor(law, unit), melee_factor(law, unit)) for unit in land)


def check_fight(state: State, action: a.Fight) -> None:
    """Raise IllegalAction when there is no such way to fight a battle."""
    open_question(state, ToFight)
    check_resolution(action.resolution)


def fight(ledger: Ledger[State], action: a.Fight) -> None:
    """Continue the combat by the table at once, or ask for its report by the way chosen."""
    question = open_question(ledger.state, ToFight)
    if action.resolution == COMBAT_TABLE:
        ledger.then(*by_table(question.side))
    else:
        ledger.ask(msgspec.structs.replace(question, resolution=action.resolution))


def check_report(state: State, action: a.Reported) -> None:
    """Raise IllegalAction when the report is not of this battle or does not add up."""
    brief = open_question(state, ToFight).brief
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
    fighting = [troop for troop in troops if troop.kind not in CANNOT_MELEE]
    return all(report.fates[troop.id] in gone for troop in fighting)


def report(ledger: Ledger[State], action: a.Reported) -> None:
    """Apply the losses that were reported; then settle the combat (9.7 to 9.9)."""
    battle_report = action.report
    ledger.emit(
        e.Fought(
            battle_report.battle,
            battle_report.book,
            battle_report.winner,
            battle_report.ending,
            battle_report.turns,
        )
    )
    captured = _with_fate(battle_report, Fate.CAPTURED)
    ledger.then(Step("settle battle", (battle_report.winner or "", *captured)))
    # `disrupt` would eliminate units that were disrupted before the battle.
    hurt = [ledger.state.units[number] for number in _with_fate(battle_report, Fate.DISRUPTED)]
    disrupt(ledger, [unit.id for unit in hurt if not unit.disrupted], "combat")
    remove(ledger, [*_with_fate(battle_report, Fate.ELIMINATED), *captured], "combat")


def _with_fate(report: Report, fate: Fate) -> list[UnitId]:
    return sorted(UnitId(number) for number, has in report.fates.items() if has is fate)


def settle(ledger: Ledger[State], winner: str, *captured: UnitId) -> None:
    """Carry out retreat, capture and the end of the march after a handed-over battle.

    Where the report names captured units no dice are rolled for capture (9.9).
    """
    taking = partial(_take_named, frozenset(captured)) if captured else capture
    conclude(ledger, Side(winner) if winner else None, taking)


def _take_named(
    unit_ids: frozenset[UnitId], ledger: Ledger[State], destroyed: Sequence[Unit], at: HexId
) -> None:
    take(ledger, [unit for unit in destroyed if unit.id in unit_ids], at)


def arrangement(resolution: str, book: str = "") -> HandOff | None:
    """Return how battles are fought from the beginning; None for the campaign's own table.

    Raise IllegalAction when `resolution` is invalid.
    """
    check_resolution(resolution)
    return None if resolution == COMBAT_TABLE else HandOff(resolution, book=book)


def check_arrangement(state: State | None, action: a.HandOver) -> None:
    """Raise IllegalAction when battles cannot be fought like that."""
    check_resolution(action.resolution)
    check_resolution(action.fallback)
    if action.book:
        check_resolution(action.book)
    if action.fallback == TABLETOP:
        raise IllegalAction(
            "9.4",
            "A battle that nobody has fought at a table in time cannot wait for a table.",
            "Let it be fought by the combat table, or by a book.",
        )
    if not 0 <= action.timeout_days <= LONGEST:
        raise IllegalAction("9.4", f"A battle waits from 0 to {LONGEST} days.", "Choose so many.")


def arrange(ledger: Ledger[State], action: a.HandOver) -> None:
    """Set how later battles are fought; a battle already open stays as it is."""
    about = action.resolution, action.fallback, action.timeout_days, action.signed, action.book
    ledger.emit(e.BattlesArranged(*about))


def check_resolution(resolution: str) -> None:
    """Raise IllegalAction for a name that cannot be a way to fight a battle."""
    if not _BOOK.fullmatch(resolution):
        raise IllegalAction(
            "9.4",
            f"{resolution!r} is no way to fight a battle.",
            f"Name a book of battles, {COMBAT_TABLE!r} or {TABLETOP!r}.",
        )
