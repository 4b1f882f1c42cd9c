"""Special Event Cards: each laid down where it helps most, and the useless one to be rid of it."""

from battles.books.restless_natives.book import book
from battles.books.restless_natives.commander.scene import Scene, reaches
from battles.books.restless_natives.commander.weighing import Deed, Plan, gain
from battles.books.restless_natives.firing import targets
from battles.books.restless_natives.options import Options
from battles.books.restless_natives.pieces import Special
from battles.books.restless_natives.state import Unit

ENOUGH_FIRING = 3
"""Stands that must fire for a card that gives each of them another die."""
ENOUGH_FIGHTING = 3
HELPS = 0.2
"""By how much the chance of reaching the enemy must grow, or a march be worth more."""
LIKELY = 0.5
"""The chance of reaching the enemy at which a card for close combat is laid down."""
HANDFUL = 2
"""Who holds so many cards rids himself of one that is worth nothing, for another to be dealt."""


def card_for(scene: Scene, unit: Unit, meant: Plan, offered: Options) -> Special | None:
    """Return the card to lay down for what the unit is meant to do; None to keep them all."""
    useful = [card for card in offered.cards if _is_wanted(scene, unit, meant, card)]
    if useful:
        return max(useful, key=lambda card: (_need(scene, unit, meant, card), card))
    hand = scene.state.commanders[unit.command].hand
    if Special.HARD_LUCK in offered.cards and len(hand) >= HANDFUL:
        return Special.HARD_LUCK
    return None


def _is_wanted(scene: Scene, unit: Unit, meant: Plan, card: Special) -> bool:
    return _need(scene, unit, meant, card) > 0


def _need(scene: Scene, unit: Unit, meant: Plan, card: Special) -> float:
    """What the card is worth for this, in stands; nothing where it does not help."""
    row = book().special(card)
    if row.helps == "fire" and meant.deed is Deed.FIRE:
        shots = max((len(aim.shots) for aim in targets(scene.state, unit)), default=0)
        return row.adds * shots / 3 if shots >= ENOUGH_FIRING else 0.0
    if meant.deed is Deed.FIGHT:
        wanted = row.helps == "close combat" and unit.stands >= ENOUGH_FIGHTING
        return row.adds * unit.stands / 3 if wanted else 0.0
    if meant.deed is Deed.CHARGE and unit.stands >= ENOUGH_FIGHTING:
        return _for_charge(scene, unit, meant, card)
    return 0.0


def _for_charge(scene: Scene, unit: Unit, meant: Plan, card: Special) -> float:
    """Dice to get there while that is in doubt, dice for the fight when it is not."""
    row, foe = book().special(card), scene.state.units[meant.target]
    far = scene.apart(unit, foe)
    chance = reaches(unit, far)
    if row.helps == "move":
        better = reaches(unit, far, more=row.adds) - chance
        return better * gain(unit, foe) if better >= HELPS else 0.0
    if row.helps == "close combat" and chance >= LIKELY:
        return chance * (gain(unit, foe, card=row.adds) - gain(unit, foe))
    return 0.0
