"""A tale: what one phase brings, gathered while it happens and told when it is over."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from battles.core.dice import Roll
from battles.core.handlers import Handlers
from campaign.rules import events as e
from campaign.rules.board import board
from campaign.rules.english.names import (
    at,
    does,
    leader_name,
    line_name,
    side_name,
    the_place,
    where,
)
from campaign.rules.english.sentence import HEADLINE, NEWS, ROUTINE, Draft, Sentence, Topic, moment
from campaign.rules.english.stacks import bare, several, stack_in_words
from campaign.rules.english.words import (
    by_what,
    capital,
    full_stop,
    in_words,
    listed,
    pick,
    times,
)
from campaign.rules.map import HexId, PlaceClass
from campaign.rules.march.wrecks import REPAIR
from campaign.rules.pieces import Kind, Side, UnitId, month_name
from campaign.rules.ruling import CAUSE
from campaign.rules.state import State, Unit

Hearing = Handlers[Any, [list[Roll]], None]
"""The methods of a tale by the events they tell; each takes the throws behind its event."""

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


class Tale:
    """What one phase brings. It hears every event just before it happens to the state."""

    hears = Hearing("tale")

    def __init__(self, state: State) -> None:
        self.state = state
        self.when = moment(state)
        self.drafts: list[Draft] = []

    def hear(self, event: e.AnyEvent, rolls: list[Roll]) -> None:
        """The event is about to happen; `rolls` are the throws behind it."""
        if type(event) in self.hears and getattr(event, "cause", "") != CAUSE:
            self.hears(self, event, rolls)

    def tell(self) -> Iterator[Sentence]:
        """All there is to say, in the order in which it happened."""
        self.close()
        return (draft.finished() for draft in self.drafts if draft.parts)

    def close(self) -> None:
        """Puts into words what was gathered."""

    def draft(self, topic: Topic, rolls: Sequence[Roll] = ()) -> Draft:
        """A new sentence, after those there are."""
        draft = Draft(topic, self.when).citing(rolls)
        self.drafts.append(draft)
        return draft

    def units(self, ids: Sequence[UnitId]) -> list[Unit]:
        """The units of these numbers that are in play."""
        return [self.state.units[unit_id] for unit_id in ids if unit_id in self.state.units]

    @hears.on(e.Arrived)
    def arrived(self, event: e.Arrived, rolls: list[Roll]) -> None:
        """Those who join when a place is taken, and a leader's successor."""
        if event.cause == "succession":
            heir = event.units[0]
            draft = self.draft(Topic.NOTE, rolls).about(hex_id=heir.hex, side=heir.side)
            draft.weigh(HEADLINE).say(f"{capital(leader_name(heir.name))} takes the Mahdi's place.")
        elif event.cause == "town":
            self._joined(event.units, rolls)

    def _joined(self, units: Sequence[Unit], rolls: list[Roll]) -> None:
        here = units[0].hex
        draft = self._of_place(here) or self.draft(Topic.MARCH).about(hex_id=here)
        many = capital(stack_in_words(units))
        if units[0].kind is Kind.BOAT:
            draft.say(f"{many} found there {'serve' if len(units) > 1 else 'serves'} them now.")
        else:
            draft.say(f"{many} from the town {'go' if len(units) > 1 else 'goes'} over to them.")
        draft.citing(rolls).about(side=units[0].side)

    def _of_place(self, hex_id: HexId) -> Draft | None:
        same = (d for d in reversed(self.drafts) if d.hex == hex_id and d.kind is Topic.SIEGE)
        return next(same, None)

    @hears.on(e.Removed)
    def removed(self, event: e.Removed, rolls: list[Roll]) -> None:
        """Leaders who are lost make news whatever the cause, and so do craft that are taken."""
        if event.cause == "captured":
            self._taken_afloat(self.units(event.units), rolls)
        for unit in self.units(event.units):
            if unit.kind is Kind.LEADER:
                line = pick(_DEATHS, unit.hex, self.state.month)
                draft = self.draft(Topic.NOTE, rolls).about(hex_id=unit.hex, side=unit.side)
                draft.weigh(HEADLINE).say(line.format(name=capital(leader_name(unit.name))))

    @hears.on(e.ControlChanged)
    def taken(self, event: e.ControlChanged, rolls: list[Roll]) -> None:
        """A place that was the enemy's has changed hands."""
        position = board(self.state)
        if not position.holds(event.side.enemy, event.place):
            return
        draft = self.draft(Topic.SIEGE, rolls).about(hex_id=event.place, side=event.side)
        if not position.in_town(event.place, PlaceClass.OASIS):
            town = position.in_town(event.place, PlaceClass.TOWN)
            draft.weigh(HEADLINE if town else NEWS)
        line = pick(_FALLS, event.place) if event.side is Side.MAHDIST else _FALLS[1]
        place = where(event.place) if draft.weight is ROUTINE else the_place(event.place)
        draft.say(capital(line.format(place=place, side=side_name(event.side))))

    @hears.on(e.Wrecked)
    def wrecked(self, event: e.Wrecked, rolls: list[Roll]) -> None:
        """Hulls on the rocks."""
        hulls = self.units(event.units)
        rocks = rolls[-1].reason.partition(" at ")[2] if rolls else ""
        rocks = f"at the {rocks}" if rocks[:1].isupper() else f"on {rocks}"
        draft = self.draft(Topic.RIVER, rolls).about(hex_id=event.at, side=hulls[0].side)
        place = f" {rocks}" if rolls else ""
        draft.weigh(NEWS).say(f"{capital(stack_in_words(hulls))} is wrecked{place}.")

    @hears.on(e.Waited)
    def waited(self, event: e.Waited, rolls: list[Roll]) -> None:
        """When a wrecked hull will be back."""
        wrecks = [draft for draft in self.drafts if draft.kind is Topic.RIVER]
        if event.due.reason == REPAIR and wrecks:
            back, place = month_name(event.due.month), where(event.due.at[0])
            it = "It is"
            if event.due.units[0].side is not wrecks[-1].side:
                it = (
                    f"{capital(does(event.due.units[0].side, 'takes', 'take'))} what is left: it is"
                )
            wrecks[-1].citing(rolls).say(f"{it} to be repaired by {back} at {place}.")

    def _taken_afloat(self, craft: list[Unit], rolls: list[Roll]) -> None:
        draft = self.draft(Topic.RIVER, rolls).about(hex_id=craft[0].hex, side=craft[0].side)
        fall = "fall" if several(craft) else "falls"
        taker = side_name(craft[0].side.enemy)
        draft.weigh(NEWS).say(f"{capital(bare(craft))} {fall} into the hands of {taker}.")

    @hears.on(e.SailedAway)
    def sailed_away(self, event: e.SailedAway, rolls: list[Roll]) -> None:
        """Craft that give way before a stack on the bank."""
        craft = self.units(event.units)
        if craft:
            many = several(craft)
            draft = self.draft(Topic.RIVER, rolls).about(hex_id=event.hex, side=craft[0].side)
            draft.say(
                f"{capital(stack_in_words(craft))} {'draw' if many else 'draws'} off from "
                f"{where(craft[0].hex)} and {'lie' if many else 'lies'} {at(event.hex)}."
            )

    @hears.on(e.RailLost)
    def rail_lost(self, event: e.RailLost, rolls: list[Roll]) -> None:
        """Track torn up."""
        draft = self.draft(Topic.RAIL, rolls).about(side=Side.EGYPTIAN).weigh(NEWS)
        draft.say(torn_up(self.state, event))

    @hears.on(e.BattlesArranged)
    def battles_arranged(self, event: e.BattlesArranged, rolls: list[Roll]) -> None:
        """What battles are fought by from now on."""
        draft = self.draft(Topic.NOTE, rolls).weigh(NEWS)
        draft.tell_players(f"From now on battles are fought {by_what(event.way)}.")

    @hears.on(e.RulingGiven)
    def ruling_given(self, event: e.RulingGiven, rolls: list[Roll]) -> None:
        """The umpire's reason; what he has done to the position is seen on the map."""
        draft = self.draft(Topic.NOTE, rolls).weigh(NEWS)
        draft.tell_players(f"The umpire rules: {full_stop(event.reason)}")
        for roll in rolls:
            fell = listed([in_words(face) for face in roll.dice])
            draft.tell_players(f"{capital(toss_in_words(event.toss or e.Toss(1)))}: {fell}.")

    def leftover(self, rolls: Iterable[Roll]) -> None:
        """Throws that led to nothing, heard as the phase ends."""


def toss_in_words(toss: e.Toss) -> str:
    """`a die is thrown`, `three dice of ten faces are thrown`."""
    faces = "" if toss.sides == 6 else f" of {in_words(toss.sides)} faces"
    if toss.count == 1:
        return f"a die{faces} is thrown"
    return f"{times(toss.count, 'die', 'dice')}{faces} are thrown"


def torn_up(state: State, event: e.RailLost) -> str:
    """Track that is destroyed, in hexes."""
    line = line_name(state, event.track)
    hexes = times(event.hexes, "hex", "hexes")
    return f"The last {hexes} of {line} {'is' if event.hexes == 1 else 'are'} torn up."
