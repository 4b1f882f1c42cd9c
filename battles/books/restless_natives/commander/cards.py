"""Choose when to play each Special Event Card, and when to discard a useless one."""

from battles.books.restless_natives.book import book
from battles.books.restless_natives.commander.scene import Scene, reaches
from battles.books.restless_natives.commander.weighing import Deed, Plan, gain
from battles.books.restless_natives.firing import possible_targets
from battles.books.restless_natives.options import Options
from battles.books.restless_natives.pieces import Special
from battles.books.restless_natives.state import Unit

ENOUGH_FIRING = 3
"""Stands that must fire for a card that gives each of them another die."""
ENOUGH_FIGHTING = 3
HELPS = 0.2
"""The least gain in the chance of reaching the enemy for a movement card."""
LIKELY = 0.5
"""The least chance of reaching the enemy for a close combat card."""
HANDFUL = 2
"""Cards in hand from which a worthless one is played, to make room for another."""


def card_for(scene: Scene, unit: Unit, meant: Plan, offered: Options) -> Special | None:
    """Return the card to play for the unit's plan; None to keep them all."""
    useful = [card for card in offered.cards if _need(scene, unit, meant, card) > 0]
    if useful:
        return max(useful, key=lambda card: (_need(scene, unit, meant, card), card))
    hand = scene.state.commanders[unit.command].hand
    if Special.HARD_LUCK in offered.cards and len(hand) >= HANDFUL:
        return Special.HARD_LUCK
    return None


def _need(scene: Scene, unit: Unit, meant: Plan, card: Special) -> float:
    """Return the card's value for the plan, in stands; 0 if it does not help."""
    row = book().special(card)
    if row.helps == "fire" and meant.deed is Deed.FIRE:
        shots = max((len(aim.shots) for aim in possible_targets(scene.state, unit)), default=0)
        return row.adds * shots / 3 if shots >= ENOUGH_FIRING else 0.0
    if meant.deed is Deed.FIGHT:
        wanted = row.helps == "close combat" and unit.stands >= ENOUGH_FIGHTING
        return row.adds * unit.stands / 3 if wanted else 0.0
    if meant.deed is Deed.CHARGE and unit.stands >= ENOUGH_FIGHTING:
        return _for_charge(scene, unit, meant, card)
    return 0.0


def _for_charge(scene: Scene, unit: Unit, meant: Plan, card: Special) -> float:
    """Return the value of a movement card if contact is in doubt, else of a combat card."""
    row, foe = book().special(card), scene.state.units[meant.target]
    far = scene.apart(unit, foe)
    chance = reaches(unit, far)
    if row.helps == "move":
        better = reaches(unit, far, more=row.adds) - chance
        return better * gain(unit, foe) if better >= HELPS else 0.0
    if row.helps == "close combat" and chance >= LIKELY:
        return chance * (gain(unit, foe, card=row.adds) - gain(unit, foe))
    return 0.0
