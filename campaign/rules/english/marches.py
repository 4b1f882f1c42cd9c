"""The march phase: marches, combats on the way, places taken, craft driven off."""

from collections.abc import Iterable

from battles.core.dice import Roll
from campaign.rules import events as e
from campaign.rules.english.battle import Battle
from campaign.rules.english.journey import FOOT, LARGE, RAIL, RIVER, SEA, Journey
from campaign.rules.english.names import near, places_in_words
from campaign.rules.english.sentence import NEWS, Topic
from campaign.rules.english.stacks import stack_in_words
from campaign.rules.english.tale import Tale
from campaign.rules.english.words import capital, pick
from campaign.rules.map import HexId
from campaign.rules.state import State, on_march

FOUGHT = frozenset({"combat", "no retreat"})
PRIZES = "9.9"

_REFUSALS = (
    "Marching orders are not carried out {places}.",
    "Orders to march come to nothing {places}.",
    "The men cannot be got to march {places}.",
)


class Marches(Tale):
    """Every march of a phase; marches to one place, and those that come to nothing, together."""

    hears = Tale.hears.extended()

    def __init__(self, state: State) -> None:
        super().__init__(state)
        self._journey: Journey | None = None
        self._battle: Battle | None = None
        self._stayed: dict[HexId, list[Roll]] = {}
        self._made: dict[str, list[Journey]] = {}
        self._attacked: set[HexId] = set()

    def leftover(self, rolls: Iterable[Roll]) -> None:
        if self._journey is not None:
            self._journey.draft.citing(rolls)

    def close(self) -> None:
        self._finish_journey()
        self._finish_battle()
        for journeys in self._made.values():
            self._tell_journeys(journeys)
        if self._stayed:
            self._tell_refusals(self._stayed)

    def _tell_journeys(self, journeys: list[Journey]) -> None:
        """Marches to one place: together when they make a large force, else each by itself."""
        together = sum(len(journey.troops) for journey in journeys) >= LARGE
        shared = journeys[0].draft
        if together and journeys[0].moved:
            shared.weigh(NEWS)
        for journey in journeys:
            journey.write(shared if together else journey.draft)

    def _tell_refusals(self, stayed: dict[HexId, list[Roll]]) -> None:
        rolls = [roll for thrown in stayed.values() for roll in thrown]
        places = places_in_words(stayed)
        draft = self.draft(Topic.MARCH, rolls).about(side=self.state.side)
        draft.say(pick(_REFUSALS, len(stayed), self.when.month).format(places=places))
        if len(stayed) == 1:
            draft.about(hex_id=next(iter(stayed)))

    @hears.on(e.MarchBegan)
    def _begins(self, event: e.MarchBegan, rolls: list[Roll]) -> None:
        self._finish_battle()
        march = event.march
        draft = self.draft(Topic.MARCH, rolls)
        self._journey = Journey(draft, self.units(march.units), march.route[-1])

    def _now(self) -> Journey:
        """The march that goes on, or a new leg of it when part of it has been told."""
        if self._journey is None:
            march = on_march(self.state)
            draft = self.draft(Topic.MARCH)
            self._journey = Journey(draft, self.units(march.units), march.route[-1])
        return self._journey

    @hears.on(e.MarchRolled)
    def _rolled(self, event: e.MarchRolled, rolls: list[Roll]) -> None:
        self._now().rolled(event.points, rolls)

    @hears.on(e.Moved)
    def _moved(self, event: e.Moved, rolls: list[Roll]) -> None:
        self._now().go(FOOT if event.cost else SEA, event.path[-1], rolls)

    @hears.on(e.WentByRail)
    def _went_by_rail(self, event: e.WentByRail, rolls: list[Roll]) -> None:
        self._now().go(RAIL, event.path[-1], rolls)

    @hears.on(e.Sailed)
    def _sailed(self, event: e.Sailed, rolls: list[Roll]) -> None:
        journey = self._now()
        journey.go(RIVER, event.path[-1] if event.path else journey.here, rolls)

    @hears.on(e.DroppedOff)
    def _dropped_off(self, event: e.DroppedOff, rolls: list[Roll]) -> None:
        self._now().leave(self.units(event.units))

    @hears.on(e.MarchEnded)
    def _ends(self, event: e.MarchEnded, rolls: list[Roll]) -> None:
        self._finish_journey()

    def _finish_journey(self) -> None:
        journey, self._journey = self._journey, None
        if journey is None:
            return
        if journey.refused:
            self._stayed.setdefault(journey.here, []).extend(journey.draft.rolls)
        elif journey.is_told:
            place = near(journey.here) if journey.moved else str(journey.here)
            self._made.setdefault(place, []).append(journey)

    @hears.on(e.Disrupted)
    def _disrupted(self, event: e.Disrupted, rolls: list[Roll]) -> None:
        units = self.units(event.units)
        if event.cause in FOUGHT:
            self._fight().suffers(units, event.cause, lost=False)
        elif event.cause == "march":
            self._now().toll.hurt_too(units)

    @hears.on(e.Removed)
    def removed(self, event: e.Removed, rolls: list[Roll]) -> None:
        units = self.units(event.units)
        if event.cause in FOUGHT:
            self._fight().suffers(units, event.cause, lost=True)
        elif event.cause == "march":
            self._now().toll.lose(units)
        elif event.cause == "harbour lost":
            self.draft(Topic.RIVER).say(f"{capital(stack_in_words(units))} puts to sea.")
        super().removed(event, rolls)

    def _fight(self) -> Battle:
        if self._battle is None:
            self._battle = Battle(self.draft(Topic.COMBAT), self.state)
        return self._battle

    @hears.on(e.CombatBegan)
    def _attacks(self, event: e.CombatBegan, rolls: list[Roll]) -> None:
        before = self._journey
        self._finish_journey()
        last = self._battle
        self._finish_battle()
        if last is not None and last.hexes == (event.attacker, event.defender):
            self._battle = battle = Battle(last.draft, self.state)
            battle.hexes = last.hexes
            battle.begins_again()
        else:
            battle = self._fight()
            battle.begins(event, in_their_turn=event.defender in self._attacked)
        self._attacked.add(event.defender)
        if before is not None and not before.is_told:
            battle.draft.citing(before.draft.rolls)

    @hears.on(e.Guided)
    def _guided(self, event: e.Guided, rolls: list[Roll]) -> None:
        self._fight().guided(self.units([event.leader]), event.stage)

    @hears.on(e.Tested)
    def _tested(self, event: e.Tested, rolls: list[Roll]) -> None:
        self._fight().tested(event.side, event.stage, rolls)

    @hears.on(e.Fought)
    def _fought(self, event: e.Fought, rolls: list[Roll]) -> None:
        self._fight().fought(event)

    @hears.on(e.CombatEnded)
    def _decided(self, event: e.CombatEnded, rolls: list[Roll]) -> None:
        self._fight().decided(event, rolls)

    @hears.on(e.Retreated)
    def _retreated(self, event: e.Retreated, rolls: list[Roll]) -> None:
        self._fight().retreats(self.units(event.units), near(event.path[-1]))

    @hears.on(e.Captured)
    def _captured(self, event: e.Captured, rolls: list[Roll]) -> None:
        thrown_for = bool(rolls) and rolls[-1].clause == PRIZES
        if thrown_for or (self._battle is not None and self._battle.counts_prizes):
            self._fight().captured(event.names, rolls)

    def _finish_battle(self) -> None:
        battle, self._battle = self._battle, None
        if battle is not None:
            battle.write()
