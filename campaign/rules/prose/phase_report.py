"""Report of a phase: events gathered while it lasts, and sentences written at its end."""

from collections.abc import Iterable, Iterator, Sequence
from enum import StrEnum
from typing import Any, NamedTuple

import msgspec

from battles.contract.brief import Side, TroopKind
from battles.core.dice import Roll
from battles.core.rules_engine import Handlers
from campaign.rules.core import events as e
from campaign.rules.core.board import board
from campaign.rules.core.pieces import Month, UnitId, month_name
from campaign.rules.core.state import Phase, State, Unit
from campaign.rules.map import HexId, PlaceClass
from campaign.rules.march.fleet import REPAIR
from campaign.rules.prose.names import (
    at_hex,
    dateline,
    describe_hex,
    describe_stack,
    describe_units,
    is_plural,
    leader_name,
    line_name,
    name_place,
    side_name,
    side_with_verb,
)
from campaign.rules.prose.phrases import (
    capitalise,
    count_noun,
    describe_battle_method,
    full_stop,
    join_words,
    pick_phrase,
    spell_number,
)
from campaign.rules.umpire_rulings import CAUSE

ROUTINE, NEWS, HEADLINE = 1, 2, 3


class Topic(StrEnum):
    """Subject of a sentence."""

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


class DespatchSentence(msgspec.Struct, frozen=True):
    """A despatch: its text, its rolls, its place and its time.

    `side` is the side it is about, None for both; `turn` and `phase` are the player turn and the
    phase of `month`. Weight 3 is a headline, 1 is routine. `battle` is the number of a battle that
    was handed over. `prose` is the text for newspapers, without the parts for players only (rules,
    modifiers, counts towards victory); it may be empty. `opening` is the place and date at the head
    of both; it may be empty too.
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
    opening: str = ""


class Moment(NamedTuple):
    """Time of an event."""

    month: Month
    turn: Side
    phase: Phase


def moment(state: State) -> Moment:
    """Return the month, player turn and phase of the state."""
    return Moment(state.month, state.side, state.phase)


_DAYS = {
    Phase.SET_UP: (1, 1),
    Phase.EVENT: (1, 2),
    Phase.REINFORCEMENT: (2, 3),
    Phase.MARCH: (4, 11),
    Phase.ATTRITION: (12, 13),
    Phase.RECOVERY: (14, 14),
    Phase.OVER: (14, 14),
}
"""First and last day of a phase's despatches; those of the Mahdist turn come a fortnight later."""
_FORTNIGHT = 14


def day_after(when: Moment, fights: Sequence[HexId]) -> int:
    """Return the day on which something happens after these combats of the phase.

    The rules know no days. Combats are known to all readers: counted by them alone, a day is the
    same in every paper, and does not show how many marches a reader has not seen.
    """
    first, last = _DAYS[when.phase]
    later = (when.month + first) % 3 + sum(1 + hex_id % 2 for hex_id in fights)
    return min(first + later, last) + (_FORTNIGHT if when.turn is Side.MAHDIST else 0)


class SentenceDraft:
    """A sentence being written; parts are added while its events happen."""

    def __init__(self, kind: Topic, when: Moment, day: int = 0) -> None:
        self.kind = kind
        self.when = when
        self.day = day or day_after(when, ())
        self.parts: list[str] = []
        self._prose: list[str] = []
        self.rolls: list[Roll] = []
        self.hex: HexId | None = None
        self.side: Side | None = None
        self.weight = ROUTINE
        self.battle = ""

    def say(self, *parts: str) -> "SentenceDraft":
        """Add these parts, each a sentence."""
        return self.tell_players(*parts).print(*parts)

    def tell_players(self, *parts: str) -> "SentenceDraft":
        """Add parts for players only, such as rules; newspapers do not print them."""
        self.parts.extend(part for part in parts if part)
        return self

    def print(self, *parts: str) -> "SentenceDraft":
        """Add parts for newspapers only."""
        self._prose.extend(part for part in parts if part)
        return self

    def about(self, *, hex_id: HexId | None = None, side: Side | None = None) -> "SentenceDraft":
        """Set the place and the side."""
        self.hex = self.hex if hex_id is None else hex_id
        self.side = self.side if side is None else side
        return self

    def weigh(self, weight: int) -> "SentenceDraft":
        """Raise the weight to at least this."""
        self.weight = max(self.weight, weight)
        return self

    def citing(self, rolls: Iterable[Roll]) -> "SentenceDraft":
        """Add these rolls to the sources."""
        self.rolls.extend(rolls)
        return self

    def finished(self) -> DespatchSentence:
        """Return the sentence; news from a hex begins with place and date."""
        about = self.kind, tuple(self.rolls), self.hex, self.side, self.weight
        text, prose = self._dated(self.parts), self._dated(self._prose)
        return DespatchSentence(text, *about, *self.when, self.battle, prose, self.opening)

    @property
    def opening(self) -> str:
        """Return the place and date of news from a hex; empty for other sentences."""
        if self.hex is None or self.weight is ROUTINE or self.kind is Topic.EVENT:
            return ""
        return dateline(self.hex, self.when.month, self.day)

    def _dated(self, parts: Sequence[str]) -> str:
        return " ".join((self.opening, *parts) if self.opening and parts else parts)


