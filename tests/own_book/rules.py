"""The rules: each turn each side holds its ground and fires, or one of its units charges.

A unit throws a die for each of its strength points. Fire hits with a 6 within its range, a charge
with what the table of the book says. The battle ends when a side has lost half its strength points
or after six turns.
"""

from collections.abc import Iterable, Iterator
from importlib.resources import files

import msgspec

from battles.contract import Brief, Nation, Side, TroopKind
from battles.contract.book import Ended, UnitRemainder
from battles.contract.generic_book import counted_by_troops
from battles.contract.report import Report
from battles.core.dice import Dice, Roll
from battles.core.game import Action, Event, IllegalAction, Ledger, Outcome, Step
from battles.core.tables import Row, Source, Table, read_table
from battles.tabletop.geometry import MEASURE, TablePoint, bearing_between, distance

SLUG, TITLE = "hold-or-charge", "Hold or Charge"
WIDTH, DEPTH = 36 * MEASURE, 24 * MEASURE
RANGE = 18 * MEASURE
TURNS = 6
UNFOUGHT = frozenset({TroopKind.LEADER, TroopKind.FLEET, TroopKind.BOAT, TroopKind.GUNBOAT})


class HitRow(Row, frozen=True, kw_only=True):
    """The least result of a die that hits, for those who do that."""

    deed: str
    needs: int


def hits() -> Table[HitRow]:
    """Return the book's one table."""
    text = (files(__package__) / "hits.toml").read_text(encoding="utf-8")
    return read_table(Source("hits.toml", text), HitRow)


NEEDS = {row.deed: row.needs for row in hits().rows}


class Unit(msgspec.Struct, array_like=True):
    """A unit of the brief on the field, with the strength points it has left."""

    id: int
    side: Side
    kind: TroopKind
    nation: Nation
    name: str
    at: TablePoint
    strength: int
    full: int
    facing: int = 0


class ToDecide(msgspec.Struct, frozen=True):
    """The decision to hold or charge this turn, by side."""

    side: Side


class Result(msgspec.Struct, frozen=True):
    winner: Side | None
    reason: str


class State(msgspec.Struct, omit_defaults=True):
    brief: Brief
    units: dict[int, Unit]
    turn: int = 0
    agenda: list[Step] = []
    question: ToDecide | None = None
    result: Result | None = None


class Hold(Action, frozen=True):
    """The whole side stands and fires at the nearest enemies."""


class Charge(Action, frozen=True):
    """One unit goes at an enemy and fights it; the others do nothing."""

    unit: int
    target: int


AnyAction = Hold | Charge


class TurnBegan(Event, frozen=True, kw_only=True):
    turn: int


class Fired(Event, frozen=True, kw_only=True):
    unit: int
    target: int
    lost: int


class Charged(Event, frozen=True, kw_only=True):
    unit: int
    target: int
    at: TablePoint
    lost: int
    own: int


class SetRight(Event, frozen=True, kw_only=True):
    """An umpire has said what is left of a unit, and where it stands."""

    unit: int
    strength: int
    at: TablePoint


class Over(Event, frozen=True, kw_only=True):
    result: Result


class Waits(Event, frozen=True, kw_only=True):
    question: ToDecide | None


AnyEvent = TurnBegan | Fired | Charged | SetRight | Over | Waits


def evolve(state: State, event: AnyEvent) -> None:
    """Apply an event to the state."""
    match event:
        case TurnBegan():
            state.turn = event.turn
        case Fired():
            _lose(state, event.target, event.lost)
        case Charged():
            unit, target = state.units[event.unit], state.units[event.target]
            unit.at, unit.facing = event.at, bearing_between(event.at, target.at)
            _lose(state, event.target, event.lost)
            _lose(state, event.unit, event.own)
        case SetRight():
            unit = state.units[event.unit]
            unit.strength, unit.at = event.strength, event.at
        case Over():
            state.result = event.result
        case Waits():
            state.question = event.question


def _lose(state: State, number: int, lost: int) -> None:
    state.units[number].strength = max(0, state.units[number].strength - lost)


def standing(state: State, side: Side) -> list[Unit]:
    """Return the units of a side that are left."""
    return [one for one in state.units.values() if one.side is side and one.strength]


def nearest(state: State, unit: Unit) -> Unit:
    """Return the nearest enemy that is left."""
    return min(
        standing(state, unit.side.enemy), key=lambda one: (distance(unit.at, one.at), one.id)
    )


