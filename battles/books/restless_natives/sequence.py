"""The sequence of a battle: deployment, its turns and the cards drawn, its end and its winner."""

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from battles.books.restless_natives import actions as a
from battles.books.restless_natives import activation, special
from battles.books.restless_natives import events as e
from battles.books.restless_natives.board import (
    any_within,
    fights,
    is_afloat,
    on_field,
    post_of,
    stands_of,
)
from battles.books.restless_natives.book import book
from battles.books.restless_natives.movement import may_take
from battles.books.restless_natives.names import SIDES
from battles.books.restless_natives.pieces import Exit, Hold
from battles.books.restless_natives.state import State, Unit, open_question
from battles.contract.brief import Side
from battles.contract.report import BattleResult
from battles.contract.set_up import SetUp
from battles.core.dice import Card, shuffle_cards
from battles.core.game import IllegalAction, Ledger, Step
from battles.tabletop.deployment import Post, reason_for_no_room, refusal
from battles.tabletop.field import Lying
from battles.tabletop.formations import TableFormation, places

# The set-up before a battle: units allotted to commanders, and placed elsewhere.


def commanders(state: State, side: Side) -> tuple[int, ...]:
    """Return the commanders among whom a side's units are allotted."""
    return tuple(commander.id for commander in state.commanders.values() if commander.side is side)


def own(state: State, side: Side) -> tuple[int, ...]:
    """Return the units of a side, those that wait off the field included."""
    return tuple(
        unit.id for unit in (*state.units.values(), *state.waiting.values()) if unit.side is side
    )


def check_allot(state: State, action: a.Allot) -> None:
    """Raise IllegalAction unless unit and commander belong to the asked side."""
    side = open_question(state, a.ToSetUp).side
    if action.unit not in own(state, side) or action.commander not in commanders(state, side):
        raise IllegalAction(
            "One-off battles 5",
            "That unit and that commander are not both of this side.",
            "Choose one of your units and one of your commanders.",
        )


def allot(ledger: Ledger[State], action: a.Allot) -> None:
    """Put the unit under that commander."""
    ledger.emit(e.Allotted(unit=action.unit, commander=action.commander))


def posts(state: State, side: Side) -> dict[int, Post]:
    """Return the units that the side may place, with their posts."""
    if not state.zones.get(side):
        return {}
    return {unit.id: post_of(unit) for unit in state.units.values() if unit.side is side}


def formations(unit: Unit) -> tuple[TableFormation, ...]:
    """Return the formations in which the unit may be placed, its present one first."""
    may = (formation for formation in TableFormation if may_take(unit, formation))
    return tuple(dict.fromkeys((unit.formation, *may)))


def refusal_of(state: State, number: int, post: Post) -> str:
    """Return why the unit cannot take that post, "" when it can."""
    unit = state.units[number]
    if not 0 <= post.facing < 360 or not may_take(unit, post.formation):
        return "The unit cannot stand in that formation with that facing."
    stands = places(post.formation, unit.stands, post.at, post.facing, book().size(unit.kind))
    others = [other for other in state.units.values() if other is not unit]
    friends = [stands_of(other) for other in others if other.side is unit.side]
    enemies = [stands_of(other) for other in others if other.side is not unit.side]
    if post == state.line_up.get(number):
        return reason_for_no_room(stands, friends, enemies)
    return refusal(
        state.field,
        state.zones.get(unit.side, ()),
        stands,
        (friends, enemies),
        (book().water, Lying.WHOLLY if is_afloat(unit) else Lying.NONE),
    )


def _has_choice(state: State, side: Side) -> bool:
    """Return whether the side has units to place, or several commanders."""
    return len(commanders(state, side)) > 1 or bool(posts(state, side))


SET_UP: SetUp[State, Post] = SetUp(
    clause="One-off battles 6",
    posts=posts,
    post_given=lambda state, action: action.post,
    refusal=refusal_of,
    deployed=lambda unit, post: e.Deployed(
        unit=unit, at=post.at, facing=post.facing, formation=post.formation
    ),
    has_choice=_has_choice,
)


# The turn sequence: a card at a time, and the steps by name (Turn sequence).


def battle_begins(ledger: Ledger[State]) -> None:
    """Shuffle both packs and deal a Special Event Card to every player."""
    _shuffle(ledger)
    special.shuffle(ledger, special.whole_pack())
    special.deal_all(ledger)
    ledger.then(Step("turn over"))


def turn_over(ledger: Ledger[State]) -> None:
    """Turn over the top playing card, unless the battle is over."""
    state = ledger.state
    if len(sides_standing(state)) < 2:
        end(ledger, "destroyed")
    elif is_out_of_cards(state):
        end(ledger, "cards")
    else:
        if not state.pack:
            _shuffle(ledger)
        card = state.pack[0]
        ledger.emit(e.CardTurned(card=card, turn=state.turn + 1))
        _carry_out_card(ledger, card)


