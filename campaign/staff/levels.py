"""The levels at which a person may play against the staff.

A learner's staff draws one plan by lot, keeps to it and overlooks half of its stacks every
month. A club player's goes by the usual plan. A strong one chooses its plan each month by
playing it out against the other side's (see `planner`); it alone betters its set-up and sends the
townsfolk of a siege away, which the others leave undone on purpose. None of them sees what its side
does not.
"""

from enum import StrEnum
from functools import cache, partial
from typing import NamedTuple

import msgspec

from battles.contract.brief import Side
from battles.core.dice import ChainedDice, derive_key
from campaign.rules.core import actions as a
from campaign.rules.core.board import scenario_of
from campaign.rules.core.state import State, clone
from campaign.staff import answer
from campaign.staff.planner import PlanningTerms, Positions, choose_plan
from campaign.staff.plans import Plans, plans_of, portfolio, under


class Level(StrEnum):
    """The strength of the staff, as a campaign has it."""

    LEARNER = "learner"
    CLUB = "club"
    STRONG = "strong"


class LevelText(NamedTuple):
    """The words of the pages about a level."""

    title: str
    description: str


TEXTS = {
    Level.LEARNER: LevelText(
        "Learner", "Draws one plan by lot, keeps to it, and overlooks half of its stacks."
    ),
    Level.CLUB: LevelText("Club player", "Goes by the usual plan of its side."),
    Level.STRONG: LevelText(
        "Strong",
        "Sets up afresh, plays its plans out against yours every month and takes the best.",
    ),
}

CHOICES = [(level.value, text.title) for level, text in TEXTS.items()]
"""The levels with their titles, for fields and forms."""

PLAYOUTS = 20
"""The playouts in which the strong staff may choose its plan for a month."""

MONTHS = 5
"""The months that it plays ahead."""


class StaffMonth(NamedTuple):
    """The occasion for a plan: the side, the campaign's key for it, and the month."""

    side: Side
    key: bytes
    month: int


def plans_for(
    level: Level, occasion: StaffMonth, state: State, positions: Positions
) -> tuple[str, Plans]:
    """Return the name of a level's plan for a month, and the plans that the staff goes by.

    `state` says which scenario is played, and nothing else of it is looked at; what the side may
    know of the month's beginning comes from `positions`.
    """
    side, key, month = occasion
    scenario = scenario_of(state)
    own_plans = portfolio(scenario, side)
    if not own_plans:
        return "", as_carried_out(level, plans_of(state))
    if level is Level.LEARNER:
        lot = ChainedDice(derive_key(key, "plan by lot", side)).throw(1, len(own_plans))[0]
        chosen = own_plans[lot - 1].name
    elif level is Level.CLUB:
        chosen = own_plans[0].name
    else:
        # The usual plan is taken for the one in use: only a plainly better one replaces it.
        plan_key, usual_name = derive_key(key, "plan", side, month), own_plans[0].name
        carried_out = partial(as_carried_out, level)
        terms = PlanningTerms(side, plan_key, PLAYOUTS, MONTHS, usual_name, carried_out)
        chosen = choose_plan(scenario, terms, positions).plan
    return chosen, as_carried_out(level, under(scenario, chosen))


@cache
def as_carried_out(level: Level, plans: Plans) -> Plans:
    """Return the plans as the staff of that level carries them out."""
    if level is Level.CLUB:
        return plans
    return msgspec.structs.replace(
        plans, overlooks=level is Level.LEARNER, shrewd=level is Level.STRONG
    )


class LevelPlayer:
    """A side played at a level on an open map, which makes its plan when a month begins."""

    def __init__(self, level: Level, side: Side, key: bytes) -> None:
        self._level, self._side, self._key = level, side, key
        self._plans: Plans | None = None
        self.chosen: list[str] = []
        """The plans of the months so far."""

    def begin_month(self, state: State) -> None:
        """Make the plan of the month that begins with this position."""
        occasion = StaffMonth(self._side, self._key, state.month)
        name, self._plans = plans_for(self._level, occasion, state, lambda _: clone(state))
        self.chosen.append(name)

    def __call__(self, state: State) -> a.AnyAction:
        """Return the answer to the open question by the month's plan."""
        return answer(state, self._plans)
