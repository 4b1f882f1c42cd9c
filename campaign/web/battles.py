"""The campaign's battles: how they are fought, the result of the pending one, and links."""

from collections.abc import Iterator
from typing import NamedTuple

from django.contrib import messages
from django.contrib.auth.models import User
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from battles import journal
from battles.access import addresses, battle_of, display_name, is_open, may_take_up
from battles.contract import Brief, Side
from battles.contract.brief import month_in_words
from battles.core.game import IllegalAction
from battles.models import Battle
from battles.prose import Brought, Returned, describe_ending, order_of_battle, units_returned
from campaign.access import fog_of_war, permissions, selectors
from campaign.access.solo import plays_alone
from campaign.models import Campaign, Seat
from campaign.rules.core.pieces import Month, month_name
from campaign.rules.core.state import COMBAT_TABLE, TABLETOP, HandOff
from campaign.services import battle_reports, battle_signatures, errors
from campaign.services.journal import rewind
from campaign.services.journal.dice import DiceAwaited
from campaign.services.pending_battle import PendingBattle, finished_battles, owner_of
from campaign.web.battle_forms import (
    SIDES,
    ArrangementForm,
    ResultForm,
    SoloBattlesForm,
    at_once,
    battle_methods,
    book_choices,
    book_title,
)
from campaign.web.odds import odds_charts
from ops.sent_once import sent_once

UMPIRE = Seat.Role.UMPIRE.value
NOT_ASKED = HandOff(COMBAT_TABLE)


class SignedResult(NamedTuple):
    """A side's signature under the result of the pending battle."""

    side: str
    who: str
    fought: bool


class ReportToAgree(NamedTuple):
    """A report that the other side has signed: by whom, its mark, how it ended, the fates."""

    by: str
    mark: str
    winner: str
    ending: str
    rows: tuple[Returned, ...]


class BattleParty(NamedTuple):
    """A side of the pending battle: whether it attacks, whether the user leads it, its units."""

    side: Side
    title: str
    part: str
    yours: bool
    rows: tuple[Brought, ...]


class PastBattle(NamedTuple):
    """A finished battle, its month in words, and the rewind that undid it, if any."""

    battle: Battle
    month: str
    undone: rewind.RewindNotice | None


class ResultAnswer(NamedTuple):
    """The outcome of a request: a message, or an error."""

    message: str = ""
    wrong: str = ""


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
def arrangement(request: HttpRequest, slug: str) -> HttpResponse:
    """Show past battles and how battles are fought; change that on POST."""
    campaign = selectors.campaign_for(request.user, slug)
    viewer = fog_of_war.viewer_of(request.user, campaign)
    agreed = selectors.state_now(campaign).hand_off or NOT_ASKED
    alone = plays_alone(request.user, campaign)
    asked = SoloBattlesForm if alone else ArrangementForm
    form = asked(request.POST or None, initial=asked.as_agreed(agreed))
    if request.method == "POST" and form.is_valid() and _arrange(request, campaign, form, agreed):
        messages.success(request, "From now on battles are settled that way.")
        return redirect("campaign-battles", slug)
    context = {
        "campaign": campaign,
        "form": form,
        "way": SoloBattlesForm.describe(agreed) if alone else _way_in_words(agreed),
        "may": not campaign.finished and permissions.may_settle_battles(request.user, campaign),
        "alone": alone,
        "waiting": fog_of_war.battle_awaited(campaign, viewer),
        "fought": _past_battles(campaign) if fog_of_war.sees_any(campaign, viewer) else [],
        "hidden": not fog_of_war.sees_any(campaign, viewer),
    }
    status = 400 if form.errors else 200
    return render(request, "campaign/battles/battles.html", context, status=status)


def _way_in_words(agreed: HandOff) -> str:
    return dict(battle_methods()).get(agreed.resolution, agreed.resolution)


def _arrange(
    request: HttpRequest,
    campaign: Campaign,
    form: ArrangementForm | SoloBattlesForm,
    agreed: HandOff,
) -> bool:
    arranged = form.arrangement(agreed)
    try:
        battle_reports.arrange_battles(campaign.pk, _somebody(request), arranged)
    except errors.NotAllowed as refused:
        raise PermissionDenied(str(refused)) from refused
    except (journal.Refused, IllegalAction) as refused:
        form.add_error(None, str(refused))
        return False
    return True


