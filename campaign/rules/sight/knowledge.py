"""What a side has seen of the enemy, and when: it forgets nothing that it has not seen undone."""

from collections.abc import Iterable, Sequence
from enum import StrEnum

import msgspec

from campaign.rules import events as e
from campaign.rules.board import board
from campaign.rules.map import HexId, PlaceClass, sudan
from campaign.rules.pieces import Kind, Month, Side, UnitId
from campaign.rules.sight.watching import NEAR, SIGHT, Watch, around, further, reports, watch
from campaign.rules.state import OFF_MAP, State, Unit


class Size(StrEnum):
    """How large a stack looks from afar, leaders not counted."""

    HANDFUL = "a handful"
    BODY = "a body"
    FORCE = "a force"
    HOST = "a host"

    @property
    def words(self) -> str:
        """The numbers of units it stands for."""
        return _NUMBERS[self]


_NUMBERS = {
    Size.HANDFUL: "1 to 3 units",
    Size.BODY: "4 to 9 units",
    Size.FORCE: "10 to 19 units",
    Size.HOST: "20 units or more",
}
_FROM = ((20, Size.HOST), (10, Size.FORCE), (4, Size.BODY))


class Sighting(msgspec.Struct, frozen=True, omit_defaults=True):
    """A stack of `side` in a hex, as it was seen in `month`; `units` if they could be counted.

    One that was `passing` has been seen to leave the hex in the same month.
    """

    hex: HexId
    side: Side
    size: Size
    month: Month
    units: tuple[Unit, ...] = ()
    passing: bool = False


class Knowledge(msgspec.Struct, omit_defaults=True):
    """What a side knows: the enemy stacks it has seen last, by hex, and who holds which place.

    `passed` are stacks that it has seen pass in this month.
    """

    side: Side
    sightings: dict[HexId, Sighting] = {}
    passed: dict[HexId, Sighting] = {}
    held: dict[HexId, Side] = {}


def size_of(units: Sequence[Unit]) -> Size:
    """The band that so many units fall in."""
    men = sum(unit.kind is not Kind.LEADER for unit in units)
    return next((size for least, size in _FROM if men >= least), Size.HANDFUL)


def beginning(state: State, side: Side) -> Knowledge:
    """What the side knows as the campaign begins: who holds what, and what it sees."""
    known = Knowledge(side, held=dict(state.control))
    observe(known, state)
    return known


def agreed(one: Knowledge, other: Knowledge) -> dict[HexId, Side]:
    """Who holds what, as far as both sides know the same."""
    return {place: side for place, side in one.held.items() if other.held.get(place) is side}


def observe(known: Knowledge, state: State) -> None:
    """The side looks about itself: what it sees now takes the place of what it saw there."""
    seeing = watch(state, known.side)
    for hex_id in [hex_id for hex_id in known.sightings if hex_id in seeing.seen]:
        del known.sightings[hex_id]
    for hex_id in board(state).hexes(known.side.enemy):
        if hex_id in seeing.seen:
            _note(known, sighted(state, hex_id, known.side, seeing))
    _hear_of_places(known, state, seeing)


def sighted(state: State, hex_id: HexId, by: Side, seeing: Watch) -> Sighting:
    """The enemy stack in the hex as the side sees it."""
    units = board(state).stack(by.enemy, hex_id)
    told = tuple(map(msgspec.structs.replace, units)) if hex_id in seeing.near else ()
    return Sighting(hex_id, by.enemy, size_of(units), state.month, told)


def _note(known: Knowledge, seen: Sighting) -> None:
    """Write the sighting down; units seen here are no longer where they were seen before."""
    here = {unit.id for unit in seen.units}
    for hex_id, old in list(known.sightings.items()):
        left = tuple(unit for unit in old.units if unit.id not in here)
        if old.units and not left:
            del known.sightings[hex_id]
        elif len(left) < len(old.units):
            known.sightings[hex_id] = msgspec.structs.replace(old, size=size_of(left), units=left)
    known.sightings[seen.hex] = seen


def _hear_of_places(known: Knowledge, state: State, seeing: Watch) -> None:
    """Its own gains, the loss of a town, and whatever is in sight; the rest stays as it was."""
    for place, side in state.control.items():
        lost = known.held.get(place) is known.side and _is_town(place)
        if side is known.side or lost or place in seeing.seen:
            known.held[place] = side


def _is_town(hex_id: HexId) -> bool:
    name = sudan().hexes[hex_id].place
    return name is not None and sudan().places[name].kind is PlaceClass.TOWN


_CHANGES_WHAT_IS_SEEN = (
    e.MonthBegan,
    e.Deployed,
    e.Arrived,
    e.Removed,
    e.Disrupted,
    e.Recovered,
    e.Improved,
    e.SailedAway,
    e.CombatBegan,
    e.CombatEnded,
    e.ControlChanged,
)


def learn(known: Knowledge, state: State, event: e.AnyEvent) -> None:
    """What the side learns from an event that has just happened to the state."""
    if isinstance(event, e.MonthBegan):
        known.passed.clear()
    if isinstance(event, e.Moved | e.WentByRail | e.Sailed):
        marching = state.march.units if state.march else []
        _see_pass(known, state, event.path, marching)
    elif isinstance(event, e.Retreated):
        _see_pass(known, state, event.path, event.units)
    elif isinstance(event, _CHANGES_WHAT_IS_SEEN):
        observe(known, state)


def _see_pass(known: Knowledge, state: State, path: Sequence[HexId], ids: Iterable[UnitId]) -> None:
    """A stack goes along a path: on the way it looks about, or is looked at."""
    units = board(state).named(ids)
    if units and units[0].side is known.side:
        _reconnoitre(known, state, path[:-1], units)
    elif units:
        _see_enemy_pass(known, state, path, units)
    observe(known, state)


def _see_enemy_pass(
    known: Knowledge, state: State, path: Sequence[HexId], units: list[Unit]
) -> None:
    seeing = watch(state, known.side)
    passed = [hex_id for hex_id in path if hex_id in seeing.seen]
    if not passed:
        return
    last = passed[-1]
    if last == path[-1]:
        return
    told = tuple(map(msgspec.structs.replace, units)) if last in seeing.near else ()
    known.passed[last] = Sighting(
        last, known.side.enemy, size_of(units), state.month, told, passing=True
    )


def _reconnoitre(known: Knowledge, state: State, path: Sequence[HexId], units: list[Unit]) -> None:
    """What the marching stack sees from each hex that it passes through."""
    if not reports(units, known.side):
        return
    for post in path:
        passing = [msgspec.structs.replace(unit, hex=post) for unit in units]
        seen = around(post, SIGHT).union(*(further(unit) for unit in passing if not unit.disrupted))
        _look_from(known, state, Watch(seen, around(post, NEAR)))


def _look_from(known: Knowledge, state: State, seeing: Watch) -> None:
    for hex_id in [hex_id for hex_id in known.sightings if hex_id in seeing.seen]:
        del known.sightings[hex_id]
    for hex_id in seeing.seen:
        if hex_id != OFF_MAP and board(state).stack(known.side.enemy, hex_id):
            _note(known, sighted(state, hex_id, known.side, seeing))
    _hear_of_places(known, state, seeing)
