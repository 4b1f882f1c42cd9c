"""Weigh moves, shots and the cards of the hand."""

from enum import StrEnum
from typing import NamedTuple

from battles.books.restless_natives import actions as a
from battles.books.restless_natives.book import book
from battles.books.restless_natives.commander import scene as chances
from battles.books.restless_natives.commander.scene import (
    Scene,
    is_native,
    looks_at,
    reaches,
    volley,
)
from battles.books.restless_natives.firing import Aim, possible_targets
from battles.books.restless_natives.firing import plan_volleys as volleys_at
from battles.books.restless_natives.options import Options
from battles.books.restless_natives.pieces import Kind, Special
from battles.books.restless_natives.state import Unit
from battles.tabletop.formations import TableFormation

# The value of deeds and the choice of targets; all plans are measured in stands.


CAUTION = {True: 0.6, False: 1.1}
"""The value of an own stand lost in a charge, against an enemy's; by whether they are Natives."""
PRIZES = {Kind.COMMANDER: 1.5, Kind.ARTILLERY: 1.0, Kind.MACHINE_GUNS: 1.0, Kind.TRANSPORT: -0.5}
"""The extra value of destroying such a unit, beside its stands."""
THREATENING = 1.0
"""The extra weight of fire at enemies that are sure to charge with their next card."""


class Deed(StrEnum):
    """A deed that a unit may plan for its activation."""

    FIGHT = "fight"
    CHARGE = "charge"
    FIRE = "fire"
    CLOSE = "close and fire"
    TURN = "turn and fire"
    FORM = "form"
    MARCH = "march"
    REST = "rest"


class Plan(NamedTuple):
    """A unit's planned deed, its target, and its value in stands."""

    value: float
    deed: Deed
    target: int = 0
    formation: TableFormation | None = None


REST = Plan(0.0, Deed.REST)


def gain(unit: Unit, foe: Unit, *, card: int = 0) -> float:
    """Return the value of a close combat with an enemy, once in contact."""
    blow = chances.combat((2 + card) * unit.stands, foe.troops, foe.stands)
    parry = chances.combat(foe.stands, unit.troops, unit.stands)
    return blow + PRIZES.get(foe.kind, 0.0) - CAUTION[is_native(unit)] * parry


def best_charge(scene: Scene, unit: Unit, *, surest: float = 0.0) -> Plan:
    """Return the charge with the best value, among those whose chance exceeds `surest`."""
    best = REST
    for foe, far in scene.distances(unit):
        chance = reaches(unit, far)
        if chance > surest and foe.id not in scene.afloat:
            value = chance * gain(unit, foe)
            if value > best.value:
                best = Plan(value, Deed.CHARGE, foe.id)
    return best


def best_fire(scene: Scene, unit: Unit, *, volleys: int = 2, turning: bool = False) -> Plan:
    """Return the fire with the best value, judged from afar.

    With `turning` only enemies outside the unit's arc count, otherwise only those in it.
    """
    best = REST
    for foe, far in scene.distances(unit):
        dice = volleys * volley(unit, far)
        if not dice or looks_at(unit, foe.at) is turning:
            continue
        if turning and scene.masks(unit, foe):
            continue
        sixes = chances.COVERED if scene.covered(foe) else chances.OPEN
        value = shot_worth(scene, unit, foe, dice, sixes=sixes)
        if value > best.value:
            best = Plan(value, Deed.TURN if turning else Deed.FIRE, foe.id)
    return best


def shot_worth(
    scene: Scene, unit: Unit, foe: Unit, dice: int, *, sixes: int = chances.OPEN
) -> float:
    """Return the value of so many dice at an enemy; more for enemies about to charge."""
    worth = chances.fire(dice, sixes, foe.troops, foe.stands)
    return worth * (1 + THREATENING * reaches(foe, scene.apart(foe, unit)))


def confirmed_aims(scene: Scene, unit: Unit) -> tuple[Aim, ...]:
    """Return the possible fire of the unit from where it stands."""
    return possible_targets(scene.state, unit)


def best_shot(scene: Scene, unit: Unit, volleys: int) -> a.Fire | None:
    """Return the best fire: stands that cannot see the best target fire at the next."""
    if not volleys:
        return None
    ranked = sorted(
        confirmed_aims(scene, unit),
        key=lambda aim: (-promise(scene, unit, aim, volleys), aim.target),
    )
    order = tuple(aim.target for aim in ranked)
    targets = tuple(volley.target for volley in volleys_at(scene.state, unit, order, volleys))
    return a.Fire(targets, volleys) if targets else None


def promise(scene: Scene, unit: Unit, aim: Aim, volleys: int) -> float:
    """Return the value of the fire of all its stands at one enemy."""
    foe = scene.state.units[aim.target]
    in_open = volleys * sum(shot.dice for shot in aim.shots if not shot.covered)
    covered = volleys * sum(shot.dice for shot in aim.shots if shot.covered)
    worth = shot_worth(scene, unit, foe, in_open) if in_open else 0.0
    if covered:
        worth += shot_worth(scene, unit, foe, covered, sixes=chances.COVERED)
    return worth


# Choose when to play each Special Event Card, and when to discard a useless one.


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
    useful = [card for card in offered.cards if _value_of_card(scene, unit, meant, card) > 0]
    if useful:
        return max(useful, key=lambda card: (_value_of_card(scene, unit, meant, card), card))
    hand = scene.state.commanders[unit.command].hand
    if Special.HARD_LUCK in offered.cards and len(hand) >= HANDFUL:
        return Special.HARD_LUCK
    return None


def _value_of_card(scene: Scene, unit: Unit, meant: Plan, card: Special) -> float:
    """Return the card's value for the plan, in stands; 0 if it does not help."""
    row = book().special(card)
    if row.helps == "fire" and meant.deed is Deed.FIRE:
        shots = max((len(aim.shots) for aim in possible_targets(scene.state, unit)), default=0)
        return row.adds * shots / 3 if shots >= ENOUGH_FIRING else 0.0
    if meant.deed is Deed.FIGHT:
        is_useful = row.helps == "close combat" and unit.stands >= ENOUGH_FIGHTING
        return row.adds * unit.stands / 3 if is_useful else 0.0
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
