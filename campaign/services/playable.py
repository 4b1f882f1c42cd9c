"""Whether this program goes on with a campaign, which may be played by other rules than its own."""

from campaign.models import Campaign
from campaign.rules.core.state import RULES
from campaign.services.errors import Refused


class OtherRules(Refused):
    """The campaign is played by rules that this program does not go on with."""


def is_settled(campaign: Campaign) -> bool:
    """Whether the campaign is of this program's version, or something has been chosen."""
    return campaign.rules in {RULES, campaign.rules_kept}


def check_playable(campaign: Campaign) -> None:
    """OtherRules, with what to do, unless this program goes on with the campaign."""
    kept = campaign.rules == campaign.rules_kept and not campaign.rules_pinned
    if campaign.rules == RULES or kept:
        return
    said = f"The campaign is played by version {campaign.rules} of the rules, this program by "
    if campaign.rules_pinned:
        raise OtherRules(
            f"{said}version {RULES}, and its umpire has pinned it: go on with it in a program of "
            "its version, or choose otherwise on its console."
        )
    raise OtherRules(
        f"{said}version {RULES}: its umpire chooses on its console whether it is kept on its "
        "version, migrated, or pinned. Until then it stands still, and nothing is lost."
    )
