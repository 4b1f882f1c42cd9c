"""The narrative of a battle of 'Eres to You Fuzzy Wuzzy, with a sentence for each acting unit."""

from battles.books.fuzzy_wuzzy import events as e
from battles.books.fuzzy_wuzzy.movement import LEAST
from battles.books.fuzzy_wuzzy.names import (
    FORMS,
    RATES,
    SIDES,
    casualties_in_words,
    centimetres,
    find_unit,
    in_words,
    name_of,
    names,
    place_in_words,
    stands_in_words,
    wind,
)
from battles.books.fuzzy_wuzzy.pieces import Arm, Does, Rate
from battles.books.fuzzy_wuzzy.state import State
from battles.contract.brief import Side
from battles.core.dice import Roll
from battles.prose import HEADLINE, NEWS, Hearing, Narrative, agree, capital
from battles.tabletop.geometry import bearing_between, distance

DOES = {
    Does.MAY_ADVANCE: "may follow up at once",
    Does.MAY_CLOSE: "may close in the next turn",
    Does.MAY_CONTINUE: "may fight on",
    Does.RETREATS: "must retreat",
    Does.RETREATS_NEXT: "must retreat in the next turn",
    Does.HALTS: "will not move",
}
LOST = {
    "casualties": "is destroyed",
    "overrun": "is overrun",
    "hemmed in": "is cut down where it stands",
}
NOTHING = {
    "initiative": "Both sides throw for the initiative of the next turn.",
    "reconnaissance": "The scouts make out nothing more.",
}
"""Sentences for rolls without an effect, by the reason of the roll."""
OBSERVED = {"reconnaissance": "makes out", "contact": "comes upon"}


def begins_turn(event: e.AnyEvent) -> int | None:
    """Return the number of the move that begins with the event, or None."""
    return event.turn if isinstance(event, e.TurnBegan) else None


