"""Supply and attrition: phase IV (10.1 to 10.3).

A chain of supply units has links of six movement points; railways cost nothing (10.2).
"""

from collections.abc import Sequence
from heapq import heappop, heappush

from battles.contract.brief import Side, TroopKind
from battles.core.dice import Modifier, Roll
from battles.core.game import IllegalAction, Ledger, Step
from campaign.rules.core import actions as a
from campaign.rules.core import events as e
from campaign.rules.core.board import board, chart, laws, scenario_of
from campaign.rules.core.pieces import UnitId
from campaign.rules.core.questions import SupplyChoice, ToShareAttrition, ToSupply
from campaign.rules.core.state import State, Unit, open_question
from campaign.rules.effects_in_force import modifiers
from campaign.rules.map import GroundClass, HexId, PlaceClass, Relief
from campaign.rules.march.land import in_hot_extension, open_rails
from campaign.rules.march.reach import BarrierCosts, barrier_costs, search
from campaign.rules.stacks import countable_units, ids
from campaign.rules.tables.event_effects import ModifiableRoll
from campaign.rules.tables.rows import AttritionLine
from campaign.rules.tables.scenario_data import OnlyADraw
from campaign.rules.unit_losses import disrupt, remove


def furthest(state: State, side: Side, hex_id: HexId) -> tuple[UnitId, ...]:
    """Return the supply units used up by a stack here: those at the far end of the chain (10.2).

    The chain starts with the supply in the stack's own hex. Several units are returned when they
    are equally far.
    """
    links = _links(state, side, hex_id)
    most = max(links.values())
    return tuple(sorted(unit_id for unit_id, far in links.items() if far == most))


def _links(state: State, side: Side, hex_id: HexId) -> dict[UnitId, int]:
    """Return every supply unit of the chain from this hex with its distance along the chain.

    A siege cuts a place off from all supply but its own (9.12).
    """
    depots = _depots(state, side)
    if board(state).besieged(side, hex_id):
        return {unit.id: 0 for unit in depots[hex_id]}
    barred = _supply_costs(state, side)
    link = laws(state).number("supply.chain")
    distances: dict[UnitId, int] = {}
    reached: set[HexId] = set()
    nearest = [(0, hex_id)]
    while nearest and not depots.keys() <= reached:
        far, origin = heappop(nearest)
        if origin in reached:
            continue
        reached.add(origin)
        distances |= {unit.id: far for unit in depots.get(origin, ())}
        for destination, cost in search(barred, origin, link).costs.items():
            if destination in depots and destination not in reached:
                heappush(nearest, (far + cost, destination))
    return distances


def _supply_costs(state: State, side: Side) -> BarrierCosts:
    """Return the costs by which supply goes, cached with the board for the railway as it is.

    It is free on railway hexes without any enemy unit, leaders and craft included (10.2).
    """
    rails = open_rails(state, side) - set(board(state).hexes(side.enemy))
    cache: dict[tuple[Side, frozenset[HexId]], BarrierCosts] = board(state).__dict__.setdefault(
        "supply costs", {}
    )
    if (side, rails) not in cache:
        cache[side, rails] = _with_rails(barrier_costs(state, side), rails)
    return cache[side, rails]


def _depots(state: State, side: Side) -> dict[HexId, list[Unit]]:
    depots: dict[HexId, list[Unit]] = {}
    for unit in board(state).units:
        if unit.kind is TroopKind.SUPPLY and unit.side is side and unit.hex in chart(state).hexes:
            depots.setdefault(unit.hex, []).append(unit)
    return depots


def _with_rails(barred: BarrierCosts, rails: frozenset[HexId]) -> BarrierCosts:
    """Return the same barriers, with free moves between neighbouring open railway hexes."""
    if not rails:
        return barred
    ways = list(barred.ways)
    for hex_id in rails:
        ways[hex_id] = tuple(
            (near, 0, False) if near in rails else (near, cost, river)
            for near, cost, river in ways[hex_id]
        )
    return barred._replace(ways=tuple(ways), changed=barred.changed | rails, rails=rails)


DRAW_ONLY = "british lost to attrition"


def attrition_phase(ledger: Ledger[State], side: str) -> None:
    """Let the owner use up supply units, then roll for every stack without supply (10.1).

    All supply is drawn, and every stack supplied that draws on it, before the first roll: neither
    the order of the stacks nor a loss in the phase decides who has supply.
    """
    ledger.then(
        Step("draw supply", (side,)),
        Step("supply stacks", (side,)),
        Step("supply is used up", (side,)),
    )


def draw_supply(ledger: Ledger[State], side: str) -> None:
    """Ask the owner for the next supply unit to use up, as long as a stack may draw on one."""
    choices = supply_choices(ledger.state, Side(side))
    if choices:
        ledger.ask(ToSupply(Side(side), choices))


