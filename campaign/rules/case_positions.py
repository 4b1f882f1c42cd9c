"""Positions of the case book, read from short descriptions of stacks and phases.

A stack is written `Khartoum: Gordon, 4 infantry egyptian L, gun disrupted`: a place or the number
of a hex, then leaders by name and other units as number, kind, nation, strength with quality, and
`disrupted`. Parts left out have the book's value for such a unit. `(Black Watch)` gives a counter
its name, `of souakim_1` before that the force it came with.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache

import msgspec

from battles.contract.brief import RIVER_CRAFT, Nation, Quality, Side, TroopKind
from battles.core.decoding import decode, encode
from battles.core.game import Step
from campaign.rules.core.board import scenario_of
from campaign.rules.core.pieces import Month, UnitId, month_from_text
from campaign.rules.core.play import PLAYER_TURN
from campaign.rules.core.state import OFF_MAP, DueUnits, Phase, State, Unit
from campaign.rules.map import HexId, sudan
from campaign.rules.set_up import new_game
from campaign.rules.tables.book import book

SET_UP = "set-up"
TURN_ENDS = "end of turn"

_BETWEEN_UNITS = re.compile(r",(?![^(]*\))")
_PHASES = dict(PLAYER_TURN)
_OTHER_NAMES = {
    "rifles": TroopKind.INFANTRY,
    "guns": TroopKind.GUN,
    "camels": TroopKind.CAMEL,
    "boats": TroopKind.BOAT,
    "gunboats": TroopKind.GUNBOAT,
}
_KINDS = {str(kind): kind for kind in TroopKind if kind is not TroopKind.LEADER} | _OTHER_NAMES
_OWNERS = {
    TroopKind.SPEARS: Nation.MAHDIST,
    **dict.fromkeys(
        (
            TroopKind.CAMEL_CORPS,
            TroopKind.ENGINEERS,
            TroopKind.NAVAL,
            TroopKind.SUPPLY,
            TroopKind.CAMEL,
            TroopKind.BOAT,
            TroopKind.FLEET,
        ),
        Nation.BRITISH,
    ),
}
"""Nation of a unit when none is written; all other kinds are Egyptian."""


class PositionError(ValueError):
    """Error for words that describe no position, with the words that are allowed."""


class ScheduledUnits(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Units that come in a later month, to one of several places."""

    month: str
    at: tuple[str, ...]
    units: str
    reason: str = "reinforcement"


