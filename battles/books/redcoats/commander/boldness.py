"""When a side goes at the enemy: by its orders, and by what the enemy does and has lost."""

from functools import lru_cache

from battles.books.redcoats.board import board
from battles.books.redcoats.field import APART, distance
from battles.books.redcoats.hand_to_hand import out_of_action
from battles.books.redcoats.state import State
from battles.contract.brief import Side


def attacks(state: State, side: Side) -> bool:
    """Return whether that side must attack the enemy or a place the enemy holds."""
    if state.brief is None:
        return state.objective is None or state.objective.side is side
    orders = state.brief.party(side).orders
    return orders == "attack" or (orders != "hold" and state.brief.attacker.side is side)


PATIENCE, LOOKS_FROM = 3, 2
"""The turns from which defenders go out: at the latest, and against an enemy who stays away."""
WORSE_OFF = 0.15
"""The larger share of the defenders out of action with which they still go out."""


def presses(state: State, side: Side) -> bool:
    """Return whether the side goes at the enemy: it must attack, or the enemy does not.

    Defenders stand as long as an enemy who must attack comes on, and some turns before another.
    Then they go out, unless they are clearly worse off than he is.
    """
    if attacks(state, side):
        return True
    if not _goes_out(state, side, PATIENCE):
        return False
    return share_out(state, side) <= share_out(state, side.enemy) + WORSE_OFF


BOLD_FROM, UNHURT = 5, 0.25
"""The turn, and the share of the side out of action, from which and up to which it is bold."""


def is_bold(state: State, side: Side) -> bool:
    """Return whether regulars close with an enemy who lets himself be shot at.

    Fire alone seldom breaks an enemy who stands still: he recovers as fast as he is shaken.
    """
    return _goes_out(state, side, BOLD_FROM) and share_out(state, side) <= UNHURT


def _goes_out(state: State, side: Side, turn: int) -> bool:
    """Return whether the side goes out: the enemy stays away, or from that turn does not come on.

    A line or Square that is charged where it stands loses less than one that goes out to fire.
    """
    if state.turn >= turn:
        if attacks(state, side) or not attacks(state, side.enemy):
            return True
        # Where the enemies were drawn up is not known in every scenario.
        enemies = (unit.id for unit in state.units.values() if unit.side is not side)
        if not any(number in state.line_up for number in enemies):
            return True
    return stays_away(state, side.enemy)


STEADILY, CLOSES, COMES_ON = 0.65, 2.0, 0.3
"""The squares by which the units of an army that comes on are nearer, on average.

In each of the first turns, until they are so much nearer, and in every turn of a long battle.
"""


def stays_away(state: State, side: Side) -> bool:
    """Return whether that side has had time to come nearer, and has hardly done so.

    Nothing is known of a side whose line-up the state does not hold.
    """
    index = board(state)
    cache: tuple[object, int, dict[Side, bool]] | None = state.__dict__.get("staying")
    if cache is None or cache[0] is not index or cache[1] != state.turn:
        cache = state.__dict__["staying"] = (index, state.turn, {})
    answers = cache[2]
    if side not in answers:
        answers[side] = state.turn >= LOOKS_FROM and _has_not_come(state, side)
    return answers[side]


def _has_not_come(state: State, side: Side) -> bool:
    """Return whether its units are hardly nearer to the enemy than where they were drawn up."""
    fighters = [unit for units in board(state).values() for unit in units if unit.can_fight]
    foes = tuple([unit.square for unit in fighters if unit.side is side.enemy])
    own_units = [unit for unit in fighters if unit.side is side and unit.id in state.line_up]
    if not foes or not own_units:
        return False
    gained = sum([_nearer(state.line_up[unit.id].square, unit.square, foes) for unit in own_units])
    due = max(min(STEADILY * (state.turn - 1), CLOSES), COMES_ON * state.turn)
    return gained < due * len(own_units) * len(foes)


# Asked after every move, which changes the answer for one unit of an army.
@lru_cache(maxsize=2**12)
def _nearer(start: int, square: int, foes: tuple[int, ...]) -> int:
    """Return by how many squares `square` is nearer to all the foes together than `start`."""
    before = [distance(start, foe) if start < 0 else APART[start - foe] for foe in foes]
    return sum(before) - sum([APART[square - foe] for foe in foes])


def share_out(state: State, side: Side) -> float:
    """Return the share of the side that is disorganised, lost or gone."""
    return out_of_action(state, side) / max(1.0, state.strengths.get(side, 0))
