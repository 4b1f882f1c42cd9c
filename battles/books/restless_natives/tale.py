"""The narrative of a battle of Restless Natives, with a sentence for each acting unit."""

from battles.books.restless_natives import events as e
from battles.books.restless_natives.activation import deals, is_joker
from battles.books.restless_natives.names import (
    CARDS,
    FORMS,
    SIDES,
    acting_commander,
    commander_name,
    find_unit,
    in_words,
    inches,
    name_of,
    place_in_words,
    stands_in_words,
    wind,
)
from battles.books.restless_natives.pieces import Hold, Kind
from battles.books.restless_natives.state import State
from battles.contract.brief import Side
from battles.core.dice import card_in_words
from battles.prose import (
    HEADLINE,
    NEWS,
    Draft,
    Hearing,
    Narrative,
    Turned,
    agree,
    capital,
    listed,
    throw_in_words,
)
from battles.tabletop.geometry import bearing_between, distance

STAYS = "stays where it is"
COMES_ON = {"entered": "comes on to the field at", "rallied": "rallies and comes back at"}
RUNS_AWAY = {"barred": "runs away, unable to fall back", "off the field": "flees from the field"}


def begins_turn(event: e.AnyEvent) -> int | None:
    """Return the number of the card that the event turns over, from 1, or None."""
    return event.turn if isinstance(event, e.CardTurned) else None


