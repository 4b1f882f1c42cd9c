"""The book as the contract wants it: one object with everything a battle is asked."""

from collections.abc import Iterable

from battles.contract.brief import Brief
from battles.contract.report import Report
from battles.contract.troops import Side
from battles.core.dice import Dice
from battles.core.game import Outcome
from battles.engines.restless import actions as a
from battles.engines.restless import commander, set_up
from battles.engines.restless import events as e
from battles.engines.restless import options as domains
from battles.engines.restless import play as door
from battles.engines.restless import report as reporting
from battles.engines.restless import view as sight
from battles.engines.restless.layout import lay_out
from battles.engines.restless.state import State


class Restless:
    """Restless Natives as a book of battles."""

    slug = "restless"
    title = "Restless Natives"
    state = State
    actions = a.AnyAction
    events = e.AnyEvent

    def drawn_up(self, brief: Brief) -> State:
        """The field laid out and the sides drawn up, before a die is thrown or a card dealt."""
        return set_up.drawn_up(lay_out(brief))

    def new_game(self, brief: Brief, dice: Dice) -> tuple[State, Outcome]:
        """The field laid out and the sides drawn up, to the first question.

        Raises ValueError for a brief whose armies cannot be set out.
        """
        return set_up.new_game(lay_out(brief), dice)

    def options(self, state: State) -> domains.Options | None:
        """The lawful answers to the open question; None when the battle is over."""
        return domains.options(state)

    def check(self, state: State, action: a.AnyAction) -> None:
        """IllegalAction when the action does not answer what the battle waits for."""
        door.check(state, action)

    def play(self, state: State, action: a.AnyAction, dice: Dice) -> Outcome:
        """What the action leads to, carried out on the state. Raises IllegalAction."""
        return door.play(state, action, dice)

    def fold(self, state: State, events: Iterable[e.AnyEvent]) -> None:
        """The events happen to the state again, without dice and without rules."""
        door.fold(state, events)

    def view(self, state: State, side: Side | None) -> State:
        """What that side may know of the state; what an onlooker may for None."""
        return sight.view(state, side)

    def answer(self, state: State) -> a.AnyAction:
        """The commander's answer to the open question, for either side."""
        return commander.answer(state)

    def report(self, state: State) -> Report:
        """How the battle ended. Raises ValueError while it goes on."""
        return reporting.report(state)


engine = Restless()
