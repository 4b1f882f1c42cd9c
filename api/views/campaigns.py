"""Campaigns: which there are, what one is to whoever asks, and new ones."""

from typing import ClassVar

from django.http import HttpResponse
from rest_framework import serializers
from rest_framework.permissions import IsAuthenticatedOrReadOnly
from rest_framework.request import Request

from api.documents.book import month_part
from api.documents.campaigns import (
    CampaignDocument,
    CampaignLine,
    campaign_links,
    dice_document,
    job_link,
)
from api.endpoint import Endpoint, OpenEndpoint
from api.inputs import Input
from api.pages import PAGES, Newest
from api.repeats import Done, once
from api.throttles import CreateThrottle
from campaign import fog, selectors, services
from campaign.models import Campaign, Seat


class NewCampaign(Input):
    """What a new campaign shall be; title and slug come from the scenario if not given."""

    scenario = serializers.CharField(max_length=60)
    title = serializers.CharField(max_length=100, required=False)
    slug = serializers.CharField(max_length=50, required=False)
    public = serializers.BooleanField(default=False)


class Campaigns(Endpoint):
    """The campaigns you may see, the newest first; POST begins a new one, with you as umpire."""

    parameters: ClassVar[frozenset[str]] = PAGES
    permission_classes = [IsAuthenticatedOrReadOnly]
    throttle_classes = [*Endpoint.throttle_classes, CreateThrottle]

    def get(self, request: Request) -> HttpResponse:
        pages = Newest()
        page = pages.paginate_queryset(selectors.campaigns_for(request.user), request)
        lines = (CampaignLine.of(one, _waiting_for(request, one)) for one in page)
        return self.tell(pages.document(lines))

    def post(self, request: Request) -> HttpResponse:
        wanted = NewCampaign.read(request)
        seats = {Seat.Role.UMPIRE.value: request.user}

        def begin() -> Done:
            campaign = services.create_campaign(
                services.Wanted(**wanted, seats=seats), by=f"umpire:{request.user}"
            )
            links = campaign_links(campaign.slug)
            return Done(201, campaign_document(request, campaign), links["self"])

        return once(request, begin)


class OneCampaign(OpenEndpoint):
    """One campaign: where it stands, what it waits for, what you are in it."""

    def get(self, request: Request, slug: str) -> HttpResponse:
        campaign = selectors.campaign_for(request.user, slug)
        return self.tell(campaign_document(request, campaign))


class Dice(OpenEndpoint):
    """What everybody may know of a campaign's dice: the anchor, and the seal of every month."""

    def get(self, request: Request, slug: str) -> HttpResponse:
        campaign = selectors.campaign_for(request.user, slug)
        return self.tell(dice_document(campaign, selectors.seals_of(campaign)))


def campaign_document(request: Request, campaign: Campaign) -> CampaignDocument:
    """The campaign as whoever asks may use it."""
    job = selectors.job_under_way(campaign)
    return CampaignDocument.of(
        campaign,
        _waiting_for(request, campaign),
        first=month_part(campaign.first_month),
        roles=sorted(selectors.role_of(request.user, campaign)),
        may_advance=selectors.may_advance(request.user, campaign),
        job=job_link(job) if job else None,
    )


def _waiting_for(request: Request, campaign: Campaign) -> str:
    """What it waits for, as whoever asks may know it."""
    return fog.waiting_for(campaign, fog.viewer_of(request.user, campaign))
