"""Derive a campaign's dice, sealed before a month begins and published when it is closed.

A branch has a hash chain with a public end, its anchor. A month's link is the next one back towards
the secret seed. Link and salts of the sides, in order, give the month's key; that key, with branch
and number, gives the key of every entry.
"""

import secrets
from functools import lru_cache
from hashlib import sha256

from django.db.models import Max
from django.utils import timezone

from battles.contract.brief import Side
from battles.core.dice import ChainedDice, chain_link, derive_key, month_key
from battles.history.journal import Damaged
from campaign.models import Branch, Campaign, MonthSeal
from campaign.rules.core.pieces import Month, month_name

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
