"""The units by square: an index built from the state when needed and never stored."""

from battles.books.redcoats.pieces import AFLOAT, GUNS, Special
from battles.books.redcoats.squares import OFF_FIELD
from battles.books.redcoats.state import Combat, Leader, State, Unit
from battles.contract.brief import Side

_NONE: tuple[Unit, ...] = ()


def board(state: State) -> dict[int, list[Unit]]:
    """Return the units of each occupied square, except those aboard a vessel or off the field.

    In a square shared with guns the other unit comes first.
    """
    known: dict[int, list[Unit]] | None = state.__dict__.get("board")
    if known is None:
        known = state.__dict__["board"] = _board(state)
    return known


def barred_to(state: State, side: Side) -> set[int]:
    """Return the squares that a side's units may not pass: with enemies or disorganised friends."""
    found = set()
    for square, units in board(state).items():
        for unit in units:
            if unit.disorganised or unit.side is not side:
                found.add(square)
    return found


def forget(state: State) -> None:
    """Drop the index after a unit has moved, entered or left."""
    state.__dict__.pop("board", None)


def at(state: State, square: int) -> list[Unit] | tuple[Unit, ...]:
    """Return the units in a square."""
    return board(state).get(square, _NONE)


def foremost(state: State, square: int, side: Side) -> Unit | None:
    """Return the unit of that side in a square that meets the enemy, if any."""
    return next((unit for unit in at(state, square) if unit.side is side), None)


def on_field(state: State, side: Side) -> list[Unit]:
    """Return the units of a side on the field, except those aboard a vessel."""
    return [unit for units in board(state).values() for unit in units if unit.side is side]


def leaders_with(state: State, unit: Unit) -> list[Leader]:
    """Return the Leaders in the unit's square, or aboard it if it is a vessel."""
    if unit.square == OFF_FIELD:
        return []
    return [
        leader
        for leader in state.leaders.values()
        if leader.square == unit.square and leader.side is unit.side
    ]


def company(state: State, unit: Unit) -> list[Unit | Leader]:
    """Return the unit and all that fall back with it: guns and Leaders in its square."""
    others = [one for one in at(state, unit.square) if one.side is unit.side and one is not unit]
    return [unit, *others, *leaders_with(state, unit)]


def combat_of(state: State, unit: Unit) -> Combat | None:
    """Return the hand-to-hand combat in the unit's square, if any."""
    for combat in state.combats:
        for number in (combat.charger, combat.charged):
            if state.units[number].square == unit.square:
                return combat
    return None


def squares_fought_in(state: State) -> set[int]:
    """Return the squares with hand-to-hand combats."""
    return {state.units[combat.charged].square for combat in state.combats}


def is_asleep(state: State, side: Side) -> bool:
    """Return whether that side is still unaware of the attack (Night march 3)."""
    return side is Side.MAHDIST and Special.ASLEEP in state.special


def _board(state: State) -> dict[int, list[Unit]]:
    known: dict[int, list[Unit]] = {}
    for unit in state.units.values():
        if unit.square >= 0 and not unit.aboard:
            known.setdefault(unit.square, []).append(unit)
    for units in known.values():
        if len(units) > 1:
            units.sort(key=_behind)
    return known


def _behind(unit: Unit) -> int:
    return 1 if unit.kind in GUNS or unit.kind in AFLOAT else 0
