"""Accept battle reports, from whatever source, and settle the battles that campaigns wait for.

A report is identified by its battle. The same report twice is one entry. A report for a battle that
is no longer awaited is refused and changes nothing, and so is a second, different one.
"""

import logging
from functools import partial
from typing import NamedTuple

from django.contrib.auth.models import User
from django.db import transaction
from django.utils import timezone

from battles import journal
from battles import services as battles
from battles.access import battle_of, is_open
from battles.contract.book import NoSuchBook
from battles.contract.report import Report
from battles.core.dice import derive_key
from battles.models import Battle
from battles.serialization import report_of
from campaign import rules, serialization
from campaign.access import permissions, selectors
from campaign.models import Campaign, Entry, Seat
from campaign.rules.core.actions import AnyAction, Fight, HandOver, Reported
from campaign.rules.core.state import COMBAT_TABLE, TABLETOP
from campaign.rules.prose.phrases import describe_battle_method
from campaign.services import pending_battle
from campaign.services.battle_signatures import (
    agreed_signatures,
    complete_report,
    sides_of,
    sign,
    signatures,
    signed_report,
)
from campaign.services.errors import OUT_OF_REACH, NotAllowed, NotAwaited, Refused, describe_trouble
from campaign.services.journal import dice
from campaign.services.journal.campaign_session import perform
from campaign.services.journal.dice import DiceAwaited, DiceFirst
from campaign.services.pending_battle import (
    PendingBattle,
    awaited_battle,
    internal_report,
    owner_of,
)
from campaign.signals import battle_moved_on
from ops.sweeps import sweep

logger = logging.getLogger(__name__)
SETTLES = "battle:"
BY_BOOK = "book:"
"""The actor prefix of entries for battles that a book fought here."""


class SettledBattle(NamedTuple):
    """A battle that waited too long, and a sentence about how it was settled."""

    campaign: Campaign
    battle: str
    outcome: str


def report_battle(campaign_id: int, actor: str, report: Report) -> Entry:
    """Settle the battle the campaign waits for by the report, and return the entry.

    The report names the battle by its external number (`selectors.battle_awaited`). Raises
    NotAwaited, Refused for a second report that differs, and IllegalAction for one that does not
    add up; then nothing has changed.
    """
    with transaction.atomic():
        campaign = journal.lock_record(Campaign.objects.all(), campaign_id)
        settled = campaign.entries.filter(key=_key(report.battle)).first()
        if settled is not None:
            return _same(settled, report)
        waiting = _check_waiting(campaign, report.battle)
        action = Reported(internal_report(report, waiting))
        rules.check(selectors.state_now(campaign), action)
        pending_battle.create_battle_page(campaign, waiting)
        battles.record_table_report(owner_of(campaign), waiting.brief, report)
        result = _act(campaign_id, actor, action, _key(report.battle))
        if isinstance(result, Entry):
            _announce(campaign_id, report.battle)
    return _or_raise(result)


def _act(campaign_id: int, actor: str, action: AnyAction, key: str = "") -> Entry | DiceAwaited:
    """Perform the action; return its entry, or the DiceAwaited to raise after the commit."""
    try:
        return perform(campaign_id, actor, action, key=key)
    except DiceAwaited as waits:
        return waits


def _or_raise(result: Entry | DiceAwaited) -> Entry:
    if isinstance(result, DiceAwaited):
        raise result
    return result


def _key(battle: str) -> str:
    return f"{SETTLES}{battle}"


def number_in(key: str) -> str:
    """Return the number of the battle from the key of the entry that settled it."""
    return key.removeprefix(SETTLES)


def _same(settled: Entry, report: Report) -> Entry:
    """Return the entry that settled the battle if it was this report. Raises Refused otherwise."""
    action = serialization.action_of(settled)
    fates = dict(sorted(report.fates.items()))
    if isinstance(action, Reported) and (action.report.winner, action.report.fates) == (
        report.winner,
        fates,
    ):
        return settled
    raise Refused(
        f"The battle {report.battle} has been reported already, and otherwise; nothing was "
        "changed. To take that result back the umpire rewinds to before it."
    )


def _check_waiting(campaign: Campaign, battle: str) -> PendingBattle:
    waiting = awaited_battle(campaign.branch, selectors.state_now(campaign))
    if waiting is None or waiting.brief.id != battle:
        raise NotAwaited(
            f"The campaign does not wait for the battle {battle!r} (any more): it has been settled "
            "otherwise, or gone back over. Nothing was changed."
        )
    return waiting