class OwnEngine:
    """The engine of the book."""

    slug, title = SLUG, TITLE
    state, actions, events = State, AnyAction, AnyEvent

    def drawn_up(self, brief: Brief) -> State:
        units = {}
        for party, y, facing in (
            (brief.defender, DEPTH // 4, 180),
            (brief.attacker, 3 * DEPTH // 4, 0),
        ):
            troops = [one for one in party.troops if one.kind not in UNFOUGHT]
            if not troops:
                raise ValueError("A side has nobody who can fight.")
            for place, one in enumerate(troops, 1):
                at = TablePoint(place * WIDTH // (len(troops) + 1), y)
                full, name = max(one.strength, 1), one.name or f"{one.nation} {one.kind} {one.id}"
                units[one.id] = Unit(
                    one.id, party.side, one.kind, one.nation, name, at, full, full, facing
                )
        return State(brief, units)

    def new_game(self, brief: Brief, dice: Dice) -> tuple[State, Outcome]:
        state = self.drawn_up(brief)
        ledger = Ledger(state, dice, evolve)
        ledger.emit(TurnBegan(turn=1))
        return state, ledger.outcome(Waits(question=ToDecide(brief.attacker.side)))

    def options(self, state: State) -> tuple[Hold | Charge, ...]:
        return tuple(self._options(state))

    def _options(self, state: State) -> Iterator[Hold | Charge]:
        if state.question is None:
            return
        yield Hold()
        side = state.question.side
        for unit in standing(state, side):
            for target in standing(state, side.enemy):
                yield Charge(unit.id, target.id)

    def check(self, state: State, action: AnyAction) -> None:
        if state.question is None:
            raise IllegalAction("Turn 3", "The battle is over.")
        if action not in self.options(state):
            raise IllegalAction("Charging 1", "A unit of yours charges one of theirs that stands.")

    def play(self, state: State, action: AnyAction, dice: Dice) -> Outcome:
        self.check(state, action)
        assert state.question is not None
        side, ledger = state.question.side, Ledger(state, dice, evolve)
        if isinstance(action, Charge):
            charge(ledger, action)
        else:
            hold(ledger, side)
        return ledger.outcome(Waits(question=self._next(ledger, side)))

    def _next(self, ledger: Ledger[State], side: Side) -> ToDecide | None:
        """End the battle, or the turn, or ask the other side."""
        state = ledger.state
        result = decided(state)
        if result is None and side is state.brief.attacker.side:
            return ToDecide(side.enemy)
        if result is None and state.turn == TURNS:
            result = Result(None, "Night fell.")
        if result is not None:
            ledger.emit(Over(result=result))
            return None
        ledger.emit(TurnBegan(turn=state.turn + 1))
        return ToDecide(side.enemy)

    def fold(self, state: State, events: Iterable[AnyEvent]) -> None:
        for event in events:
            evolve(state, event)

    def view(self, state: State, side: Side | None) -> State:
        return state

    def answer(self, state: State) -> Hold | Charge:
        """Charge with the strongest unit when it outnumbers the nearest enemy; hold otherwise."""
        assert state.question is not None
        best = max(standing(state, state.question.side), key=lambda one: one.strength)
        target = nearest(state, best)
        return Charge(best.id, target.id) if best.strength > target.strength else Hold()

    def report(self, state: State) -> Report:
        if state.result is None:
            raise ValueError("The battle goes on.")
        left = {one.id: UnitRemainder(one.strength) for one in state.units.values()}
        ended = Ended(state.result.winner, state.result.reason, state.turn)
        return counted_by_troops(state.brief, SLUG, left, ended)


def hold(ledger: Ledger[State], side: Side) -> None:
    """Fire with every unit that has an enemy in range."""
    for unit in standing(ledger.state, side):
        if not standing(ledger.state, side.enemy):
            return
        target = nearest(ledger.state, unit)
        if distance(unit.at, target.at) <= RANGE:
            lost = _thrown(ledger, unit, "fire", f"{unit.name} fires at {target.name}")
            ledger.emit(Fired(unit=unit.id, target=target.id, lost=lost))


def charge(ledger: Ledger[State], action: Charge) -> None:
    """Move the unit to its enemy and let both strike at once."""
    unit, target = ledger.state.units[action.unit], ledger.state.units[action.target]
    lost = _thrown(ledger, unit, "charge", f"{unit.name} charges {target.name}")
    own = _thrown(ledger, target, "stand", f"{target.name} strikes back")
    south = 1 if unit.at.y > target.at.y else -1
    at = TablePoint(target.at.x, target.at.y + south * MEASURE)
    ledger.emit(Charged(unit=unit.id, target=target.id, at=at, lost=lost, own=own))


def _thrown(ledger: Ledger[State], unit: Unit, deed: str, reason: str) -> int:
    """Throw a die for each strength point; return the hits."""
    needs = NEEDS[deed]
    roll = ledger.roll(Roll(reason, "Hits 1", (0,) * unit.strength, side=unit.side, table="hits"))
    found = sum(face >= needs for face in roll.dice)
    ledger.amend(roll, result=f"{found} hits")
    return found


def decided(state: State) -> Result | None:
    """Return how the battle ended when a side has lost half its strength points."""
    broken = [
        side
        for side in Side
        if 2 * sum(one.strength for one in state.units.values() if one.side is side)
        <= sum(one.full for one in state.units.values() if one.side is side)
    ]
    if len(broken) == 2:
        return Result(None, "Both sides broke.")
    return Result(broken[0].enemy, "The other side broke.") if broken else None
