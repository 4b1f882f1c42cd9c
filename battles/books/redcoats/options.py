"""The legal answers to the open question.

The checks of the actions use the same functions, so offers and checks agree.
"""

from functools import cached_property

import msgspec

from battles.books.redcoats import actions as q
from battles.books.redcoats import activation, offers
from battles.books.redcoats.brigades import Forming
from battles.books.redcoats.casualties import Target
from battles.books.redcoats.charging import Attack
from battles.books.redcoats.pieces import Formation, Heroic
from battles.books.redcoats.reach import Reach
from battles.books.redcoats.set_up import SET_UP, places, posts
from battles.books.redcoats.state import State
from battles.contract.brief import Side
from battles.core.rules_engine import Handlers


class Options(msgspec.Struct, frozen=True, dict=True, omit_defaults=True):
    """The legal answers to the open question; fields of other questions are empty.

    `asks`: "set up", "co-ordinate", "moor", "next", "act", "card" or "pursue". `done`: Done is one
    of them. `units`: to be set up, co-ordinated (any of them) or activated (one of them).
    `squares`: for each unit, the squares in which it may be set up; `moved` ones have been. `acts`:
    the state in which a unit acts, as the acts it has declared leave it; its options are worked out
    on first use, so read them before the state changes.
    """

    side: Side
    asks: str
    done: bool = False
    unit: int = 0
    units: tuple[int, ...] = ()
    moved: tuple[int, ...] = ()
    squares: dict[int, tuple[int, ...]] = {}
    card: Heroic | None = None
    moor: bool = False
    pursue: bool = False
    acts: State | None = None

    @cached_property
    def reach(self) -> Reach | None:
        """Return the squares in reach; for a brigade Square, of its north-western corner."""
        return None if self.acts is None else offers.reach(self.acts)

    def cost_of_turn(self, facing: int) -> int | None:
        """Return the action points for a turn where the unit stands; None if it is out of reach."""
        return None if self.acts is None else offers.cost_of_turn(self.acts, facing)

    @cached_property
    def charges(self) -> tuple[Attack, ...]:
        """Return the charges that the activated unit can make."""
        return () if self.acts is None else tuple(offers.attacks(self.acts))

    @cached_property
    def targets(self) -> tuple[Target, ...]:
        """Return the targets that the activated unit can fire at."""
        return () if self.acts is None else tuple(shot.target for shot in offers.shots(self.acts))

    @cached_property
    def formations(self) -> tuple[Formation, ...]:
        """Return the formations that the activated unit can take."""
        return () if self.acts is None else offers.changes(self.acts)

    @cached_property
    def cards(self) -> tuple[Heroic, ...]:
        """Return the Heroic Leadership cards that can be played."""
        if self.acts is None:
            return () if self.card is None else (self.card,)
        return offers.cards(self.acts)

    @cached_property
    def entries(self) -> tuple[int, ...]:
        """Return the squares in which the unit can enter the field, with any facing."""
        return () if self.acts is None else offers.entry_squares(self.acts)

    @cached_property
    def landings(self) -> tuple[int, ...]:
        """Return the squares in which the unit can land, with any facing."""
        return () if self.acts is None else offers.landing_squares(self.acts)

    @cached_property
    def crafts(self) -> tuple[int, ...]:
        """Return the vessels that the unit can board."""
        return () if self.acts is None else offers.loading_vessels(self.acts)

    @cached_property
    def mount(self) -> bool:
        """Return whether the activated unit can mount."""
        return self.acts is not None and offers.may_mount(self.acts)

    @cached_property
    def dismount(self) -> bool:
        """Return whether the activated unit can dismount."""
        return self.acts is not None and offers.may_dismount(self.acts)

    @cached_property
    def brigades(self) -> tuple[Forming, ...]:
        """Return the brigade Squares that can be formed, the best first."""
        return tuple(offers.brigade_formings(self.acts)) if self.acts is not None else ()

    @cached_property
    def leave(self) -> bool:
        """Return whether the activated unit can leave the field."""
        return self.acts is not None and offers.may_leave(self.acts)


def options(state: State) -> Options | None:
    """Return the legal answers to the open question; None when the battle is over."""
    if state.question is None:
        return None
    return _domain(state, state.question)


_domain = Handlers[State, [], Options]("options")


@_domain.on(q.ToSetUp)
def _to_set_up(state: State, question: q.ToSetUp) -> Options:
    units = tuple(posts(state, question.side))
    return Options(
        question.side,
        "set up",
        done=True,
        units=units,
        moved=SET_UP.moved(state, question.side),
        squares={
            number: places(state, state.units.get(number) or state.leaders[number])
            for number in units
        },
    )


@_domain.on(q.ToCoordinate)
def _to_coordinate(state: State, question: q.ToCoordinate) -> Options:
    return Options(
        question.side, "co-ordinate", done=True, unit=question.leader, units=question.units
    )


@_domain.on(q.ToMoor)
def _to_moor(state: State, question: q.ToMoor) -> Options:
    return Options(question.side, "moor", done=True, unit=question.craft, moor=True)


@_domain.on(q.ToChooseNext)
def _to_choose_next(state: State, question: q.ToChooseNext) -> Options:
    return Options(question.side, "next", unit=question.leader, units=question.choices)


@_domain.on(q.ToAct)
def _to_act(state: State, question: q.ToAct) -> Options:
    ahead = activation.foreseen(state)
    done = not offers.must_go_on(ahead)
    return Options(question.side, "act", done=done, unit=question.unit, acts=ahead)


@_domain.on(q.ToPlayCard)
def _to_play_card(state: State, question: q.ToPlayCard) -> Options:
    return Options(question.side, "card", done=True, unit=question.unit, card=question.card)


@_domain.on(q.ToPursue)
def _to_pursue(state: State, question: q.ToPursue) -> Options:
    return Options(
        question.side,
        "pursue",
        done=True,
        unit=question.unit,
        units=(question.pursued,),
        pursue=True,
    )