def fight_out(campaign_id: int) -> Entry:
    """Have the awaited battle fought by its book, report it, and return the entry.

    The dice come from the key of the month, so the battle gives the same result however often it is
    fought, and a task that dies half-way is simply run again. Raises NotAwaited when no battle is
    awaited or it has been settled meanwhile, and Refused when there is no such book.
    """
    campaign = Campaign.objects.get(pk=campaign_id)
    waiting = awaited_battle(campaign.branch, selectors.state_now(campaign))
    if waiting is None or waiting.resolution == TABLETOP:
        raise NotAwaited("The campaign waits for no battle that a book could fight.")
    battle = _fight_by_book(campaign, waiting)
    if (report := report_of(battle)) is None:
        raise Refused(f"{battle.title} was fought and has no report.")
    return report_battle(campaign_id, reporter(battle), report)


def _fight_by_book(campaign: Campaign, waiting: PendingBattle) -> Battle:
    """Return the battle, fought by its book; from where its players left it, if by the same book.

    Raises Refused, and logs the exception, where the book fails.
    """
    key = key_of_battle(campaign, waiting.brief.id)
    try:
        owner, request = owner_of(campaign), pending_battle.request_of(campaign)
        if begun := _begun_battle(campaign, waiting.brief.id):
            if begun.book == waiting.resolution:
                return battles.finish_late(begun)
            battles.call_off(owner, waiting.brief.id)
        return battles.record(owner, waiting.brief, waiting.resolution, key, battle_request=request)
    except Refused:
        raise
    except NoSuchBook as unknown:
        raise Refused(str(unknown)) from unknown
    except OUT_OF_REACH:
        raise
    except Exception as failed:
        logger.exception("The book %r has failed over %s.", waiting.resolution, waiting.brief.id)
        raise Refused(
            f"{campaign.battle_title} cannot be fought by {waiting.resolution!r}: "
            f"the book has failed ({type(failed).__name__}: {failed}). Decide it another way."
        ) from failed


def reporter(battle: Battle) -> str:
    """Return the actor that reports a battle: the book that fought it, or a real table."""
    return TABLETOP if battle.way == Battle.Way.TABLETOP else f"{BY_BOOK}{battle.book}"


def key_of_battle(campaign: Campaign, battle: str) -> bytes:
    """Return the dice key of a battle of the current month."""
    return battle_key(dice.key_of_month(campaign, campaign.month), battle)


def battle_key(month_key: bytes, battle: str) -> bytes:
    """Return the dice key of a battle, derived from its month's key."""
    return derive_key(month_key, "battle", battle)


def choose_method(campaign_id: int, user: User, battle: str, resolution: str) -> Entry:
    """Set how one battle is fought, as the umpire or as the one who plays alone.

    Raises NotAllowed, UnfitRequest and NotAwaited; Refused for a solo player's battle that has
    begun.
    """
    campaign = Campaign.objects.get(pk=campaign_id)
    actor = _actor_settling(user, campaign)
    pending_battle.check_battle_method(resolution)
    pending_battle.check_not_begun(campaign, battle)
    return _rule(campaign_id, actor, battle, resolution)


def arrange_battles(campaign_id: int, user: User, arrangement: HandOver) -> Entry:
    """Set how battles are fought from now on, as the umpire or as the one who plays alone.

    Raises NotAllowed and UnfitRequest.
    """
    campaign = Campaign.objects.get(pk=campaign_id)
    actor = _actor_settling(user, campaign)
    pending_battle.check_battle_method(arrangement.resolution)
    pending_battle.check_battle_method(arrangement.fallback)
    pending_battle.check_battle_book(arrangement.book)
    return perform(campaign_id, actor, arrangement)


def _actor_settling(user: User, campaign: Campaign) -> str:
    """Return the actor of an entry about battles. Raises NotAllowed unless it is for the user."""
    if not permissions.may_settle_battles(user, campaign):
        raise NotAllowed("Only the umpire of this campaign says how its battles are fought.")
    role = "umpire" if permissions.may_advance(user, campaign) else "player"
    return f"{role}:{user.get_username()}"


def _rule(campaign_id: int, actor: str, battle: str, resolution: str) -> Entry:
    """Have the awaited battle fought by that method, on that actor's authority."""
    with transaction.atomic():
        campaign = journal.lock_record(Campaign.objects.all(), campaign_id)
        _check_waiting(campaign, battle)
        result = _act(campaign_id, actor, Fight(resolution))
        if isinstance(result, Entry) and resolution != TABLETOP:
            _announce(campaign_id, battle)
    return _or_raise(result)


def _announce(campaign_id: int, battle: str) -> None:
    """Send the signal that the battle has moved on, once the transaction is committed."""
    send = partial(battle_moved_on.send, Campaign, campaign_id=campaign_id, battle=battle)
    transaction.on_commit(send)


