"""Fight one battle many times by every book and by the campaign's own table, and compare.

By the table a battle is fought without a campaign around it (9.4).
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache, partial
from typing import NamedTuple

import msgspec

from battles import simulation
from battles.contract.book import NoSuchBook, books, find_book
from battles.contract.brief import (
    AFLOAT,
    RIVER_CRAFT,
    Brief,
    BriefGround,
    Nation,
    Party,
    Side,
    Troop,
    TroopKind,
)
from battles.contract.report import Fate, Report, conserve
from battles.core.decoding import decode, encode
from battles.core.dice import Dice
from battles.core.game import Event, Ledger
from battles.core.process_pool import pool_map
from battles.simulation import (
    A_TASK,
    BattleEstimate,
    dice_of,
    estimate,
    estimate_share,
    strength_lost,
)
from campaign.rules.case_positions import CasePosition, assemble
from campaign.rules.combat.procedure import by_table
from campaign.rules.core import events as e
from campaign.rules.core.evolve import evolve
from campaign.rules.core.pieces import UnitId
from campaign.rules.core.play import STEPS, play
from campaign.rules.core.state import COMBAT_TABLE, MarchUnderWay, State, Unit
from campaign.rules.map import HexId, PlaceClass, Relief, is_printed, sudan
from campaign.rules.tables.book import book as campaign_book
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
    slug = next(scenario.slug for scenario in reversed(scenarios()) if is_printed(scenario.chart))
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
    """Return the leader with the greatest rating; one without a positive rating helps nobody."""
    leaders = [
        troop for troop in party.troops if troop.kind is TroopKind.LEADER and troop.tactical > 0
    ]
    return max(leaders, key=lambda troop: troop.tactical, default=None)


def _leader_with_rating(troop: Troop, side: Side) -> str:
    """Return the name of a leader in the book with the same rating, or else the next lower one."""
    leaders = [
        leader
        for leader in campaign_book().leaders()
        if leader.nation.side is side and leader.tactical <= troop.tactical
    ]
    rating = max(leader.tactical for leader in leaders)
    alike = sorted(leader.name for leader in leaders if leader.tactical == rating)
    return troop.name if troop.name in alike else alike[0]


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


NOBODY = "nobody"
OWN_TABLE = "The combat table"


class ComparedBattle(msgspec.Struct, frozen=True, array_like=True):
    """The result of one battle: the winner, and the share of its strength that each side lost.

    `fault` is the reason why it could not be fought.
    """

    winner: str = NOBODY
    egyptian: float = 0.0
    mahdist: float = 0.0
    turns: int = 0
    fault: str = ""


class BookResult(NamedTuple):
    """The results of one way of fighting. `won` has shares by side and for nobody."""

    way: str
    title: str
    battles: int
    won: Mapping[str, BattleEstimate] = {}
    lost: Mapping[str, BattleEstimate] = {}
    turns: BattleEstimate | None = None
    fault: str = ""


def ways() -> tuple[str, ...]:
    """Return every way of fighting without people: the books, then the campaign's table."""
    return (*books(), COMBAT_TABLE)


def title_of(way: str) -> str:
    """Return the title of a way of fighting; the slug of a book that is not installed."""
    if way == COMBAT_TABLE:
        return OWN_TABLE
    book = find_book(way)
    return book.title if book else way


def bout(brief: Brief, way: str, seed: int, number: int) -> ComparedBattle:
    """Fight the battle of that number by that way; the same numbers give the same result.

    A brief that a book cannot set up gives a fault, and so does a book that is not installed.
    """
    try:
        report = _fight_once(brief, way, seed, number)
    except (ValueError, NoSuchBook) as unfit:
        return ComparedBattle(fault=str(unfit)[:300])
    return ComparedBattle(
        report.winner.value if report.winner else NOBODY,
        strength_lost(brief, report, Side.EGYPTIAN),
        strength_lost(brief, report, Side.MAHDIST),
        report.turns,
    )


def bouts(brief: Brief, each: int, *, seed: int, workers: int = 1) -> Iterator[ComparedBattle]:
    """Yield battles by every way in turn, `each` of them, fought in `workers` processes.

    Raises WorkerDied when one of them dies.
    """
    all_ways = ways()
    fight = partial(_stored_bout, encode(brief), all_ways, seed)
    return pool_map(fight, range(each * len(all_ways)), workers, at_a_time=A_TASK)


def _stored_bout(brief: bytes, ways: Sequence[str], seed: int, place: int) -> ComparedBattle:
    way, number = book_and_number(place, ways)
    return bout(decode(brief, Brief), way, seed, number)


def _fight_once(brief: Brief, way: str, seed: int, number: int) -> Report:
    if way == COMBAT_TABLE:
        return fight_by_table(brief, dice_of(brief, seed, number))
    return simulation.fight_one(brief, way, seed, number).report


def book_and_number(place: int, ways: Sequence[str]) -> tuple[str, int]:
    """Return way and number of the battle in that place: the ways take turns."""
    return ways[place % len(ways)], place // len(ways) + 1


def book_results(ways: Sequence[str], bouts: Sequence[ComparedBattle]) -> list[BookResult]:
    """Return the results of each way so far, from bouts fought in turn."""
    return [_column(way, bouts[place :: len(ways)]) for place, way in enumerate(ways)]


def _column(way: str, bouts: Sequence[ComparedBattle]) -> BookResult:
    fought = [bout for bout in bouts if not bout.fault]
    if not fought:
        return BookResult(way, title_of(way), 0, fault=next((bout.fault for bout in bouts), ""))
    won = Counter(bout.winner for bout in fought)
    winners = [side.value for side in Side] + [NOBODY]
    return BookResult(
        way,
        title_of(way),
        len(fought),
        {name: estimate_share(won[name], len(fought)) for name in winners},
        {side.value: estimate([getattr(bout, side.value) for bout in fought]) for side in Side},
        estimate([float(bout.turns) for bout in fought]) if way != COMBAT_TABLE else None,
    )
