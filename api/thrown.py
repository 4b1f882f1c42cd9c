"""Dice thrown by hand: what has to wait for them is kept, and answered with 202."""

from collections.abc import Callable, Mapping
from functools import wraps
from typing import Any, ParamSpec

from api.documents.decision import AnsweredDocument, awaiting_dice
from api.repeats import Done
from campaign.models import Campaign
from campaign.services.journal.pending_dice import DiceAwaited

P = ParamSpec("P")
OR_WAITS: Mapping[int, Any] = {202: AnsweredDocument}
"""What an operation promises beside its answer where it may have to wait for dice."""


def unless_dice(do: Callable[P, Done]) -> Callable[P, Done]:
    """What comes of it; 202 where it is kept until the dice of its campaign are typed in."""

    @wraps(do)
    def done(*args: P.args, **kwargs: P.kwargs) -> Done:
        try:
            return do(*args, **kwargs)
        except DiceAwaited as waits:
            return Done(202, awaiting_dice(Campaign.objects.get(pk=waits.campaign_id), str(waits)))

    return done
