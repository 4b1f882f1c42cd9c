"""Play a month of a campaign with the client that openapi-python-client generates."""

import time
from typing import TypeVar

from generated_client import AuthenticatedClient, Client
from generated_client.api.access import post_tokens
from generated_client.api.campaigns import post_campaigns
from generated_client.api.jobs import get_job
from generated_client.api.order_sheets import put_sheet
from generated_client.api.seats_and_invitations import get_campaign_seats
from generated_client.api.umpire import post_campaign_advance
from generated_client.models import (
    AdvanceBody,
    CampaignDocument,
    Credentials,
    JobDocument,
    JobDocumentStatus,
    NewCampaign,
    NewCampaignEgyptian,
    NewCampaignMahdist,
    NewCampaignMode,
    NewToken,
    Problem,
    SeatDocumentList,
    SheetBody,
    SheetDocument,
    StayOrderRequest,
)
from generated_client.types import Response

T = TypeVar("T")


class RefusedError(Exception):
    """A request that was refused, with the problem that says why."""

    def __init__(self, problem: Problem) -> None:
        super().__init__(f"{problem.status} {problem.detail}")
        self.problem = problem


def body(answer: Response[T | Problem], kind: type[T]) -> T:
    """Return the body of an answer, which is of that type. Raises RefusedError."""
    if isinstance(answer.parsed, Problem):
        raise RefusedError(answer.parsed)
    assert isinstance(answer.parsed, kind)
    return answer.parsed


def log_in(site: str, username: str, password: str) -> AuthenticatedClient:
    """Return a client that sends a new token with every request."""
    credentials = Credentials(username=username, password=password, name="A program in Python")
    with Client(base_url=site) as client:
        token = body(post_tokens.sync_detailed(client=client, body=credentials), NewToken).token
    return AuthenticatedClient(base_url=site, token=token)


Place = tuple[str, int, str]
"""The slug of a campaign, the id of a seat and a month: where a sheet lies."""


def write_sheet(client: AuthenticatedClient, place: Place, tag: str) -> SheetDocument:
    """Order two units to stay, if nobody has written the sheet since it had this ETag."""
    sheet = SheetBody(orders=[StayOrderRequest(type_="stay", hex_="0358", unit_ids=[101, 102])])
    answer = put_sheet.sync_detailed(*place, client=client, body=sheet, if_match=tag)
    return body(answer, SheetDocument)


def begin_campaign(client: AuthenticatedClient) -> tuple[CampaignDocument, Place]:
    """Begin a campaign by order sheets and return it, with the place of the first sheet."""
    wanted = NewCampaign(
        scenario="siege-of-khartoum",
        mode=NewCampaignMode.ORDERS,
        egyptian=NewCampaignEgyptian.ME,
        mahdist=NewCampaignMahdist.STAFF,
    )
    campaign = body(post_campaigns.sync_detailed(client=client, body=wanted), CampaignDocument)
    answer = get_campaign_seats.sync_detailed(campaign.slug, client=client)
    seats = body(answer, SeatDocumentList).results
    seat = next(seat for seat in seats if seat.role == "egyptian")
    return campaign, (campaign.slug, seat.id, campaign.first_month)


def play_month(client: AuthenticatedClient, slug: str) -> JobDocument:
    """Play a month of the campaign, and return the job when it has ended."""
    answer = post_campaign_advance.sync_detailed(slug, client=client, body=AdvanceBody(months=1))
    job = body(answer, JobDocument)
    while job.status in (JobDocumentStatus.PENDING, JobDocumentStatus.RUNNING):
        time.sleep(0.1)
        job = body(get_job.sync_detailed(job.uuid, client=client), JobDocument)
    return job
