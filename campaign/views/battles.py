"""The battles of a campaign: by what they are fought, and how the one it waits for went."""

from collections.abc import Iterator
from typing import NamedTuple
from uuid import UUID

from django.contrib import messages
from django.contrib.auth.models import User
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from battles.contract import Report
from battles.contract.troops import Side
from battles.core.document import decode
from battles.core.game import IllegalAction
from battles.models import Battle
from battles.selectors import addresses
from campaign import fog, rewinds, selectors, services
from campaign.awaited import Awaited, owner_of
from campaign.battle_forms import Arrangement, Result, at_once, book_title, ways
from campaign.models import Campaign, Seat
from campaign.rules.core.state import BY_HAND, TABLE, HandOff
from campaign.views import likely

UMPIRE = Seat.Role.UMPIRE.value
PLAYERS = {side.value for side in Side}
NOT_ASKED = HandOff(TABLE)


class Said(NamedTuple):
    """What a side has said of the battle that waits."""

    side: str
    who: str
    fought: bool


class Fought(NamedTuple):
    """A battle that is over, and the rewind that has undone it, if one has."""

    battle: Battle
    undone: rewinds.Rewind | None


class Answer(NamedTuple):
    """What has been done, or what is wrong."""

    said: str = ""
    wrong: str = ""


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
def arrangement(request: HttpRequest, slug: str) -> HttpResponse:
    """By what battles are fought, and those there have been."""
    campaign = selectors.campaign_for(request.user, slug)
    viewer = fog.viewer_of(request.user, campaign)
    agreed = selectors.state_now(campaign).hand_off or NOT_ASKED
    form = Arrangement(request.POST or None, initial=_initial(agreed))
    if request.method == "POST" and form.is_valid() and _arrange(request, campaign, form):
        messages.success(request, "Battles are fought like that from now on.")
        return redirect("campaign-battles", slug)
    context = {
        "campaign": campaign,
        "form": form,
        "way": dict(ways()).get(agreed.way, agreed.way),
        "may": UMPIRE in selectors.role_of(request.user, campaign) and not campaign.finished,
        "waiting": fog.battle_awaited(campaign, viewer),
        "fought": _fought(campaign) if fog.sees_any(campaign, viewer) else [],
        "hidden": not fog.sees_any(campaign, viewer),
    }
    status = 400 if form.errors else 200
    return render(request, "campaign/battles.html", context, status=status)


def _initial(agreed: HandOff) -> dict[str, object]:
    return {
        "way": agreed.way,
        "fallback": agreed.fallback,
        "days": agreed.days,
        "signed": agreed.signed,
    }


def _arrange(request: HttpRequest, campaign: Campaign, form: Arrangement) -> bool:
    try:
        services.arrange(campaign.pk, _somebody(request), form.wanted())
    except services.NotAllowed as refused:
        raise PermissionDenied(str(refused)) from refused
    except (services.Refused, IllegalAction) as refused:
        form.add_error(None, str(refused))
        return False
    return True


def _fought(campaign: Campaign) -> list[Fought]:
    """The battles of the campaign that are over, the latest first."""
    ours = Battle.objects.filter(owner=owner_of(campaign)).exclude(reported=None)
    over = list(ours.defer("document", "beginning", "brief", "report"))
    undone = rewinds.abandoned(campaign, [one.brief_id for one in over])
    return [Fought(one, undone.get(one.brief_id)) for one in over]


def _somebody(request: HttpRequest) -> User:
    if not isinstance(request.user, User):
        raise PermissionDenied("Log in first: only those with a seat have a say in the battles.")
    return request.user


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
def result(request: HttpRequest, slug: str, battle: str) -> HttpResponse:
    """The battle the campaign waits for: who is in it, and how it went, or shall be fought."""
    campaign = selectors.campaign_for(request.user, slug)
    if not fog.sees_any(campaign, fog.viewer_of(request.user, campaign)):
        raise Http404(fog.UNHEARD)
    waiting = selectors.battle_awaited(campaign)
    if waiting is None or waiting.brief.id != battle:
        return _over(request, campaign, battle)
    sent = request.POST if "enter" in request.POST else None
    form = Result(waiting.brief, sent, initial=_signed_before(campaign, waiting))
    if request.method != "POST":
        return _show(request, campaign, waiting, form)
    answer = _carry_out(request, campaign, waiting, form)
    if not answer.said:
        return _show(request, campaign, waiting, form, answer.wrong)
    messages.success(request, answer.said)
    campaign.refresh_from_db()
    left = selectors.battle_awaited(campaign)
    if left is None or left.brief.id != battle:
        return _away(campaign, battle)
    return redirect("battle-result", slug, battle)


