"""Positions that ask for one judgement: a bare field, a few units, one of them activated."""

from collections.abc import Iterable
from typing import Any

from battles.books.redcoats import actions as a
from battles.books.redcoats import actions as q
from battles.books.redcoats import set_up
from battles.books.redcoats.commander import answer
from battles.books.redcoats.field import STEPS, Field, Terrain, name, parse_square
from battles.books.redcoats.field import parse_facing as facing_named
from battles.books.redcoats.pieces import Formation, Heroic, Kind, Troops
from battles.books.redcoats.play import rules
from battles.books.redcoats.set_up import Deployment
from battles.books.redcoats.state import Activation, Brigade, Leader, State, Unit
from battles.contract import Brief, Party, Side
from battles.contract import TroopKind as Counter
from battles.core.decoding import decode, encode
from battles.core.game import Step
from tests.redcoats_commander.armies import troop


def british(number: int, square: str, looks: str = "S", **more: Any) -> Unit:
    """Return a British battalion in line, unless more is said."""
    kind = more.pop("kind", Kind.INFANTRY)
    figures = more.pop("figures", 2 if kind in (Kind.ARTILLERY, Kind.MACHINE_GUN) else 4)
    guns = Formation.DEPLOYED if kind in (Kind.ARTILLERY, Kind.MACHINE_GUN) else Formation.LINE
    return Unit(
        number,
        Side.EGYPTIAN,
        kind,
        more.pop("troops", Troops.BRITISH),
        figures,
        more.pop("full", figures),
        parse_square(square),
        facing_named(looks),
        more.pop("formation", guns),
        **more,
    )


def dervish(number: int, square: str, looks: str = "N", **more: Any) -> Unit:
    """Return a rub of spears en masse, unless more is said."""
    kind = more.pop("kind", Kind.INFANTRY)
    return Unit(
        number,
        Side.MAHDIST,
        kind,
        Troops.DERVISH,
        more.pop("figures", 4),
        4,
        parse_square(square),
        facing_named(looks),
        Formation.EN_MASSE,
        armed=more.pop("armed", False),
        **more,
    )


def position(
    *units: Unit,
    attacker: Side = Side.MAHDIST,
    leaders: Iterable[Leader] = (),
    ground: dict[str, Terrain] | None = None,
    **more: Any,
) -> State:
    """Return a field of 12 by 8 with these; turn 2, Heroic Leadership cards in nobody's hand."""
    parties = {side: Party(side, (troop(1, Counter.INFANTRY),)) for side in Side}
    brief = Brief("position", "A position", parties[attacker], parties[attacker.enemy])
    field = Field(12, 8, {parse_square(square): kind for square, kind in (ground or {}).items()})
    state = set_up.drawn_up(
        Deployment("A position", field, units, leaders=tuple(leaders), brief=brief, **more)
    )
    state.turn = 2
    return state


def asked(state: State, *units: int, points: int = 6, bonus: int = 0, leader: int = 0) -> Any:
    """Return the first action of the activated unit: legal, and the same for a stored state."""
    piece = state.units.get(units[0]) or state.leaders[units[0]]
    state.acting = Activation(list(units), points, leader=leader, bonus=bonus)
    state.question, state.agenda = q.ToAct(piece.side, units[0]), [Step("act")]
    return answered(state)


def answered(state: State) -> Any:
    """Return the answer to whatever is open: lawful, and the same when the state comes from a
    store.
    """
    action = answer(state)
    rules.check(state, action)
    assert encode(answer(decode(encode(state), State))) == encode(action)
    return action


def done_by(state: State, *units: int, points: int = 6, **more: Any) -> list[a.AnyAction]:
    """Return everything the activated does until it is done or somebody has to throw dice."""
    actions = [asked(state, *units, points=points, **more)]
    while isinstance(actions[-1], a.Move | a.Form | a.PlayCard):
        rules.play(state, actions[-1], NoDice())
        if state.acting is None or not isinstance(state.question, q.ToAct):
            return actions
        actions.append(answered(state))
    rules.play(state, a.Done(), NoDice())
    return actions


class NoDice:
    """Moving and forming throw none."""

    def throw(self, count: int, sides: int) -> tuple[int, ...]:
        raise AssertionError("nothing is thrown for here")


def with_cards(state: State, side: Side, *cards: Heroic) -> State:
    state.hands = {side: list(cards), side.enemy: []}
    return state


def graham(number: int, square: str) -> Leader:
    return Leader(number, Side.EGYPTIAN, Troops.BRITISH, parse_square(square), "Graham")


def osman(number: int, square: str) -> Leader:
    return Leader(number, Side.MAHDIST, Troops.DERVISH, parse_square(square), "Osman Digma")


def in_brigade(middle: str) -> tuple[list[Unit], Brigade]:
    """Four battalions in brigade Square, facing south, numbered from 1."""
    units = [
        british(
            nth,
            name(parse_square(middle) + STEPS[way]),
            looks,
            formation=Formation.SQUARE,
            brigade=1,
        )
        for nth, (way, looks) in enumerate(((4, "S"), (2, "E"), (6, "W"), (0, "N")), start=1)
    ]
    return units, Brigade(1, 4)
