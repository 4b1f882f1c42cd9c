"""Dice thrown by hand: the throw a campaign waits for, and the faces typed in so far.

An action that needs dice nobody has typed in yet does not happen. It is stored beside the campaign
with the faces there are, and is tried again with every face that is added.
"""

from typing import NamedTuple

from battles.core.decoding import encode
from battles.core.dice import DiceWanted
from battles.history.journal import pack, unpack
from campaign.models import Campaign, Throw
from campaign.rules.core.actions import AnyAction
from campaign.services.errors import Refused, UnderWay

DICE = "dice"
"""The value of a job's `battle` field when it has stopped to wait for dice."""


class DiceAwaited(Refused):
    """A notice that the action will happen as soon as its dice have been typed in."""

    def __init__(self, message: str, campaign_id: int) -> None:
        super().__init__(message)
        self.campaign_id = campaign_id


class DiceFirst(UnderWay):
    """A refusal because another action waits for its dice."""


class PendingThrow(NamedTuple):
    """An action that cannot happen yet, the faces typed in for it, and the dice it wants."""

    actor: str
    action: AnyAction
    key: str
    faces: tuple[int, ...]
    wanted: DiceWanted


def typed_in(campaign: Campaign) -> tuple[int, ...] | None:
    """Return the faces typed in for the campaign's next action.

    Return None where the program throws the campaign's dice.
    """
    if not campaign.dice_by_hand:
        return None
    throw = waiting(campaign)
    return tuple(throw.faces) if throw else ()


def waiting(campaign: Campaign) -> Throw | None:
    """Return the throw the campaign waits for, or None."""
    if not campaign.dice_by_hand:
        return None
    return Throw.objects.filter(campaign=campaign, head=campaign.head_id or 0).first()


def ask(campaign: Campaign, for_what: PendingThrow) -> Throw:
    """Store the throw that is awaited, in place of the one before."""
    missing_dice = for_what.wanted
    throw, _ = Throw.objects.update_or_create(
        campaign=campaign,
        defaults={
            "head": campaign.head_id or 0,
            "actor": for_what.actor,
            "action": pack(encode(for_what.action)),
            "key": for_what.key,
            "faces": list(for_what.faces),
            "count": missing_dice.count,
            "sides": missing_dice.sides,
            "reason": missing_dice.reason[:200],
            "clause": missing_dice.clause[:20],
        },
    )
    return throw


def forget(campaign: Campaign) -> None:
    """Delete the awaited throw: the campaign has gone on."""
    Throw.objects.filter(campaign=campaign).delete()


def check_free(campaign: Campaign, action: AnyAction) -> None:
    """Raise DiceFirst while another action waits for its dice."""
    throw = waiting(campaign)
    if throw is not None and unpack(throw.action) != encode(action):
        raise DiceFirst(
            f"{describe_throw(throw)} What was asked for before happens then. "
            "Nothing else was done: "
            "look at the campaign after that, and ask again."
        )


def pending_dice_message(throw: Throw) -> DiceAwaited:
    """Return the exception to raise for a user whose action must wait for dice."""
    message = f"{describe_throw(throw)} What was asked for happens then."
    return DiceAwaited(message, throw.campaign_id)


def describe_throw(throw: Throw) -> str:
    """Return in words which dice the umpire must type in, and for what."""
    what = f" for {throw.reason[:1].lower()}{throw.reason[1:]}" if throw.reason else ""
    dice = f"a die of {throw.sides}" if throw.count == 1 else f"{throw.count} dice of {throw.sides}"
    return (
        f"The dice of this campaign are thrown by hand: {dice} faces{what} must be typed in by "
        "the umpire first."
    )
