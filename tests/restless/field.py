"""Small battles to try a rule on: units where one wants them, dice as one wants them."""

from typing import Any

from battles.books.restless_natives.evolve import evolve
from battles.books.restless_natives.pieces import Kind, Special, Troops, Weapon
from battles.books.restless_natives.play import rules
from battles.books.restless_natives.sequence import STEPS
from battles.books.restless_natives.set_up import Deployment, drawn_up
from battles.books.restless_natives.state import Activation, Commander, State, Unit
from battles.contract.brief import Side
from battles.core.dice import Card, ChainedDice, ScriptedDice, Suit, derive_key
from battles.core.game import Ledger, Outcome, Step
from battles.tabletop.field import OpenField, TableTerrain, TerrainFeature
from battles.tabletop.formations import TableFormation
from battles.tabletop.geometry import TablePoint

EGYPTIAN, MAHDIST = Side.EGYPTIAN, Side.MAHDIST
INCH = 100
NORTH, EAST, SOUTH, WEST = 0, 90, 180, 270
RED, BLACK = Card(5, Suit.HEARTS), Card(5, Suit.SPADES)
RED_KING, BLACK_JACK = Card(13, Suit.DIAMONDS), Card(11, Suit.CLUBS)
BRITISH_CHIEF, NATIVE_CHIEF, SUBORDINATE = 1, 2, 3


def at(x: float, y: float) -> TablePoint:
    """Return a point in inches."""
    return TablePoint(round(x * INCH), round(y * INCH))


def table(*features: TerrainFeature, width: int = 48, height: int = 36) -> OpenField:
    """Return a field in inches with these things on it."""
    return OpenField(width * INCH, height * INCH, "inch", features)


def block(
    kind: TableTerrain, west: float, north: float, east: float, south: float
) -> TerrainFeature:
    """Ground of a kind between these edges, in inches."""
    return TerrainFeature(
        kind, (at(west, north), at(east, north), at(east, south), at(west, south))
    )


def line(kind: TableTerrain, *points: tuple[float, float]) -> TerrainFeature:
    """Return a line of a kind through these points, in inches."""
    return TerrainFeature(kind, tuple(at(*point) for point in points))


def british(number: int, where: TablePoint, facing: int = NORTH, **more: Any) -> Unit:
    """Return a British battalion in line, unless it is said otherwise."""
    return _unit(number, EGYPTIAN, where, facing, **more)


def natives(number: int, where: TablePoint, facing: int = SOUTH, **more: Any) -> Unit:
    """Return a large warband of spearmen in mass, unless it is said otherwise."""
    usual = {
        "troops": Troops.NATIVE,
        "weapon": Weapon.SPEARS,
        "stands": 6,
        "formation": TableFormation.MASS,
        "command": NATIVE_CHIEF,
    }
    return _unit(number, MAHDIST, where, facing, **usual | more)


def _unit(number: int, side: Side, where: TablePoint, facing: int, **more: Any) -> Unit:
    what: dict[str, Any] = {
        "kind": Kind.INFANTRY,
        "troops": Troops.BRITISH,
        "weapon": Weapon.SINGLE_SHOT,
        "stands": 4,
        "formation": TableFormation.LINE,
        "command": BRITISH_CHIEF,
    } | more
    what.setdefault("full", what["stands"])
    return Unit(id=number, side=side, at=where, facing=facing, **what)


def deployment(*units: Unit, field: OpenField | None = None, **more: Any) -> Deployment:
    """Return a battle with a Commander-in-Chief on either side, and a British subordinate if
    wanted.
    """
    commanders = [
        Commander(BRITISH_CHIEF, EGYPTIAN, "Graham", chief=True),
        Commander(NATIVE_CHIEF, MAHDIST, "Osman Digma", chief=True),
    ]
    if any(unit.command == SUBORDINATE for unit in units):
        commanders.append(Commander(SUBORDINATE, EGYPTIAN, "Davis"))
    told = {"commanders": tuple(commanders)} | more
    return Deployment("A battle", field or table(), units, **told)


def battle(*units: Unit, field: OpenField | None = None, **more: Any) -> State:
    """Return the state of it before anything has happened."""
    return drawn_up(deployment(*units, field=field, **more))


def ledger(state: State, *faces: int) -> Ledger[State]:
    """Return the state with dice that fall as they are told."""
    return Ledger(state, ScriptedDice(*faces), evolve)


def activated(state: State, unit: int, card: Special | None = None) -> State:
    """The unit is activated, with a card laid down for it, and its side asked."""
    state.question = None
    state.acting = Activation(unit, card=card)
    state.agenda = [Step("discard")]
    state.card = RED
    state.pack = [BLACK] * 3
    step(state, "act")
    return state


def step(state: State, name: str, *args: str | int, faces: tuple[int, ...] = ()) -> Ledger[State]:
    """One step by its name, and what it leads to until somebody is asked."""
    working = ledger(state, *faces)
    state.agenda.insert(0, Step(name, args))
    working.advance(STEPS)
    return working


def act(state: State, action: Any, *faces: int) -> Outcome:
    """Return the action carried out with dice that fall so; every one of them has to be thrown."""
    dice = ScriptedDice(*faces)
    outcome = rules.play(state, action, dice)
    assert not dice.left, f"{dice.left} dice were not thrown"
    return outcome


def dice_of(seed: int) -> ChainedDice:
    """Dice of a seed."""
    return ChainedDice(derive_key(b"restless", seed))


def kinds(outcome: Outcome) -> list[str]:
    """Return the kinds of the events so far."""
    return [type(event).__name__ for event in outcome.events]
