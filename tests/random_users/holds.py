"""Check after every act what must hold: the journal, the dice, the fog, and pages."""

from typing import Any

from django.urls import reverse

from battles.contract.brief import Side
from battles.models import Battle
from campaign.access import fog_of_war, selectors
from campaign.models import Job, Seat
from campaign.rules.core.pieces import Month, month_slug
from campaign.services.journal import audit
from campaign.services.pending_battle import owner_of
from campaign.web.your_turn import awaited_page
from tests.random_users.club import NAMES, NOBODY, Club
from tests.random_users.moves import has_failed

OF_CAMPAIGN = (
    *("campaign", "campaign-battles", "orders", "live", "seats", "letters", "papers", "figures"),
    *("debrief", "console", "ruling", "rewind", "version", "branches", "umpire-log", "dice"),
    *("campaign-rules", "walk", "odds", "arrange", "channels"),
)
OF_MONTH = ("month", "film")
OF_BATTLE = ("battle", "fight", "battle-kit", "battle-table", "trace-of-battle")
DOCUMENTS = (
    *("", "-letters", "-timeline", "-months", "-events", "-dice", "-seats", "-invitations"),
    *("-decision", "-deadline", "-dice-by-hand", "-worklist", "-umpire-log", "-branches"),
    *("-battles", "-papers", "-figures", "-debrief"),
)
LOOKS = 1
"""The pages, and the documents, that are looked at after each act."""


def check(club: Club) -> None:
    """Check the journal, whom the campaign waits for, the fog, and some pages. Raises Fault."""
    campaign = club.campaign
    for job in campaign.jobs.filter(status=Job.Status.FAILED):
        if has_failed(job):
            raise club.fault(f"a job failed: {job.message}")
    audit.check_hashes(campaign)
    audit.check_fold(campaign)
    _check_waiting(club)
    _check_fog(club)
    for _ in range(LOOKS):
        club.get(club.chance.choice((*NAMES, NOBODY)), club.chance.choice(_pages(club)))
        address = club.address("api:campaign" + club.chance.choice(DOCUMENTS))
        club.rest(club.anybody(), "get", address)


def check_records(club: Club) -> None:
    """Replay the campaign and verify its dice. Raises Damaged and ReplayDiffers."""
    audit.replay_check(club.campaign)
    audit.verify_dice(club.campaign)


def look_around(club: Club) -> None:
    """Check the records, and open a third of the pages as somebody with a seat."""
    check_records(club)
    pages = _pages(club)
    for page in club.chance.sample(pages, len(pages) // 3):
        club.get(club.anybody(), page)


def _check_waiting(club: Club) -> None:
    """Check that the campaign says for whom it waits, and that their pages open."""
    campaign = club.campaign
    for seat in campaign.seats.exclude(user=None).select_related("user"):
        name, page = str(seat.user), awaited_page(campaign, seat)
        if page and club.get(name, page).status_code not in (200, 302):
            raise club.fault(f"{name} is sent to {page}, which does not open")
    for name in club.people()[:1]:
        answer = club.rest(name, "get", club.address("api:campaign"))
        if (
            answer.status_code == 200
            and (answer.json()["waiting_for"] is None) is not campaign.finished
        ):
            raise club.fault(f"it waits for {answer.json()['waiting_for']}")


def _check_fog(club: Club) -> None:
    """Check that the document of the position shows a player no enemy unit that is hidden."""
    campaign = club.campaign
    if not campaign.fog or campaign.finished:
        return
    true_units = selectors.state_now(campaign).units.values()
    for side in Side:
        seen = fog_of_war.view_now(campaign, side).state.units
        hidden = {unit.id for unit in true_units if unit.side is not side} - set(seen)
        for name in club.people(side.value):
            if selectors.role_of(club.users[name], campaign) == {side.value}:
                month = month_slug(Month(campaign.month))
                answer = club.rest(name, "get", club.address("api:month-state", month))
                shown = _units_in(answer.json()) if answer.status_code == 200 else set()
                if hidden & shown:
                    raise club.fault(f"{name} is shown hidden units: {hidden & shown}")


def _units_in(document: dict[str, Any]) -> set[int]:
    return {unit["id"] for unit in document["units"]}


def _pages(club: Club) -> list[str]:
    """Return the pages of the campaign, of its last months, seats, battles and branches."""
    campaign = club.campaign
    pages = [club.address(view) for view in OF_CAMPAIGN]
    seats = campaign.seats.filter(role__in=Seat.SIDES)
    views = ("order-sheet", "plain-orders", "receipts")
    pages += [club.address(view, seat.pk) for seat in seats for view in views]
    pages += [club.address("brief", side) for side in Seat.SIDES]
    for month in {campaign.first_month, campaign.month - 1, campaign.month}:
        known = month >= campaign.first_month
        slug = month_slug(Month(month)) if known else "set-up"
        pages += [club.address(view, slug) for view in OF_MONTH]
        pages += [club.address("paper", slug, whose) for whose in (*Seat.SIDES, "public")]
    if campaign.battle:
        pages.append(club.address("battle-result", campaign.battle))
    for battle in Battle.objects.filter(owner=owner_of(campaign)).order_by("-pk")[:2]:
        pages += [reverse(view, args=[battle.uuid]) for view in OF_BATTLE]
    pages += [club.address("branch", branch.number) for branch in campaign.branches.all()]
    return [*pages, reverse("front")]