class Tale(Narrative[State]):
    """The sentences between two pictures of a battle, in the words of the book."""

    hears = Hearing("tale")

    def _of_throws(self, rolls: list[Roll]) -> str:
        return NOTHING.get(rolls[0].reason) or super()._of_throws(rolls)

    def _name(self, number: int) -> str:
        return name_of(self.state, number)

    def _side(self, number: int) -> Side | None:
        unit = find_unit(self.state, number)
        return None if unit is None else unit.side

    # The move, and movement

    @hears.on(e.TurnBegan)
    def _turn_began(self, event: e.TurnBegan) -> None:
        first = f"{capital(SIDES[event.first])} has the initiative."
        self._aside(event.first).say(first).weigh(NEWS)
        self._aside_cites()

    @hears.on(e.Deployed)
    def _deployed(self, event: e.Deployed) -> None:
        self._begin(event.unit).does(f"takes post at {place_in_words(event.at)}")

    @hears.on(e.PhaseBegan)
    def _phase_began(self, event: e.PhaseBegan) -> None:
        self._open = None

    @hears.on(e.Entered)
    def _entered(self, event: e.Entered) -> None:
        self._does(event.unit, f"comes on to the field at {place_in_words(event.at)}")

    @hears.on(e.Formed)
    def _formed(self, event: e.Formed) -> None:
        unit = self.state.units[event.unit]
        if event.dismounted != unit.dismounted:
            self._does(event.unit, "dismounts" if event.dismounted else "mounts")
        if event.formation is not unit.formation:
            self._does(event.unit, FORMS[event.formation])

    @hears.on(e.Reorganised)
    def _reorganised(self, event: e.Reorganised) -> None:
        self._does(event.unit, "gathers its casualties")

    @hears.on(e.Paced)
    def _paced(self, event: e.Paced) -> None:
        """Give the dice of all units that are going to move, in one sentence."""
        side = self.state.units[event.units[0]].side
        reach = [
            f"{self._name(number)} {centimetres(length)}"
            for number, length in zip(event.units, event.lengths, strict=True)
        ]
        self._aside(side).say(f"The dice allow {', '.join(reach)}.").about(*event.units)
        self._aside_cites()

    def _aside_cites(self) -> None:
        """Add the rolls to the sentence that has just been said."""
        self._drafts[-1].citing(self._cited)
        self._cited = []

    @hears.on(e.Moved)
    def _moved(self, event: e.Moved) -> None:
        unit = self.state.units[event.unit]
        far = distance(unit.at, event.to)
        way = wind(bearing_between(unit.at, event.to))
        if event.target:
            phrase = f"comes to close quarters with {self._name(event.target)}"
            self._does(event.unit, phrase).about(event.target).weigh(NEWS)
        elif event.cause == "retreat":
            self._does(event.unit, f"retreats {centimetres(far)} {way}").weigh(NEWS)
        elif far < LEAST:
            self._does(event.unit, f"turns {wind(event.facing)}")
        else:
            rate = "" if event.rate is Rate.MARCH else f" {RATES[event.rate]}"
            verb = "marches" if event.rate is Rate.MARCH else "goes"
            self._does(event.unit, f"{verb} {centimetres(far)} {way}{rate}")

    @hears.on(e.Observed)
    def _observed(self, event: e.Observed) -> None:
        if event.observer in event.units:
            others = [number for number in event.units if number != event.observer]
            phrase = f"comes upon {names(self.state, others)}" if others else "is observed"
            self._does(event.observer, phrase).about(*event.units)
            return
        unit_names = names(self.state, event.units)
        if event.cause == "fire":
            seen = capital(self._name(event.units[0]))
            said = f"{seen} {agree(seen, 'is seen by its fire')}."
            self._of(event.units[0]).say(said).about(event.observer)
        else:
            phrase = f"{OBSERVED[event.cause]} {unit_names}"
            self._begin(event.observer).does(phrase).about(*event.units)

    # Combat

    @hears.on(e.Fired)
    def _fired(self, event: e.Fired) -> None:
        outcome = casualties_in_words(event.casualties) if event.casualties else "without effect"
        shot = f"fires on {self._name(event.target)} at {event.band} range"
        draft = self._begin(event.unit).does(f"{shot}: {outcome}")
        draft.about(event.target).weigh(NEWS if event.casualties else 0)

    @hears.on(e.Fought)
    def _fought(self, event: e.Fought) -> None:
        draft = self._begin(event.unit).about(event.target).weigh(NEWS)
        outcome = casualties_in_words(event.casualties)
        draft.does(f"fights {self._name(event.target)} hand to hand: {outcome}")

    @hears.on(e.CasualtiesTaken)
    def _casualties_taken(self, event: e.CasualtiesTaken) -> None:
        if event.lost:
            phrase = f"loses {stands_in_words(event.lost)}"
            self._begin(event.unit).does(phrase).weigh(HEADLINE)
        elif event.casualties:
            self._begin(event.unit).does(f"takes {casualties_in_words(event.casualties)}")

    @hears.on(e.Judged)
    def _judged(self, event: e.Judged) -> None:
        if event.does in (Does.MAY_CLOSE, Does.MAY_CONTINUE) and not self._cited:
            return
        until = " until it is rallied" if event.until_rallied else ""
        self._begin(event.unit).does(f"{DOES[event.does]}{until}")

    @hears.on(e.Rallied)
    def _rallied(self, event: e.Rallied) -> None:
        self._open = None
        part = f"rallies {stands_in_words(event.stands)}" if event.stands else "fails to rally"
        phrase = "rallies" if event.whole else part
        self._does(event.unit, phrase).weigh(NEWS if event.whole else 0)

    @hears.on(e.Recovered)
    def _recovered(self, event: e.Recovered) -> None:
        self._does(event.unit, f"recovers {casualties_in_words(event.removed)}")

    @hears.on(e.Parted)
    def _parted(self, event: e.Parted) -> None:
        self._does(event.unit, f"sends {stands_in_words(len(event.markers))} to the rear")

    @hears.on(e.Lost)
    def _lost(self, event: e.Lost) -> None:
        unit = self.state.units[event.unit]
        killed = unit.arm is Arm.COMMAND and event.cause == "casualties"
        self._begin(event.unit).does("is killed" if killed else LOST[event.cause]).weigh(HEADLINE)

    @hears.on(e.Left)
    def _left(self, event: e.Left) -> None:
        phrase = "is carried from the field" if event.cause == "wounded" else "flees from the field"
        self._does(event.unit, phrase).weigh(HEADLINE)

    @hears.on(e.Corrected)
    def _corrected(self, event: e.Corrected) -> None:
        now = in_words(event.now) if event.now.markers else ""
        self._correct(event.unit, event.now.side, now)

    @hears.on(e.BattleEnded)
    def _battle_ended(self, event: e.BattleEnded) -> None:
        self._aside(event.result.winner).weigh(HEADLINE).say(event.result.reason)
