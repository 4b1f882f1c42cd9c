"""Dice thrown by hand: what is waited for, and what has been typed in so far.

An action that wants dice nobody has typed in yet does not happen: it is kept beside the campaign
with the faces there are, and is tried again with every face that comes.
"""

from typing import NamedTuple

from battles.core.decoding import encode
from battles.core.dice import DiceWanted
from battles.history.journal import pack, unpack
from campaign.models import Campaign, Throw
from campaign.rules.core.actions import AnyAction
from campaign.services.errors import Refused, UnderWay

DICE = "dice"
"""What a job has stopped at that waits for dice, where another has the number of a battle."""


class DiceAwaited(Refused):
    """What was asked for of that campaign happens as soon as its dice have been typed in."""

    def __init__(self, said: str, campaign_id: int) -> None:
        super().__init__(said)
        self.campaign_id = campaign_id


class DiceFirst(UnderWay):
    """Nothing was done: something else waits for its dice."""


class PendingThrow(NamedTuple):
    """An action that cannot happen yet, and what it wants."""

    actor: str
    action: AnyAction
    key: str
    faces: tuple[int, ...]
    wanted: DiceWanted


def typed_in(campaign: Campaign) -> tuple[int, ...] | None:
    """Return the faces typed in for the campaign's next action;

    None where it throws its own dice.
    """
    if not campaign.dice_by_hand:
        return None
    throw = waiting(campaign)
    return tuple(throw.faces) if throw else ()


def waiting(campaign: Campaign) -> Throw | None:
    """Return the throw the campaign waits for, if it does; none where it throws its own dice."""
    if not campaign.dice_by_hand:
        return None
    return Throw.objects.filter(campaign=campaign, head=campaign.head_id or 0).first()


def ask(campaign: Campaign, for_what: PendingThrow) -> Throw:
    """Keep what is waited for, in place of what was before."""
    wanted = for_what.wanted
    throw, _ = Throw.objects.update_or_create(
        campaign=campaign,
        defaults={
            "head": campaign.head_id or 0,
            "actor": for_what.actor,
            "action": pack(encode(for_what.action)),
            "key": for_what.key,
            "faces": list(for_what.faces),
            "count": wanted.count,
            "sides": wanted.sides,
            "reason": wanted.reason[:200],
            "clause": wanted.clause[:20],
        },
    )
    return throw


def forget(campaign: Campaign) -> None:
    """Nothing is waited for any more: the campaign has gone on."""
    Throw.objects.filter(campaign=campaign).delete()


def check_free(campaign: Campaign, action: AnyAction) -> None:
    """DiceFirst while another action waits for its dice."""
    throw = waiting(campaign)
    if throw is not None and unpack(throw.action) != encode(action):
        raise DiceFirst(
            f"{describe_throw(throw)} What was asked for before happens then. "
            "Nothing else was done: "
            "look at the campaign after that, and ask again."
        )


def pending_dice_message(throw: Throw) -> DiceAwaited:
    """Return the words for whoever has to wait."""
    said = f"{describe_throw(throw)} What was asked for happens then."
    return DiceAwaited(said, throw.campaign_id)


def describe_throw(throw: Throw) -> str:
    """Which dice the umpire must type in, and for what."""
    what = f" for {throw.reason[:1].lower()}{throw.reason[1:]}" if throw.reason else ""
    dice = f"a die of {throw.sides}" if throw.count == 1 else f"{throw.count} dice of {throw.sides}"
    return (
        f"The dice of this campaign are thrown by hand: {dice} faces{what} must be typed in by "
        "the umpire first."
    )
