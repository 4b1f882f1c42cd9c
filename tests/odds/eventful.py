"""Play a position on by the rules through each random event of the Mahdists."""

from collections.abc import Callable
from itertools import product
from typing import TypeVar

from battles.contract.brief import Side
from battles.core.decoding import decode, encode
from battles.core.dice import Dice
from battles.core.game import Ledger, Step
from campaign.orders.execution import answer
from campaign.orders.headquarters import Headquarters
from campaign.orders.order_sheet import Progress
from campaign.rules import play
from campaign.rules.core import questions as q
from campaign.rules.core.board import forget
from campaign.rules.core.evolve import evolve
from campaign.rules.core.play import STEPS
from campaign.rules.core.state import State
from tests.odds.every_throw import every_throw

FACES = range(1, 7)
EVENT = (Step("random event", ("mahdist",)), Step("phase", ("march", "march", "mahdist")))
T = TypeVar("T")


class After:
    """Dice that show the pair first, and then what others do."""

    def __init__(self, pair: tuple[int, ...], others: Dice) -> None:
        self._pair: tuple[int, ...] | None = pair
        self._others = others

    def throw(self, count: int, sides: int) -> tuple[int, ...]:
        pair, self._pair = self._pair, None
        return self._others.throw(count, sides) if pair is None else pair


def before_the_event(state: State) -> State:
    """Return the same position, the Mahdists' event about to happen."""
    copy = decode(encode(state), State)
    copy.side, copy.question, copy.agenda = Side.MAHDIST, None, list(EVENT)
    forget(copy)
    return copy


def eventful(state: State, headquarters: Headquarters, dice: Dice) -> tuple[State, Progress]:
    """Return the position when the Mahdists are asked for their marches, after their event."""
    copy, progress = before_the_event(state), Progress()
    Ledger(copy, dice, evolve).advance(STEPS)
    while copy.question is not None and not isinstance(copy.question, q.ToMarch):
        action, progress = answer(copy, headquarters, progress)
        play(copy, action, dice)
    return copy, progress


def over_all_events(found: Callable[[Dice], T]) -> dict[T, float]:
    """Return the chance of all that is found, over every pair of dice and whatever is thrown after
    it.
    """
    mixed: dict[T, float] = {}
    for pair in product(FACES, repeat=2):

        def after(dice: Dice, pair: tuple[int, ...] = pair) -> T:
            return found(After(pair, dice))

        for one, chance in every_throw(after).items():
            mixed[one] = mixed.get(one, 0.0) + chance / 36
    return mixed
