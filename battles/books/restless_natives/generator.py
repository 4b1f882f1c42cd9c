"""The scenario and army generator: two dice decide the armies and the scenario (Scenarios)."""

from collections.abc import Iterator
from functools import cache
from importlib.resources import files
from typing import Annotated, NamedTuple, TypeVar

import msgspec

from battles.contract.book import ThrownBattle
from battles.contract.brief import (
    Bearing,
    Brief,
    BriefGround,
    Nation,
    Party,
    Quality,
    Side,
    Troop,
    TroopKind,
)
from battles.core.dice import Dice
from battles.core.tables import Row, Source, check_keys, read_table

Score = Annotated[int, msgspec.Meta(ge=1, le=6)]
Positive = Annotated[int, msgspec.Meta(ge=1)]
R = TypeVar("R", bound=Row)

BASIC = 0
"""The pseudo-score of the basic army, which both sides get in any case."""


class Baseline(Row, frozen=True, kw_only=True):
    """A unit of the baseline armies: its count, its stands, and its terms in the campaign."""

    unit: str
    side: Side
    baseline: Positive
    stands: Positive
    kind: TroopKind
    nation: Nation
    strength: Positive
    name: str
    quality: Quality = Quality.NONE


class Army(Row, frozen=True, kw_only=True):
    """The units that a score adds to the basic army, or that army itself."""

    side: Side
    score: Annotated[int, msgspec.Meta(ge=0, le=6)]
    units: tuple[str, ...]


class Pair(Row, frozen=True, kw_only=True):
    """The scenarios for one score of the Native Commander, by the British one's."""

    natives: Score
    british: Annotated[tuple[str, ...], msgspec.Meta(min_length=6, max_length=6)]


class GeneratedSetting(NamedTuple):
    """The texts of a scenario's brief; the attacker's orders are to attack."""

    slug: str
    title: str
    attacker: Side
    ground: BriefGround
    comes_from: Bearing
    orders: str = ""


SCENARIOS = {
    "A": GeneratedSetting(
        "the-british-attack-a-fortified-village",
        "The British attack a fortified village",
        Side.EGYPTIAN,
        BriefGround(place="The village", settlement="village"),
        Bearing.SOUTH_EAST,
        "hold",
    ),
    "B": GeneratedSetting(
        "the-mahdists-attack-a-fortified-village",
        "The Mahdists attack a fortified village",
        Side.MAHDIST,
        BriefGround(place="The village", settlement="village"),
        Bearing.SOUTH_EAST,
        "hold",
    ),
    "C": GeneratedSetting(
        "the-long-patrol",
        "The long patrol",
        Side.EGYPTIAN,
        BriefGround(),
        Bearing.SOUTH_WEST,
        "attack",
    ),
    "D": GeneratedSetting(
        "a-meeting-engagement",
        "A meeting engagement",
        Side.EGYPTIAN,
        BriefGround(),
        Bearing.NORTH_WEST,
        "attack",
    ),
    "E": GeneratedSetting(
        "clearing-the-hills",
        "Clearing the hills",
        Side.EGYPTIAN,
        BriefGround(relief="hill"),
        Bearing.SOUTH_WEST,
        "hold",
    ),
    "F": GeneratedSetting(
        "a-set-piece-battle",
        "A set-piece battle",
        Side.EGYPTIAN,
        BriefGround(relief="hill"),
        Bearing.SOUTH_WEST,
        "attack",
    ),
}
"""The scenarios by their letter; the orders are the defender's."""


def baseline(side: Side) -> dict[str, Baseline]:
    """Return the units of that side's baseline army by name."""
    return {row.unit: row for row in _baseline() if row.side is side}


def army(side: Side, score: int) -> tuple[Baseline, ...]:
    """Return the units for a score of 1 to 6: the basic army with its additions.

    Raises ValueError for any other score.
    """
    _check(score)
    baselines = baseline(side)
    rows = {row.score: row for row in _armies() if row.side is side}
    return tuple(baselines[unit] for row in (rows[BASIC], rows[score]) for unit in row.units)


