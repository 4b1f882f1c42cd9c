"""The turn sequence by its steps, and impetuous cavalry (Turn sequence)."""

from collections.abc import Callable, Mapping
from typing import Any

from battles.books.redcoats import activation, casualties, dealing, hand_to_hand, leaders
from battles.books.redcoats import events as e
from battles.books.redcoats.board import at, board, is_asleep, leaders_with, squares_fought_in
from battles.books.redcoats.book import book
from battles.books.redcoats.charging import (
    Attack,
    attack_on,
    charge,
    chargeable,
    may_charge,
    routes,
)
from battles.books.redcoats.field import Obstacle, distance, offset
from battles.books.redcoats.movement import (
    closed_squares,
    formation_effect,
    stepper,
    turn_cost,
    way_to,
)
from battles.books.redcoats.reach import least_cost
from battles.books.redcoats.state import State, Unit, is_waiting
from battles.contract.brief import Side
from battles.contract.set_up import SetUp
from battles.core.dice import Card, Roll
from battles.core.game import Ledger, Step

# Impetuous cavalry: the first turn's cards, and the rides at the enemy (Turn sequence 5, 6).


FAR = 98
"""More action points than any path across a field costs: for finding paths, not for riding."""
ROUNDABOUT = 2
"""The first search goes this many times the cost of a way through empty ground."""


def becomes_impetuous(unit: Unit, card: Card, turn: int) -> bool:
    """Return whether a red card makes mounted troops impetuous in the first turn of the battle."""
    tempted = unit.mounted and book().troops(unit.troops).impetuous
    return turn == 1 and tempted and card.red and not is_waiting(unit) and not unit.aboard


def impetuosity(ledger: Ledger[State]) -> None:
    """Make mounted units impetuous by the first turn's cards."""
    state = ledger.state
    for number, card in list(state.cards.items()):
        unit = state.units.get(number)
        if unit is not None and becomes_impetuous(unit, card, state.turn):
            ledger.emit(e.BecameImpetuous(unit=number))


def rides(ledger: Ledger[State]) -> None:
    """Put the rides of impetuous units on the agenda, before all other movement."""
    ledger.then(
        *(
            Step("impetuous ride", (unit.id,))
            for unit in ledger.state.units.values()
            if unit.impetuous
        )
    )


def nearest_enemies(state: State, unit: Unit) -> list[Unit]:
    """Return the enemy units that can be charged, the nearest first (Definitions 8).

    Distance is counted orthogonally; among equals the straightest way comes first.
    """
    return sorted(chargeable(state, unit), key=lambda enemy: (*_nearness(unit, enemy), enemy.id))


def ride(ledger: Ledger[State], number: int) -> None:
    """Ride at the nearest enemy with an open way, and charge if the points suffice."""
    state = ledger.state
    unit = state.units.get(number)
    if unit is None or unit.disorganised or not unit.impetuous:
        return
    if unit.square in squares_fought_in(state):
        ledger.emit(e.Calmed(unit=number))
        return
    points = _throw(ledger, unit) + formation_effect([unit])
    attack = None if unit.side in state.breaking_off else _towards_nearest(state, unit)
    if attack is None:
        ledger.emit(e.Calmed(unit=number))
    elif attack.cost <= points:
        charge(ledger, unit, attack)
    else:
        _ride_on(ledger, unit, attack, points)


def _throw(ledger: Ledger[State], unit: Unit) -> int:
    dice = (0,) * book().number("impetuous dice")
    faces = book().faces("impetuous", unit)
    roll = Roll("impetuous", "Turn sequence 5", dice, faces, side=unit.side)
    return ledger.roll(roll).total


def _towards_nearest(state: State, unit: Unit) -> Attack | None:
    """Return the charge at the nearest enemy with an open way, at any distance."""
    if not may_charge(unit):
        return None
    enemies = nearest_enemies(state, unit)
    fronts = [enemy for enemy in enemies if at(state, enemy.square)[0] is enemy]
    if not fronts:
        return None
    # A search of the whole field is costly, and the way to the nearest enemy is mostly short.
    short = ROUNDABOUT * least_cost(fronts[0].square - unit.square, unit.facing)
    attack = attack_on(state, unit, fronts[0], routes(state, unit, short, fronts[:1]))
    if attack is not None:
        return attack
    ways = routes(state, unit, FAR, fronts)
    attacks = (attack_on(state, unit, enemy, ways) for enemy in fronts)
    return next((attack for attack in attacks if attack is not None), None)


