"""A tale of a battle: what happens, gathered while it happens, a sentence to whoever acts."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

from battles.contract.troops import Side
from battles.core.dice import Roll
from battles.engines.fuzzy_wuzzy import events as e
from battles.engines.fuzzy_wuzzy.pieces import Does, Rate
from battles.engines.fuzzy_wuzzy.state import State
from battles.english.fuzzy_wuzzy.names import (
    FORMS,
    RATES,
    SIDES,
    casualties_in_words,
    centimetres,
    found,
    name_of,
    names,
    place_in_words,
    stands_in_words,
    wind,
)
from battles.english.sentence import HEADLINE, NEWS, Draft, Sentence, capital
from battles.open_table.points import bearing, distance

Hear = Callable[[Any], None]
DOES = {
    Does.MAY_ADVANCE: "may go forward at once",
    Does.MAY_CLOSE: "may close in the next move",
    Does.MAY_CONTINUE: "may fight on",
    Does.RETREATS: "must retreat",
    Does.RETREATS_NEXT: "must retreat in the next move",
    Does.HALTS: "will not move",
}
LOST = {
    "casualties": "is destroyed",
    "overrun": "is overrun",
    "hemmed in": "is cut down where it stands",
}
NOTHING = {
    "initiative": "Both sides throw for the initiative of the next move.",
    "reconnaissance": "Those who reconnoitre make out nothing more.",
    "rallying": "Others who should rally run on.",
}
"""What is said of throws that nothing came of, by what they were for."""
OBSERVED = {
    "reconnaissance": "makes out",
    "look-out": "sees",
    "contact": "comes upon",
}


def begins_turn(event: e.AnyEvent) -> int | None:
    """The move that begins with the event; None when none does."""
    return event.turn if isinstance(event, e.TurnBegan) else None


class Tale:
    """What happens between two pictures. It hears every event just before it happens."""

    def __init__(self, state: State) -> None:
        self.state = state
        self._drafts: list[Draft] = []
        self._open: Draft | None = None
        self._acting = 0
        self._cited: list[Roll] = []
        self._ears = self._listeners()

    def hear(self, event: e.AnyEvent, rolls: Iterable[Roll]) -> None:
        """The event is about to happen to the state; `rolls` are the throws behind it."""
        self._cited = list(rolls)
        ear = self._ears.get(type(event))
        if ear is not None:
            ear(event)
        if self._cited:
            self._now().citing(self._cited)

    def tell(self) -> Iterator[Sentence]:
        """All there is to say, in the order in which it happened."""
        for draft in self._drafts:
            if draft.is_empty and draft.rolls:
                draft.say(NOTHING.get(draft.rolls[0].reason, "Thrown for nothing."))
            if not draft.is_empty:
                yield draft.finished()

    def note(self, rolls: Iterable[Roll]) -> None:
        """Throws that came to nothing, at the end of all there is to say."""
        self._aside().citing(rolls)

    def _listeners(self) -> Mapping[type, Hear]:
        return {
            e.TurnBegan: self._turn_began,
            e.PhaseBegan: self._phase_began,
            e.Entered: self._entered,
            e.Formed: self._formed,
            e.Reorganised: self._reorganised,
            e.Paced: self._paced,
            e.Moved: self._moved,
            e.Observed: self._observed,
            e.Fired: self._fired,
            e.Fought: self._fought,
            e.CasualtiesTaken: self._casualties_taken,
            e.Judged: self._judged,
            e.Rallied: self._rallied,
            e.Recovered: self._recovered,
            e.Parted: self._parted,
            e.Lost: self._lost,
            e.Left: self._left,
            e.BattleEnded: self._battle_ended,
        }

    # Drafts

    def _begin(self, number: int) -> Draft:
        """A new sentence whose subject is that unit."""
        unit = found(self.state, number)
        draft = Draft(None if unit is None else unit.side, self._name(number)).about(number)
        self._drafts.append(draft)
        self._open, self._acting = draft, number
        return draft

    def _aside(self, side: Side | None = None) -> Draft:
        """A new sentence that nothing will be added to."""
        draft = Draft(side)
        self._drafts.append(draft)
        self._open = None
        return draft

    def _now(self) -> Draft:
        """The sentence that is being written; a new one where there is none."""
        return self._aside() if self._open is None else self._open

    def _does(self, number: int, deed: str) -> Draft:
        """What a unit does, in the sentence of which it is the subject."""
        own = self._open is not None and number == self._acting
        draft = self._now() if own else self._begin(number)
        return draft.does(deed, self._name(number))

    def _name(self, number: int) -> str:
        return name_of(self.state, number)

    # The move, and movement

    def _turn_began(self, event: e.TurnBegan) -> None:
        self._aside(event.first).say(f"{capital(SIDES[event.first])} has the initiative.")

    def _phase_began(self, event: e.PhaseBegan) -> None:
        self._open = None

    def _entered(self, event: e.Entered) -> None:
        self._does(event.unit, f"comes on to the field at {place_in_words(event.at)}")

    def _formed(self, event: e.Formed) -> None:
        unit = self.state.units[event.unit]
        if event.dismounted != unit.dismounted:
            self._does(event.unit, "dismounts" if event.dismounted else "mounts")
        if event.formation is not unit.formation:
            self._does(event.unit, FORMS[event.formation])

    def _reorganised(self, event: e.Reorganised) -> None:
        self._does(event.unit, "gathers its casualties")

    def _paced(self, event: e.Paced) -> None:
        """The dice belong to everybody who is going to move, said once for all of them."""
        side = self.state.units[event.units[0]].side
        reach = [
            f"{self._name(number)} {centimetres(length)}"
            for number, length in zip(event.units, event.lengths, strict=True)
        ]
        self._aside(side).say(f"The dice allow {', '.join(reach)}.").about(*event.units)
        self._aside_cites()

    def _aside_cites(self) -> None:
        """The throws stay with the sentence that has just been said."""
        self._drafts[-1].citing(self._cited)
        self._cited = []

    def _moved(self, event: e.Moved) -> None:
        unit = self.state.units[event.unit]
        far = distance(unit.at, event.to)
        way = wind(bearing(unit.at, event.to))
        if event.target:
            deed = f"comes to close quarters with {self._name(event.target)}"
            self._does(event.unit, deed).about(event.target).weigh(NEWS)
        elif event.cause == "retreat":
            self._does(event.unit, f"retreats {centimetres(far)} {way}").weigh(NEWS)
        elif not far:
            self._does(event.unit, f"turns {wind(event.facing)}")
        else:
            at = "" if event.rate is Rate.MARCH else f" {RATES[event.rate]}"
            verb = "marches" if event.rate is Rate.MARCH else "goes"
            self._does(event.unit, f"{verb} {centimetres(far)} {way}{at}")

    def _observed(self, event: e.Observed) -> None:
        if event.observer in event.units:
            others = [number for number in event.units if number != event.observer]
            deed = f"comes upon {names(self.state, others)}" if others else "is observed"
            self._does(event.observer, deed).about(*event.units)
            return
        told = names(self.state, event.units)
        if event.cause == "fire":
            self._does(event.units[0], "is seen by its fire").about(event.observer)
        else:
            deed = f"{OBSERVED[event.cause]} {told}"
            self._begin(event.observer).does(deed).about(*event.units)

    # Combat

    def _fired(self, event: e.Fired) -> None:
        outcome = casualties_in_words(event.casualties) if event.casualties else "without effect"
        shot = f"fires on {self._name(event.target)} at {event.band} range"
        draft = self._begin(event.unit).does(f"{shot}: {outcome}")
        draft.about(event.target).weigh(NEWS if event.casualties else 0)

    def _fought(self, event: e.Fought) -> None:
        draft = self._begin(event.unit).about(event.target).weigh(NEWS)
        outcome = casualties_in_words(event.casualties)
        draft.does(f"fights {self._name(event.target)} hand to hand: {outcome}")

    def _casualties_taken(self, event: e.CasualtiesTaken) -> None:
        if event.lost:
            deed = f"loses {stands_in_words(event.lost)}"
            self._begin(event.unit).does(deed).weigh(HEADLINE)
        elif event.casualties:
            self._begin(event.unit).does(f"has {casualties_in_words(event.casualties)}")

    def _judged(self, event: e.Judged) -> None:
        if event.does in (Does.MAY_CLOSE, Does.MAY_CONTINUE) and not self._cited:
            return
        until = " until it is rallied" if event.until_rallied else ""
        self._begin(event.unit).does(f"{DOES[event.does]}{until}")

    def _rallied(self, event: e.Rallied) -> None:
        self._open = None
        deed = "rallies" if event.whole else f"rallies {stands_in_words(event.stands)}"
        self._does(event.unit, deed).weigh(NEWS if event.whole else 0)

    def _recovered(self, event: e.Recovered) -> None:
        self._does(event.unit, f"recovers {casualties_in_words(event.removed)}")

    def _parted(self, event: e.Parted) -> None:
        self._does(event.unit, f"sends {stands_in_words(len(event.markers))} to the rear")

    def _lost(self, event: e.Lost) -> None:
        self._begin(event.unit).does(LOST[event.cause]).weigh(HEADLINE)

    def _left(self, event: e.Left) -> None:
        deed = "is carried from the field" if event.cause == "wounded" else "flees from the field"
        self._does(event.unit, deed).weigh(HEADLINE)

    def _battle_ended(self, event: e.BattleEnded) -> None:
        self._aside(event.result.winner).weigh(HEADLINE).say(event.result.reason)