def supply_choices(state: State, side: Side) -> tuple[SupplyChoice, ...]:
    """Return the stacks that may draw supply, and would else roll for attrition (10.1)."""
    choices = []
    for hex_id in board(state).hexes(side):
        rolls = laws(state).attrition(attrition_line(state, side, hex_id), 1) is not None
        if rolls and board(state).land(side, hex_id) and not _drawn_on(state, side, hex_id):
            choices.append(SupplyChoice(hex_id, supply_sources(state, side, hex_id)))
    return tuple(choice for choice in choices if choice.sources)


def best_source(
    state: State, choices: Sequence[SupplyChoice], *, first: Sequence[HexId] = ()
) -> UnitId:
    """Return the supply unit that supplies most of these stacks, 0 if they may draw on none.

    Those in a hex of `first` are used before others, in that order. Numbers of hexes decide
    nothing; between equals the unit with the lower number is used.
    """
    sources = {source for choice in choices for source in choice.sources}

    def rank(source: UnitId) -> tuple[int, int, UnitId]:
        hex_id = state.units[source].hex
        served = sum(source in choice.sources or choice.hex == hex_id for choice in choices)
        place = first.index(hex_id) if hex_id in first else len(first)
        return place, -served, source

    return min(sources, key=rank, default=UnitId(0))


def supply_stacks(ledger: Ledger[State], side: str) -> None:
    """Supply stacks by their places or by supply units used in this phase; roll for the others."""
    state, own_side = ledger.state, Side(side)
    without = []
    for hex_id in board(state).hexes(own_side):
        if not board(state).land(own_side, hex_id):
            continue
        drawn = _drawn_on(state, own_side, hex_id)
        if laws(state).attrition(attrition_line(state, own_side, hex_id), 1) is None:
            ledger.emit(e.Supplied(hex_id, UnitId(0)))
        elif drawn:
            ledger.emit(e.Supplied(hex_id, drawn[0]))
        else:
            without.append(hex_id)
    ledger.then(*(Step("roll for attrition", (side, hex_id)) for hex_id in without))


def attrition_of_stack(ledger: Ledger[State], side: str, hex_id: HexId) -> None:
    """Roll for a stack that has no supply, if anybody is still there (10.3)."""
    if board(ledger.state).land(Side(side), hex_id):
        roll_attrition(ledger, Side(side), hex_id)


def _drawn_on(state: State, side: Side, hex_id: HexId) -> list[UnitId]:
    """Return the supply units used in this phase that supply the stack (5.2 IV, 10.2).

    They are those at the end of its chain, and those in its hex.
    """
    if not state.drawn_on:
        return []
    sources = (*supply_sources(state, side, hex_id), *_depot(state, side, hex_id))
    return [source for source in sources if source in state.drawn_on]


def supply_sources(state: State, side: Side, hex_id: HexId) -> tuple[UnitId, ...]:
    """Return the supply units that would be used up if the stack drew supply (10.2).

    Each supply unit in the hex stands for the furthest unit of the chain behind it.
    """
    if side is Side.MAHDIST or not _depot(state, side, hex_id):
        return ()
    return furthest(state, side, hex_id)


def _depot(state: State, side: Side, hex_id: HexId) -> tuple[UnitId, ...]:
    """Return the supply units of the side in the hex."""
    stack = board(state).stack(side, hex_id)
    return ids(unit for unit in stack if unit.kind is TroopKind.SUPPLY)


def attrition_line(state: State, side: Side, hex_id: HexId) -> AttritionLine:
    """Return the line of the attrition table that a stack in this hex rolls on (10.3)."""
    position, field = board(state), chart(state).hexes[hex_id]
    if position.starved(side, hex_id):
        return AttritionLine.BESIEGED
    if position.in_town(hex_id, PlaceClass.TOWN):
        return AttritionLine.TOWN
    if field.place and field.ground is GroundClass.DESERT:
        return laws(state).line_of_desert_places
    return AttritionLine(field.ground.value)


def attrition_modifiers(state: State, side: Side, hex_id: HexId) -> tuple[Modifier, ...]:
    """Return the modifiers to the attrition roll of this stack (10.3)."""
    law = laws(state)
    stack = board(state).stack(side, hex_id)
    result = list(modifiers(state, ModifiableRoll.ATTRITION, stack))
    if in_hot_extension(state, hex_id):
        result.append(law.modifier("attrition.extension"))
    if chart(state).hexes[hex_id].relief is Relief.MOUNTAIN:
        result.append(law.modifier("attrition.mountain"))
    gordon = any(unit.name == "Gordon" for unit in stack)
    if gordon and hex_id == chart(state).place("Khartoum").hex:
        result.append(law.modifier("attrition.gordon"))
    return tuple(result)


