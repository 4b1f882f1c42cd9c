"""Random events, reinforcements and withdrawals in words."""

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

from battles.contract.brief import UNCOUNTED, Quality, Side, TroopKind
from battles.core.dice import Roll
from campaign.rules.core import events as e
from campaign.rules.core.board import random_events, scenario_of
from campaign.rules.core.pieces import month_name
from campaign.rules.core.state import OFF_MAP, State, Unit
from campaign.rules.map import HexId
from campaign.rules.march.fleet import REPAIR
from campaign.rules.prose.names import (
    about_hex,
    at_hex,
    describe_by_place,
    describe_hex,
    describe_stack,
    is_plural,
    label,
    leader_name,
    line_name,
    near_hex,
    side_adjective,
    side_name,
)
from campaign.rules.prose.phase_report import (
    HEADLINE,
    NEWS,
    ROUTINE,
    Hearing,
    PhaseReport,
    SentenceDraft,
    Topic,
    describe_lost_track,
)
from campaign.rules.prose.phrases import (
    capitalise,
    count_noun,
    event_in_words,
    join_words,
    pick_phrase,
)
from campaign.rules.railways import lines
from campaign.rules.reinforcements import DRAWN
from campaign.rules.tables.event_effects import LeaderValue, ModifiableRoll, NoMarch, RollModifier
from campaign.rules.tables.rows import Draw

if TYPE_CHECKING:
    from campaign.rules.core.pieces import UnitId


# Despatches of set-up and reinforcement: arrivals, departures, railways (2.1, 3.1 to 3.4).


REPLACED, RISING, MONTHLY = "replacement", "rising", "monthly supply"
WITHDRAWN, HOME, BEREFT = "withdrawn", "gone home", "leader lost"
_OWN_WORDS = (REPAIR, REPLACED, RISING, MONTHLY)
_TRACK = "railway"
_LARGE = 4

_JOIN = (
    "New men come in to the Mahdists: {found}.",
    "The Mahdists are joined by {found}.",
    "More men for the Mahdists: {found}.",
)


class SetUpReport(PhaseReport):
    """Report of the set-up: units that stand elsewhere than in the scenario."""

    hears = Hearing("tale")

    def __init__(self, state: State) -> None:
        super().__init__(state)
        self._moved: dict[UnitId, None] = {}

    @hears.on(e.Deployed)
    def _deployed(self, event: e.Deployed, rolls: list[Roll]) -> None:
        self._moved |= dict.fromkeys(event.units)

    def close(self) -> None:
        units = self.units(list(self._moved))
        for side in Side:
            own_units = [unit for unit in units if unit.side is side]
            if own_units:
                draft = self.draft(Topic.NOTE).about(side=side)
                draft.say(f"{capitalise(side_name(side))} set up: {describe_by_place(own_units)}.")


