"""Preview an umpire's ruling, and write it into the journal."""

from typing import NamedTuple

from django.contrib.auth.models import User
from django.db import transaction

from battles.core.decoding import decode, encode
from battles.core.dice import DiceWanted
from battles.history import journal
from campaign import rules
from campaign.access import selectors
from campaign.models import Campaign, Entry
from campaign.rules.core.actions import Ruled
from campaign.rules.core.events import Toss
from campaign.rules.core.state import State
from campaign.rules.prose.rulings import describe_ruling
from campaign.rules.umpire.rulings import after
from campaign.services.errors import CampaignOver, Stale, UnderWay, UnfitRequest
from campaign.services.journal.campaign_session import CampaignSession
from campaign.services.umpire.umpire_log import umpire_of


class PreviewedRuling(NamedTuple):
    """The effect of a ruling: the position before and after it, and the difference in words."""

    before: State
    after: State
    said: tuple[str, ...]


def preview(campaign: Campaign, user: User, ruling: Ruled) -> PreviewedRuling:
    """Return the effect of the ruling; no dice are thrown and nothing is written.

    Raises NotAllowed, CampaignOver, and IllegalAction for an impossible ruling.
    """
    umpire_of(campaign, user)
    if campaign.finished:
        raise CampaignOver("The campaign is over: go back to before its end to rule on it.")
    before = selectors.state_now(campaign)
    rules.check(before, ruling)
    told = describe_ruling(decode(encode(before), State), ruling)
    return PreviewedRuling(before, after(before, ruling.events), tuple(told))


def rule(
    campaign_id: int,
    user: User,
    ruling: Ruled,
    *,
    expected_head: int | None = None,
    faces: tuple[int, ...] = (),
) -> Entry:
    """Carry out the ruling, commit it, and return its entry.

    `faces` are dice that were thrown by hand for it; without them the campaign's own are thrown.
    Raises NotAllowed, Stale (others have acted since the umpire looked), UnderWay, Unfit for dice
    that do not fit, and IllegalAction for an impossible ruling; then nothing has changed.
    """
    with transaction.atomic():
        campaign = journal.locked(Campaign.objects.all(), campaign_id)
        by = umpire_of(campaign, user)
        _check_free(campaign, expected_head)
        _check_faces(ruling.toss, faces)
        sitting = CampaignSession(campaign)
        if faces:
            sitting.by_hand = faces
        entry = _play(sitting, by, ruling)
        sitting.write(campaign)
    return entry


def _play(sitting: CampaignSession, by: str, ruling: Ruled) -> Entry:
    try:
        return sitting.play(by, ruling)
    except DiceWanted as wanted:
        raise UnfitRequest(
            f"Type in every die that this ruling wants: {wanted.count} more of {wanted.sides} faces"
            f"{f' for {wanted.reason}' if wanted.reason else ''}."
        ) from wanted


def _check_free(campaign: Campaign, expected_head: int | None) -> None:
    if expected_head is not None and expected_head != (campaign.head_id or 0):
        raise Stale(
            "The campaign has gone on since you looked; nothing was ruled. Look at what your "
            "ruling would do to it now."
        )
    if selectors.job_under_way(campaign):
        raise UnderWay("The month is being advanced; wait until that is done, then rule.")


def _check_faces(toss: Toss | None, faces: tuple[int, ...]) -> None:
    if toss is None or not faces:
        return
    if len(faces) < toss.count or not all(1 <= face <= toss.sides for face in faces[: toss.count]):
        raise UnfitRequest(
            f"Type in {toss.count} dice of 1 to {toss.sides} as they fell, or leave them to the "
            "campaign’s own dice."
        )
