"""Observation: who sees whom, and the state of a battle as one side may see it."""

from collections.abc import Iterable
from typing import Any

import msgspec

from battles.books.fuzzy_wuzzy import board
from battles.books.fuzzy_wuzzy import events as e
from battles.books.fuzzy_wuzzy.actions import Question, ToAdvance, ToFire
from battles.books.fuzzy_wuzzy.book import SCALE, book, style_of
from battles.books.fuzzy_wuzzy.names import find_unit
from battles.books.fuzzy_wuzzy.pieces import Arm, Purpose, Rate, Size, Style
from battles.books.fuzzy_wuzzy.state import State, Unit
from battles.contract.brief import Side
from battles.contract.report import BattleResult
from battles.core.dice import Modifier, Roll
from battles.core.game import Ledger
from battles.tabletop.geometry import distance

# Reconnaissance of enemy units, and the end of a move or a battle.


def size_of(stands: int) -> Size:
    """Return the apparent size of a unit of so many stands."""
    return book().size(stands)


def may_reconnoitre(rate: Rate) -> bool:
    """Return whether a unit that has moved at that rate rolls for reconnaissance."""
    return rate in (Rate.MARCH, Rate.DOUBLE)


def score_of(die: int, *, open_terrain: bool) -> int:
    """Return the die's score, with the addition for open terrain."""
    return die + (book().number("open terrain") if open_terrain else 0)


def observed_at(style: Style, size: Size, die: int, *, open_terrain: bool = False) -> int:
    """Return hundredths of a centimetre at which such units are observed, 0 for not at all."""
    return SCALE * book().observed(style, score_of(die, open_terrain=open_terrain), size)


_OPEN = Modifier(book().number("open terrain"), "open terrain", "Reconnaissance 4")


def reconnoitre(ledger: Ledger[State], side: str) -> None:
    """Roll for each unit of the side that has moved at the march or the double."""
    state = ledger.state
    for unit in board.on_field(state, Side(side)):
        if unit.arm is Arm.TRANSPORT or not _hidden_enemies(state, unit.side):
            continue
        if may_reconnoitre(state.moved.get(unit.id, Rate.STATIONARY)):
            _throw(ledger, unit)


def by_contact(ledger: Ledger[State], side: str) -> None:
    """Reveal the side's units that are in contact with the enemy."""
    state = ledger.state
    for unit in board.on_field(state, Side(side)):
        if not unit.seen:
            touched = board.in_contact(state, unit)
            if touched:
                ledger.emit(e.Observed(units=(unit.id,), observer=touched[0].id, cause="contact"))


def seen_by(state: State, unit: Unit, die: int) -> tuple[int, ...]:
    """Return the hidden enemies that the unit observes with such a score."""
    style = style_of(unit.troops, Purpose.RECONNOITRE)
    return tuple(
        enemy.id
        for enemy in _hidden_enemies(state, unit.side)
        if _is_seen(state, enemy, _apart(unit, enemy), (style, die))
    )


def _is_seen(state: State, enemy: Unit, far: int, by: tuple[Style, int]) -> bool:
    """Return whether a style with such a score observes an enemy so far away."""
    (style, die), size = by, size_of(enemy.stands)
    hidden, in_open = (
        far <= observed_at(style, size, die, open_terrain=is_open) for is_open in (False, True)
    )
    # The ground is costly to look up, and most enemies are too far away or near enough on any.
    if hidden is in_open:
        return hidden
    return in_open if board.open_at(state.field, enemy.at) else hidden


def _throw(ledger: Ledger[State], unit: Unit) -> None:
    roll = ledger.roll(
        Roll("reconnaissance", "Reconnaissance 1", (0,), side=unit.side, result=f"unit {unit.id}")
    )
    numbers = seen_by(ledger.state, unit, roll.dice[0])
    if any(board.open_at(ledger.state.field, ledger.state.units[number].at) for number in numbers):
        ledger.amend(roll, modifiers=(_OPEN,), total=roll.total + _OPEN.value)
    if numbers:
        ledger.emit(e.Observed(units=numbers, observer=unit.id, cause="reconnaissance"))


