"""The activated unit's deeds: first its planned one, then whatever follows best."""

from battles.books.restless_natives import actions as a
from battles.books.restless_natives.commander.cards import card_for
from battles.books.restless_natives.commander.moving import can_move
from battles.books.restless_natives.commander.plans import plan
from battles.books.restless_natives.commander.scene import Scene, is_native, scene_of, shoots
from battles.books.restless_natives.commander.weighing import Deed, Plan, best_shot
from battles.books.restless_natives.options import Options
from battles.books.restless_natives.state import State, Unit, acting

ONE_MOVE = frozenset({Deed.CHARGE, Deed.CLOSE, Deed.TURN})


def act(state: State, offered: Options) -> a.AnyAction:
    """Return the next deed of the activated unit."""
    scene = scene_of(state, offered.side)
    unit = state.units[offered.unit]
    current = acting(state)
    if current.deeds:
        return _after(scene, unit, offered)
    meant = plan(scene, unit)
    card = None if current.card is not None else card_for(scene, unit, meant, offered)
    if card is not None:
        return a.PlayCard(card)
    return _first(scene, unit, meant, offered)


def _first(scene: Scene, unit: Unit, meant: Plan, offered: Options) -> a.AnyAction:
    if offered.foes:
        target = meant.target if meant.target in offered.foes else offered.foes[0]
        return a.Fight(target)
    if meant.deed is Deed.FORM and meant.formation in offered.formations:
        return a.Form(meant.formation)
    if meant.deed in (Deed.FIRE, Deed.FORM):
        return best_shot(scene, unit, offered.volleys) or a.Done()
    if meant.deed in ONE_MOVE and offered.marches:
        return a.March(1)
    if meant.deed is Deed.MARCH and offered.marches:
        return a.March(offered.marches)
    return a.Done()


def _after(scene: Scene, unit: Unit, offered: Options) -> a.AnyAction:
    """Return a further deed: fire if any enemy is in sight, or else another move."""
    if offered.foes:
        return a.Fight(offered.foes[0])
    shot = best_shot(scene, unit, offered.volleys)
    if shot is not None:
        return shot
    return a.March(1) if offered.marches and _goes_on(scene, unit) else a.Done()


def _goes_on(scene: Scene, unit: Unit) -> bool:
    """Return whether the unit moves again: to a better place, but never British riflemen."""
    if shoots(unit) and not is_native(unit):
        return False
    again = plan(scene, unit).deed in (Deed.MARCH, Deed.CLOSE, Deed.CHARGE)
    return again and can_move(scene, unit, 1)
