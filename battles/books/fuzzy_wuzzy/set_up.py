"""A battle before it begins: from a deployment to its first question."""

import msgspec

from battles.books.fuzzy_wuzzy import events as e
from battles.books.fuzzy_wuzzy import judging
from battles.books.fuzzy_wuzzy.book import book
from battles.books.fuzzy_wuzzy.deployment import Deployment
from battles.books.fuzzy_wuzzy.evolve import evolve
from battles.books.fuzzy_wuzzy.pieces import Side
from battles.books.fuzzy_wuzzy.play import engine
from battles.books.fuzzy_wuzzy.state import VERSION, Post, State
from battles.core.dice import Dice
from battles.core.game import Outcome, Step
from battles.core.ledger import Ledger


def new_game(deployment: Deployment, dice: Dice) -> tuple[State, Outcome]:
    """The battle at its first question, and how it came there."""
    state = drawn_up(deployment)
    return state, begun(state, dice)


def drawn_up(deployment: Deployment) -> State:
    """The battle before anything has happened: as a journal's first state is kept."""
    units = {unit.id: msgspec.structs.replace(unit) for unit in deployment.units}
    return State(
        version=VERSION,
        title=deployment.title,
        field=deployment.field,
        units=units,
        homes=dict(deployment.homes),
        plans=dict(deployment.plans),
        strengths={
            side: sum(judging.counted(unit) for unit in units.values() if unit.side is side)
            for side in Side
        },
        turns=deployment.turns or book().number("turns"),
        brief=deployment.brief,
        drawn_from=dict(deployment.drawn_from),
        waiting={
            number: Post(units[number].at, units[number].facing, units[number].formation)
            for number in deployment.late
        },
        next_id=max(units, default=0) + 1,
    )


def begun(state: State, dice: Dice) -> Outcome:
    """The first move begins; a battle against nobody is over before it."""
    ledger = Ledger(state, dice, evolve)
    beaten = [side for side in Side if judging.wavers(state, side)]
    if beaten:
        ledger.emit(e.BattleEnded(result=judging.over(state, beaten)))
    else:
        ledger.then(Step("turn begins"))
    return engine.advance(ledger)