class ReinforcementReport(PhaseReport):
    """Arrivals and departures by cause; arrivals in one place together."""

    hears = PhaseReport.hears.extended()

    def __init__(self, state: State) -> None:
        super().__init__(state)
        self._come: dict[str, dict[HexId, list[Unit]]] = {}
        self._thrown: dict[str, list[Roll]] = {}
        self._gone: dict[str, list[Unit]] = {}
        self._riders: list[Unit] = []

    @hears.on(e.Waited)
    def waited(self, event: e.Waited, rolls: list[Roll]) -> None:
        self._thrown.setdefault(event.due.reason, []).extend(rolls)

    @hears.on(e.Settled)
    def _settled(self, event: e.Settled, rolls: list[Roll]) -> None:
        if event.lost:
            due = self.state.due[event.group]
            units = [unit for unit in due.units if unit.id in event.units]
            draft = self.draft(Topic.ARRIVAL, rolls).about(side=units[0].side).weigh(NEWS)
            are = "are" if is_plural(units) else "is"
            places = join_words([describe_hex(hex_id) for hex_id in due.at])
            draft.say(
                f"{capitalise(describe_stack(units))} {are} lost on the way, "
                f"for the enemy holds {places}."
            )

    @hears.on(e.Arrived)
    def arrived(self, event: e.Arrived, rolls: list[Roll]) -> None:
        if event.cause == "dismounted":
            self._tell_dismounted(event.units[0].hex)
            return
        super().arrived(event, rolls)
        if event.cause not in ("town", "succession"):
            self._thrown.setdefault(event.cause, []).extend(rolls)
            for unit in event.units:
                self._come.setdefault(event.cause, {}).setdefault(unit.hex, []).append(unit)

    def _tell_dismounted(self, hex_id: HexId) -> None:
        draft = self.draft(Topic.NOTE).about(hex_id=hex_id, side=Side.EGYPTIAN)
        riders, self._riders = self._riders, []
        draft.say(
            f"{capitalise(describe_stack(riders))} {at_hex(hex_id)} go on foot from now on, "
            "and their camels carry supply."
        )

    @hears.on(e.Improved)
    def _improved(self, event: e.Improved, rolls: list[Roll]) -> None:
        self._riders += self.units([event.unit])

    def leftover(self, rolls: Iterable[Roll]) -> None:
        for roll in rolls:
            if roll.table == _TRACK:
                self.draft(Topic.RAIL, [roll]).about(side=Side.EGYPTIAN).say("No track is laid.")
            elif roll.result == Draw.NONE:
                draft = self.draft(Topic.ARRIVAL, [roll]).about(side=Side.MAHDIST)
                draft.say("No new men come in to the Mahdists, and none go home.")
            else:
                self._thrown.setdefault(HOME, []).append(roll)

    @hears.on(e.Removed)
    def removed(self, event: e.Removed, rolls: list[Roll]) -> None:
        """Gather units that leave alive; leaders left alone go with their units (7.2)."""
        units = self.units(event.units)
        gone = HOME if units[0].side is Side.MAHDIST else WITHDRAWN
        cause = gone if event.cause == BEREFT else event.cause
        self._gone.setdefault(cause, []).extend(units)
        self._thrown.setdefault(cause, []).extend(rolls)

    @hears.on(e.RailBuilt)
    def _rail_built(self, event: e.RailBuilt, rolls: list[Roll]) -> None:
        line = line_name(self.state, event.track)
        hexes = lines(self.state)[event.track]
        done = self.state.railheads.get(event.track, 0)
        head = hexes[done + event.hexes - 1]
        draft = self.draft(Topic.RAIL, rolls).about(hex_id=head, side=Side.EGYPTIAN)
        if not done:
            draft.weigh(NEWS).say(f"Work begins on {line}.")
        else:
            laid = count_noun(event.hexes, "hex", "hexes")
            draft.say(f"{capitalise(line)} is {laid} longer; the railhead is {at_hex(head)}.")

    def close(self) -> None:
        for cause, places in self._come.items():
            if cause == DRAWN:
                self._tell_drawn(places)
            else:
                for hex_id, units in places.items():
                    self._tell_arrival(cause, hex_id, units)
        for cause, units in self._gone.items():
            self._tell_gone(cause, units)

    def _tell_drawn(self, places: Mapping[HexId, list[Unit]]) -> None:
        description = describe_by_place(unit for units in places.values() for unit in units)
        draft = self.draft(Topic.ARRIVAL, self._thrown.pop(DRAWN, [])).about(side=Side.MAHDIST)
        draft.say(pick_phrase(_JOIN, self.when.month).format(found=description))

    def _tell_arrival(self, cause: str, hex_id: HexId, units: Sequence[Unit]) -> None:
        draft = self.draft(Topic.ARRIVAL, self._thrown.pop(cause, []))
        weigh_units(draft.about(hex_id=hex_id, side=units[0].side), units)
        if draft.weight > ROUTINE and cause not in _OWN_WORDS:
            name = cause if cause.startswith(("The ", "A ")) else ""
            if name:
                draft.weigh(HEADLINE)
            has = f"{name} has arrived" if name else "Arrived"
            draft.say(f"{has}: {describe_stack(units)}.")
        else:
            draft.say(arrival(cause, hex_id, units))

    def _tell_gone(self, cause: str, units: Sequence[Unit]) -> None:
        draft = self.draft(Topic.NOTE, self._thrown.pop(cause, [])).about(side=units[0].side)
        subject, plural = capitalise(describe_by_place(units)), is_plural(units)
        if cause == WITHDRAWN:
            draft.say(f"{subject} {'are' if plural else 'is'} withdrawn from the war.")
        else:
            draft.say(f"{subject} {'go' if plural else 'goes'} home.")


