"""A combat as a battle to be handed over: who meets whom, on what ground, and why (9.4)."""

from collections.abc import Iterable, Iterator
from math import atan2, degrees

from battles.contract.brief import Bearing, Brief, Ground, Party, Troop
from campaign.rules.board import board, chart, laws
from campaign.rules.leaders import able_to_lead
from campaign.rules.map import Ground as Yield
from campaign.rules.map import HexId, Nav
from campaign.rules.pieces import Kind, Side, month_slug
from campaign.rules.stacking import counted
from campaign.rules.state import Combat, Force, State, Unit, fought, player_turn

DUG_IN = 2
"""So many player turns, one of each side, make the month that a zariba takes."""
_CLOCKWISE = tuple(Bearing)
_BEST_FIRST = (Nav.NAVIGABLE, Nav.SEASONAL, Nav.UNNAVIGABLE)


def brief_of(state: State) -> Brief:
    """The combat that has begun, as a book of battles takes it over.

    Raises IllegalAction when none is being fought.
    """
    combat = fought(state)
    attacker, defender = combat.attacker, combat.defender
    return Brief(
        id=_number(state, combat),
        title=_title(state, combat),
        attacker=_party(state, attacker),
        defender=_party(state, defender),
        ground=_ground(state, combat),
        month=month_slug(state.month),
        comes_from=_bearing(state, defender.hex, attacker.hex),
        and_from=tuple(_close_friends(state, combat)),
        zariba=not combat.sortie and _has_dug_in(state, defender),
        sortie=combat.sortie,
    )


def present(state: State, force: Force) -> list[Unit]:
    """Everything of the force that takes part; the fleet in a Mahdist march phase alone (8.25)."""
    return [
        unit
        for unit in board(state).named(force.units)
        if unit.kind is not Kind.FLEET or state.side is Side.MAHDIST
    ]


def _number(state: State, combat: Combat) -> str:
    """Month, both hexes, and how many battles there have been with this one."""
    before = 0 if state.hand_off is None else state.hand_off.battles
    hexes = f"{combat.attacker.hex:04d}-{combat.defender.hex:04d}"
    return f"{month_slug(state.month)}-{hexes}-{before + 1}"


def _title(state: State, combat: Combat) -> str:
    ground = chart(state)
    if combat.sortie:
        return f"The sortie from {ground.describe(combat.attacker.hex)}"
    where = ground.describe(combat.defender.hex)
    return f"The battle of {where}" if _is_named(state, combat) else f"The battle {where}"


def _is_named(state: State, combat: Combat) -> bool:
    return chart(state).hexes[combat.defender.hex].place is not None


def _party(state: State, force: Force) -> Party:
    units = present(state, force)
    commanding = able_to_lead(state, units)
    return Party(force.side, tuple(_troop(state, unit, leads=unit in commanding) for unit in units))


def _troop(state: State, unit: Unit, *, leads: bool) -> Troop:
    """The unit; a leader whom a C-in-C overrules has no tactical value of his own (7.0)."""
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


def _ground(state: State, combat: Combat) -> Ground:
    """The defender's hex; before the walls of a besieged place it helps nobody (9.12)."""
    here = chart(state).hexes[combat.defender.hex]
    place = None if combat.sortie or here.place is None else chart(state).places[here.place]
    river, river_class = _rivers(state, here.id)
    return Ground(
        relief="flat" if combat.sortie else here.relief.value,
        cultivated=here.ground is Yield.CULTIVATED,
        place=place.name if place else "",
        settlement=place.kind.value if place else "",
        river=river,
        river_class=river_class,
        sea=_towards(state, here.id, (n for n in _around(state, here.id) if _is_sea(state, n))),
    )


def _rivers(state: State, here: HexId) -> tuple[tuple[Bearing, ...], str]:
    """The hexsides on a river, and the best class of water among them."""
    sides = chart(state).sides
    banks = [near for near in _around(state, here) if (here, near) in sides]
    classes = {sides[here, near].nav for near in banks}
    best = next((nav.value for nav in _BEST_FIRST if nav in classes), "")
    return _towards(state, here, banks), best


def _close_friends(state: State, combat: Combat) -> Iterator[Bearing]:
    """Where others of the attacker's side stand beside the defender."""
    held = board(state).occupied[combat.attacker.side]
    here = combat.defender.hex
    for near in _around(state, here):
        if near in held and near != combat.attacker.hex:
            yield _bearing(state, here, near)


def _has_dug_in(state: State, force: Force) -> bool:
    """Whether half the stack or more has stood where it is for a month."""
    known = state.hand_off
    if known is None:
        return False
    units = counted(present(state, force))
    long_since = player_turn(state) - DUG_IN
    stood = [unit for unit in units if known.moved.get(unit.id, known.since) <= long_since]
    return bool(units) and 2 * len(stood) >= len(units)


def _around(state: State, here: HexId) -> tuple[HexId, ...]:
    return chart(state).neighbours[here]


def _is_sea(state: State, hex_id: HexId) -> bool:
    return chart(state).hexes[hex_id].sea


def _towards(state: State, here: HexId, hexes: Iterable[HexId]) -> tuple[Bearing, ...]:
    return tuple(_bearing(state, here, near) for near in hexes)


def _bearing(state: State, here: HexId, there: HexId) -> Bearing:
    """The hexside of the one hex towards the other, its neighbour."""
    one, other = chart(state).hexes[here], chart(state).hexes[there]
    angle = degrees(atan2(other.x - one.x, other.y - one.y))
    return _CLOCKWISE[round(angle / 60) % 6]