def _ride_on(ledger: Ledger[State], unit: Unit, attack: Attack, points: int) -> None:
    """Move along the path of the charge as far as the points go."""
    state = ledger.state
    path, spent, facing = _as_far_as(state, unit, attack.path, points)
    if path or facing != unit.facing:
        if unit.brigade:
            ledger.emit(e.BrigadeLeft(unit=unit.id))
        riders = [unit.id, *(leader.id for leader in leaders_with(state, unit))]
        ledger.emit(
            e.Moved(
                units=tuple(riders),
                path=tuple(path),
                to=(path[-1] if path else unit.square,) * len(riders),
                facing=facing,
                cost=spent,
            )
        )


def _as_far_as(
    state: State, unit: Unit, path: tuple[int, ...], points: int
) -> tuple[list[int], int, int]:
    """Return the squares of the path that the points pay for, their cost, and the last facing."""
    position, looks, spent = unit.square, unit.facing, 0
    done: list[int] = []
    step = stepper(state, unit)
    barred = closed_squares(state, unit) | set(board(state))
    for square in path[:-1]:
        way = way_to(position, square)
        turn = turn_cost(state, position) if way != looks else 0
        cost = step(position, way)
        if cost is None or square in barred or spent + turn + cost > points:
            break
        position, looks, spent = square, way, spent + turn + cost
        done.append(square)
    return done, spent, looks


def _nearness(unit: Unit, enemy: Unit) -> tuple[int, int]:
    columns, rows = offset(unit.square, enemy.square)
    return distance(unit.square, enemy.square), min(abs(columns), abs(rows))


# The turn sequence: the order of its steps, and the function of each (Turn sequence).


TURN = (
    "co-ordinate",
    "moor",
    "deal",
    "heroic cards",
    "combats",
    "impetuosity",
    "impetuous rides",
    "activate",
    "recovery",
    "judge",
    "turn ends",
)
"""The steps of a turn in order (Turn sequence 1 to 11)."""


def turn_begins(ledger: Ledger[State]) -> None:
    """Shuffle the cards; wake the sleeping side if the attack has reached its rampart."""
    state = ledger.state
    if is_asleep(state, Side.MAHDIST) and _at_rampart(state):
        ledger.emit(e.Woke(cause="rampart"))
    ledger.emit(e.TurnBegan(turn=state.turn + 1, pack=dealing.shuffle_cards(state, ledger)))
    ledger.then(*(Step(name) for name in TURN))


def turn_ends(ledger: Ledger[State]) -> None:
    """Begin the next turn, unless the battle is over."""
    if ledger.state.result is None:
        ledger.then(Step("turn begins"))


def _at_rampart(state: State) -> bool:
    """Return whether the attackers have reached a square with a rampart."""
    return any(
        unit.side is Side.EGYPTIAN and state.field.lined(unit.square, Obstacle.RAMPART)
        for unit in state.units.values()
    )


STEPS: Mapping[str, Callable[..., Any]] = {
    "set up": SetUp.ask,
    "turn begins": turn_begins,
    "co-ordinate": dealing.coordinate,
    "ask to co-ordinate": dealing.ask_to_coordinate,
    "moor": dealing.moor,
    "ask to moor": dealing.ask_to_moor,
    "deal": dealing.deal,
    "heroic cards": leaders.deal_to_leaders,
    "combats": hand_to_hand.combats,
    "combat": hand_to_hand.combat,
    "combat card": hand_to_hand.combat_card,
    "combat fought": hand_to_hand.fight_combat,
    "impetuosity": impetuosity,
    "impetuous rides": rides,
    "impetuous ride": ride,
    "activate": activation.activate,
    "next": activation.choose_next,
    "begin": activation.begin,
    "act": activation.act,
    "recovery": casualties.recovery,
    "recover": casualties.recover,
    "judge": hand_to_hand.judge,
    "turn ends": turn_ends,
}
