"""The computer's staff: it answers every question of the campaign, for either side.

`answer` uses the state and its `options`, and nothing else: neither chance nor memory. So the same
state always has the same answer.
"""

from collections.abc import Callable, Mapping

from campaign.rules.core import actions as a
from campaign.rules.core import questions as q
from campaign.rules.core.options import Options, options
from campaign.rules.core.state import COMBAT_TABLE, State
from campaign.staff import assaults, losses, march_phase, placement
from campaign.staff.plans import Plans
from campaign.staff.scene import StaffScene, scene

__all__ = ["answer"]


def answer(state: State, plans: Plans | None = None) -> a.AnyAction:
    """Return a lawful answer to the open question, by the side that is asked.

    Without `plans` it goes by the usual ones of the scenario. Raises ValueError when the campaign
    is over and nothing is asked.
    """
    offered = options(state)
    if offered is None:
        raise ValueError("The campaign is over: there is nothing to answer.")
    return _ANSWERS[type(state.question)](scene(state, offered.side, plans), offered)


def _by_table(view: StaffScene, offered: Options) -> a.AnyAction:
    """Fight by the campaign's table: a book of battles is asked before the staff (9.4)."""
    return a.Fight(COMBAT_TABLE)


_ANSWERS: Mapping[type, Callable[[StaffScene, Options], a.AnyAction]] = {
    q.ToSetUp: placement.set_up,
    q.ToReinforce: placement.reinforce,
    q.ToMarch: march_phase.next_march,
    q.OnMarch: march_phase.on_the_march,
    q.ToDisrupt: losses.fall_out,
    q.ToShareLosses: losses.share,
    q.ToLead: assaults.lead,
    q.ToFight: _by_table,
    q.ToRetreat: placement.retreat,
    q.ToSupply: losses.draw_supply,
    q.ToShareAttrition: losses.share_attrition,
    q.ToChooseHex: placement.choose_hex,
    q.ToChooseUnits: losses.choose_units,
}