def _hidden_enemies(state: State, side: Side) -> list[Unit]:
    return [enemy for enemy in board.enemies(state, side, seen=False) if not enemy.seen]


def _apart(unit: Unit, enemy: Unit) -> int:
    """Return about the hundredths from edge to edge."""
    near = min(distance(unit.at, stand.at) for stand in board.stands_of(enemy))
    return near - board.SIDE


_NAMES = {Side.EGYPTIAN: "Anglo-Egyptians", Side.MAHDIST: "Mahdists"}
UNCOUNTED = frozenset({Arm.COMMAND, Arm.TRANSPORT})


def turn_ends(ledger: Ledger[State]) -> None:
    """End the move, and the battle if a side is destroyed or breaks off, or at nightfall.

    A side breaks off when it has half its stands or fewer in hand after two moves in a row.
    """
    state = ledger.state
    before = tuple(state.wavering)
    wavering = tuple(side for side in Side if wavers(state, side))
    ledger.emit(e.TurnEnded(wavering=wavering))
    beaten = [side for side in wavering if side in before or not count_standing(state, side)]
    if beaten:
        ledger.emit(e.BattleEnded(result=over(state, beaten)))
    elif state.turn >= state.turns:
        result = BattleResult(None, "nightfall", f"Night fell after {state.turn} turns.")
        ledger.emit(e.BattleEnded(result=result))


def wavers(state: State, side: Side) -> bool:
    """Return whether half the side's stands or more are gone, in retreat, or spent."""
    return 2 * count_standing(state, side) <= state.strengths[side]


def count_standing(state: State, side: Side) -> int:
    """Return the side's stands that still obey orders, without Commanders and transport."""
    return sum(
        fit_stands(unit)
        for unit in state.units.values()
        if unit.side is side
        and unit.arm not in UNCOUNTED
        and not unit.retreating
        and not unit.wounded
    )


def count_stands(unit: Unit) -> int:
    """Return the stands of a unit that count for its side."""
    return 0 if unit.arm in UNCOUNTED else unit.full


def fit_stands(unit: Unit) -> int:
    """Return the number of stands with an unwounded figure."""
    return sum(markers < 2 for markers in unit.markers)


def over(state: State, beaten: list[Side]) -> BattleResult:
    """Return the result of a battle in which these sides are beaten."""
    winner = beaten[0].enemy if len(beaten) == 1 else None
    gone = [side for side in beaten if not any(unit.side is side for unit in state.units.values())]
    if gone and winner is not None:
        return BattleResult(winner, "destroyed", f"The {_NAMES[gone[0]]} were destroyed.")
    if winner is None:
        return BattleResult(None, "broke off", "Both sides broke off.")
    return BattleResult(winner, "broke off", f"The {_NAMES[beaten[0]]} broke off.")


# Fog of war: a side sees neither unobserved units nor the enemy's orders.


def view(state: State, side: Side | None) -> State:
    """Return the state as that side may see it; an onlooker (None) sees what both sides see."""
    units = {
        number: unit
        for number, unit in state.units.items()
        if unit.side is side or (unit.seen and number not in state.waiting)
    }
    own = {number for number, unit in units.items() if unit.side is side}
    return msgspec.structs.replace(
        state,
        units=units,
        lost=_known_units(state.lost, side),
        left=_known_units(state.left, side),
        strengths={owner: strength for owner, strength in state.strengths.items() if owner is side},
        # The next number would tell how many parts have left unseen units.
        next_id=0,
        orders={number: order for number, order in state.orders.items() if number in own},
        paces={number: pace for number, pace in state.paces.items() if number in own},
        moved={number: rate for number, rate in state.moved.items() if number in units},
        # The zones end where the sides were drawn up.
        zones={owner: zones for owner, zones in state.zones.items() if owner is side},
        line_up={number: post for number, post in state.line_up.items() if number in own},
        waiting={number: post for number, post in state.waiting.items() if number in own},
        drawn_from={
            number: members for number, members in state.drawn_from.items() if number in own
        },
        engaged=[number for number in state.engaged if number in units],
        closed=[number for number in state.closed if number in units],
        surprises=[number for number in state.surprises if number in units],
        fired={number: stands for number, stands in state.fired.items() if number in units},
        volleys=[
            volley for volley in state.volleys if volley.unit in units and volley.target in units
        ],
        fought=[number for number in state.fought if number in units],
        retreated=[number for number in state.retreated if number in units],
        plans={owner: plan for owner, plan in state.plans.items() if owner is side},
        agenda=[],
        question=_asked(state.question, side),
        brief=None,
    )


