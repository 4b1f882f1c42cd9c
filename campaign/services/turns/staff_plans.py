"""The plans by which a campaign's staff goes, month by month, at the campaign's level.

A plan is worked out from what its side knew when the month began, and from the campaign's public
anchor. A question later in the month, in another process or after an import, finds the same plan,
so nothing about it is stored.
"""

from functools import lru_cache

from battles.contract.brief import Side
from battles.core.dice import derive_key
from campaign.access import fog_of_war, selectors
from campaign.models import Campaign
from campaign.odds.forecast import sample_state
from campaign.rules.core.state import Phase, State, clone
from campaign.staff.levels import Level, StaffMonth, plans_for
from campaign.staff.plans import Plans, plans_of

MONTHS_KEPT = 64


def key_of_draws(campaign: Campaign) -> bytes:
    """Return the key of the positions that the campaign's staff draws, and of its plans."""
    return derive_key(b"staff", campaign.public_anchor)


class CampaignPlans:
    """The plans of both sides' staff in one campaign, each worked out when it is first needed."""

    def __init__(self, campaign: Campaign) -> None:
        self._campaign = campaign

    def __call__(self, state: State) -> Plans | None:
        """Return the plans of the side that is asked in this state; None for the usual ones."""
        if state.question is None:
            return None
        if state.phase is Phase.SET_UP:
            # Nobody has marched and the month has not begun: the plan is made when it does.
            return plans_of(state, state.question.side)
        return _plans(_Asked(self._campaign, state), state.question.side, state.month)


class _Asked:
    """A campaign and its state as a cache key: equal on the same branch, at the same level."""

    def __init__(self, campaign: Campaign, state: State) -> None:
        self.campaign, self.state = campaign, state
        dice = campaign.pk, campaign.branch, campaign.public_anchor
        self._key = *dice, campaign.scenario, campaign.staff_level

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Asked) and self._key == other._key

    def __hash__(self) -> int:
        return hash(self._key)


@lru_cache(maxsize=MONTHS_KEPT)
def _plans(asked: _Asked, side: Side, month: int) -> Plans:
    """Return the plans for a month, from the positions that the side deemed possible before it."""
    campaign = asked.campaign
    key = key_of_draws(campaign)
    occasion = StaffMonth(campaign.scenario, side, key, month)

    def position(number: int) -> State:
        if not campaign.fog:
            return clone(selectors.state_at(campaign, month - 1))
        view = fog_of_war.view_as_believed(campaign, month - 1, side)
        return sample_state(view, derive_key(key, "position", side, month, number))

    return plans_for(Level(campaign.staff_level), occasion, asked.state, position)[1]