def _past_battles(campaign: Campaign) -> list[PastBattle]:
    """Return the campaign's finished battles, the latest first."""
    over = list(finished_battles(campaign))
    undone = rewind.undone_battles(campaign, [battle.brief_id for battle in over])
    return [
        PastBattle(battle, month_in_words(battle.month), undone.get(battle.brief_id))
        for battle in over
    ]


def _somebody(request: HttpRequest) -> User:
    if not isinstance(request.user, User):
        raise PermissionDenied("Log in first: only people with a seat decide about the battles.")
    return request.user


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
@sent_once
def result(request: HttpRequest, slug: str, battle: str) -> HttpResponse:
    """Show the pending battle, and take its result or another way to fight it."""
    campaign = selectors.campaign_for(request.user, slug)
    if not fog_of_war.sees_any(campaign, fog_of_war.viewer_of(request.user, campaign)):
        raise Http404(fog_of_war.UNHEARD)
    waiting = selectors.battle_awaited(campaign)
    if waiting is None or waiting.brief.id != battle:
        return _over(request, campaign, battle)
    begun = battle_of(owner_of(campaign), battle) if request.method != "POST" else None
    if begun is not None and is_open(begun) and plays_alone(request.user, campaign):
        return redirect("fight", begun.uuid)
    sent = request.POST if "enter" in request.POST else None
    form = ResultForm(waiting.brief, sent, initial=_signed_before(campaign, waiting))
    if request.method != "POST":
        return _show(request, campaign, waiting, form)
    answer = _carry_out(request, campaign, waiting, form)
    if not answer.message:
        return _show(request, campaign, waiting, form, answer.wrong)
    messages.success(request, answer.message)
    campaign.refresh_from_db()
    left = selectors.battle_awaited(campaign)
    if left is None or left.brief.id != battle:
        return _away(campaign, battle)
    return redirect("battle-result", slug, battle)


def _signed_before(campaign: Campaign, waiting: PendingBattle) -> dict[str, str]:
    """Return the result that one side has signed, so that the other need only check it."""
    for signature in campaign.signatures.filter(battle=waiting.brief.id):
        if report := battle_signatures.signed_report(signature):
            return ResultForm.as_signed(report)
    return {}


def _over(request: HttpRequest, campaign: Campaign, battle: str) -> HttpResponse:
    """Redirect from a battle that is not pending to its own page, or to the campaign."""
    has_page = bool(addresses(owner_of(campaign), [battle]))
    is_known = has_page or campaign.entries.filter(key=f"battle:{battle}").exists()
    if not is_known and request.method != "POST":
        raise Http404("This campaign has no such battle.")
    if request.method == "POST":
        messages.error(
            request, "The campaign no longer waits for that battle; nothing was changed."
        )
    return _away(campaign, battle)


def _away(campaign: Campaign, battle: str) -> HttpResponse:
    """Redirect to the page of a finished battle, or to the campaign if it has none."""
    number = addresses(owner_of(campaign), [battle]).get(battle)
    return redirect("battle", number) if number else redirect("campaign", campaign.slug)


def _carry_out(
    request: HttpRequest, campaign: Campaign, waiting: PendingBattle, form: ResultForm
) -> ResultAnswer:
    """Do what the form asks; return its outcome."""
    user = _somebody(request)
    try:
        if "by" in request.POST:
            battle_reports.choose_method(campaign.pk, user, waiting.brief.id, request.POST["by"])
            return ResultAnswer("The battle is settled that way.")
        if "agree" in request.POST:
            return _agree_to_report(campaign, user, waiting, request.POST["agree"])
        if "decline" in request.POST:
            both = battle_reports.decline_table(campaign.pk, user, waiting.brief.id)
            return ResultAnswer(
                "Neither side will fight it at a table, so it is settled as was agreed."
                if both
                else "You have said that your side will not fight it at a table. "
                "The other side decides."
            )
        if form.is_valid():
            entered = battle_reports.enter_result(campaign.pk, user, form.report())
            return ResultAnswer(_entry_in_words(entered is not None))
    except errors.NotAllowed as refused:
        raise PermissionDenied(str(refused)) from refused
    except (journal.Refused, IllegalAction) as refused:
        # What waits for dice thrown by hand has been accepted.
        is_accepted = isinstance(refused, DiceAwaited)
        return ResultAnswer(str(refused)) if is_accepted else ResultAnswer(wrong=str(refused))
    return ResultAnswer(wrong="Something is missing below, or is not one of the choices.")


