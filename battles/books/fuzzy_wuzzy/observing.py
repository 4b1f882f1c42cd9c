"""Reconnaissance of enemy units, and the end of a move or a battle."""

from battles.books.fuzzy_wuzzy import board
from battles.books.fuzzy_wuzzy import events as e
from battles.books.fuzzy_wuzzy.book import SCALE, book, style_of
from battles.books.fuzzy_wuzzy.pieces import Arm, Purpose, Rate, Side, Size, Style
from battles.books.fuzzy_wuzzy.state import State, Unit
from battles.contract.events import BattleResult
from battles.core.dice import Modifier, Roll
from battles.core.ledger import Ledger
from battles.tabletop.geometry import distance


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
        if unit.arm is Arm.TRANSPORT or not _hidden(state, unit.side):
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
        for enemy in _hidden(state, unit.side)
        if _apart(unit, enemy)
        <= observed_at(
            style,
            size_of(enemy.stands),
            die,
            open_terrain=board.open_at(state.field, enemy.at),
        )
    )


def _throw(ledger: Ledger[State], unit: Unit) -> None:
    roll = ledger.roll(
        Roll("reconnaissance", "Reconnaissance 1", (0,), side=unit.side, result=f"unit {unit.id}")
    )
    found = seen_by(ledger.state, unit, roll.dice[0])
    if any(board.open_at(ledger.state.field, ledger.state.units[one].at) for one in found):
        ledger.amend(roll, modifiers=(_OPEN,), total=roll.total + _OPEN.value)
    if found:
        ledger.emit(e.Observed(units=found, observer=unit.id, cause="reconnaissance"))


def _hidden(state: State, side: Side) -> list[Unit]:
    return [one for one in board.enemies(state, side, seen=False) if not one.seen]


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
    beaten = [side for side in wavering if side in before or not standing(state, side)]
    if beaten:
        ledger.emit(e.BattleEnded(result=over(state, beaten)))
    elif state.turn >= state.turns:
        result = BattleResult(None, "nightfall", f"Night fell after {state.turn} moves.")
        ledger.emit(e.BattleEnded(result=result))


def wavers(state: State, side: Side) -> bool:
    """Return whether half the side's stands or more are gone, in retreat, or spent."""
    return 2 * standing(state, side) <= state.strengths[side]


def standing(state: State, side: Side) -> int:
    """Return the side's stands that still obey orders, without Commanders and transport."""
    return sum(
        fit_stands(unit)
        for unit in state.units.values()
        if unit.side is side
        and unit.arm not in UNCOUNTED
        and not unit.retreating
        and not unit.wounded
    )


def counted(unit: Unit) -> int:
    """Return the stands of a unit that count for its side."""
    return 0 if unit.arm in UNCOUNTED else unit.full


def fit_stands(unit: Unit) -> int:
    """Return the number of stands with an unwounded figure."""
    return sum(markers < 2 for markers in unit.markers)


def over(state: State, beaten: list[Side]) -> BattleResult:
    """Return the result of a battle in which these sides are beaten."""
    winner = beaten[0].enemy if len(beaten) == 1 else None
    gone = [side for side in beaten if not any(one.side is side for one in state.units.values())]
    if gone and winner is not None:
        return BattleResult(winner, "destroyed", f"The {_NAMES[gone[0]]} were destroyed.")
    if winner is None:
        return BattleResult(None, "broke off", "Both sides broke off.")
    return BattleResult(winner, "broke off", f"The {_NAMES[beaten[0]]} broke off.")
