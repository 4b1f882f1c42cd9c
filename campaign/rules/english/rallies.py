"""The recovery phase: who is in good order again, and who is not (5.2 V)."""

from battles.core.dice import Roll
from campaign.rules import events as e
from campaign.rules.english.names import side_name
from campaign.rules.english.sentence import Topic
from campaign.rules.english.stacks import by_place, several
from campaign.rules.english.tale import Tale
from campaign.rules.english.words import capital, pick
from campaign.rules.state import State, Unit

_RALLIES = (
    "In good order again: {found}.",
    "Rallied: {found}.",
    "Order is restored: {found}.",
)


class Rallies(Tale):
    """Everybody who rallies in one sentence, everybody who melts away in another."""

    hears = Tale.hears.extended()

    def __init__(self, state: State) -> None:
        super().__init__(state)
        self._rallied: list[Unit] = []
        self._gone: list[Unit] = []
        self._rolls: list[Roll] = []

    @hears.on(e.Recovered)
    def _recovered(self, event: e.Recovered, rolls: list[Roll]) -> None:
        self._rolls += rolls
        self._rallied += self.units(event.units)

    @hears.on(e.Removed)
    def removed(self, event: e.Removed, rolls: list[Roll]) -> None:
        if event.cause == "recovery":
            self._gone += self.units(event.units)
        super().removed(event, rolls)

    def close(self) -> None:
        if not self._rolls and not self._rallied:
            return
        draft = self.draft(Topic.RECOVERY, self._rolls).about(side=self.when.turn)
        if self._rallied:
            line = pick(_RALLIES, self.when.month, len(self._rallied))
            draft.say(line.format(found=by_place(self._rallied)))
        if self._gone:
            melt = "melt" if several(self._gone) else "melts"
            draft.say(f"{capital(by_place(self._gone))} {melt} away.")
        if not draft.parts:
            draft.tell_players(f"None of the disrupted units of {side_name(self.when.turn)} rally.")
