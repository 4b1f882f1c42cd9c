"""Dice thrown by hand: what has to wait for them is kept, and answered with 202."""

from collections.abc import Callable, Mapping
from typing import Any

from api.documents.decision import AnsweredDocument, awaiting_dice
from api.repeats import Done
from campaign.models import Campaign
from campaign.services.by_hand import DiceAwaited

OR_WAITS: Mapping[int, Any] = {202: AnsweredDocument}
"""What an operation promises beside its answer where it may have to wait for dice."""


def unless_dice(slug: str, do: Callable[[], Done]) -> Done:
    """What has been done in the campaign; 202 where that waits until dice have been typed in."""
    try:
        return do()
    except DiceAwaited as waits:
        return Done(202, awaiting_dice(Campaign.objects.get(slug=slug), str(waits)))
