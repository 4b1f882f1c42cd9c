"""The umpire's powers: deadline, worklist, log, campaign files and deleted campaigns."""

from io import BytesIO
from typing import Annotated, Any, BinaryIO, ClassVar

from django.contrib.auth.models import User
from django.db import transaction
from django.http import HttpResponse
from msgspec import UNSET, Meta, UnsetType
from rest_framework.parsers import BaseParser
from rest_framework.permissions import BasePermission, IsAuthenticated, IsAuthenticatedOrReadOnly
from rest_framework.request import Request

from accounts.models import Scope
from api.documents.campaigns import CampaignDocument, campaign_document
from api.documents.deleted import DeletedPart, deleted_campaign_part
from api.documents.umpire import (
    DeadlineDocument,
    SectionPart,
    UmpireLogPart,
    deadline_document,
    section_part,
    umpire_log_part,
)
from api.http.encoding import JSON, EmptyBody, Reason, RequestBody
from api.http.endpoint import (
    Endpoint,
    Listed,
    OpenEndpoint,
    OwnEndpoint,
    Paged,
    UmpireEndpoint,
    is_true,
    operation,
)
from api.http.idempotency import WriteResult
from api.http.preconditions import etag_of
from api.http.problems import Problem, unfit
from api.http.responses import PAGES, Newest
from api.http.throttles import LongThrottle
from battles.services.quota import limit_cpu
from campaign.access import selectors
from campaign.models import Campaign
from campaign.services.transfer import archive, deletion
from campaign.services.turns import deadlines, timetable
from campaign.services.turns.timetable import LONGEST_MONTH, Policy
from campaign.services.umpire.rulings import umpire_of
from campaign.web.console.console import worklist
from campaign.web.console.transfer import MOST_BYTES


class DeadlineChange(RequestBody, frozen=True):
    """Changes of the deadline; what is left out stays as it is.

    `extended_hours` is the extension in all; it never shrinks. `reason` is required with it and
    with a pause.
    """

    policy: Policy | UnsetType | None = UNSET
    extended_hours: Annotated[int, Meta(ge=0, le=LONGEST_MONTH * 24)] | UnsetType = UNSET
    paused: bool | UnsetType = UNSET
    reason: Reason | None = None

    def __post_init__(self) -> None:
        needed = self.paused is True or self.extended_hours is not UNSET
        if needed and self.reason is None:
            raise unfit(reason="Say why: everyone who sees the campaign can read it.")


class UmpirePowers(UmpireEndpoint):
    """An endpoint for the umpires of the campaign."""

    def campaign(self, slug: str) -> Campaign:
        """Return the campaign. NotAllowed for anyone who is not one of its umpires."""
        visible_campaign = selectors.campaign_for(self.request.user, slug)
        umpire_of(visible_campaign, self.request.user)
        return visible_campaign


class CampaignDeadline(Endpoint):
    """The deadline of the month."""

    scope = Scope.UMPIRE
    permission_classes = [IsAuthenticatedOrReadOnly]

    @operation(DeadlineDocument)
    def get(self, request: Request, slug: str) -> HttpResponse:
        """Retrieve the month's deadline, by the campaign's clock."""
        return self.answer(deadline_document(selectors.campaign_for(request.user, slug)))

    @operation(DeadlineDocument, takes=DeadlineChange, once=True)
    def patch(self, request: Request, slug: str) -> WriteResult:
        """Change the deadline (umpire).

        `policy` sets when the months from now on fall due; null removes the deadlines. A month that
        was paused falls due after the time that was left, at least half a day, at its usual hour; a
        pause of less than an hour changes nothing.
        """
        campaign = selectors.campaign_for(request.user, slug)
        umpire_of(campaign, request.user)
        change = DeadlineChange.read(request)
        with transaction.atomic():
            _change_deadline(campaign, request.user, change)
        return WriteResult(200, deadline_document(Campaign.objects.get(pk=campaign.pk)))


def _change_deadline(campaign: Campaign, user: User, change: DeadlineChange) -> None:
    reason = change.reason or ""
    if change.policy is not UNSET:
        deadlines.set_policy(campaign.pk, user, change.policy)
    if change.extended_hours is not UNSET:
        _extend(Campaign.objects.get(pk=campaign.pk), user, change.extended_hours, reason)
    if change.paused is True:
        deadlines.pause(campaign.pk, user, reason=reason)
    elif change.paused is False:
        deadlines.resume_clock(campaign.pk, user)


def _extend(campaign: Campaign, user: User, hours: int, reason: str) -> None:
    """Extend the deadline to so many hours in all; Problem for fewer than there are."""
    deadline = timetable.standing_deadline(campaign)
    seen = deadline.extended if deadline else 0
    extra_hours = hours - seen // 60
    if extra_hours < 0:
        raise unfit(extended_hours=f"The deadline is {seen // 60} hours later already.")
    if extra_hours:
        deadlines.extend(campaign.pk, user, extra_hours, seen=seen, reason=reason)


