"""The tale of a battle: sentences collected from events, one for each acting unit."""

from collections.abc import Iterator

from battles.books.redcoats import actions as a
from battles.books.redcoats import events as e
from battles.books.redcoats.names import (
    SIDES,
    count_in_words,
    figures_in_words,
    ground_in_words,
    in_words,
    name_of,
    names,
    side_of,
    square_in_words,
    together,
)
from battles.books.redcoats.pieces import Formation, Heroic
from battles.books.redcoats.state import State
from battles.contract.brief import Side
from battles.core.dice import Roll
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

FORMS = {
    Formation.LINE: "forms line",
    Formation.MARCH_COLUMN: "forms march column",
    Formation.COLUMN: "forms column",
    Formation.SQUARE: "forms square",
    Formation.EN_MASSE: "gathers en masse",
    Formation.DEPLOYED: "unlimbers",
    Formation.LIMBERED: "limbers up",
    Formation.TRANSPORT: "packs up",
    Formation.AFLOAT: "puts out",
}
HEROIC = {
    Heroic.HARD_LUCK: "Dashed hard luck!",
    Heroic.FIREPOWER: "Enhanced firepower!",
    Heroic.MOVEMENT: "Faster movement!",
    Heroic.FIGHTING: "Hand-to-hand fighting!",
    Heroic.RECOVER: "Recover!",
}
LEAVES = {"broke off": "breaks off and leaves the field", "driven off": "is driven from the field"}
FALLS = {
    "killed": "is killed",
    "wounded": "is wounded and carried away",
    "drowned": "is drowned",
    "taken": "is taken",
}


def begins_turn(event: e.AnyEvent) -> int | None:
    """Return the turn that begins with the event; None for other events."""
    return event.turn if isinstance(event, e.TurnBegan) else None


