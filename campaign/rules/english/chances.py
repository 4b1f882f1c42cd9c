"""The random event of a player turn and what comes of it (5.2 I, 5.3 I)."""

from collections.abc import Mapping, Sequence

from battles.core.dice import Roll
from campaign.rules import events as e
from campaign.rules.board import laws
from campaign.rules.english.arrivals import weigh
from campaign.rules.english.names import (
    adjective,
    at,
    by_place,
    label,
    line_name,
    several,
    stack_in_words,
    where,
)
from campaign.rules.english.sentence import NEWS, Draft, Topic
from campaign.rules.english.tale import Hear, Tale
from campaign.rules.english.words import capital, listed, pick, times
from campaign.rules.pieces import Nation, Quality, Side, month_name
from campaign.rules.scenario import scenario
from campaign.rules.state import OFF_MAP, State, Unit

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
_NATIONS = {Side.EGYPTIAN: Nation.EGYPTIAN, Side.MAHDIST: Nation.MAHDIST}


class Chances(Tale):
    """One sentence for the event of the turn, with all that it does."""

    def __init__(self, state: State) -> None:
        super().__init__(state)
        self._main: Draft | None = None

    def ears(self) -> Mapping[type, Hear]:
        return {
            **super().ears(),
            e.EventRolled: self._rolled,
            e.CameIntoForce: self._in_force,
            e.Disrupted: self._disrupted,
            e.Recovered: self._recovered,
            e.Improved: self._improved,
            e.Postponed: self._postponed,
            e.ForceCalled: self._called,
        }

    def _draft(self, rolls: Sequence[Roll] = ()) -> Draft:
        if self._main is None:
            self._main = self.draft(Topic.EVENT).about(side=self.when.turn)
        return self._main.citing(rolls)

    def _rolled(self, event: e.EventRolled, rolls: list[Roll]) -> None:
        tens, units = divmod(event.roll, 10)
        row = laws(self.state).event(event.side, self.state.scenario, tens, units)
        side = "the Egyptian side" if event.side is Side.EGYPTIAN else "the Mahdists"
        draft = self._draft(rolls)
        if not row.effects:
            draft.say(pick(_QUIET, self.when.month, event.roll).format(side=side))
        else:
            draft.say(f"{adjective(_NATIONS[event.side])} event, {row.title}: {row.text}")

    def _in_force(self, event: e.CameIntoForce, rolls: list[Roll]) -> None:
        draft = self._draft(rolls)
        if event.effect.hex != OFF_MAP:
            draft.say(f"It touches the stack {at(event.effect.hex)}.")

    def arrived(self, event: e.Arrived, rolls: list[Roll]) -> None:
        units = event.units
        draft = self._draft(rolls).about(hex_id=units[0].hex)
        joins = "join" if several(units) else "joins"
        draft.say(f"{capital(stack_in_words(units))} {joins} {at(units[0].hex)}.")
        weigh(draft, units)

    def removed(self, event: e.Removed, rolls: list[Roll]) -> None:
        self._draft(rolls).say(self._fare(self.units(event.units), "is lost", "are lost"))
        super().removed(event, [])

    def _disrupted(self, event: e.Disrupted, rolls: list[Roll]) -> None:
        units = self.units(event.units)
        self._draft(rolls).say(self._fare(units, "is disrupted", "are disrupted"))

    def _recovered(self, event: e.Recovered, rolls: list[Roll]) -> None:
        units = self.units(event.units)
        if units:
            again = ("is in good order again", "are in good order again")
            self._draft(rolls).say(self._fare(units, *again))

    def _fare(self, units: Sequence[Unit], one: str, many: str) -> str:
        found = by_place(units)
        return f"{capital(found)} {many if several(units) else one}." if found else ""

    def _improved(self, event: e.Improved, rolls: list[Roll]) -> None:
        unit = self.state.units[event.unit]
        draft = self._draft(rolls).about(hex_id=unit.hex)
        if unit.kind is event.kind:
            draft.say(f"{label(unit)} {at(unit.hex)} is {_QUALITIES[event.quality]} from now on.")
        else:
            draft.say(f"{capital(stack_in_words([unit]))} {at(unit.hex)} takes up rifles.")

    def _postponed(self, event: e.Postponed, rolls: list[Roll]) -> None:
        due = self.state.due[event.group]
        when = "at once" if event.month <= self.state.month else f"in {month_name(event.month)}"
        come = "come" if several(due.units) else "comes"
        self._draft(rolls).say(f"{capital(stack_in_words(due.units))} {come} {when}.")

    def _called(self, event: e.ForceCalled, rolls: list[Roll]) -> None:
        group = scenario(self.state.scenario).called(event.name)
        place = listed(list(group.at))
        self._draft(rolls).weigh(NEWS).say(f"{group.title} is ordered to {place}.")

    def rail_lost(self, event: e.RailLost, rolls: list[Roll]) -> None:
        line = line_name(self.state.scenario, event.track)
        hexes = times(event.hexes, "hex", "hexes")
        are = "is" if event.hexes == 1 else "are"
        self._draft(rolls).weigh(NEWS).say(f"The last {hexes} of {line} {are} torn up.")

    def taken(self, event: e.ControlChanged, rolls: list[Roll]) -> None:
        """Men who rise in an empty place hold it; the event has told of them."""
        self._draft(rolls).say(f"They hold {where(event.place)} now.")