class Tale(Narrative[State]):
    """The sentences between two pictures of a battle, in the words of the book."""

    hears = Hearing("tale")

    def __init__(self, state: State) -> None:
        super().__init__(state)
        self._pile: Draft | None = None

    def _name(self, number: int) -> str:
        return name_of(self.state, number)

    def _side(self, number: int) -> Side | None:
        unit = find_unit(self.state, number)
        return None if unit is None else unit.side

    # Cards, and who acts

    @hears.on(e.SpecialDealt)
    def _special_dealt(self, event: e.SpecialDealt) -> None:
        commander = self.state.commanders[event.commander]
        name = acting_commander(self.state, commander)
        if self._pile is None or self._pile.side not in (None, commander.side):
            self._pile = self._aside(commander.side)
        self._pile.does("draws a Special Event Card", name, "another")

    @hears.on(e.Allotted)
    def _allotted(self, event: e.Allotted) -> None:
        commander = commander_name(self.state.commanders[event.commander])
        self._begin(event.unit).does(f"comes under {commander}")

    @hears.on(e.Deployed)
    def _deployed(self, event: e.Deployed) -> None:
        self._begin(event.unit).does(f"takes post at {place_in_words(event.at)}")

    @hears.on(e.CardTurned)
    def _card_turned(self, event: e.CardTurned) -> None:
        self._pile = None
        if not is_joker(event.card) and deals(event.card) is None:
            return
        draft = self._aside(deals(event.card))
        result = "all hand back their cards" if is_joker(event.card) else "a card for each player"
        draft.turned.append(Turned(event.card, "the pack", result))
        self._pile = draft.say(f"{capital(card_in_words(event.card))} is turned over.")

    @hears.on(e.HandsReturned)
    def _hands_returned(self, event: e.HandsReturned) -> None:
        draft = self._pile or self._aside()
        draft.say("All hand back their Special Event Cards.").weigh(NEWS)

    @hears.on(e.PassedOn)
    def _passed_on(self, event: e.PassedOn) -> None:
        commander = self.state.commanders[event.commander]
        words = f"The initiative passes to {commander_name(commander)}."
        self._aside(commander.side).say(words)

    @hears.on(e.NobodyActivated)
    def _nobody_activated(self, event: e.NobodyActivated) -> None:
        words = f"{capital(SIDES[event.side])} activates nobody."
        self._aside(event.side).say(words)

    @hears.on(e.Activated)
    def _activated(self, event: e.Activated) -> None:
        self._begin(event.unit, self.state.card)

    @hears.on(e.ActivationEnded)
    def _activation_ended(self, event: e.ActivationEnded) -> None:
        if self._open is not None and self._open.is_empty:
            self._open.does("stands")
        self._open = None

    @hears.on(e.SpecialPlayed)
    def _special_played(self, event: e.SpecialPlayed) -> None:
        commander = self.state.commanders[event.commander]
        draft = self._now() if event.unit in self._acting else self._aside(commander.side)
        draft.say(f"“{CARDS[event.card]}” is played for {self._name(event.unit)}.")

    # Movement

    @hears.on(e.CameOn)
    def _came_on(self, event: e.CameOn) -> None:
        phrase = COMES_ON.get(event.cause, "comes on at")
        draft = self._does(event.unit, f"{phrase} {place_in_words(event.at)}")
        if event.cause == "rallied":
            draft.weigh(HEADLINE)

    @hears.on(e.MoveThrown)
    def _move_thrown(self, event: e.MoveThrown) -> None:
        """Give the reach of a move, unless the sentence goes on to say how far it went."""
        draft = self._of(event.unit)
        throws = {roll.reason: throw_in_words(roll) for roll in self._cited}
        far, rough = inches(event.most), ""
        if "open ground" in throws:
            slow = throws.get("rough terrain")
            by_dice = f" (by {slow})" if slow else ""
            over = inches(event.rough) if event.rough else "none"
            rough = f", {over} over rough ground{by_dice}"
        thrown = throws.get("move") or throws["open ground"]
        verb = agree(draft.subject, "throws")
        draft.otherwise = f"{capital(draft.subject)} {verb} {thrown}: {far}{rough}."

    @hears.on(e.Moved)
    def _moved(self, event: e.Moved) -> None:
        unit = self.state.units[event.unit]
        if not event.path:
            self._does(event.unit, f"turns to the {wind(event.facing)}")
            return
        way = wind(bearing_between(unit.at, event.path[-1]))
        goes = "goes on" if self._open and self._open.last.startswith("moves") else "moves"
        self._does(event.unit, f"{goes} {inches(event.length)} to the {way}")

    @hears.on(e.StoodStill)
    def _stood_still(self, event: e.StoodStill) -> None:
        if self._open is None or self._open.last != STAYS:
            self._does(event.unit, STAYS)

    @hears.on(e.Exited)
    def _exited(self, event: e.Exited) -> None:
        self._does(event.unit, "leaves the field by the exit").weigh(HEADLINE)

    @hears.on(e.Formed)
    def _formed(self, event: e.Formed) -> None:
        self._does(event.unit, FORMS.get(event.formation, f"forms {event.formation}"))

    # Fire and close combat

    @hears.on(e.Fired)
    def _fired(self, event: e.Fired) -> None:
        twice = " twice" if event.volleys > 1 else ""
        destroyed = f"and destroys {stands_in_words(event.destroyed)}"
        outcome = destroyed if event.destroyed else "without effect"
        phrase = f"fires{twice} on {self._name(event.target)} {outcome}"
        draft = self._does(event.unit, phrase).about(event.target)
        if event.destroyed:
            draft.weigh(NEWS)

    @hears.on(e.Charged)
    def _charged(self, event: e.Charged) -> None:
        unit = self.state.units[event.unit]
        way = inches(distance(unit.at, event.at))
        others = [self._name(number) for number in event.touched if number != event.target]
        also = f", and touches {listed(others)}" if others else ""
        phrase = f"goes in against {self._name(event.target)} over {way}{also}"
        self._does(event.unit, phrase).about(*event.touched).weigh(NEWS)

    @hears.on(e.CombatFought)
    def _combat_fought(self, event: e.CombatFought) -> None:
        draft = self._now() if event.unit in self._acting else self._begin(event.unit)
        draft.about(event.target).weigh(NEWS)
        if not event.first:
            draft.does(f"fights on with {self._name(event.target)}", self._name(event.unit))
        if not event.lost and not event.destroyed:
            draft.say("Neither loses a stand.")

    @hears.on(e.StandsLost)
    def _stands_lost(self, event: e.StandsLost) -> None:
        all_lost = event.stands == self.state.units[event.unit].stands
        if event.cause != "fire" and not all_lost:
            self._say(event.unit, f"loses {stands_in_words(event.stands)}").weigh(NEWS)

    @hears.on(e.ClosedUp)
    def _closed_up(self, event: e.ClosedUp) -> None:
        self._say(event.unit, "closes up")

    @hears.on(e.Destroyed)
    def _destroyed(self, event: e.Destroyed) -> None:
        is_man = self.state.units[event.unit].kind is Kind.COMMANDER
        self._say(event.unit, "is killed" if is_man else "is destroyed").weigh(HEADLINE)

    @hears.on(e.MoraleTested)
    def _morale_tested(self, event: e.MoraleTested) -> None:
        outcome = "stands firm" if event.passed else "loses heart"
        self._say(event.unit, f"{outcome} ({event.score}, {event.needs} needed)").weigh(NEWS)

    @hears.on(e.FellBack)
    def _fell_back(self, event: e.FellBack) -> None:
        phrase = f"falls back {inches(event.length)} to the {wind(event.bearing)}"
        self._say(event.unit, phrase).weigh(NEWS)

    @hears.on(e.RanAway)
    def _ran_away(self, event: e.RanAway) -> None:
        self._say(event.unit, RUNS_AWAY.get(event.cause, "runs away")).weigh(HEADLINE)

    # Commanders, places, and the end

    @hears.on(e.CommandTaken)
    def _command_taken(self, event: e.CommandTaken) -> None:
        fallen, heir = (
            self.state.commanders[event.commander],
            self.state.commanders[event.successor],
        )
        draft = self._now().weigh(HEADLINE)
        if fallen is heir:
            draft.say(f"{capital(SIDES[fallen.side])} has no other commander.")
        else:
            draft.say(f"{capital(commander_name(heir))} takes over the units.")

    @hears.on(e.AreaTaken)
    def _area_taken(self, event: e.AreaTaken) -> None:
        goal = self.state.goal
        one_of = "one of the areas" if isinstance(goal, Hold) and goal.areas[1:] else "the area"
        words = f"{capital(SIDES[event.side])} now holds {one_of} that the battle is fought for."
        self._aside(event.side).say(words).weigh(HEADLINE)

    @hears.on(e.Corrected)
    def _corrected(self, event: e.Corrected) -> None:
        now = in_words(event.now) if event.now.stands else ""
        self._correct(event.unit, event.now.side, now)

    @hears.on(e.BattleEnded)
    def _battle_ended(self, event: e.BattleEnded) -> None:
        self._aside(event.result.winner).say(event.result.reason).weigh(HEADLINE)
