"""Type in dice that an umpire has thrown by hand, and continue what waited for them."""

from collections.abc import Sequence

from django.contrib.auth.models import User
from django.db import transaction

from battles.history import journal
from campaign.models import Campaign, Entry, Throw
from campaign.rules.core.actions import Fight, Reported
from campaign.serialization import action_in
from campaign.services.errors import NotAwaited, Stale, UnfitRequest
from campaign.services.journal import dice
from campaign.services.journal.campaign_session import perform
from campaign.services.turns.advance import resume_after_battle
from campaign.services.umpire.rulings import log_entry, umpire_of
from campaign.signals import battle_moved_on


def type_in(
    campaign_id: int, user: User, faces: Sequence[int], *, expected: int | None = None
) -> Throw | None:
    """Enter the faces of the awaited throw; return the next throw that is awaited, if any.

    `expected` is how many faces had been typed in when the umpire looked. The waiting action is
    carried out once it wants no more dice, and months that it stopped go on. Raises NotAllowed,
    NotAwaited when no dice are awaited, Stale, and Unfit for impossible dice.
    """
    with transaction.atomic():
        throw = _wanted(campaign_id, user, expected)
        _check_faces(throw, faces)
        throw.faces = [*throw.faces, *faces]
        throw.save(update_fields=["faces"])
    if resume_after_battle(campaign_id, dice.DICE) is None:
        _carry_out(campaign_id, throw)
    return dice.waiting_throw(Campaign.objects.get(pk=campaign_id))


def _wanted(campaign_id: int, user: User, expected: int | None) -> Throw:
    campaign = journal.locked(Campaign.objects.all(), campaign_id)
    umpire_of(campaign, user)
    throw = dice.waiting_throw(campaign)
    if throw is None:
        raise NotAwaited("The campaign waits for no dice just now.")
    if expected is not None and expected != len(throw.faces):
        raise Stale("Dice have been typed in since you looked; look what is wanted now.")
    return throw


def _check_faces(throw: Throw, faces: Sequence[int]) -> None:
    if len(faces) != throw.count or not all(1 <= face <= throw.sides for face in faces):
        raise UnfitRequest(
            f"Type in {throw.count} {'die' if throw.count == 1 else 'dice'} "
            f"of 1 to {throw.sides}, in the order in which they fell."
        )


def _carry_out(campaign_id: int, throw: Throw) -> Entry | None:
    """Carry out the waiting action where it stopped no month; return None if it wants more dice."""
    action = action_in(throw.action)
    battle = Campaign.objects.get(pk=campaign_id).battle
    try:
        entry = perform(campaign_id, throw.actor, action, key=throw.key)
    except dice.DiceAwaited:
        return None
    if isinstance(action, Fight | Reported):
        battle_moved_on.send(sender=Campaign, campaign_id=campaign_id, battle=battle)
    return entry


@transaction.atomic
def throw_by_hand(campaign_id: int, user: User, *, yes: bool) -> Campaign:
    """Switch the campaign between dice that the umpire types in and its own."""
    campaign = journal.locked(Campaign.objects.all(), campaign_id)
    by = umpire_of(campaign, user)
    if campaign.dice_by_hand is not yes:
        campaign.dice_by_hand = yes
        campaign.save(update_fields=["dice_by_hand"])
        dice.forget_dice(campaign)
        how = "thrown by hand and typed in" if yes else "the campaign’s own"
        log_entry(campaign, by, f"From now on the dice are {how}.")
    return campaign
