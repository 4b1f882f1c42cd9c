"""Leaders: their risks in combat, their own movement, and Heroic Leadership cards."""

from collections.abc import Sequence

from battles.books.redcoats import events as e
from battles.books.redcoats.board import at, board, is_water, leaders_with, surcharge
from battles.books.redcoats.book import book
from battles.books.redcoats.dealing import turn_over
from battles.books.redcoats.field import OFF_FIELD, STEPS, is_diagonal
from battles.books.redcoats.movement import passes_corner
from battles.books.redcoats.pieces import Heroic
from battles.books.redcoats.reach import Reach, search
from battles.books.redcoats.state import Activation, Leader, State, Unit
from battles.contract.brief import Side
from battles.core.dice import shuffle_cards
from battles.core.game import Ledger

# Heroic Leadership cards: the pack, the hands, and the times to play them.


def heroic_pack() -> list[Heroic]:
    """Return the 54 cards, by type (Heroic Leadership 3)."""
    return [card for card in Heroic for _ in range(book().heroic(card).count)]


def hand(state: State, side: Side) -> Sequence[Heroic]:
    """Return the cards that a side holds."""
    return state.hands.get(side, ())


def largest_hand(state: State, side: Side) -> int:
    """Return the most cards that a side holds: three, and the tactical value of one of its Leaders.

    The Leader has to be on the field and unhurt (Heroic Leadership 5; ruling).
    """
    most = book().number("hand")
    if state.brief is None:
        return most
    able = (
        leader.id
        for leader in state.leaders.values()
        if leader.side is side and not leader.wounded and leader.square != OFF_FIELD
    )
    return most + state.brief.tactical(
        number for leader_id in able for number in state.drawn_from.get(leader_id, ())
    )


def deal_heroic(ledger: Ledger[State], side: Side, leader: int = 0) -> None:
    """Deal a card to a side that does not hold its largest hand (Heroic Leadership 5).

    When the pack is used up, the discards are shuffled into a new one (Heroic Leadership 2).
    """
    state = ledger.state
    if len(hand(state, side)) >= largest_hand(state, side):
        return
    if not state.heroic:
        ledger.emit(e.HeroicShuffled(cards=tuple(shuffle_cards(state.discards, ledger))))
    if state.heroic:
        ledger.emit(e.HeroicDealt(side=side, leader=leader))


def deal_to_leaders(ledger: Ledger[State]) -> None:
    """Deal a card for each Leader with a king, queen or jack (Turn sequence 3)."""
    state = ledger.state
    for number, card in list(state.cards.items()):
        if card.court and number in state.leaders:
            deal_heroic(ledger, state.leaders[number].side, number)


def can_be_led(state: State, unit: Unit, card: Heroic) -> bool:
    """Return whether a Leader shares the unit's square and his side holds the card."""
    return card in hand(state, unit.side) and bool(leaders_with(state, unit))


def playable(state: State, current: Activation, unit: Unit) -> tuple[Heroic, ...]:
    """Return the cards that can be played for an activated unit, one per activation (ruling)."""
    if current.carded or len(current.units) > 1 or unit.is_craft or unit.aboard:
        return ()
    if not hand(state, unit.side) or not leaders_with(state, unit):
        return ()
    fired = [Heroic.FIREPOWER] if str(unit.id) in current.fired else []
    cards = fired if current.carried else [Heroic.HARD_LUCK, Heroic.MOVEMENT]
    return tuple(card for card in cards if card in hand(state, unit.side))


# Leaders: their risks in combat, and movement on their own (Leaders in combat).


REMOVED = ("killed", "wounded")


def at_risk(ledger: Ledger[State], unit: Unit) -> bool:
    """Turn a card for each Leader with a unit that is hit or fights.

    Return whether one was removed: a hit that removes a Leader affects him alone (Leaders 2).
    """
    removed = False
    for leader in list(leaders_with(ledger.state, unit)):
        result = turn_over(ledger, "leader", unit)
        if result in REMOVED:
            ledger.emit(e.LeaderFell(leader=leader.id, cause=result))
            removed = True
        elif result == "hurt":
            ledger.emit(e.LeaderWounded(leader=leader.id))
    return removed


def capture_leaders(ledger: Ledger[State], square: int, by: Side) -> None:
    """Remove Leaders without troops when the enemy enters their square (ruling)."""
    state = ledger.state
    guarded = {unit.side for unit in at(state, square)}
    for leader in list(state.leaders.values()):
        if leader.square == square and leader.side is not by and leader.side not in guarded:
            ledger.emit(e.LeaderFell(leader=leader.id, cause="taken"))


def ride(state: State, leader: Leader, points: int) -> Reach:
    """Return the squares that a Leader on his own can reach; he has no facing and never turns."""
    return search(
        (leader.square, 0),
        points,
        lambda square, way: step_cost(state, leader, square, way),
        lambda square: 0,
    )


def step_cost(state: State, leader: Leader, square: int, way: int) -> int | None:
    """Return the action points of a Leader's step; None where he may not go.

    Enemies, water, a disorganised friend whom he would pass, and units on both or either side of a
    diagonal bar his way (Restrictions 4, Movement 3).
    """
    destination = square + STEPS[way]
    if not state.field.holds(destination) or is_water(state.field, destination):
        return None
    if any(unit.side is not leader.side for unit in at(state, destination)):
        return None
    passed = () if square == leader.square else at(state, square)
    if any(unit.disorganised for unit in passed) or not passes_corner(state, square, way):
        return None
    tariff = book().points
    cost = tariff("diagonal") if is_diagonal(way) else tariff("orthogonal")
    if square != leader.square and square in board(state):
        cost += tariff("through friends")
    if state.field.edges and state.field.between(square, way) is not None:
        cost += tariff("obstacle")
    return cost + surcharge(state.field, square, destination)