def is_out_of_cards(state: State) -> bool:
    """Return whether a campaign battle's agreed cards are used up (Second joker 2)."""
    return not state.one_off and state.turn >= state.cards


def is_second_joker(state: State) -> bool:
    """Return whether the joker turned over ends a one-off battle (Turn sequence 7)."""
    return state.one_off and state.jokers > 1


def _carry_out_card(ledger: Ledger[State], card: Card) -> None:
    """Carry out the card that was turned over."""
    side = activation.side_of(card)
    if side is None:
        _joker(ledger)
        return
    if activation.deals(card) is side:
        special.deal_side(ledger, side)
    ledger.then(Step("command", (side,)), Step("discard"))


def _joker(ledger: Ledger[State]) -> None:
    if is_second_joker(ledger.state):
        end(ledger, "second joker")
        return
    special.joker(ledger)
    ledger.then(Step("discard"))


def discard(ledger: Ledger[State]) -> None:
    """Discard the card, and continue with the next."""
    take_areas(ledger)
    ledger.emit(e.CardDiscarded())
    ledger.then(Step("turn over"))


def _shuffle(ledger: Ledger[State]) -> None:
    ledger.emit(e.PackShuffled(cards=tuple(shuffle_cards(activation.whole_pack(), ledger))))


STEPS: Mapping[str, Callable[..., Any]] = {
    "set up": SET_UP.ask,
    "battle begins": battle_begins,
    "turn over": turn_over,
    "command": activation.command,
    "act": activation.act,
    "discard": discard,
}

ENDINGS = {
    "second joker": "The second joker was turned over.",
    "cards": "The last card that had been agreed on was turned over.",
}


def sides_standing(state: State) -> list[Side]:
    """Return the sides with units that can fight, on the field or yet to come."""
    units = [*state.units.values(), *state.waiting.values()]
    return [side for side in Side if any(unit.side is side and fights(unit) for unit in units)]


def end(ledger: Ledger[State], ending: str) -> None:
    """End the battle. `ending`: second joker, cards, or destroyed."""
    ledger.emit(e.BattleEnded(result=judge(ledger.state, ending)))


def judge(state: State, ending: str) -> BattleResult:
    """Return the result: the side left alone on the field wins, else the goal decides."""
    left = sides_standing(state)
    if len(left) < 2:
        winner = left[0] if left else None
        beaten = f" of {SIDES[winner.enemy]}" if winner else ""
        return BattleResult(winner, ending, f"Nobody{beaten} is left to fight.")
    return BattleResult(_winner(state), ending, ENDINGS[ending])


def share_left(state: State, side: Side) -> int:
    """Return the percentage of a side's first stands on the field or yet to come."""
    units = [*state.units.values(), *state.waiting.values()]
    left = sum(unit.stands for unit in units if unit.side is side)
    return 100 * left // max(1, state.began[side])


def share_exited(state: State, side: Side) -> int:
    """Return the percentage of a side's first stands that left by the exit, rounded up."""
    gone = sum(unit.stands for unit in state.exited.values() if unit.side is side)
    return -(-100 * gone // max(1, state.began[side]))


def may_leave(state: State, unit: Unit) -> bool:
    """Return whether the unit stands at the exit that its side has to reach."""
    goal = state.goal
    if not isinstance(goal, Exit) or unit.side is not goal.side:
        return False
    return any_within(goal.area, stands_of(unit))


def take_areas(ledger: Ledger[State]) -> None:
    """Give each area of the goal to the side that alone has stands in it."""
    for number, side in list(_changed_areas(ledger.state)):
        ledger.emit(e.AreaTaken(area=number, side=side))


def _changed_areas(state: State) -> Iterator[tuple[int, Side]]:
    if not isinstance(state.goal, Hold):
        return
    for number, area in enumerate(state.goal.areas):
        sides = [
            side
            for side in Side
            if any(any_within(area, stands_of(unit)) for unit in on_field(state, side))
        ]
        if len(sides) == 1 and state.holders[number] is not sides[0]:
            yield number, sides[0]


def _winner(state: State) -> Side | None:
    goal = state.goal
    if isinstance(goal, Hold):
        areas_held = sum(holder is goal.side for holder in state.holders)
        return goal.side if areas_held >= goal.need else goal.side.enemy
    if isinstance(goal, Exit):
        return goal.side if share_exited(state, goal.side) > goal.percent else goal.side.enemy
    steady = [side for side in Side if share_left(state, side) >= goal.percent]
    return steady[0] if len(steady) == 1 else None
