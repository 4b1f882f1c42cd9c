"""The set-up of a side that the computer's staff plays: nobody has to wait for it."""

from campaign.models import Campaign
from campaign.rules.questions import ToSetUp
from campaign.services.answering import held_by_staff
from campaign.services.writer import Sitting
from campaign.staff import answer


def staff_sets_up(campaign_id: int) -> None:
    """The staff sets up the sides it plays against people, as far as it is asked to by now.

    Harmless twice. Raises Stale where somebody else has written meanwhile.
    """
    campaign = Campaign.objects.get(pk=campaign_id)
    if campaign.mode == Campaign.Mode.STAFF or campaign.adjourned:
        return
    held, sitting = held_by_staff(campaign), Sitting(campaign)
    while isinstance(asked := sitting.state.question, ToSetUp) and asked.side.value in held:
        sitting.play(f"staff:{asked.side}", answer(sitting.state))
    sitting.commit()
