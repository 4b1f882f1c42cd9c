"""Fight a battle by the campaign's own combat table, without a campaign (9.4)."""

from collections.abc import Iterator, Sequence
from functools import lru_cache

from battles.contract import Brief, Fate, Report, conserve
from battles.contract.brief import (
    AFLOAT,
    RIVER_CRAFT,
    BriefGround,
    Nation,
    Party,
    Side,
    Troop,
    TroopKind,
)
from battles.core.dice import Dice
from battles.core.game import Event, Ledger
from campaign.rules.cases.positions import CasePosition, assemble
from campaign.rules.combat.procedure import by_table
from campaign.rules.core import events as e
from campaign.rules.core.evolve import evolve
from campaign.rules.core.pieces import UnitId
from campaign.rules.core.play import STEPS, play
from campaign.rules.core.state import COMBAT_TABLE, MarchUnderWay, State, Unit
from campaign.rules.map import HexId, PlaceClass, Relief, sudan
from campaign.rules.tables.book import book
from campaign.rules.tables.scenario_loader import scenarios
from campaign.staff import answer

ENDING = "The combat table has decided."


def fight_by_table(brief: Brief, dice: Dice) -> Report:
    """Return the report of the battle by fire and melee, its questions answered by the staff.

    What would follow on the march (retreat, pursuit) does not happen.
    """
    state = _drawn_up(brief)
    events = _begin_combat(state, brief, dice)
    while not (ended := [event for event in events if isinstance(event, e.CombatEnded)]):
        events = play(state, answer(state), dice).events
    fates = _fates_by_unit(brief, state)
    report = Report(brief.id, COMBAT_TABLE, fates, ended[0].winner, ENDING)
    conserve(brief, report)
    return report


def field_of(brief: Brief) -> tuple[HexId, HexId]:
    """Return the attacker's hex and the defender's, whose ground is most like the brief's."""
    kinds = {troop.kind for troop in brief.troops()}
    return _hexes(brief.ground, bool(kinds & RIVER_CRAFT), TroopKind.FLEET in kinds)


@lru_cache(maxsize=256)
def _hexes(ground: BriefGround, river: bool, coast: bool) -> tuple[HexId, HexId]:
    return max(_pairs(), key=lambda pair: (_likeness(pair[1], ground, river, coast), pair))


def _likeness(hex_id: HexId, ground: BriefGround, river: bool, coast: bool) -> tuple[bool, ...]:
    """Return how well a hex matches the ground, as a sort key: what matters to the table first."""
    chart = sudan()
    hex_ = chart.hexes[hex_id]
    return (
        _settlement(hex_id) == ground.settlement,
        hex_.relief.value == ground.relief,
        bool(chart.river_at(hex_id)) == river,
        hex_.coast == coast,
    )


def _settlement(hex_id: HexId) -> str:
    place = sudan().hexes[hex_id].place
    kind = sudan().places[place].kind if place else None
    settlements = (PlaceClass.TOWN, PlaceClass.VILLAGE, PlaceClass.OASIS)
    return kind.value if kind in settlements else ""


@lru_cache(maxsize=1)
def _pairs() -> tuple[tuple[HexId, HexId], ...]:
    """Return pairs of neighbouring land hexes on one bank, the attacker's first and open."""
    chart = sudan()
    return tuple(
        (near, hex_id)
        for hex_id, hex_ in chart.hexes.items()
        if not hex_.sea and not hex_.closed
        for near in chart.neighbours[hex_id]
        if _is_open(near) and (near, hex_id) not in chart.sides
    )


def _is_open(hex_id: HexId) -> bool:
    hex_ = sudan().hexes[hex_id]
    flat = hex_.relief not in (Relief.HILL, Relief.MOUNTAIN)
    return flat and not (hex_.sea or hex_.closed or hex_.place)


def _drawn_up(brief: Brief) -> State:
    origin, target = field_of(brief)
    # The ground of a battle may lie anywhere, so the scenario has to have the whole map in play.
    slug = next(scenario.slug for scenario in reversed(scenarios()) if scenario.chart is sudan())
    state = assemble(CasePosition((), slug, brief.month, brief.attacker.side))
    state.agenda, state.question = [], None
    units = [*_units(brief.attacker, origin), *_units(brief.defender, target)]
    state.units = {unit.id: unit for unit in units}
    state.next_unit = max(state.units) + 1
    marching = [unit.id for unit in units if unit.hex == origin]
    state.march = MarchUnderWay(marching, [origin], marches=1)
    return state


def _units(party: Party, hex_id: HexId) -> Iterator[Unit]:
    """Yield the counters of a side; of its leaders only the best."""
    chief = _chief(party)
    for troop in party.troops:
        if troop.kind is not TroopKind.LEADER:
            yield _unit(troop, party.side, hex_id, troop.name)
        elif troop is chief:
            yield _unit(troop, party.side, hex_id, _leader_with_rating(troop, party.side))


def _chief(party: Party) -> Troop | None:
    leaders = [troop for troop in party.troops if troop.kind is TroopKind.LEADER and troop.tactical]
    return max(leaders, key=lambda troop: troop.tactical, default=None)


def _leader_with_rating(troop: Troop, side: Side) -> str:
    """Return the name of a leader in the book with the same rating; "" when there is none."""
    alike = [
        leader.name
        for leader in book().leaders()
        if leader.nation.side is side and leader.tactical == troop.tactical
    ]
    return troop.name if troop.name in alike else next(iter(sorted(alike)), "")


def _unit(troop: Troop, side: Side, hex_id: HexId, name: str) -> Unit:
    """Return the counter; troops who fight for the other side become that side's own nation."""
    own = Nation.MAHDIST if side is Side.MAHDIST else Nation.EGYPTIAN
    return Unit(
        UnitId(troop.id),
        troop.kind,
        troop.nation if troop.nation.side is side else own,
        troop.quality,
        troop.strength,
        hex_id,
        troop.disrupted,
        name,
    )


def _begin_combat(state: State, brief: Brief, dice: Dice) -> Sequence[Event]:
    """Begin the combat and return all events up to the first question, or to the end."""
    origin, target = field_of(brief)
    attackers, defenders = (
        tuple(unit.id for unit in state.units.values() if unit.hex == hex_id)
        for hex_id in (origin, target)
    )
    side = brief.attacker.side
    ledger = Ledger(state, dice, evolve)
    ledger.emit(e.CombatBegan(origin, target, attackers, defenders, side, sortie=brief.sortie))
    ledger.then(*by_table(side))
    ledger.advance(STEPS)
    return ledger.events


def _fates_by_unit(brief: Brief, state: State) -> dict[int, Fate]:
    """Return the fate of every troop; leaders fall with the last of those they led (7.2)."""
    fates = {troop.id: _fate(troop, state) for troop in brief.troops()}
    for side in Side:
        party = brief.party(side)
        led = [troop for troop in party.troops if troop.kind not in AFLOAT | {TroopKind.LEADER}]
        alone = bool(led) and all(fates[troop.id] is Fate.ELIMINATED for troop in led)
        leaders = [troop.id for troop in party.troops if troop.kind is TroopKind.LEADER]
        fates |= dict.fromkeys(leaders, Fate.ELIMINATED if alone else Fate.GOOD)
    return fates


def _fate(troop: Troop, state: State) -> Fate:
    unit = state.units.get(UnitId(troop.id))
    if unit is None:
        return Fate.ELIMINATED
    return Fate.DISRUPTED if unit.disrupted else Fate.GOOD