def roll_attrition(ledger: Ledger[State], side: Side, hex_id: HexId) -> None:
    """Roll for the whole stack; the table gives the number of units not affected (10.3)."""
    state = ledger.state
    line = attrition_line(state, side, hex_id)
    roll = ledger.roll(
        Roll(
            "Attrition",
            "10.3",
            (0,),
            modifiers=attrition_modifiers(state, side, hex_id),
            table=f"attrition:{line}",
            side=side,
        )
    )
    spared = laws(state).attrition(line, roll.total)
    units = countable_units(board(state).stack(side, hex_id))
    hit = 0 if spared is None else count_suffering(state, units, spared)
    ledger.amend(roll, result="all spared" if spared is None else f"{spared} spared")
    ledger.emit(e.Thirsted(hex_id, side, line, spared, hit))
    if hit == len(units):
        _suffer(ledger, side, ids(units))
    elif hit:
        ledger.ask(ToShareAttrition(side, hex_id, hit))


def count_suffering(state: State, units: list[Unit], spared: int) -> int:
    """Return the number of units affected; civilians count two and suffer last (10.2)."""
    weight = laws(state).number("civilians.count")
    civilians = sum(unit.kind is TroopKind.CIVILIANS for unit in units)
    others = len(units) - civilians
    for_others = spared - weight * civilians
    if for_others >= 0:
        return max(0, others - for_others)
    return others + min(civilians, -(for_others // weight))


def check_supply(state: State, action: a.Supply) -> None:
    """Raise IllegalAction when no stack may draw on that supply unit (10.2)."""
    question = open_question(state, ToSupply)
    sources = {source for choice in question.choices for source in choice.sources}
    if action.source and action.source not in sources:
        raise IllegalAction(
            "10.2",
            "No stack without supply can draw on that supply unit.",
            "Use up the furthest of a chain, or roll for attrition.",
        )


def supply(ledger: Ledger[State], action: a.Supply) -> None:
    """Use the supply unit up and ask again; without one, all others roll for attrition (10.1)."""
    question = open_question(ledger.state, ToSupply)
    if action.source:
        ledger.emit(e.DrawnOn(action.source))
        ledger.then(Step("draw supply", (question.side,)))


def supply_is_used_up(ledger: Ledger[State], side: str) -> None:
    """Remove the supply units used in this phase (10.2)."""
    remove(ledger, tuple(ledger.state.drawn_on), "used")


def may_suffer(stack: list[Unit], affected: int) -> list[Unit]:
    """Return the units to choose from: civilians only when all others are affected (10.2)."""
    units = countable_units(stack)
    others = [unit for unit in units if unit.kind is not TroopKind.CIVILIANS]
    return others if affected <= len(others) else units


def check_share_attrition(state: State, action: a.Pick) -> None:
    """Raise IllegalAction on a wrong number, or civilians before others (10.2, 10.3)."""
    question = open_question(state, ToShareAttrition)
    stack = board(state).stack(question.side, question.hex)
    picked, able = set(action.units), may_suffer(stack, question.affected)
    if len(picked) != question.affected or not picked <= set(ids(able)):
        raise IllegalAction(
            "10.3",
            f"Units of the stack that are affected: {question.affected}.",
            "Name so many; civilians only after everybody else (10.2).",
        )
    others = {unit.id for unit in able if unit.kind is not TroopKind.CIVILIANS}
    if len(able) > len(others) and not others <= picked:
        raise IllegalAction("10.2", "Civilians suffer only after everybody else.")


def share_attrition(ledger: Ledger[State], action: a.Pick) -> None:
    """Apply attrition to the units chosen (10.3)."""
    question = open_question(ledger.state, ToShareAttrition)
    _suffer(ledger, question.side, action.units)


def _suffer(ledger: Ledger[State], side: Side, units: tuple[UnitId, ...]) -> None:
    """Eliminate Egyptian units; disrupt Mahdists, or eliminate those already disrupted (10.3)."""
    if side is Side.MAHDIST:
        disrupt(ledger, units, "attrition")
        return
    state = ledger.state
    barred = any(_rules_out_victory(state, unit) for unit in board(state).named(units))
    if barred and DRAW_ONLY not in state.flags:
        ledger.emit(e.Flagged(DRAW_ONLY))
    remove(ledger, units, "attrition")


def _rules_out_victory(state: State, unit: Unit) -> bool:
    """Return whether the loss of this unit to attrition limits its side to a draw (4.2)."""
    return any(
        unit.nation is condition.nation and unit.kind not in condition.not_counted
        for condition in scenario_of(state).victory
        if isinstance(condition, OnlyADraw) and condition.side is unit.side
    )
