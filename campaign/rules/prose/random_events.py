"""Despatches of the random event of a player turn and its effects (5.2 I, 5.3 I)."""

import re
from collections.abc import Iterable, Sequence

from battles.contract.brief import Quality
from battles.core.dice import Roll
from campaign.rules.core import events as e
from campaign.rules.core.board import random_events, scenario_of
from campaign.rules.core.pieces import month_name
from campaign.rules.core.state import OFF_MAP, State, Unit
from campaign.rules.prose.names import (
    about_hex,
    describe_by_place,
    describe_stack,
    is_plural,
    label,
    near_hex,
    side_adjective,
    side_name,
)
from campaign.rules.prose.phase_report import (
    NEWS,
    PhaseReport,
    SentenceDraft,
    Topic,
    describe_lost_track,
)
from campaign.rules.prose.phrases import capitalise, join_words, pick_phrase
from campaign.rules.prose.reinforcements import weigh_units

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


class RandomEventReport(PhaseReport):
    """One sentence for the event of the turn and its effects."""

    hears = PhaseReport.hears.extended()

    def __init__(self, state: State) -> None:
        super().__init__(state)
        self._main: SentenceDraft | None = None
        self._title = self._rule = ""
        self._came_of_it = False

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
            self._rule = re.sub(r"(?<!\w)-(?=\d)", "\N{MINUS SIGN}", row.text)
        else:
            quiet = pick_phrase(_QUIET, self.when.month, event.roll)
            self._draft(rolls).tell_players(quiet.format(side=side_name(event.side)))

    @hears.on(e.CameIntoForce)
    def _in_force(self, event: e.CameIntoForce, rolls: list[Roll]) -> None:
        rule, self._rule = self._rule, ""
        self._effect(rolls).tell_players(rule)
        if event.effect.hex != OFF_MAP:
            self._draft(rolls).tell_players(f"It touches the stack {about_hex(event.effect.hex)}.")

    @hears.on(e.Arrived)
    def arrived(self, event: e.Arrived, rolls: list[Roll]) -> None:
        units = event.units
        joins = "join" if is_plural(units) else "joins"
        text = f"{capitalise(describe_stack(units))} {joins} {about_hex(units[0].hex)}."
        weigh_units(self._say(text, rolls).about(hex_id=units[0].hex), units)

    @hears.on(e.Removed)
    def removed(self, event: e.Removed, rolls: list[Roll]) -> None:
        self._fare(self.units(event.units), ("is lost", "are lost"), rolls)
        super().removed(event, [])

    @hears.on(e.Disrupted)
    def _disrupted(self, event: e.Disrupted, rolls: list[Roll]) -> None:
        self._fare(self.units(event.units), ("is disrupted", "are disrupted"), rolls)

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
            self._draft().tell_players("Nothing comes of it.")
