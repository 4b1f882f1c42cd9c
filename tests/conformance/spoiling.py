"""Actions that nobody should ask for: a lawful one spoilt, or one that is made up altogether."""

from collections.abc import Callable
from random import Random
from typing import Any, get_args, get_type_hints

import msgspec

from campaign.rules.core import actions as a
from campaign.rules.core.pieces import UnitId
from campaign.rules.core.state import State
from campaign.rules.map import HexId, sudan

Draw = Callable[[Random, State], Any]
NOWHERE = (HexId(-1), HexId(0), HexId(9999))
MOST = 4


def spoilt(random: Random, state: State, action: a.AnyAction) -> a.AnyAction:
    """Return the action with one of its fields drawn at random, or half of the time any other
    action.
    """
    if type(action) not in KINDS or random.random() < 0.5:
        return _made_up(random, state)
    fields = _fields(type(action))
    if not fields:
        return _made_up(random, state)
    name = random.choice(sorted(fields))
    value = _spoilt_value(random, state, getattr(action, name), fields[name])
    return msgspec.structs.replace(action, **{name: value})


def _made_up(random: Random, state: State) -> a.AnyAction:
    kind = random.choice(KINDS)
    return kind(**{name: draw(random, state) for name, draw in _fields(kind).items()})


def _spoilt_value(random: Random, state: State, value: Any, draw: Draw) -> Any:
    """Of several values one changed, left out or named twice; else any value of the kind."""
    if not isinstance(value, tuple) or not value or random.random() < 0.2:
        return draw(random, state)
    place = random.randrange(len(value))
    instead = random.choice([(), (value[place],) * 2, draw(random, state)[:1]])
    return (*value[:place], *instead, *value[place + 1 :])


def _fields(kind: type) -> dict[str, Draw]:
    """Return how each field of a kind of action is drawn."""
    return {name: _DRAWS[hint] for name, hint in get_type_hints(kind).items()}


def _unit(random: Random, state: State) -> UnitId:
    """Any unit of either side, or a number that is none."""
    return random.choice([*sorted(state.units), UnitId(0), UnitId(state.next_unit)])


def _hex(random: Random, state: State) -> HexId:
    """Any hex of the map, sea and closed ones too, one where somebody stands, or none."""
    return random.choice(
        [
            random.choice(_HEXES),
            random.choice(NOWHERE),
            *sorted({unit.hex for unit in state.units.values()})[:20],
        ]
    )


def _units(random: Random, state: State) -> tuple[UnitId, ...]:
    return tuple(_unit(random, state) for _ in range(random.randint(0, MOST)))


def _path(random: Random, state: State) -> tuple[HexId, ...]:
    """Return hexes anyhow, or each next to the one before it."""
    path = [_hex(random, state)]
    for _ in range(random.randint(0, MOST)):
        near = sudan().neighbours.get(path[-1], ())
        path.append(random.choice(near) if near else _hex(random, state))
    return tuple(path[random.randint(0, 1) :])


def _number(random: Random, state: State) -> int:
    return random.randint(-1, len(state.due) + 1)


def _word(random: Random, state: State) -> str:
    return random.choice(("", "fire", "melee", "table", "sword"))


_HEXES = sorted(sudan().hexes)

_DRAWS: dict[Any, Draw] = {
    UnitId: _unit,
    HexId: _hex,
    tuple[UnitId, ...]: _units,
    tuple[HexId, ...]: _path,
    int: _number,
    str: _word,
    bool: lambda random, _: random.random() < 0.5,
}

KINDS: tuple[Any, ...] = tuple(
    kind
    for kind in get_args(a.AnyAction)
    if all(hint in _DRAWS for hint in get_type_hints(kind).values())
)
"""The kinds of action whose every field can be drawn; reports of battles are left out."""
