"""The news of a campaign that its channels receive: the text of each message, and the map."""

import logging
from collections.abc import Iterator
from enum import StrEnum
from functools import partial

import msgspec
from django.core import signing
from django.core.cache import caches
from django.http import Http404, HttpRequest, HttpResponse
from django.urls import reverse
from django.views.decorators.cache import cache_control
from django.views.decorators.http import require_safe

from api.delivery import QueuedEvent
from api.http.encoding import encode
from api.models import CampaignChannel
from campaign.access import fog_of_war, month_reports, selectors
from campaign.cartography import NoLettering, png, whole
from campaign.models import Campaign, Seat
from campaign.rules.core.board import chart
from campaign.rules.core.pieces import Month, month_name
from campaign.rules.core.state import TABLETOP, Phase
from campaign.rules.prose.phrases import join_words
from campaign.rules.sight import Onlooker
from campaign.services.attendance import attendance, holder_name, office_of
from campaign.services.mail_messages import site_url
from campaign.services.turns import timetable

# The news of a campaign that its channels receive, and the text of each message.
#
# A channel has more readers than its umpire thinks, so it receives what the public may know.


LONGEST_TEXT = 1500
"""The most characters of a text: the services refuse longer ones, and nobody reads them there."""


class ChannelTopic(StrEnum):
    """The topics that a channel may choose."""

    HEADLINE = "headline"
    TURN = "turn"
    REMINDER = "reminder"


TOPICS = {
    ChannelTopic.HEADLINE: "the headline of each month, with the map",
    ChannelTopic.TURN: "whose turn it is, and the deadline",
    ChannelTopic.REMINDER: "a reminder before the deadline",
}
"""The topics in words."""
TEST = "test"


class ChannelMessage(msgspec.Struct, frozen=True):
    """A message as it is queued: plain text, a link, and the month whose map goes with it."""

    title: str
    text: str
    url: str
    map_month: int | None = None


def channel_events(channel: CampaignChannel) -> Iterator[QueuedEvent]:
    """Yield the current events for the channel, sent or not, in the order of the topics.

    Their keys begin with a branch: the campaign's, or for a headline that on which its month ended.
    """
    campaign = channel.campaign
    sources = {
        ChannelTopic.HEADLINE: _headline,
        ChannelTopic.TURN: _turn,
        ChannelTopic.REMINDER: _reminder,
    }
    for topic, events in sources.items():
        if topic in channel.topics:
            yield from events(campaign)


def was_rewound(campaign: Campaign, key: str, message: ChannelMessage) -> bool:
    """Return whether a rewind has undone the event of that key."""
    month = message.map_month
    if month is not None and month > month_reports.last_month_out(campaign):
        return True
    branch = campaign.branch if month is None else selectors.branch_that_ends(campaign, month)
    return branch != int(key.partition(".")[0])


def compose_test(campaign: Campaign) -> str:
    """Return a message that shows that the channel works."""
    text = "A test: what happens in the campaign will be posted here."
    return _shorten_and_encode(ChannelMessage(campaign.title, text, _page(campaign)))


def headline_month(campaign: Campaign) -> int | None:
    """Return the last month of which the public may know, or None.

    Under fog that is the month of the newest public gazette.
    """
    if fog_of_war.sees_all(campaign, Onlooker.PUBLIC):
        last = month_reports.last_month_out(campaign)
        return last if last >= campaign.first_month else None
    issues = month_reports.gazette_issues(campaign, Onlooker.PUBLIC)
    return next((issue.month for issue in issues if issue.edition.whose is Onlooker.PUBLIC), None)


def _headline(campaign: Campaign) -> Iterator[QueuedEvent]:
    month = headline_month(campaign)
    if month is not None:
        branch = selectors.branch_that_ends(campaign, month)
        compose = partial(_leader, campaign, month)
        yield QueuedEvent(ChannelTopic.HEADLINE, f"{branch}.{month}", compose)


def _leader(campaign: Campaign, month: int) -> str:
    paper = month_reports.gazette_issue(campaign, month, Onlooker.PUBLIC)
    text = "\n\n".join((f"{paper.edition.title}:", *paper.leader))
    title = f"{campaign.title}, {paper.date}"
    return _shorten_and_encode(ChannelMessage(title, text, _page(campaign), map_month=month))


def _turn(campaign: Campaign) -> Iterator[QueuedEvent]:
    key = _turn_key(campaign)
    if key:
        compose = partial(_turn_message, campaign)
        yield QueuedEvent(ChannelTopic.TURN, f"{campaign.branch}.{key}"[:160], compose)


def _turn_key(campaign: Campaign) -> str:
    """Return a key for the turn that the campaign waits for, or "" if for none.

    Live play has one for each side's turn and not one for each of its phases.
    """
    if campaign.finished or campaign.adjourned:
        return ""
    if campaign.battle:
        battle = fog_of_war.battle_awaited(campaign, Onlooker.PUBLIC)
        return f"battle:{campaign.battle}" if battle and battle.resolution == TABLETOP else ""
    question = selectors.state_now(campaign).question
    if campaign.mode == Campaign.Mode.STAFF or question is None:
        return ""
    if campaign.phase == Phase.SET_UP:
        return f"set-up.{question.side}"
    by_side = campaign.mode == Campaign.Mode.LIVE
    return f"{campaign.month}.{campaign.side}" if by_side else f"{campaign.month}"


