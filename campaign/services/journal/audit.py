"""Verify a campaign's dice from what has been published, and its battles by fighting them again."""

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass

from battles import services as battles
from battles.access.selectors import battle_of
from battles.contract import Report
from battles.contract.brief import Side
from battles.contract.registry import NoSuchBook
from battles.core.dice import chain_link, month_key
from battles.history.serialization import report_of
from battles.models import Battle
from campaign import serialization
from campaign.access.selectors import PublicSeal, seals_of
from campaign.models import Campaign, Entry
from campaign.rules.core.actions import Reported
from campaign.rules.core.pieces import Month, month_name
from campaign.services.battles.battle_reports import BY_BOOK, battle_key, number_in
from campaign.services.battles.pending_battle import owner_of
from campaign.services.errors import Damaged
from campaign.services.journal.dice import CHAIN, SALTED, commitment, entry_dice
from campaign.services.journal.replay import describe_entry


def check_key(campaign: Campaign, entry: Entry, month_key: bytes) -> None:
    """Raise Damaged if the entry's battle was fought with other dice than its month's.

    The battles of a campaign that was imported from a file are not stored, and pass.
    """
    battle = _fought_here(campaign, entry)
    if battle is None:
        return
    if bytes(battle.key) != battle_key(month_key, battle.brief_id):
        raise Damaged(f"The battle of {describe_entry(entry)} was fought with dice of another key.")
    if not _says_the_same(report_of(battle), entry):
        raise Damaged(
            f"The battle of {describe_entry(entry)} was reported otherwise than it ended."
        )


def verify_battles(campaign: Campaign) -> int:
    """Fight again every battle that was fought here, and return how many gave the same result.

    Raises Damaged for the first that does not, or whose book is not installed.
    """
    fought = 0
    for entry in campaign.entries.filter(actor__startswith=BY_BOOK).order_by("branch", "number"):
        battle = _fought_here(campaign, entry)
        if battle is None:
            continue
        try:
            battles.verify_battle(battle)
        except (NoSuchBook, battles.Damaged) as differs:
            raise Damaged(f"The battle of {describe_entry(entry)}: {differs}") from differs
        fought += 1
    return fought


def _fought_here(campaign: Campaign, entry: Entry) -> Battle | None:
    """Return the battle the entry reported, if a book fought it here and it is stored."""
    if not entry.actor.startswith(BY_BOOK) or not entry.key:
        return None
    return battle_of(owner_of(campaign), number_in(entry.key))


def _says_the_same(report: Report | None, entry: Entry) -> bool:
    action = serialization.action_of(entry)
    if report is None or not isinstance(action, Reported):
        return False
    return (report.winner, report.fates) == (action.report.winner, action.report.fates)


MOST_SIDES = 256


@dataclass(frozen=True)
class DiceAudit:
    """The counts of what was recomputed, and of the entries whose month is still sealed."""

    months: int
    rolls: int
    dice: int
    sealed_entries: int


def verify_dice(campaign: Campaign) -> DiceAudit:
    """Recompute every die of every closed month. Raises Damaged for the first that differs.

    1. The link, hashed as often as its month's place says, is the branch's anchor.
    2. The salts are those whose hashes were published when the month opened.
    3. Link and salts give the month's key; key and position give each entry's dice, in order.
    4. The month's key and a battle's number give the key that the battle was fought with.

    Dice that were thrown by hand are not counted: no chain gives them.
    """
    seals = {(seal.branch, seal.month): seal for seal in seals_of(campaign)}
    months: dict[tuple[int, int], list[Entry]] = defaultdict(list)
    for entry in campaign.entries.order_by("branch", "number"):
        months[entry.branch, entry.month].append(entry)
    for where in months:
        if where not in seals:
            raise Damaged(f"The dice of {_when(where[1])}, branch {where[0]}, were never sealed.")
    closed = {where: seal for where, seal in seals.items() if seal.link}
    counted = [_check_month(seal, months.get(where, [])) for where, seal in closed.items()]
    for where, seal in closed.items():
        for entry in months.get(where, []):
            check_key(campaign, entry, key_of(seal))
    sealed = sum(len(entries) for where, entries in months.items() if where not in closed)
    return DiceAudit(len(closed), sum(r for r, _ in counted), sum(d for _, d in counted), sealed)


def _when(month: int) -> str:
    return month_name(Month(month))


def _check_month(seal: PublicSeal, entries: Iterable[Entry]) -> tuple[int, int]:
    """Return how many rolls and dice of the month its published key gives."""
    key = key_of(seal)
    counted = [_check_entry(key, entry) for entry in entries]
    return sum(rolls for rolls, _ in counted), sum(dice for _, dice in counted)


def key_of(seal: PublicSeal) -> bytes:
    """Return the key of a closed month. Raises Damaged if what was published is inconsistent."""
    link, salts = _opened(seal)
    return month_key(link, [salts[side] for side in SALTED])


def _opened(seal: PublicSeal) -> tuple[bytes, dict[Side, bytes]]:
    """Return link and salts of a closed seal, checked against what was published before."""
    where = f"{_when(seal.month)}, branch {seal.branch}"
    try:
        link = bytes.fromhex(seal.link or "")
        salts = {side: bytes.fromhex((seal.salts or {})[side]) for side in SALTED}
    except (KeyError, ValueError) as error:
        raise Damaged(f"Link or salts of {where} are not whole.") from error
    if not 0 < seal.place <= CHAIN or chain_link(link, seal.place).hex() != seal.anchor:
        raise Damaged(f"The link of {where} does not lead to the anchor of its branch.")
    for side, salt in salts.items():
        if seal.commitments.get(side) != commitment(salt):
            raise Damaged(f"The {side} salt of {where} is not the one sealed before the month.")
    return link, salts


def _check_entry(key: bytes, entry: Entry) -> tuple[int, int]:
    dice = entry_dice(key, entry.branch, entry.number)
    rolls = [roll for roll in serialization.rolls_of(entry) if not roll.by_hand]
    for roll in rolls:
        if not 1 < roll.sides <= MOST_SIDES:
            raise Damaged(f"In {describe_entry(entry)} dice of {roll.sides} sides are thrown.")
        for place, face in enumerate(dice.throw(len(roll.dice), roll.sides)):
            if face != roll.dice[place]:
                raise Damaged(
                    f"In {describe_entry(entry)} die {place + 1} of the throw for {roll.reason} "
                    f"({roll.clause}) is written as {roll.dice[place]}; link and salts of its "
                    f"month give {face}."
                )
    return len(rolls), sum(len(roll.dice) for roll in rolls)
