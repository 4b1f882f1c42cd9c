"""The proof of the battles: each fought out here is fought again, and must end as it ended."""

from battles import services as battles
from battles.contract import Report
from battles.contract.registry import NoSuchBook
from battles.models import Battle
from battles.selectors import battle_of
from battles.stored import report_of
from campaign import stored
from campaign.awaited import owner_of
from campaign.models import Campaign, Entry
from campaign.rules.core.actions import Reported
from campaign.services.battles import BY_BOOK, battle_key, number_in
from campaign.services.errors import Damaged
from campaign.services.replay import name_of


def check_key(campaign: Campaign, entry: Entry, month_key: bytes) -> None:
    """Damaged when the entry is of a battle that was fought with other dice than its month's.

    Of a campaign that was brought in from a file the battles themselves are not kept.
    """
    battle = _fought_here(campaign, entry)
    if battle is None:
        return
    if bytes(battle.key) != battle_key(month_key, battle.brief_id):
        raise Damaged(f"The battle of {name_of(entry)} was fought with dice of another key.")
    if not _says_the_same(report_of(battle), entry):
        raise Damaged(f"The battle of {name_of(entry)} was reported otherwise than it ended.")


def verify_battles(campaign: Campaign) -> int:
    """Fight every battle again that was fought out here; how many came out the same.

    Damaged names the first that does not, or whose book is not at hand.
    """
    fought = 0
    for entry in campaign.entries.filter(actor__startswith=BY_BOOK).order_by("branch", "number"):
        battle = _fought_here(campaign, entry)
        if battle is None:
            continue
        try:
            battles.verify_battle(battle)
        except (NoSuchBook, battles.Damaged) as differs:
            raise Damaged(f"The battle of {name_of(entry)}: {differs}") from differs
        fought += 1
    return fought


def _fought_here(campaign: Campaign, entry: Entry) -> Battle | None:
    """The battle that the entry brought in, if a book fought it here and it is kept."""
    if not entry.actor.startswith(BY_BOOK) or not entry.key:
        return None
    return battle_of(owner_of(campaign), number_in(entry.key))


def _says_the_same(report: Report | None, entry: Entry) -> bool:
    told = stored.action_of(entry)
    if report is None or not isinstance(told, Reported):
        return False
    return (report.winner, report.fates) == (told.report.winner, told.report.fates)