def _agree_to_report(
    campaign: Campaign, user: User, waiting: PendingBattle, mark: str
) -> ResultAnswer:
    """Sign the report that the other side has signed, if it is still the one that was shown."""
    signed = battle_signatures.signed_by_others(campaign, user, waiting.brief.id)
    agreed = next((report for report in signed if report.mark == mark), None)
    if agreed is None:
        return ResultAnswer(wrong="The other side has changed its report: look at it once more.")
    entered = battle_reports.enter_result(campaign.pk, user, agreed.report)
    return ResultAnswer(_entry_in_words(entered is not None))


def _entry_in_words(settled: bool) -> str:
    if settled:
        return "The result stands, and the campaign goes on."
    return "You have signed that result. It counts when the other side has signed the same."


def _show(
    request: HttpRequest,
    campaign: Campaign,
    waiting: PendingBattle,
    form: ResultForm,
    wrong: str = "",
) -> HttpResponse:
    roles = selectors.role_of(request.user, campaign)
    battle = battle_of(owner_of(campaign), waiting.brief.id)
    alone = plays_alone(request.user, campaign)
    ways = [(COMBAT_TABLE, "by the campaign’s own table")]
    if waiting.resolution != TABLETOP:
        ways.append((TABLETOP, "by you" if alone else "by people"))
    context = {
        "campaign": campaign,
        "waiting": waiting,
        "month": month_name(Month(campaign.month)),
        "by": "" if waiting.resolution == TABLETOP else book_title(waiting.resolution),
        "battle": battle,
        "is_begun": battle is not None and is_open(battle),
        "may_begin": battle is not None and may_take_up(battle, request.user),
        "books": book_choices(),
        "parties": list(_parties(waiting.brief, roles)),
        "form": form,
        "wrong": wrong,
        "alone": alone,
        "umpire": UMPIRE in roles,
        "settles": permissions.may_settle_battles(request.user, campaign),
        "player": not roles.isdisjoint(Seat.SIDES),
        "said": [
            SignedResult(signature.side, display_name(signature.by), bool(signature.report))
            for signature in battle_signatures.signatures(campaign, waiting.brief.id)
        ],
        "signed": list(_signed_by_others(request, campaign, waiting)),
        "ways": ways,
        "others": [book for book in book_choices() if book[0] != waiting.resolution],
        "fallback": dict(at_once()).get(waiting.agreed.fallback, waiting.agreed.fallback),
        "odds": odds_charts.awaited_shown(campaign, fog_of_war.viewer_of_roles(roles)),
    }
    return render(request, "campaign/battles/result.html", context, status=400 if wrong else 200)


def _parties(brief: Brief, roles: set[str]) -> Iterator[BattleParty]:
    """Yield both sides of the battle, the attacker first."""
    rows = order_of_battle(brief)
    for side in (brief.attacker.side, brief.defender.side):
        part = "attack" if side is brief.attacker.side else "defend"
        own = tuple(row for row in rows if row.side is side)
        yield BattleParty(side, SIDES[side], part, side.value in roles, own)


def _signed_by_others(
    request: HttpRequest, campaign: Campaign, waiting: PendingBattle
) -> Iterator[ReportToAgree]:
    """Yield what the other side has reported, as the user may agree to it."""
    if not isinstance(request.user, User):
        return
    for signature in battle_signatures.signed_by_others(campaign, request.user, waiting.brief.id):
        winner = signature.report.winner
        words = f"{SIDES[winner]} won." if winner else "Nobody won."
        ending = describe_ending(signature.report, "turn")
        yield ReportToAgree(
            signature.by,
            signature.mark,
            words,
            ending,
            units_returned(waiting.brief, signature.report),
        )


@require_safe
def redirect_to_battle(request: HttpRequest, slug: str, battle: str) -> HttpResponse:
    """Redirect to the page of the campaign's battle of that number.

    If it was fought on several branches of the current line, the last counts. Raises Http404 if it
    has no page.
    """
    campaign = selectors.campaign_for(request.user, slug)
    if not fog_of_war.sees_any(campaign, fog_of_war.viewer_of(request.user, campaign)):
        raise Http404(fog_of_war.UNHEARD)
    branches = [stretch.branch for stretch in selectors.line_of(campaign)]
    pages = addresses(owner_of(campaign), [f"{battle}-{branch}" for branch in branches])
    for branch in reversed(branches):
        if f"{battle}-{branch}" in pages:
            return redirect("battle", pages[f"{battle}-{branch}"])
    raise Http404(f"The campaign tells of no battle {battle!r}.")