Hearing = Handlers[Any, [list[Roll]], None]
"""Methods of a report by event type; each takes the rolls behind its event."""

_FALLS = (
    "{place} has fallen to {side}.",
    "{place} is in the hands of {side}.",
    "{side} are masters of {place}.",
)
_DEATHS = (
    "{name} has fallen.",
    "{name} is among the dead.",
    "{name} is lost with the last of his men.",
)


class PhaseReport:
    """Report of one phase. It receives every event just before the state changes."""

    hears = Hearing("tale")

    def __init__(self, state: State) -> None:
        self.state = state
        self.when = moment(state)
        self.drafts: list[SentenceDraft] = []
        self.fights: list[HexId] = []
        self._afloat: tuple[Sequence[UnitId], SentenceDraft, HexId] | None = None

    def hear(self, event: e.AnyEvent, rolls: list[Roll]) -> None:
        """Gather an event that is about to happen; `rolls` are the rolls behind it."""
        if isinstance(event, e.CombatBegan):
            self.fights.append(event.defender)
        if type(event) in self.hears and getattr(event, "cause", "") != CAUSE:
            self.hears(self, event, rolls)

    def tell(self) -> Iterator[DespatchSentence]:
        """Return the sentences in the order in which things happened."""
        self.close()
        return (draft.finished() for draft in self.drafts if draft.parts)

    def close(self) -> None:
        """Write what was gathered into drafts."""

    def draft(self, topic: Topic, rolls: Sequence[Roll] = ()) -> SentenceDraft:
        """Return a new draft after the others."""
        draft = SentenceDraft(topic, self.when, day_after(self.when, self.fights)).citing(rolls)
        self.drafts.append(draft)
        return draft

    def units(self, ids: Sequence[UnitId]) -> list[Unit]:
        """Return the units of these numbers that are in play."""
        return [self.state.units[unit_id] for unit_id in ids if unit_id in self.state.units]

    @hears.on(e.Arrived)
    def arrived(self, event: e.Arrived, rolls: list[Roll]) -> None:
        """Report units that join when a place is taken, and a leader's successor."""
        if event.cause == "succession":
            heir = event.units[0]
            draft = self.draft(Topic.NOTE, rolls).about(hex_id=heir.hex, side=heir.side)
            draft.weigh(HEADLINE).say(
                f"{capitalise(leader_name(heir.name))} takes the Mahdi’s place."
            )
        elif event.cause == "town":
            self._joined(event.units, rolls)

    def _joined(self, units: Sequence[Unit], rolls: list[Roll]) -> None:
        hex_id = units[0].hex
        draft = self._of_place(hex_id) or self.draft(Topic.MARCH).about(hex_id=hex_id)
        subject = capitalise(describe_stack(units))
        if units[0].kind is TroopKind.BOAT:
            draft.say(f"{subject} found there {'serve' if len(units) > 1 else 'serves'} them now.")
        else:
            draft.say(f"{subject} from the town {'go' if len(units) > 1 else 'goes'} over to them.")
        draft.citing(rolls).about(side=units[0].side)

    def _of_place(self, hex_id: HexId) -> SentenceDraft | None:
        same = (d for d in reversed(self.drafts) if d.hex == hex_id and d.kind is Topic.SIEGE)
        return next(same, None)

    @hears.on(e.Removed)
    def removed(self, event: e.Removed, rolls: list[Roll]) -> None:
        """Report leaders lost by any cause, and captured craft."""
        if event.cause == "captured":
            self._taken_afloat(self.units(event.units), rolls)
        for unit in self.units(event.units):
            if unit.kind is TroopKind.LEADER:
                line = pick_phrase(_DEATHS, unit.hex, self.state.month)
                draft = self.draft(Topic.NOTE, rolls).about(hex_id=unit.hex, side=unit.side)
                draft.weigh(HEADLINE).say(line.format(name=capitalise(leader_name(unit.name))))

    @hears.on(e.ControlChanged)
    def taken(self, event: e.ControlChanged, rolls: list[Roll]) -> None:
        """Report an enemy place that has changed hands."""
        position = board(self.state)
        if not position.holds(event.side.enemy, event.place):
            return
        draft = self.draft(Topic.SIEGE, rolls).about(hex_id=event.place, side=event.side)
        if not position.in_town(event.place, PlaceClass.OASIS):
            town = position.in_town(event.place, PlaceClass.TOWN)
            draft.weigh(HEADLINE if town else NEWS)
        line = pick_phrase(_FALLS, event.place) if event.side is Side.MAHDIST else _FALLS[1]
        place = describe_hex(event.place) if draft.weight is ROUTINE else name_place(event.place)
        draft.say(capitalise(line.format(place=place, side=side_name(event.side))))

    @hears.on(e.Wrecked)
    def wrecked(self, event: e.Wrecked, rolls: list[Roll]) -> None:
        """Report wrecked hulls."""
        hulls = self.units(event.units)
        rocks = rolls[-1].reason.partition(" at ")[2] if rolls else ""
        rocks = f"at the {rocks}" if rocks[:1].isupper() else f"on {rocks}"
        draft = self.draft(Topic.RIVER, rolls).about(hex_id=event.at, side=hulls[0].side)
        place = f" {rocks}" if rolls else ""
        draft.weigh(NEWS).say(f"{capitalise(describe_stack(hulls))} is wrecked{place}.")

    @hears.on(e.Waited)
    def waited(self, event: e.Waited, rolls: list[Roll]) -> None:
        """Report the repair of a wrecked hull."""
        wrecks = [draft for draft in self.drafts if draft.kind is Topic.RIVER]
        if event.due.reason == REPAIR and wrecks:
            back, place = month_name(event.due.month), describe_hex(event.due.at[0])
            it = "It is"
            if event.due.units[0].side is not wrecks[-1].side:
                subject = side_with_verb(event.due.units[0].side, "takes", "take")
                it = f"{capitalise(subject)} what is left: it is"
            wrecks[-1].citing(rolls).say(f"{it} to be repaired by {back} at {place}.")

    def _taken_afloat(self, craft: list[Unit], rolls: list[Roll]) -> None:
        draft = self.draft(Topic.RIVER, rolls).about(hex_id=craft[0].hex, side=craft[0].side)
        fall = "fall" if is_plural(craft) else "falls"
        taker = side_name(craft[0].side.enemy)
        draft.weigh(NEWS).say(
            f"{capitalise(describe_units(craft))} {fall} into the hands of {taker}."
        )

    @hears.on(e.SailedAway)
    def sailed_away(self, event: e.SailedAway, rolls: list[Roll]) -> None:
        """Report craft that give way to a stack on the bank; hex after hex they are one report."""
        craft = self.units(event.units)
        if craft:
            plural = is_plural(craft)
            draft, start = self.draft(Topic.RIVER, rolls), craft[0].hex
            if self._afloat is not None and self._afloat[0] == event.units:
                _, earlier, start = self._afloat
                draft.citing(earlier.rolls)
                self.drafts.remove(earlier)
            self._afloat = (event.units, draft, start)
            draft.about(hex_id=event.hex, side=craft[0].side).say(
                f"{capitalise(describe_stack(craft))} {'draw' if plural else 'draws'} off from "
                f"{describe_hex(start)} and {'lie' if plural else 'lies'} {at_hex(event.hex)}."
            )

    @hears.on(e.RailLost)
    def rail_lost(self, event: e.RailLost, rolls: list[Roll]) -> None:
        """Report destroyed track."""
        draft = self.draft(Topic.RAIL, rolls).about(side=Side.EGYPTIAN).weigh(NEWS)
        draft.say(describe_lost_track(self.state, event))

    @hears.on(e.BattlesArranged)
    def battles_arranged(self, event: e.BattlesArranged, rolls: list[Roll]) -> None:
        """Report the new way to fight battles."""
        draft = self.draft(Topic.NOTE, rolls).weigh(NEWS)
        method = describe_battle_method(event.resolution)
        draft.tell_players(f"From now on battles are fought {method}.")

    @hears.on(e.RulingGiven)
    def ruling_given(self, event: e.RulingGiven, rolls: list[Roll]) -> None:
        """Report the umpire's reason; the changed position is visible on the map."""
        draft = self.draft(Topic.NOTE, rolls).weigh(NEWS)
        draft.tell_players(f"The umpire rules: {full_stop(event.reason)}")
        for roll in rolls:
            fell = join_words([spell_number(face) for face in roll.dice])
            draft.tell_players(f"{capitalise(describe_toss(event.toss or e.Toss(1)))}: {fell}.")

    def leftover(self, rolls: Iterable[Roll]) -> None:
        """Gather rolls without an event, at the end of the phase."""


def describe_toss(toss: e.Toss) -> str:
    """Return `a die is thrown`, `three dice of ten faces are thrown`."""
    faces = "" if toss.sides == 6 else f" of {spell_number(toss.sides)} faces"
    if toss.count == 1:
        return f"a die{faces} is thrown"
    return f"{count_noun(toss.count, 'die', 'dice')}{faces} are thrown"


def describe_lost_track(state: State, event: e.RailLost) -> str:
    """Return the sentence for destroyed track, in hexes."""
    line = line_name(state, event.track)
    hexes = count_noun(event.hexes, "hex", "hexes")
    return f"The last {hexes} of {line} {'is' if event.hexes == 1 else 'are'} torn up."