class Tale(Narrative[State]):
    """The tale of the events between two pictures, in the words of the book."""

    hears = Hearing("tale")

    def __init__(self, state: State) -> None:
        super().__init__(state)
        self._idle: list[Draft] = []
        self._acted = 0

    def _said(self) -> Iterator[Draft]:
        """Yield the drafts in order; units that did nothing share one sentence."""
        yield from self._drafts[: self._acted]
        yield from self._draft_idle_units()
        yield from self._drafts[self._acted :]

    def _draft_idle_units(self) -> Iterator[Draft]:
        """Yield one sentence for each side about the activated units that did nothing."""
        for side in Side:
            idle = [draft for draft in self._idle if draft.side is side]
            if idle:
                numbers = [next(iter(draft.units)) for draft in idle]
                words = capital(together(draft.subject for draft in idle))
                stand = "stand" if idle[1:] else agree(idle[0].subject, "stands")
                draft = Draft(side).say(f"{words} {stand}.")
                yield draft.about(*numbers).citing(
                    roll for idle_draft in idle for roll in idle_draft.rolls
                )

    def _no_longer_idle(self, number: int) -> list[Roll]:
        """Do not say that a unit stands that is gone now; return the rolls of its activation."""
        gone = [draft for draft in self._idle if number in draft.units]
        self._idle = [draft for draft in self._idle if draft not in gone]
        return [roll for draft in gone for roll in draft.rolls]

    def _name(self, number: int) -> str:
        return name_of(self.state, number)

    def _side(self, number: int) -> Side | None:
        return side_of(self.state, number)

    # Cards, and who acts

    @hears.on(e.HeroicDealt)
    def _heroic_dealt(self, event: e.HeroicDealt) -> None:
        if event.leader:
            self._aside(event.side).say(
                f"{capital(self._name(event.leader))} gains a Heroic Leadership card."
            ).about(event.leader)

    @hears.on(e.Deployed)
    def _deployed(self, event: e.Deployed) -> None:
        self._begin(event.unit).does(f"takes post at {square_in_words(event.square)}")

    @hears.on(e.Coordinated)
    def _coordinated(self, event: e.Coordinated) -> None:
        # A unit disorganised before it acts is no longer led: its own sentence says so.
        if not event.units or event.leader in self.state.coordinated:
            return
        led = names(self.state, event.units)
        self._begin(event.leader).does(f"leads {led} on one card").about(*event.units)
        self._open = None

    @hears.on(e.Moored)
    def _moored(self, event: e.Moored) -> None:
        self._begin(event.craft).does("lies alongside for the turn")

    @hears.on(e.CardTurned)
    def _card_turned(self, event: e.CardTurned) -> None:
        draft = self._now()
        draft.turned.append(Turned(event.card, event.purpose, event.result))
        if event.purpose == "cover":
            saved = not event.card.red
            draft.say("The cover takes the hit." if saved else "The cover does not help.")

    @hears.on(e.Woke)
    def _woke(self, event: e.Woke) -> None:
        self._aside().say("The defenders know that they are under attack.").weigh(NEWS)

    @hears.on(e.BecameImpetuous)
    def _became_impetuous(self, event: e.BecameImpetuous) -> None:
        card = self.state.cards.get(event.unit)
        self._begin(event.unit, card).does("loses its head: it must charge").weigh(NEWS)

    @hears.on(e.Activated)
    def _activated(self, event: e.Activated) -> None:
        acting = event.units or (event.leader,)
        draft = self._begin(acting[0], self.state.cards.get(acting[0])).about(*acting)
        self._acting = acting
        if len(acting) > 1:
            draft.subject = f"the brigade Square ({', '.join(map(str, acting))})"
        thrown = [roll for roll in self._cited if roll.reason == "action points"]
        if thrown:
            had = f"{event.points} action point{'' if event.points == 1 else 's'}"
            throw = throw_in_words(thrown[-1])
            draft.otherwise = (
                f"{capital(draft.subject)} {agree(draft.subject, 'throws')} {throw}: {had}."
            )

    @hears.on(e.ActivationEnded)
    def _activation_ended(self, event: e.ActivationEnded) -> None:
        if self._open is not None and self._open.is_empty:
            self._drafts.remove(self._open)
            self._idle.append(self._open)
        self._open, self._acted = None, len(self._drafts)

    @hears.on(e.Forgone)
    def _forgone(self, event: e.Forgone) -> None:
        if self.state.acting is None:
            return
        match event.act:
            case a.Charge(target):
                words = f"no longer charges {self._name(target)}"
            case a.Fire(target):
                words = f"no longer fires at {self._name(target)}"
            case _:
                words = "cannot do the rest of what was declared"
        self._say(self.state.acting.units[0], words)

    @hears.on(e.HeroicPlayed)
    def _heroic_played(self, event: e.HeroicPlayed) -> None:
        own = self._open is not None and event.unit in self._acting
        draft = self._now() if own else self._aside(event.side)
        draft.say(f"“{HEROIC[event.card]}” is played for {self._name(event.unit)}.")

    # Movement

    @hears.on(e.Entered)
    def _entered(self, event: e.Entered) -> None:
        self._does(event.unit, f"comes on at {square_in_words(event.square)}")

    @hears.on(e.Moved)
    def _moved(self, event: e.Moved) -> None:
        if sum(number in self.state.units for number in event.units) > 1:
            phrase = f"marches to {ground_in_words(event.to)}" if event.path else "wheels"
            self._of(event.units[0]).does(phrase)
        else:
            self._does(event.units[0], self._way(event))

    def _way(self, event: e.Moved) -> str:
        if not event.path:
            return "turns"
        waypoints = [square_in_words(square) for square in event.path[:-1]]
        goes = "goes on" if self._open and self._open.last.startswith("moves to") else "moves"
        return f"{goes} to {square_in_words(event.path[-1])}" + (
            f" by {listed(waypoints)}" if waypoints else ""
        )

    @hears.on(e.Left)
    def _left(self, event: e.Left) -> None:
        left = self._does(event.unit, LEAVES.get(event.cause, "leaves the field"))
        left.weigh(NEWS).citing(self._no_longer_idle(event.unit))

    @hears.on(e.Formed)
    def _formed(self, event: e.Formed) -> None:
        unit = self.state.units[event.unit]
        if event.dismounted != unit.dismounted:
            self._does(event.unit, "dismounts" if event.dismounted else "mounts")
        if event.formation is not unit.formation:
            self._does(event.unit, FORMS[event.formation])

    @hears.on(e.BrigadeFormed)
    def _brigade_formed(self, event: e.BrigadeFormed) -> None:
        led = capital(names(self.state, event.units))
        self._now().say(f"{led} form a brigade Square.").about(*event.units).weigh(NEWS)

    @hears.on(e.BrigadeLeft)
    def _brigade_left(self, event: e.BrigadeLeft) -> None:
        self._say(event.unit, "is no longer part of the brigade Square")

    @hears.on(e.Loaded)
    def _loaded(self, event: e.Loaded) -> None:
        self._does(event.unit, f"goes aboard {self._name(event.craft)}").about(event.craft)

    @hears.on(e.Unloaded)
    def _unloaded(self, event: e.Unloaded) -> None:
        self._does(event.unit, f"goes ashore at {square_in_words(event.square)}")

    # Fire, charges and combat

    @hears.on(e.Fired)
    def _fired(self, event: e.Fired) -> None:
        weapon = f" with its {event.weapon}" if event.weapon else ""
        outcome = "and hits" if event.hit else "without effect"
        phrase = f"fires{weapon} on {self._name(event.target)} {outcome}"
        draft = self._does(event.unit, phrase, f"fires again {outcome}").about(event.target)
        if event.hit:
            draft.weigh(NEWS)

    @hears.on(e.Disorganised)
    def _disorganised(self, event: e.Disorganised) -> None:
        self._say(event.unit, "is disorganised").weigh(NEWS)

    @hears.on(e.Recovered)
    def _recovered(self, event: e.Recovered) -> None:
        self._does(event.unit, "recovers its order")

    @hears.on(e.RecoveryFailed)
    def _recovery_failed(self, event: e.RecoveryFailed) -> None:
        self._begin(event.unit).does("tries to recover its order but fails")

    @hears.on(e.FigureLost)
    def _figure_lost(self, event: e.FigureLost) -> None:
        unit = self.state.units[event.unit]
        figure = figures_in_words(1, unit)
        lost = figure if unit.figures > 1 else figure.replace("1", "its last")
        self._say(event.unit, f"loses {lost}", f"loses {lost.replace('1', 'another')}").weigh(NEWS)

    @hears.on(e.Refloated)
    def _refloated(self, event: e.Refloated) -> None:
        self._say(event.unit, "recovers a flotation point")

    @hears.on(e.Lost)
    def _lost(self, event: e.Lost) -> None:
        unit = self.state.units.get(event.unit)
        fate = "sinks" if unit is not None and unit.is_craft else "is destroyed"
        lost = self._say(event.unit, fate).weigh(HEADLINE)
        lost.citing(self._no_longer_idle(event.unit))

    @hears.on(e.Charged)
    def _charged(self, event: e.Charged) -> None:
        target = self._name(event.target)
        across = " over the obstacle" if event.obstacles else ""
        phrase = f"charges {target} in the {event.aspect}{across}"
        self._does(event.unit, phrase).about(event.target).weigh(NEWS)

    @hears.on(e.ChargeJudged)
    def _charge_judged(self, event: e.ChargeJudged) -> None:
        after = "beaten off" if event.difference < 0 else "brought to a halt"
        home = "driven home" if event.difference > 0 else after
        self._now().say(f"{self._scores()}: the charge is {home}.")

    def _scores(self) -> str:
        """Return the totals of the last two rolls: `It is 10 against 12`."""
        own_total, enemy_total = [roll.total for roll in self._cited][-2:]
        return f"It is {own_total} against {enemy_total}"

    @hears.on(e.WentIn)
    def _went_in(self, event: e.WentIn) -> None:
        self._say(event.unit, f"goes in at {square_in_words(event.square)}")

    @hears.on(e.FellBack)
    def _fell_back(self, event: e.FellBack) -> None:
        if not event.path:
            self._say(event.unit, "has no room to fall back")
            return
        short = " without room to go further" if event.blocked else ""
        self._say(event.unit, f"falls back to {square_in_words(event.path[-1])}{short}")

    @hears.on(e.CombatJudged)
    def _combat_judged(self, event: e.CombatJudged) -> None:
        charger, charged = self._name(event.charger), self._name(event.charged)
        draft = self._begin(event.charger).about(event.charged).weigh(NEWS)
        draft.does(f"fights hand to hand with {charged}")
        winner = charged if event.loser == event.charger else charger
        ahead = agree(winner, "has the upper hand")
        ends = f"{winner} {ahead}" if event.loser else "neither gives way"
        draft.say(f"{self._scores()}: {ends}.")

    @hears.on(e.Pursued)
    def _pursued(self, event: e.Pursued) -> None:
        self._say(event.unit, f"pursues to {square_in_words(event.square)}")

    # Leaders, and the end

    @hears.on(e.LeaderWounded)
    def _leader_wounded(self, event: e.LeaderWounded) -> None:
        self._say(event.leader, "is wounded but fights on").weigh(NEWS)

    @hears.on(e.LeaderFell)
    def _leader_fell(self, event: e.LeaderFell) -> None:
        self._say(event.leader, FALLS.get(event.cause, "falls")).weigh(HEADLINE)

    @hears.on(e.BrokeOff)
    def _broke_off(self, event: e.BrokeOff) -> None:
        self._aside(event.side).weigh(HEADLINE).say(
            f"{capital(SIDES[event.side])} breaks off the battle: {count_in_words(event.out)} of "
            f"its {count_in_words(event.of)} units are disorganised or lost."
        )

    @hears.on(e.Corrected)
    def _corrected(self, event: e.Corrected) -> None:
        now = in_words(event.now) if event.now.figures else ""
        self._correct(event.unit, event.now.side, now)

    @hears.on(e.BattleEnded)
    def _battle_ended(self, event: e.BattleEnded) -> None:
        self._aside(event.result.winner).weigh(HEADLINE).say(event.result.reason)