def arrival(cause: str, hex_id: HexId, units: Sequence[Unit]) -> str:
    """Return the sentence for units that come to one place, with the cause."""
    subject, plural = capitalise(describe_stack(units)), is_plural(units)
    if cause == REPAIR:
        return f"{subject} {'are' if plural else 'is'} repaired and back {at_hex(hex_id)}."
    if cause == REPLACED:
        return f"{subject} {'come' if plural else 'comes'} to {near_hex(hex_id)} in replacement."
    if cause == MONTHLY:
        return f"The month’s supplies come to {near_hex(hex_id)}: {describe_stack(units)}."
    if cause == RISING:
        return _rising_in_words(hex_id, units)
    if any(unit.side is Side.MAHDIST for unit in units):
        return f"{subject} {'join' if plural else 'joins'} the Mahdists {at_hex(hex_id)}."
    return f"{subject} {'arrive' if plural else 'arrives'} {about_hex(hex_id)}."


def _rising_in_words(hex_id: HexId, units: Iterable[Unit]) -> str:
    leaders = [leader_name(unit.name) for unit in units if unit.kind is TroopKind.LEADER]
    men = [unit for unit in units if unit.kind is not TroopKind.LEADER]
    if not leaders:
        return f"{capitalise(describe_stack(men))} rise {at_hex(hex_id)}."
    name = capitalise(join_words(leaders))
    return f"{name} raises the tribes {at_hex(hex_id)}, with {describe_stack(men)}."


def weigh_units(draft: SentenceDraft, units: Sequence[Unit]) -> None:
    """Make the draft news when it is about many units or a leader."""
    count = sum(unit.kind not in UNCOUNTED for unit in units)
    if count >= _LARGE or any(unit.kind is TroopKind.LEADER for unit in units):
        draft.weigh(NEWS)


# Despatches of the random event of a player turn and its effects (5.2 I, 5.3 I).


_QUALITIES = {
    Quality.VETERAN: "Veteran",
    Quality.LINE: "Line",
    Quality.RABBLE: "Rabble",
    Quality.FANATIC: "Fanatic",
}
_QUIET = (
    "No news of moment for {side}.",
    "A quiet month for {side}.",
    "For {side} the month brings nothing out of the common.",
)


_MARCHING, _SUFFERING = ModifiableRoll.MARCH, ModifiableRoll.ATTRITION
_TIDINGS = {
    (_SUFFERING, True): "Men and beasts suffer less than was feared.",
    (_SUFFERING, False): "Sickness and want bear hard on the men.",
    (_MARCHING, True): "The columns step out well.",
    (_MARCHING, False): "The columns get forward slowly.",
    (ModifiableRoll.BOAT_UPSTREAM, True): "The boats are got further up the river than before.",
}
"""The words of newspapers for a modifier, by its roll and by whether it helps."""


