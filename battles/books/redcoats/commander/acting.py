"""Choose the actions of an activated unit, by its orders, its arm and its style."""

from collections.abc import Callable

from battles.books.redcoats import actions as a
from battles.books.redcoats.commander import dervishes, regulars
from battles.books.redcoats.commander.leading import card_for_action, ride, serve, serve_craft
from battles.books.redcoats.commander.scene import (
    Scene,
    come_on,
    is_dervish,
    stay,
    view_of,
    withdraw,
)
from battles.books.redcoats.field import OFF_FIELD
from battles.books.redcoats.options import Options
from battles.books.redcoats.pieces import Kind
from battles.books.redcoats.state import State, Unit

Way = Callable[[Scene, Unit, Options], a.AnyAction]


def act(state: State, offered: Options) -> a.AnyAction:
    """Return the next act to declare for the activated unit, brigade Square or Leader."""
    state = offered.acts or state
    scene = view_of(state, offered.side)
    unit = state.units.get(offered.unit)
    if unit is None:
        return ride(scene, state.leaders[offered.unit], offered)
    if unit.side in state.breaking_off:
        return withdraw(scene, unit, offered)
    if unit.square == OFF_FIELD:
        return come_on(scene, unit, offered)
    return card_for_action(scene, unit, offered) or _way_of(state, unit)(scene, unit, offered)


def _way_of(state: State, unit: Unit) -> Way:
    """Return the function that fights for such a unit."""
    if state.acting is not None and len(state.acting.units) > 1:
        return regulars.in_square
    if unit.is_craft:
        return serve_craft
    if unit.is_gun:
        return serve
    if unit.kind is Kind.TRANSPORT:
        return stay
    return dervishes.fight if is_dervish(unit) else regulars.fight
