"""A sentence of the month's despatches, and the draft it is written from."""

from collections.abc import Iterable, Sequence
from enum import StrEnum
from typing import NamedTuple

import msgspec

from battles.core.dice import Roll
from campaign.rules.english.names import dateline
from campaign.rules.map import HexId
from campaign.rules.pieces import Month, Side
from campaign.rules.state import Phase, State

ROUTINE, NEWS, HEADLINE = 1, 2, 3


class Topic(StrEnum):
    """What a sentence is about."""

    NOTE = "note"
    EVENT = "event"
    ARRIVAL = "arrival"
    MARCH = "march"
    COMBAT = "combat"
    SIEGE = "siege"
    ATTRITION = "attrition"
    RECOVERY = "recovery"
    RIVER = "river"
    RAIL = "rail"
    SIGHTING = "sighting"
    VICTORY = "victory"


class Sentence(msgspec.Struct, frozen=True):
    """A despatch: its text, the dice behind it, and where it belongs.

    `side` is the side it is about, None for both; `turn` and `phase` say in whose player turn and
    in which phase of `month` it happened. Weight 3 is a headline, 1 is routine. `battle` is the
    number of the battle that was handed over, where it tells of one. `prose` is the text without
    what only a player needs (rules, modifiers, counts towards victory): what a newspaper prints,
    empty where nothing is left.
    """

    text: str
    kind: Topic
    rolls: tuple[Roll, ...]
    hex: HexId | None
    side: Side | None
    weight: int
    month: Month
    turn: Side
    phase: Phase
    battle: str = ""
    prose: str = ""


class Moment(NamedTuple):
    """When something happened."""

    month: Month
    turn: Side
    phase: Phase


def moment(state: State) -> Moment:
    """The month, player turn and phase the state is in."""
    return Moment(state.month, state.side, state.phase)


class Draft:
    """A sentence being written: parts are added while what belongs to it goes on happening."""

    def __init__(self, kind: Topic, when: Moment) -> None:
        self.kind = kind
        self.when = when
        self.parts: list[str] = []
        self._prose: list[str] = []
        self.rolls: list[Roll] = []
        self.hex: HexId | None = None
        self.side: Side | None = None
        self.weight = ROUTINE
        self.battle = ""

    def say(self, *parts: str) -> "Draft":
        """Adds these parts, each a sentence of its own."""
        return self.tell_players(*parts).print(*parts)

    def tell_players(self, *parts: str) -> "Draft":
        """Add parts about the rules, which only a player needs: no newspaper prints them."""
        self.parts.extend(part for part in parts if part)
        return self

    def print(self, *parts: str) -> "Draft":
        """Add parts that stand in a newspaper alone."""
        self._prose.extend(part for part in parts if part)
        return self

    def about(self, *, hex_id: HexId | None = None, side: Side | None = None) -> "Draft":
        """Says where it happened and to whom."""
        self.hex = self.hex if hex_id is None else hex_id
        self.side = self.side if side is None else side
        return self

    def weigh(self, weight: int) -> "Draft":
        """Counts for at least this much."""
        self.weight = max(self.weight, weight)
        return self

    def citing(self, rolls: Iterable[Roll]) -> "Draft":
        """Rests on these throws too."""
        self.rolls.extend(rolls)
        return self

    def finished(self) -> Sentence:
        """The sentence; news that happened somewhere begins with place and month."""
        about = self.kind, tuple(self.rolls), self.hex, self.side, self.weight
        text, prose = self._dated(self.parts), self._dated(self._prose)
        return Sentence(text, *about, *self.when, self.battle, prose)

    def _dated(self, parts: Sequence[str]) -> str:
        text = " ".join(parts)
        news = self.weight > ROUTINE and self.kind is not Topic.EVENT
        if text and news and self.hex is not None:
            text = f"{dateline(self.hex, self.when.month)} {text}"
        return text