def visible_event(state: State, event: Any, side: Side | None) -> Any:
    """Return an event about to happen, as far as that side learns of it; None for not at all.

    An onlooker (None) learns what both sides learn.
    """
    match event:
        case e.AgendaRecorded() | e.Ordered() | e.Judged() if not _is_own(state, event, side):
            return None
        case e.Corrected(now=unit) if unit.side is not side and not unit.seen:
            return None
        case e.Observed():
            return _observed(state, event, side)
        case e.Paced() | e.Rallied() | e.Recovered() | e.Reorganised() if not _is_own(
            state, event, side
        ):
            return None
    hidden = any(not _is_known(state, number, side) for number in _units_of(event))
    return None if hidden else event


def filter_event(
    state: State, event: Any, rolls: Iterable[Roll], side: Side | None
) -> tuple[Any, tuple[Roll, ...]]:
    """Return the event and its rolls as far as that side learns of them."""
    seen = visible_event(state, event, side)
    return seen, visible_rolls(rolls, event, side) if seen is not None else ()


def visible_rolls(rolls: Iterable[Roll], event: Any, side: Side | None) -> tuple[Roll, ...]:
    """Return the event's rolls that the side learns of: its own, and those made openly."""
    is_open = isinstance(event, e.Fired | e.Fought | e.CasualtiesTaken | e.TurnBegan)
    return tuple(
        roll
        for roll in rolls
        if not roll.side
        or (side is not None and roll.side == side)
        or (is_open and roll.reason in ("fire", "close combat", "initiative"))
    )


def _observed(state: State, event: e.Observed, side: Side | None) -> e.Observed | None:
    """Return the event, hidden from the observed side if the observer is unseen."""
    if side is not None and _side_of(state, event.observer) is side:
        return event
    units = tuple(number for number in event.units if _side_of(state, number) is side)
    if event.cause in ("fire", "contact") and _is_known(state, event.observer, side):
        return event
    if units and _is_known(state, event.observer, side):
        return msgspec.structs.replace(event, units=units)
    return None


def _asked(question: Question | None, side: Side | None) -> Question | None:
    """Return the question; the other side's question does not name its units."""
    if question is None or question.side is side:
        return question
    if isinstance(question, ToFire):
        return msgspec.structs.replace(question, units=())
    if isinstance(question, ToAdvance):
        return msgspec.structs.replace(question, unit=0)
    return question


def _known_units(units: Iterable[Unit], side: Side | None) -> list[Unit]:
    return [unit for unit in units if unit.side is side or unit.seen]


def _is_own(state: State, event: Any, side: Side | None) -> bool:
    """Return whether all the event's units are the side's own."""
    numbers = _units_of(event)
    return bool(numbers) and all(_side_of(state, number) is side for number in numbers)


def _units_of(event: Any) -> tuple[int, ...]:
    """Return the units that an event names."""
    if isinstance(event, e.Ordered):
        return tuple(order.unit for order in event.orders)
    numbers = tuple(getattr(event, "units", ()))
    for name in ("unit", "target"):
        number = getattr(event, name, 0)
        numbers += (number,) if number else ()
    return numbers


def _is_known(state: State, number: int, side: Side | None) -> bool:
    unit = find_unit(state, number)
    if unit is None:
        return False
    return unit.side is side or (unit.seen and number not in state.waiting)


def _side_of(state: State, number: int) -> Side | None:
    unit = find_unit(state, number)
    return None if unit is None else unit.side
