"""Small battles for tests: units in short, a field, and dice and cards as one wants them."""

from collections.abc import Iterable
from typing import Any

from battles.books.redcoats import activation
from battles.books.redcoats.actions import Deed, Done
from battles.books.redcoats.book import book
from battles.books.redcoats.events import AgendaRecorded, Declared
from battles.books.redcoats.evolve import evolve
from battles.books.redcoats.field import Field, parse_facing, parse_square
from battles.books.redcoats.pieces import Formation, Kind, Style, Troops
from battles.books.redcoats.play import rules
from battles.books.redcoats.sequence import STEPS
from battles.books.redcoats.set_up import Deployment, drawn_up
from battles.books.redcoats.state import Activation, Leader, State, Unit
from battles.contract.brief import Side
from battles.core.dice import Card, ChainedDice, ScriptedDice, Suit, derive_key
from battles.core.game import Ledger, Outcome

EGYPTIAN, MAHDIST = Side.EGYPTIAN, Side.MAHDIST
SIDES = {Style.ANGLO_EGYPTIAN: EGYPTIAN, Style.DERVISH: MAHDIST}
RED, BLACK = Card(5, Suit.HEARTS), Card(5, Suit.SPADES)


def unit(number: int, troops: str, kind: str, at: str, looks: str = "N", **more: Any) -> Unit:
    """Return a unit such as `unit(1, "british", "infantry", "D5", "N", formation="line")`."""
    nation, sort = Troops(troops), Kind(kind)
    full = more.pop("full", _full(sort))
    formation = more.pop("formation", None) or usual(nation, sort)
    side = more.pop("side", None) or SIDES[book().style(nation)]
    if nation in (Troops.BASHI_BAZOUKS, Troops.GENDARMERIE, Troops.BAZINGERS):
        side = EGYPTIAN
    return Unit(
        number,
        side,
        sort,
        nation,
        more.pop("figures", full),
        full,
        parse_square(at),
        parse_facing(looks),
        Formation(formation),
        **more,
    )


def usual(troops: Troops, kind: Kind) -> Formation:
    """Return the formation that such a unit takes unless a test says otherwise."""
    if kind in (Kind.GUNBOAT, Kind.RIVER_BOAT):
        return Formation.AFLOAT
    if kind in (Kind.ARTILLERY, Kind.MACHINE_GUN):
        return Formation.DEPLOYED
    if kind is Kind.TRANSPORT:
        return Formation.TRANSPORT
    return Formation.LINE if book().style(troops) is Style.ANGLO_EGYPTIAN else Formation.EN_MASSE


def leader(number: int, troops: str, at: str) -> Leader:
    """Return a Leader of the side whose troops he belongs to."""
    nation = Troops(troops)
    return Leader(number, SIDES[book().style(nation)], nation, parse_square(at))


def battle(*pieces: Unit | Leader, field: Field | None = None, **more: Any) -> State:
    """Return a battle in its first turn, before anybody is activated, with no agenda."""
    deployment = Deployment(
        "A test",
        field or Field(12, 8),
        tuple(piece for piece in pieces if isinstance(piece, Unit)),
        tuple(piece for piece in pieces if isinstance(piece, Leader)),
        **more,
    )
    state = drawn_up(deployment)
    state.turn = 1
    state.pack = [RED] * 20
    return state


def on(state: State, *faces: int) -> Ledger[State]:
    """Return a ledger on the state with dice that fall so."""
    return Ledger(state, ScriptedDice(*faces), evolve)


def activated(state: State, number: int, points: int, **more: Any) -> State:
    """Return the state with a unit activated that has so many points, and asked."""
    state.acting = Activation([number, *more.pop("also", ())], points, **more)
    ledger = on(state)
    activation.act(ledger)
    return state


def thrown(state: State, number: int, *faces: int) -> Outcome:
    """A unit is activated with these dice and asked, or has nothing to do."""
    ledger = on(state, *faces)
    activation.begin(ledger, number)
    ledger.advance(STEPS)
    return Outcome(tuple(ledger.events), tuple(ledger.rolls))


def act(state: State, action: Any, *faces: int) -> Outcome:
    """Return the action played with these dice, every one of which is used.

    An act of an activated unit is all that it declares.
    """
    if isinstance(action, Deed):
        return acts(state, action, faces=faces)
    dice = ScriptedDice(*faces)
    outcome = rules.play(state, action, dice)
    assert dice.left == 0, f"{dice.left} dice were not thrown"
    return outcome


def acts(state: State, *declared: Any, faces: tuple[int, ...] = ()) -> Outcome:
    """Return the outcome of acts that are declared together and carried out with these dice."""
    dice, acting = ScriptedDice(*faces), state.acting
    outcomes = [rules.play(state, action, dice) for action in declared]
    if state.acting is acting and acting is not None:
        outcomes.append(rules.play(state, Done(), dice))
    assert dice.left == 0, f"{dice.left} dice were not thrown"
    events = (event for one in outcomes for event in one.events)
    return Outcome(
        tuple(event for event in events if not isinstance(event, AgendaRecorded | Declared)),
        tuple(roll for one in outcomes for roll in one.rolls),
    )


def question(state: State) -> Any:
    """Return the open question."""
    return state.question


def kinds(outcome: Outcome | Iterable[Any]) -> list[str]:
    """Return the names of the events."""
    events = outcome.events if isinstance(outcome, Outcome) else outcome
    return [type(event).__name__ for event in events]


def _full(kind: Kind) -> int:
    if kind is Kind.GUNBOAT:
        return book().number("gunboat")
    if kind is Kind.RIVER_BOAT:
        return book().number("wooden boat")
    if kind in (Kind.ARTILLERY, Kind.MACHINE_GUN):
        return 2
    return 1 if kind is Kind.TRANSPORT else book().number("battalion")


def dice_of(seed: int) -> ChainedDice:
    """Dice that nobody has written down."""
    return ChainedDice(derive_key(b"redcoats", seed))