def _signed_before(campaign: Campaign, waiting: Awaited) -> dict[str, str]:
    """What one side has signed already, so that the other has only to look and sign too."""
    for one in campaign.signatures.filter(battle=waiting.brief.id):
        if one.report:
            return Result.as_signed(decode(bytes(one.report), Report))
    return {}


def _over(request: HttpRequest, campaign: Campaign, battle: str) -> HttpResponse:
    """The battle is none that is awaited: to its own page, or to the campaign, with a word."""
    has_page = bool(addresses(owner_of(campaign), [battle]))
    known = has_page or campaign.entries.filter(key=f"battle:{battle}").exists()
    if not known and request.method != "POST":
        raise Http404("This campaign has no such battle.")
    if request.method == "POST":
        messages.error(
            request, "The campaign does not wait for that battle any more; nothing was changed."
        )
    return _away(campaign, battle)


def _away(campaign: Campaign, battle: str) -> HttpResponse:
    """To the page of a battle that is over, or to the campaign where it has none."""
    number = addresses(owner_of(campaign), [battle]).get(battle)
    return redirect("battle", number) if number else redirect("campaign", campaign.slug)


def _carry_out(request: HttpRequest, campaign: Campaign, waiting: Awaited, form: Result) -> Answer:
    """What is asked for is done; what cannot be leaves everything as it was."""
    user = _somebody(request)
    try:
        if "by" in request.POST:
            services.choose(campaign.pk, user, waiting.brief.id, request.POST["by"])
            return Answer("The battle is fought like that.")
        if "decline" in request.POST:
            return Answer(_declined(services.decline(campaign.pk, user, waiting.brief.id)))
        if form.is_valid():
            return Answer(_entered(services.enter(campaign.pk, user, form.report()) is not None))
    except services.NotAllowed as refused:
        raise PermissionDenied(str(refused)) from refused
    except (services.Refused, IllegalAction) as refused:
        return Answer(wrong=str(refused))
    return Answer(wrong="Something is missing below, or is not one of the choices.")


def _declined(both: bool) -> str:
    if both:
        return "Neither side fights it out at a table: it is fought as was agreed for that."
    return "You have said that your side will not fight it at a table. The other side decides."


def _entered(settled: bool) -> str:
    if settled:
        return "The result stands, and the campaign goes on."
    return "You have signed that result. It counts when the other side has signed the same."


def _show(
    request: HttpRequest, campaign: Campaign, waiting: Awaited, form: Result, wrong: str = ""
) -> HttpResponse:
    roles = selectors.role_of(request.user, campaign)
    others = [(by, words) for by, words in at_once() if by != waiting.by]
    if waiting.by != BY_HAND:
        others.append((BY_HAND, "by hand"))
    context = {
        "campaign": campaign,
        "waiting": waiting,
        "by": "by hand" if waiting.by == BY_HAND else book_title(waiting.by),
        "number": _number(campaign, waiting),
        "form": form,
        "wrong": wrong,
        "umpire": UMPIRE in roles,
        "player": bool(roles & PLAYERS),
        "said": list(_said(campaign, waiting)),
        "others": others,
        "fallback": dict(at_once()).get(waiting.agreed.fallback, waiting.agreed.fallback),
        "odds": likely.awaited_shown(campaign),
        "by_book": at_once(),
    }
    return render(request, "campaign/battle_result.html", context, status=400 if wrong else 200)


def _number(campaign: Campaign, waiting: Awaited) -> UUID | None:
    """Under which number the battle has a page of its own, if it has one yet."""
    return addresses(owner_of(campaign), [waiting.brief.id]).get(waiting.brief.id)


def _said(campaign: Campaign, waiting: Awaited) -> Iterator[Said]:
    for one in campaign.signatures.filter(battle=waiting.brief.id).select_related("by"):
        yield Said(one.side, one.by.get_username(), bool(one.report))
