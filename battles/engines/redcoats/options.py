"""What may be done now: for the open question the domain of its lawful answers.

The same functions say what is offered and check what is asked.
"""

from collections.abc import Callable
from typing import Any

import msgspec

from battles.engines.redcoats import offers, set_up
from battles.engines.redcoats import questions as q
from battles.engines.redcoats.charging import Attack
from battles.engines.redcoats.firing import Target
from battles.engines.redcoats.pieces import Formation, Heroic, Side
from battles.engines.redcoats.reach import Reach
from battles.engines.redcoats.state import State


class Options(msgspec.Struct, frozen=True, omit_defaults=True):
    """The lawful answers to the open question; what does not belong to it is empty.

    `asks`: "set up", "co-ordinate", "moor", "next", "act", "card" or "pursue". `done`: Done is
    one of them. `units`: to be set up, co-ordinated (any of them) or activated (one of them).
    `squares`: for each unit to be set up those it may stand in. `reach`: where the activated can
    go; of a brigade Square its north-western corner. `entries` and `landings`: squares to come on
    to the field, or ashore, with any facing.
    """

    side: Side
    asks: str
    done: bool = False
    unit: int = 0
    units: tuple[int, ...] = ()
    squares: dict[int, tuple[int, ...]] = {}
    reach: Reach | None = None
    charges: tuple[Attack, ...] = ()
    targets: tuple[Target, ...] = ()
    formations: tuple[Formation, ...] = ()
    cards: tuple[Heroic, ...] = ()
    entries: tuple[int, ...] = ()
    landings: tuple[int, ...] = ()
    crafts: tuple[int, ...] = ()
    mount: bool = False
    dismount: bool = False
    brigade: bool = False
    leave: bool = False
    moor: bool = False
    pursue: bool = False


def options(state: State) -> Options | None:
    """The domain of the open question; None when the battle is over."""
    if state.question is None:
        return None
    return _DOMAINS[type(state.question)](state, state.question)


def _to_set_up(state: State, question: q.ToSetUp) -> Options:
    units = set_up.movable(state, question.side)
    return Options(
        question.side,
        "set up",
        done=True,
        units=units,
        squares={number: set_up.places(state, _piece(state, number)) for number in units},
    )


def _to_coordinate(state: State, question: q.ToCoordinate) -> Options:
    return Options(
        question.side, "co-ordinate", done=True, unit=question.leader, units=question.units
    )


def _to_moor(state: State, question: q.ToMoor) -> Options:
    return Options(question.side, "moor", done=True, unit=question.craft, moor=True)


def _to_choose_next(state: State, question: q.ToChooseNext) -> Options:
    return Options(question.side, "next", unit=question.leader, units=question.choices)


def _to_act(state: State, question: q.ToAct) -> Options:
    return Options(
        question.side,
        "act",
        done=not offers.must_go_on(state),
        unit=question.unit,
        reach=offers.reach(state),
        charges=tuple(offers.attacks(state)),
        targets=tuple(shot.target for shot in offers.shots(state)),
        formations=offers.changes(state),
        cards=offers.cards(state),
        entries=offers.entry_squares(state),
        landings=offers.landing_squares(state),
        crafts=offers.loading_vessels(state),
        mount=offers.may_mount(state),
        dismount=offers.may_dismount(state),
        brigade=offers.brigade_middle(state) is not None,
        leave=offers.may_leave(state),
    )


def _to_play_card(state: State, question: q.ToPlayCard) -> Options:
    return Options(question.side, "card", done=True, unit=question.unit, cards=(question.card,))


def _to_pursue(state: State, question: q.ToPursue) -> Options:
    return Options(
        question.side,
        "pursue",
        done=True,
        unit=question.unit,
        units=(question.pursued,),
        pursue=True,
    )


def _piece(state: State, number: int) -> Any:
    return state.units.get(number) or state.leaders[number]


_DOMAINS: dict[type, Callable[[State, Any], Options]] = {
    q.ToSetUp: _to_set_up,
    q.ToCoordinate: _to_coordinate,
    q.ToMoor: _to_moor,
    q.ToChooseNext: _to_choose_next,
    q.ToAct: _to_act,
    q.ToPlayCard: _to_play_card,
    q.ToPursue: _to_pursue,
}