def _turn_message(campaign: Campaign) -> str:
    waiting = fog_of_war.waiting_for(campaign, Onlooker.PUBLIC)
    due = timetable.due_in_words(campaign)
    month = month_name(Month(campaign.month))
    text = [waiting, _awaited_seats_sentence(campaign), f"{month} is {due}." if due else ""]
    title = f"{campaign.title}, {month}: whose turn it is"
    return _shorten_and_encode(ChannelMessage(title, " ".join(filter(None, text)), _page(campaign)))


def _reminder(campaign: Campaign) -> Iterator[QueuedEvent]:
    deadline = timetable.standing_deadline(campaign)
    key = timetable.reminder_key(deadline) if deadline is not None else ""
    if key and not campaign.adjourned and _late_seats(campaign):
        yield QueuedEvent(ChannelTopic.REMINDER, key, partial(_reminder_message, campaign))


def _reminder_message(campaign: Campaign) -> str:
    month = month_name(Month(campaign.month))
    text = f"{month} is {timetable.due_in_words(campaign)}. {_awaited_seats_sentence(campaign)}"
    title = f"{campaign.title}: orders for {month} are due"
    return _shorten_and_encode(ChannelMessage(title, text, _page(campaign)))


def _awaited_seats_sentence(campaign: Campaign) -> str:
    """Return the seats that are awaited as a sentence, each with its holder, or ""."""
    names = [f"{office_of(seat)} ({holder_name(seat)})" for seat in _awaited_seats(campaign)]
    return f"Waiting for: {join_words(names)}." if names else ""


def _awaited_seats(campaign: Campaign) -> list[Seat]:
    by_sheets = campaign.mode == Campaign.Mode.ORDERS and campaign.phase != Phase.SET_UP
    if by_sheets and not campaign.battle:
        return _late_seats(campaign)
    asked = fog_of_war.awaited_side(campaign, Onlooker.PUBLIC)
    sides = Seat.SIDES if campaign.battle else [asked] if asked else []
    seats = campaign.seats.filter(role__in=sides, staff=False).exclude(user=None)
    return list(seats.select_related("user").order_by("role", "pk"))


def _late_seats(campaign: Campaign) -> list[Seat]:
    """Return the seats with a holder that have submitted nothing for the month."""
    return [row.seat for row in attendance(campaign) if row.missing and row.seat.user]


def _page(campaign: Campaign) -> str:
    return site_url(reverse("campaign", args=[campaign.slug]))


def _shorten_and_encode(message: ChannelMessage) -> str:
    short = (
        message.text
        if len(message.text) <= LONGEST_TEXT
        else f"{message.text[: LONGEST_TEXT - 1]}…"
    )
    return encode(msgspec.structs.replace(message, text=short)).decode()


# The map of a month as the public may see it, as a PNG with an address of its own.
#
# Chat services fetch the picture without logging in, also of a campaign that is not public. So
# the address is signed: only those have it who have been sent it.


WIDTH = 1200  # pixels
PICTURE_SECONDS = 3600
"""The seconds for which a drawn picture is cached."""
A_DAY = 24 * 3600  # seconds
NO_PICTURE = "There is no such picture, or not any more."

logger = logging.getLogger(__name__)
_signer = signing.Signer(salt="api.channels.news")


def picture_url(campaign: Campaign, month: int) -> str:
    """Return the full address of the month's picture."""
    token = _signer.sign_object([campaign.pk, campaign.branch, month])
    return site_url(reverse("channel-picture", args=[token]))


def month_picture(campaign: Campaign, month: int) -> bytes | None:
    """Return the picture as a PNG; None on a machine without fonts to letter it with."""
    key = f"channel-picture:{campaign.pk}:{campaign.branch}:{month}:{campaign.finished}"
    cache = caches["template_fragments"]
    drawn: bytes | None = cache.get(key)
    if drawn is None:
        view = month_reports.month_as_reported(campaign, month, Onlooker.PUBLIC)
        try:
            drawn = png(whole(chart(view.state), view.state), WIDTH)
        except NoLettering as error:
            logger.warning("A channel gets no map: %s", error)
            return None
        cache.set(key, drawn, PICTURE_SECONDS)
    return drawn


@require_safe
@cache_control(public=True, max_age=A_DAY)
def picture(request: HttpRequest, token: str) -> HttpResponse:
    """Return the picture with that signed address, while the public may know of its month."""
    try:
        number, branch, month = _signer.unsign_object(token)
    except (signing.BadSignature, ValueError) as error:
        raise Http404(NO_PICTURE) from error
    campaign = Campaign.objects.filter(pk=number, branch=branch).first()
    last_month = headline_month(campaign) if campaign else None
    if campaign is None or last_month is None or month > last_month:
        raise Http404(NO_PICTURE)
    try:
        drawn = month_picture(campaign, month)
    except Exception:
        # The campaign may be deleted between any two queries, and the second then fails in any way.
        if Campaign.objects.filter(pk=number).exists():
            raise
        drawn = None
    if drawn is None:
        raise Http404(NO_PICTURE)
    return HttpResponse(drawn, content_type="image/png")
