"""Summarise the situation: towns, sieges, victory conditions, railways and lasting events."""

from collections.abc import Iterator
from typing import NamedTuple

from battles.contract.brief import Side
from campaign.rules.core.board import board, chart, scenario_of
from campaign.rules.core.pieces import month_name
from campaign.rules.core.state import State
from campaign.rules.map import HexId, PlaceClass
from campaign.rules.prose.names import describe_hex
from campaign.rules.railways import lines
from campaign.rules.sight import View
from campaign.rules.tables.scenario_data import OnlyADraw, SiegeMaintained, Unbesieged
from campaign.rules.tables.victory_blocks import PlacesHeld, PointsCounted
from campaign.rules.victory import months_held, points


class Town(NamedTuple):
    """A town and its holder."""

    hex: HexId
    name: str
    side: Side | None
    besieged: bool


class VictoryGoal(NamedTuple):
    """A victory condition; `so_far` and `wanted` count months if it does.

    `side` is None for points, which either side may win by; `score` then has those of both sides.
    """

    side: Side | None
    text: str
    clause: str
    so_far: int = 0
    wanted: int = 0
    score: str = ""


class Railway(NamedTuple):
    """A railway, and how far it is built."""

    begins: str
    railhead: str
    built: int
    hexes: int


class Lasting(NamedTuple):
    """A random event that is in force."""

    side: Side
    title: str
    where: str


class Situation(NamedTuple):
    """The summary of a position."""

    towns: tuple[Town, ...]
    goals: tuple[VictoryGoal, ...]
    ends: str
    railways: tuple[Railway, ...]
    in_force: tuple[Lasting, ...]
    pile: int | None
    """Mahdist counters in the pile; None for viewers who may not count them."""


def situation(view: View) -> Situation:
    """Return the situation as the viewer knows it."""
    state = view.state
    counts = not view.fogged or view.viewer is Side.MAHDIST
    return Situation(
        tuple(_towns(state)),
        tuple(_goals(state)),
        month_name(scenario_of(state).last_month),
        tuple(_railways(state)),
        tuple(_in_force(state)),
        sum(state.pool.values()) if counts else None,
    )


def _towns(state: State) -> Iterator[Town]:
    """Yield the towns from north to south."""
    position = board(state)
    towns = [
        place
        for place in chart(state).places.values()
        if place.kind is PlaceClass.TOWN and place.hex in state.control
    ]
    for town in sorted(towns, key=lambda place: -place.lat):
        side = state.control.get(town.hex)
        besieged = side is not None and bool(position.stack(side, town.hex))
        besieged = besieged and side is not None and position.besieged(side, town.hex)
        yield Town(town.hex, town.name, side, besieged)


def _goals(state: State) -> Iterator[VictoryGoal]:
    for place, condition in enumerate(scenario_of(state).victory):
        if isinstance(condition, OnlyADraw):
            yield VictoryGoal(condition.side, condition.text, condition.clause)
        elif isinstance(condition, PointsCounted):
            yield VictoryGoal(
                None, condition.text, condition.clause, score=score_in_words(state, condition)
            )
        elif isinstance(condition, PlacesHeld):
            yield VictoryGoal(
                condition.winner,
                condition.text,
                condition.clause,
                months_held(state, place),
                condition.turns if condition.turns > 1 else 0,
            )
        elif isinstance(condition, Unbesieged | SiegeMaintained):
            so_far = state.tallies.get(f"turns:{condition.winner}", 0)
            yield VictoryGoal(
                condition.winner, condition.text, condition.clause, so_far, condition.turns
            )
        else:
            yield VictoryGoal(condition.winner, condition.text, condition.clause)


def score_in_words(state: State, condition: PointsCounted) -> str:
    """Return the points of both sides as the position stands."""
    score = points(state, condition)
    return ", ".join(f"{side.value.title()} {score[side]}" for side in Side)


def _railways(state: State) -> Iterator[Railway]:
    for slug, hexes in lines(state).items():
        built = state.railheads.get(slug, 0)
        railhead = describe_hex(hexes[built - 1]) if built else ""
        yield Railway(describe_hex(hexes[0]), railhead, built, len(hexes))


def _in_force(state: State) -> Iterator[Lasting]:
    for one in state.in_force:
        yield Lasting(
            one.side, one.title, describe_hex(one.hex) if one.hex in chart(state).hexes else ""
        )


def headline(state: State) -> str:
    """Return a line about the sieges, or about the result."""
    besieged = [town.name for town in _towns(state) if town.besieged]
    if state.result:
        return state.result.reason
    return f"Under siege: {', '.join(besieged)}." if besieged else "No town is under siege."