def enter_result(campaign_id: int, user: User, report: Report) -> Entry | None:
    """Enter a result from a real table: the umpire's counts at once, a player's as agreed.

    Where both players must sign, return None until both have signed the same. Raises NotAllowed for
    anybody else, IllegalAction for a result that does not add up, and NotAwaited.
    """
    campaign = Campaign.objects.get(pk=campaign_id)
    roles = selectors.role_of(user, campaign)
    if Seat.Role.UMPIRE in roles:
        return report_battle(campaign_id, f"umpire:{user.get_username()}", report)
    waiting = _check_waiting(campaign, report.battle)
    pending_battle.check_not_begun(campaign, report.battle)
    action: AnyAction = Reported(internal_report(report, waiting))
    rules.check(selectors.state_now(campaign), action)
    if not waiting.agreed.signed:
        sides_of(campaign, user)
    elif not sign(campaign, user, report.battle, report):
        return None
    else:
        report = complete_report(report, signatures(campaign, report.battle))
    return report_battle(campaign_id, _players(campaign, report.battle, user), report)


def decline_table(campaign_id: int, user: User, battle: str) -> bool:
    """Record that the user's side will not fight the battle at a table.

    Once both sides have declined, the battle is fought by the agreed fallback, and True is
    returned. Raises NotAllowed and NotAwaited; Refused for a solo player's battle that has begun.
    """
    campaign = Campaign.objects.get(pk=campaign_id)
    waiting = _check_waiting(campaign, battle)
    pending_battle.check_not_begun(campaign, battle)
    if not sign(campaign, user, battle, None):
        return False
    _fall_back(campaign_id, "players", battle, waiting.agreed.fallback)
    return True


def settle_signed_on_commit(campaign_id: int) -> None:
    """Settle a battle that waits for no more signatures, once the transaction is committed.

    Call it after a change that may leave a side without a player.
    """
    transaction.on_commit(partial(_settle_signed, campaign_id), robust=True)


def _settle_signed(campaign_id: int) -> None:
    """Settle the awaited battle if every side with a player has signed the same."""
    campaign = Campaign.objects.get(pk=campaign_id)
    waiting = awaited_battle(campaign.branch, selectors.state_now(campaign))
    if waiting is None or waiting.resolution != TABLETOP:
        return
    battle = waiting.brief.id
    signed = agreed_signatures(campaign, battle)
    if not signed:
        return
    report = signed_report(signed[0])
    if report is None:
        _fall_back(campaign_id, "players", battle, waiting.agreed.fallback)
    else:
        complete = complete_report(report, signed)
        report_battle(campaign_id, _players(campaign, battle), complete)


def _players(campaign: Campaign, battle: str, *more: User) -> str:
    """Return the actor of a result that these users, and those who signed it, report."""
    users = [*(signature.by for signature in signatures(campaign, battle)), *more]
    names = " and ".join(dict.fromkeys(user.get_username() for user in users))
    return f"players:{names[:70]}"


def settle_due() -> list[SettledBattle]:
    """Settle every battle that has waited too long, by the agreed fallback. Idempotent."""
    late = Campaign.objects.filter(battle_due__lte=timezone.now(), finished=False)
    return sweep(late.exclude(battle=""), _settle_late)


def _settle_late(campaign: Campaign) -> SettledBattle:
    battle = campaign.battle
    try:
        waiting = _check_waiting(campaign, battle)
        if begun := _begun_battle(campaign, battle):
            battles.finish_late(begun)
            return SettledBattle(
                campaign, battle, "Fought out by the commanders from where it stood."
            )
        _fall_back(campaign.pk, "clock", battle, waiting.agreed.fallback)
    except Refused as refused:
        return SettledBattle(campaign, battle, str(refused))
    except OUT_OF_REACH as trouble:
        return SettledBattle(campaign, battle, describe_trouble(trouble))
    method = describe_battle_method(waiting.agreed.fallback)
    return SettledBattle(campaign, battle, f"Fought {method}.")


def _begun_battle(campaign: Campaign, battle: str) -> Battle | None:
    """Return the battle if its players have begun it in the browser."""
    begun = battle_of(owner_of(campaign), battle)
    return begun if begun is not None and is_open(begun) else None


def _fall_back(campaign_id: int, actor: str, battle: str, fallback: str) -> None:
    """Fight the battle by the agreed fallback now, or by the table, which never fails."""
    _rule(campaign_id, actor, battle, fallback)
    if Campaign.objects.get(pk=campaign_id).battle == battle:
        try:
            fight_out(campaign_id)
        except NotAwaited:
            return
        except (DiceAwaited, DiceFirst):
            # Also Refused, but the battle only waits for dice: it must not fall to the table.
            raise
        except Refused:
            _rule(campaign_id, actor, battle, COMBAT_TABLE)