class CasePosition(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A state in short words. Without `stacks` all units stand as the scenario deploys them.

    `phases` are played one after the other, in the turn of `side`; `held` names the holders of
    empty places; `scheduled` keeps the scenario's reinforcements. A chapter of the case book gives
    its scenario to positions that name none.
    """

    stacks: tuple[str, ...] | None = None
    scenario: str = ""
    month: str = ""
    side: Side = Side.EGYPTIAN
    phases: tuple[str, ...] = ("march",)
    held: dict[str, Side] = {}
    scheduled: bool = False
    due: tuple[ScheduledUnits, ...] = ()
    called: tuple[str, ...] = ()
    flags: tuple[str, ...] = ()
    tallies: dict[str, int] = {}
    railheads: dict[str, int] = {}


def assemble(position: CasePosition) -> State:
    """Return the state that the position describes, with its phases to come and no open question.

    Before the first turn (`phases = ["set-up"]`) the set-up question is open. Raise PositionError
    for words without a meaning.
    """
    state = decode(_set_up(position.scenario), State)
    if position.phases == (SET_UP,):
        return state
    state.month = month_of(position.month) if position.month else state.month
    state.side, state.phase = position.side, _PHASES.get(position.phases[0], Phase.RECOVERY)
    state.agenda, state.question = [_step(position.side, name) for name in position.phases], None
    if position.stacks is not None:
        _put_stacks(state, position.stacks)
    if not position.scheduled:
        state.due, state.next_unit = [], len(state.units) + 1
    state.due += _due_groups(state, position.due)
    state.called, state.flags = list(position.called), list(position.flags)
    state.tallies, state.railheads = dict(position.tallies), state.railheads | position.railheads
    settle(state, position.held)
    return state


def settle(state: State, holders: Mapping[str, Side]) -> None:
    """Give places to their occupants, then as `holders` says; count the pool and the box."""
    fresh = dict(state.control)
    for unit in state.units.values():
        if unit.hex in fresh and unit.kind not in RIVER_CRAFT | {TroopKind.LEADER}:
            fresh[unit.hex] = unit.side
    fresh |= {hex_of(name): Side(side) for name, side in holders.items()}
    state.control = dict(sorted(fresh.items()))
    manned = {unit.hex for unit in state.units.values()} | {hex_of(name) for name in holders}
    state.vacant = [place for place in state.vacant if place not in manned]
    for kind in (kind for kind in TroopKind if book().counters(kind)):
        _count_off(state, kind)


def hex_of(where: str | int) -> HexId:
    """Return the hex of a place, or of a number as the map prints it.

    Raise MapError when there is no such place.
    """
    text = str(where)
    return HexId(int(text)) if text.isdigit() else sudan().place(text).hex


def month_of(text: str) -> Month:
    """Return the month written as `1884-02`. Raise PositionError for other text."""
    try:
        return month_from_text(text)
    except ValueError as error:
        raise PositionError(str(error)) from error


def stack_of(words: str) -> tuple[HexId, str]:
    """Return the hex of a stack, and its units in words.

    Raise PositionError without a colon.
    """
    where, colon, description = words.partition(":")
    if not colon:
        raise PositionError(f"{words!r} is no stack: write it like ‘Khartoum: 2 infantry’")
    return hex_of(where.strip()), description.strip()


def units_of(text: str, hex_id: HexId, number: int) -> Iterator[Unit]:
    """Yield the units that words such as `Gordon, 4 infantry egyptian L` describe.

    They are numbered from `number`.
    """
    for words in (part.strip() for part in _BETWEEN_UNITS.split(text)):
        for unit in _like(words, hex_id):
            unit.id = UnitId(number)
            number += 1
            yield unit


def _like(text: str, hex_id: HexId) -> Iterable[Unit]:
    leaders = {leader.name: leader for leader in book().leaders()}
    if text in leaders:
        nation = leaders[text].nation
        return [Unit(UnitId(0), TroopKind.LEADER, nation, Quality.NONE, 0, hex_id, name=text)]
    words, name, origin = _marks(text)
    count, rest = (int(words[0]), words[1:]) if words[0].isdigit() else (1, words)
    kind, rest = _kind(text, rest)
    usual = _OWNERS.get(kind, Nation.EGYPTIAN)
    nation = next((nation for nation in Nation if nation in rest), usual)
    quality, strength = _worth(kind, nation, rest)
    shaken = "disrupted" in rest
    unit = Unit(UnitId(0), kind, nation, quality, strength, hex_id, shaken, name, origin)
    return [msgspec.structs.replace(unit) for _ in range(count)]


@lru_cache(maxsize=8)
def _set_up(slug: str) -> bytes:
    """Return the first state of the scenario, encoded and cached."""
    return encode(new_game(slug))


def _marks(text: str) -> tuple[list[str], str, str]:
    """Return the words of a unit, its name, and its origin."""
    rest, _, name = text.partition("(")
    rest, _, origin = rest.partition(" of ")
    return rest.split(), name.removesuffix(")"), origin.strip()


def _kind(text: str, words: list[str]) -> tuple[TroopKind, list[str]]:
    for length in (2, 1):
        kind = _KINDS.get(" ".join(words[:length]))
        if kind is not None:
            return kind, words[length:]
    raise PositionError(f"{text!r} is no unit and no leader; kinds are {', '.join(_KINDS)}")


def _worth(kind: TroopKind, nation: Nation, words: list[str]) -> tuple[Quality, int]:
    """Return quality and strength: `3V` is a Veteran of 3, `R` a Rabble of 1; else the book's."""
    other_words = {"disrupted", *Nation}
    for word in (word for word in words if word not in other_words):
        if word[-1] not in "VLRF" or not (len(word) == 1 or word[:-1].isdigit()):
            raise PositionError(f"{word!r} is neither nation nor strength and quality, such as 3V")
        return Quality(word[-1]), int(word[:-1] or 1)
    usual = book().default(kind, nation)
    return usual.quality, usual.strength


def _step(side: Side, name: str) -> Step:
    if name == TURN_ENDS:
        return Step("phase", (f"{side.capitalize()} turn ends", "", side))
    if name not in _PHASES:
        choices = ", ".join([*_PHASES, TURN_ENDS])
        raise PositionError(f"{name!r} is no phase; write one of: {choices}")
    return Step("phase", (name, _PHASES[name], side))


def _put_stacks(state: State, stacks: Iterable[str]) -> None:
    """Put exactly these stacks on the map, their units numbered from 1 in this order."""
    state.units = {}
    for words in stacks:
        hex_id, description = stack_of(words)
        units = units_of(description, hex_id, len(state.units) + 1)
        state.units.update({unit.id: unit for unit in units})


def _due_groups(state: State, groups: Iterable[ScheduledUnits]) -> Iterator[DueUnits]:
    for group in groups:
        units = tuple(units_of(group.units, OFF_MAP, state.next_unit))
        state.next_unit += len(units)
        hexes = tuple(map(hex_of, group.at))
        yield DueUnits(month_of(group.month), group.reason, hexes, units)


def _count_off(state: State, kind: TroopKind) -> None:
    waiting = [unit for due in state.due for unit in due.units]
    in_use = sum(
        unit.kind is kind and unit.side is Side.MAHDIST
        for unit in [*state.units.values(), *waiting]
    )
    spare = book().counters(kind) - in_use
    if spare < 0:
        raise PositionError(f"There are only {book().counters(kind)} Mahdist {kind} counters.")
    drawn = scenario_of(state).drawn.get(kind, 0)
    state.pool[kind] = min(spare, max(0, drawn - in_use))
    state.box[kind] = spare - state.pool[kind]
