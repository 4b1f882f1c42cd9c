"""A campaign's dice: sealed before a month, published after it, or thrown by hand."""

import secrets
from functools import lru_cache
from hashlib import sha256
from typing import NamedTuple

from django.db.models import Max
from django.utils import timezone

from battles.contract.brief import Side
from battles.core.decoding import encode
from battles.core.dice import ChainedDice, DiceWanted, chain_link, derive_key, month_key
from battles.journal import Damaged, pack, unpack
from campaign.models import Branch, Campaign, MonthSeal, Throw
from campaign.rules.core.actions import AnyAction
from campaign.rules.core.pieces import Month, month_name
from campaign.services.errors import Refused, UnderWay

# Derive a campaign's dice, sealed before a month begins and published when it is closed.
#
# A branch has a hash chain with a public end, its anchor. A month's link is the next one back
# towards the secret seed. Link and salts of the sides, in order, give the month's key; that key,
# with branch and number, gives the key of every entry.


CHAIN = 1000  # links, far more than a campaign has months
SALT = 16  # bytes
Stored = bytes | memoryview
SALTED = tuple(Side)
"""The sides in the order in which their salts are mixed."""


def new_seed() -> bytes:
    return secrets.token_bytes(32)


def anchor(seed: Stored, branch: int = 0) -> str:
    """Return the public end of a branch's chain."""
    return chain_link(_seed_of(seed, branch), CHAIN).hex()


def _seed_of(seed: Stored, branch: int) -> bytes:
    return derive_key(bytes(seed), "branch", branch) if branch else bytes(seed)


def open_month(campaign: Campaign, month: int) -> MonthSeal:
    """Seal new salts for the month on the campaign's branch and publish their hashes."""
    salts = {side.value: secrets.token_bytes(SALT) for side in SALTED}
    return MonthSeal.objects.create(
        campaign=campaign,
        branch=campaign.branch,
        month=month,
        salts={side: salt.hex() for side, salt in salts.items()},
        commitments={side: commitment(salt) for side, salt in salts.items()},
        opened=timezone.now(),
    )


def close_month(campaign: Campaign, month: int) -> None:
    """Publish the month's link on the campaign's branch, and with it the salts."""
    seal = MonthSeal.objects.filter(campaign=campaign, branch=campaign.branch, month=month)
    seal.update(link=link(campaign, month).hex(), closed=timezone.now())


def link(campaign: Campaign, month: int) -> bytes:
    """Return the month's link of the branch's chain; the first month's, hashed, is the anchor."""
    steps = CHAIN - 1 - (month - campaign.first_month)
    return _link(bytes(campaign.secret_seed), campaign.branch, steps)


@lru_cache(maxsize=64)
def _link(seed: bytes, branch: int, steps: int) -> bytes:
    return chain_link(_seed_of(seed, branch), steps)


def commitment(salt: bytes) -> str:
    """Return the hash of a salt, which is published before the month is played."""
    return sha256(salt).hexdigest()


def key_of_month(campaign: Campaign, month: int) -> bytes:
    """Return the key of the month's dice on the campaign's branch; secret until it is closed."""
    try:
        seal = MonthSeal.objects.get(campaign=campaign, branch=campaign.branch, month=month)
    except MonthSeal.DoesNotExist as error:
        raise Damaged(f"The dice of {month_name(Month(month))} were never sealed.") from error
    return key_under(campaign, seal)


def key_under(campaign: Campaign, seal: MonthSeal) -> bytes:
    """Return the key from the link and the salts of the seal."""
    return month_key(link(campaign, seal.month), salts_of(seal))


def salts_of(seal: MonthSeal) -> list[bytes]:
    return [bytes.fromhex(seal.salts[side.value]) for side in SALTED]


def entry_dice(key: bytes, branch: int, number: int) -> ChainedDice:
    """Return the dice of one entry, from the key of its month."""
    return ChainedDice(derive_key(key, branch, number))


SERVER = "server"
"""The signature of a branch that nobody rewound to: a file without its secret goes on with it."""


def open_branch(campaign: Campaign, *, reason: str, by: str) -> Branch:
    """Create a branch from the campaign's head, with its own chain, and move the campaign to it."""
    last = campaign.branches.aggregate(last=Max("number"))["last"]
    campaign.branch = 0 if last is None else last + 1
    return Branch.objects.create(
        campaign=campaign,
        number=campaign.branch,
        parent=campaign.head,
        anchor=anchor(campaign.secret_seed, campaign.branch),
        reason=reason,
        by=by,
        created=timezone.now(),
    )


# Dice thrown by hand: the throw a campaign waits for, and the faces typed in so far.
#
# An action that needs dice nobody has typed in yet does not happen. It is stored beside the
# campaign with the faces there are, and is tried again with every face that is added.


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
    throw = waiting_throw(campaign)
    return tuple(throw.faces) if throw else ()


def waiting_throw(campaign: Campaign) -> Throw | None:
    """Return the throw the campaign waits for, or None."""
    if not campaign.dice_by_hand:
        return None
    return Throw.objects.filter(campaign=campaign, head=campaign.head_id or 0).first()


def ask_for_dice(campaign: Campaign, purpose: PendingThrow) -> Throw:
    """Store the throw that is awaited, in place of the one before."""
    missing_dice = purpose.wanted
    throw, _ = Throw.objects.update_or_create(
        campaign=campaign,
        defaults={
            "head": campaign.head_id or 0,
            "actor": purpose.actor,
            "action": pack(encode(purpose.action)),
            "key": purpose.key,
            "faces": list(purpose.faces),
            "count": missing_dice.count,
            "sides": missing_dice.sides,
            "reason": missing_dice.reason[:200],
            "clause": missing_dice.clause[:20],
        },
    )
    return throw


def forget_dice(campaign: Campaign) -> None:
    """Delete the awaited throw: the campaign has gone on."""
    Throw.objects.filter(campaign=campaign).delete()


def check_free(campaign: Campaign, action: AnyAction) -> None:
    """Raise DiceFirst while another action waits for its dice."""
    throw = waiting_throw(campaign)
    if throw is not None and unpack(throw.action) != encode(action):
        raise DiceFirst(
            f"{_describe_to_player(campaign, throw)} What was asked for before happens then. "
            "Nothing else was done: "
            "look at the campaign after that, and ask again."
        )


def pending_dice_message(campaign: Campaign, throw: Throw) -> DiceAwaited:
    """Return the exception to raise for a user whose action must wait for dice."""
    message = f"{_describe_to_player(campaign, throw)} What was asked for happens then."
    return DiceAwaited(message, throw.campaign_id)


def describe_throw(throw: Throw, *, purpose: bool = True) -> str:
    """Return in words which dice the umpire must type in, and with `purpose` for what."""
    wanted = "they"
    if purpose:
        wanted = "a die" if throw.count == 1 else f"{throw.count} dice"
        wanted += f" of {throw.sides} faces"
        wanted += f" for {throw.reason[:1].lower()}{throw.reason[1:]}" if throw.reason else ""
    return (
        f"The dice of this campaign are thrown by hand: {wanted} must be typed in by "
        "the umpire first."
    )


def _describe_to_player(campaign: Campaign, throw: Throw) -> str:
    """Return the throw in words for a player.

    In a fog of war they do not say what it is for: an answer that ends a turn goes on to dice of
    the enemy's.
    """
    return describe_throw(throw, purpose=not campaign.fog)
