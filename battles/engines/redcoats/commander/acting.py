"""What an activated unit does: it goes by its orders, its arm and its way of fighting."""

from battles.engines.redcoats import actions as a
from battles.engines.redcoats.commander import dervishes, regulars
from battles.engines.redcoats.commander.batteries import serve, serve_craft
from battles.engines.redcoats.commander.leading import card_for_action, ride
from battles.engines.redcoats.commander.scene import Scene, is_dervish
from battles.engines.redcoats.commander.walking import come_on, withdraw
from battles.engines.redcoats.options import Options
from battles.engines.redcoats.pieces import Kind
from battles.engines.redcoats.squares import OFF_FIELD
from battles.engines.redcoats.state import State


def act(state: State, offered: Options) -> a.AnyAction:
    """The next thing that the activated unit, brigade Square or Leader does."""
    scene = Scene(state, offered.side)
    unit = state.units.get(offered.unit)
    if unit is None:
        return ride(scene, state.leaders[offered.unit], offered)
    if unit.side in state.breaking_off:
        return withdraw(scene, unit, offered)
    if unit.square == OFF_FIELD:
        return come_on(scene, unit, offered)
    card = card_for_action(scene, unit, offered)
    if card is not None:
        return card
    if unit.is_craft:
        return serve_craft(scene, unit, offered)
    if unit.is_gun:
        return serve(scene, unit, offered)
    if unit.kind is Kind.TRANSPORT:
        return a.Done()
    return (dervishes if is_dervish(unit) else regulars).fight(scene, unit, offered)