def scenario(british: int, natives: int) -> str:
    """Return the letter of the scenario for these two scores.

    Raises ValueError for a score that is not 1 to 6.
    """
    _check(british)
    _check(natives)
    return next(row.british[british - 1] for row in _pairs() if row.natives == natives)


def generate_brief(british: int, natives: int, letter: str = "") -> Brief:
    """Return a brief of the battle for these two scores.

    Without a `letter` the scenario is the table's. Raises ValueError for a score that is not 1 to
    6, and for an unknown letter.
    """
    chosen = letter or scenario(british, natives)
    if chosen not in SCENARIOS:
        raise ValueError(f"There is no scenario {chosen!r}: give a letter from A to F.")
    setting = SCENARIOS[chosen]
    numbers = iter(range(1, 100))
    scores = {Side.EGYPTIAN: british, Side.MAHDIST: natives}
    first, second = setting.attacker, setting.attacker.enemy
    return Brief(
        id=f"{setting.slug}-{british}-{natives}",
        title=setting.title,
        attacker=Party(first, _troops(first, scores[first], numbers), "attack"),
        defender=Party(second, _troops(second, scores[second], numbers), setting.orders),
        ground=setting.ground,
        month="1884-03",
        comes_from=setting.comes_from,
    )


def higher_die(dice: Dice) -> tuple[tuple[int, int], ...]:
    """Roll a D6 for each Commander-in-Chief, again while they are equal; return every round."""
    rounds: list[tuple[int, int]] = []
    while not rounds or rounds[-1][0] == rounds[-1][1]:
        first, second = dice.throw(2, 6)
        rounds.append((first, second))
    return tuple(rounds)


def computers_side(dice: Dice) -> Side:
    """Roll a D6 for the side of a computer that may choose: odd for the British (ruling)."""
    return Side.EGYPTIAN if dice.throw(1, 6)[0] % 2 else Side.MAHDIST


def roll_brief(dice: Dice) -> ThrownBattle:
    """Roll a die for each Commander-in-Chief, the British one first, and return the battle."""
    british, natives = dice.throw(2, 6)
    brief = generate_brief(british, natives)
    letter = scenario(british, natives)
    return ThrownBattle(
        brief,
        f"The British Commander-in-Chief throws {british}, the Native one {natives}: "
        f"scenario {letter}, {brief.title}.",
    )


def _troops(side: Side, score: int, numbers: Iterator[int]) -> tuple[Troop, ...]:
    return tuple(
        Troop(next(numbers), unit.kind, unit.nation, unit.quality, unit.strength, name=unit.name)
        for unit in army(side, score)
    )


def _check(score: int) -> None:
    if not 1 <= score <= 6:
        raise ValueError(f"A die does not show {score}: give a score from 1 to 6.")


@cache
def _baseline() -> tuple[Baseline, ...]:
    table = read_table(_file("baseline.toml"), Baseline)
    check_keys(table, lambda row: row.unit)
    return table.rows


@cache
def _armies() -> tuple[Army, ...]:
    """Return the armies. Raises TableError for a unit that the baseline does not have."""
    table = read_table(_file("armies.toml"), Army)
    scores = [(side, score) for side in Side for score in range(BASIC, 7)]
    check_keys(table, lambda row: (row.side, row.score), scores)
    for place, row in enumerate(table.rows):
        strange = [unit for unit in row.units if unit not in baseline(row.side)]
        if strange:
            raise table.error(place, f"{strange[0]!r} is in no baseline army", "correct its name")
    return table.rows


@cache
def _pairs() -> tuple[Pair, ...]:
    table = read_table(_file("pairs.toml"), Pair)
    check_keys(table, lambda row: row.natives, range(1, 7))
    return table.rows


def _file(name: str) -> Source:
    path = files("battles.books.restless_natives") / name
    return Source(name, path.read_text(encoding="utf-8"))