class RandomEventReport(PhaseReport):
    """One sentence for the event of the turn and its effects."""

    hears = PhaseReport.hears.extended()

    def __init__(self, state: State) -> None:
        super().__init__(state)
        self._main: SentenceDraft | None = None
        self._title = self._rule = ""
        self._came_of_it = self._goes_home = False

    def _draft(self, rolls: Sequence[Roll] = ()) -> SentenceDraft:
        if self._main is None:
            self._main = self.draft(Topic.EVENT).about(side=self.when.turn)
        return self._main.citing(rolls)

    def _say(self, text: str, rolls: Sequence[Roll]) -> SentenceDraft:
        """Add a sentence about an effect of the event."""
        return self._effect(rolls).say(text)

    def _effect(self, rolls: Sequence[Roll]) -> SentenceDraft:
        """Return the draft of an event that has an effect; newspapers print its title first."""
        self._came_of_it = True
        title, self._title = self._title, ""
        return self._draft(rolls).print(f"{title}." if title else "")

    @hears.on(e.EventRolled)
    def _rolled(self, event: e.EventRolled, rolls: list[Roll]) -> None:
        row = random_events(self.state, event.side)[event.roll]
        if row.effects:
            self._draft(rolls).tell_players(f"{side_adjective(event.side)} event: {row.title}.")
            self._title = row.title
            self._rule = event_in_words(row.text)
            self._goes_home = " go home" in row.text
        else:
            quiet = pick_phrase(_QUIET, self.when.month, event.roll)
            self._draft(rolls).tell_players(quiet.format(side=side_name(event.side)))

    @hears.on(e.CameIntoForce)
    def _in_force(self, event: e.CameIntoForce, rolls: list[Roll]) -> None:
        rule, self._rule = self._rule, ""
        draft, effect = self._effect(rolls).tell_players(rule), event.effect.effect
        if isinstance(effect, RollModifier):
            draft.print(_TIDINGS.get((effect.roll_kind, effect.value > 0), ""))
        elif isinstance(effect, NoMarch):
            draft.print("One of the largest bodies of men does not march.")
        elif isinstance(effect, LeaderValue):
            draft.print(f"{capitalise(leader_name(effect.leader))} is followed less readily.")
        if event.effect.hex != OFF_MAP:
            draft.tell_players(f"It is the stack {about_hex(event.effect.hex)}.")

    @hears.on(e.Arrived)
    def arrived(self, event: e.Arrived, rolls: list[Roll]) -> None:
        units = event.units
        joins = "join" if is_plural(units) else "joins"
        text = f"{capitalise(describe_stack(units))} {joins} {about_hex(units[0].hex)}."
        weigh_units(self._say(text, rolls).about(hex_id=units[0].hex), units)

    @hears.on(e.Removed)
    def removed(self, event: e.Removed, rolls: list[Roll]) -> None:
        home = ("goes home", "go home")
        self._fare(
            self.units(event.units), home if self._goes_home else ("is lost", "are lost"), rolls
        )
        super().removed(event, [])

    @hears.on(e.Disrupted)
    def _disrupted(self, event: e.Disrupted, rolls: list[Roll]) -> None:
        self._fare(
            self.units(event.units), ("is thrown into disorder", "are thrown into disorder"), rolls
        )

    @hears.on(e.Recovered)
    def _recovered(self, event: e.Recovered, rolls: list[Roll]) -> None:
        again = ("is in good order again", "are in good order again")
        self._fare(self.units(event.units), again, rolls)

    def _fare(self, units: Sequence[Unit], verbs: tuple[str, str], rolls: list[Roll]) -> None:
        if units:
            self._say(f"{capitalise(describe_by_place(units))} {verbs[is_plural(units)]}.", rolls)

    @hears.on(e.Improved)
    def _improved(self, event: e.Improved, rolls: list[Roll]) -> None:
        unit = self.state.units[event.unit]
        place = about_hex(unit.hex)
        text = f"{capitalise(describe_stack([unit]))} {place} takes up rifles."
        if unit.kind is event.kind:
            text = f"{label(unit)} {place} is {_QUALITIES[event.quality]} from now on."
        self._say(text, rolls).about(hex_id=unit.hex)

    @hears.on(e.Postponed)
    def _postponed(self, event: e.Postponed, rolls: list[Roll]) -> None:
        due = self.state.due[event.group]
        when = "at once" if event.month <= self.state.month else f"in {month_name(event.month)}"
        come = "come" if is_plural(due.units) else "comes"
        self._say(f"{capitalise(describe_stack(due.units))} {come} {when}.", rolls)

    @hears.on(e.ForceCalled)
    def _called(self, event: e.ForceCalled, rolls: list[Roll]) -> None:
        group = scenario_of(self.state).called(event.name)
        self._say(f"{group.title} is ordered to {join_words(group.at)}.", rolls).weigh(NEWS)

    @hears.on(e.RailLost)
    def rail_lost(self, event: e.RailLost, rolls: list[Roll]) -> None:
        self._say(describe_lost_track(self.state, event), rolls).weigh(NEWS)

    @hears.on(e.ControlChanged)
    def taken(self, event: e.ControlChanged, rolls: list[Roll]) -> None:
        self._say(
            f"{capitalise(near_hex(event.place))} is {side_adjective(event.side)} now.", rolls
        )

    def leftover(self, rolls: Iterable[Roll]) -> None:
        """Report rolls without an event on the map."""
        for roll in rolls:
            if roll.result:
                self._say(f"{capitalise(roll.result)}.", [roll])
            else:
                self._draft([roll])

    def close(self) -> None:
        if self._main is not None and self._rule and not self._came_of_it:
            self._draft().tell_players("It has no effect.")