class Worklist(UmpirePowers):
    """The umpire's worklist."""

    @operation(Listed[SectionPart])
    def get(self, request: Request, slug: str) -> HttpResponse:
        """List what needs the umpire (umpire).

        These are open questions, seats that are not ready, impossible orders and stacks without
        supply.
        """
        campaign = self.campaign(slug)
        sections = worklist(campaign, selectors.state_now(campaign), request.user)
        return self.answer_list(map(section_part, sections))


class UmpireLog(OpenEndpoint):
    """The umpire log of a campaign."""

    parameters: ClassVar[frozenset[str]] = PAGES

    @operation(Paged[UmpireLogPart])
    def get(self, request: Request, slug: str) -> HttpResponse:
        """List the umpire log.

        It has the actions outside the journal, the latest first.
        """
        campaign = selectors.campaign_for(request.user, slug)
        pages = Newest()
        page = pages.paginate_queryset(campaign.umpire_log.all(), request)
        return self.answer(pages.document(map(umpire_log_part, page)))


BUNDLE = "application/octet-stream"


class BundleRenderer(JSON):
    """The media type of campaign files; only problems are rendered by it."""

    media_type = BUNDLE
    format = "sirdar"


class BundleParser(BaseParser):
    """A parser that reads a campaign file as bytes, up to a maximum length."""

    media_type = BUNDLE

    def parse(self, stream: BinaryIO, *_: Any, **__: Any) -> bytes:
        body = stream.read(MOST_BYTES + 1)
        if len(body) > MOST_BYTES:
            raise Problem("too-large", f"No campaign takes more than {MOST_BYTES // 1_000_000} MB.")
        return body


class Export(UmpirePowers):
    """A campaign as a file."""

    parameters: ClassVar[frozenset[str]] = frozenset({"with_secret"})
    renderer_classes = [BundleRenderer, JSON]

    @operation("File", media=BUNDLE)
    def get(self, request: Request, slug: str) -> HttpResponse:
        """Export a campaign with all its branches (umpire).

        `with_secret=true` includes the secret of its dice, and the umpire log says so.
        """
        campaign = self.campaign(slug)
        file = BytesIO()
        with_secret = is_true(request, "with_secret") and request.method == "GET"
        archive.export_for_umpire(campaign, request.user, file, with_secret=with_secret)
        disposition = f'attachment; filename="{campaign.slug}.sirdar"'
        headers = {"Content-Disposition": disposition}
        return HttpResponse(file.getvalue(), content_type=BUNDLE, headers=headers)


class Imports(UmpireEndpoint):
    """Imported campaigns."""

    parameters: ClassVar[frozenset[str]] = frozenset({"slug", "public"})
    parser_classes: ClassVar[list[Any]] = [BundleParser]
    throttle_classes = [*UmpireEndpoint.throttle_classes, LongThrottle]

    def get_permissions(self) -> list[BasePermission]:
        return [IsAuthenticated()]

    @operation(CampaignDocument, status=201, takes=BUNDLE, once=True)
    def post(self, request: Request) -> WriteResult:
        """Import a campaign from a file; you become its umpire.

        If you have a campaign of the same title, it gets a number; so does the slug in the file, if
        it is taken and you name none.
        """
        public = is_true(request, "public")
        with limit_cpu(request.user):
            campaign = archive.import_campaign(
                BytesIO(request.data or b""),
                slug=request.query_params.get("slug", ""),
                umpire=request.user,
                public=public,
            )
        document = campaign_document(campaign, request.user)
        return WriteResult(201, document, document.links.self, tag=etag_of)


class DeletedCampaigns(OwnEndpoint):
    """Your deleted campaigns."""

    @operation(Listed[DeletedPart])
    def get(self, request: Request) -> HttpResponse:
        """List the deleted campaigns that you can restore, the latest first.

        You were their umpire, or played them alone.
        """
        deleted = deletion.deleted_campaigns(request.user)
        return self.answer_list(map(deleted_campaign_part, deleted))


class OneDeletedCampaign(UmpireEndpoint):
    """A deleted campaign."""

    throttle_classes = [*UmpireEndpoint.throttle_classes, LongThrottle]

    @operation(CampaignDocument, status=201, takes=EmptyBody, once=True)
    def post(self, request: Request, id: int) -> WriteResult:
        """Restore a deleted campaign, with its dice, orders, letters, battles and players.

        It has its old slug, with a number if another campaign has taken that. Its invitations,
        channels, webhooks and tokens for it alone do not come back. One that you played alone has
        no umpire again.
        """
        EmptyBody.read(request)
        with limit_cpu(request.user):
            campaign = deletion.restore_campaign(id, request.user)
        document = campaign_document(campaign, request.user)
        return WriteResult(201, document, document.links.self, tag=etag_of)
