"""Branches of a campaign: their journal entries, and the rewinds that begin them."""

from typing import Annotated, ClassVar

from django.http import HttpResponse
from msgspec import Meta
from rest_framework.request import Request

from api.documents.umpire import (
    BranchDocument,
    BranchPart,
    EntryPart,
    RewindPreviewDocument,
    branch_document,
    branch_part,
    entry_part,
    rewind_preview,
)
from api.http.encoding import Reason, RequestBody
from api.http.endpoint import Listed, OpenEndpoint, Paged, is_true, operation
from api.http.idempotency import WriteResult
from api.http.preconditions import current_head_named, unless_stale
from api.http.problems import unfit
from api.http.responses import PAGES, Newest
from api.resources.rulings import DRY_RUN
from api.resources.umpire import UmpirePowers
from campaign.access import fog_of_war, selectors
from campaign.models import Campaign, Entry
from campaign.services.journal import rewind
from campaign.web.console.rewind import describe_steps, end_of, visible_branch


class RewindBody(RequestBody, frozen=True):
    """The entry to go back to, by its cursor, and the reason."""

    cursor: Annotated[
        str,
        Meta(
            pattern="^[0-9]{1,6}[.][0-9]{1,9}$",
            max_length=16,
            extra={"in_words": "the cursor of an event, such as 0.42"},
        ),
    ]
    reason: Reason


class Branches(OpenEndpoint):
    """The branches of a campaign."""

    @operation(Listed[BranchPart])
    def get(self, request: Request, slug: str) -> HttpResponse:
        """List all branches, the latest first, with their reasons."""
        campaign = selectors.campaign_for(request.user, slug)
        sees_all = fog_of_war.may_see_all(request.user, campaign)
        lines = rewind.branch_summaries(campaign)
        return self.answer_list(branch_part(campaign, line, counted=sees_all) for line in lines)


class OneBranch(OpenEndpoint):
    """A branch of a campaign."""

    @operation(BranchDocument)
    def get(self, request: Request, slug: str, branch: int) -> HttpResponse:
        """Retrieve a branch and the position at its end.

        Only viewers who see the whole campaign may.
        """
        campaign = selectors.campaign_for(request.user, slug)
        viewer = fog_of_war.viewer_of(request.user, campaign)
        line = visible_branch(campaign, branch, viewer)
        return self.answer(branch_document(campaign, line, end_of(campaign, line)))


class BranchEntries(OpenEndpoint):
    """The journal of a campaign, as a branch continues it."""

    parameters: ClassVar[frozenset[str]] = PAGES

    @operation(Paged[EntryPart])
    def get(self, request: Request, slug: str, branch: int) -> HttpResponse:
        """List the entries of a branch, and of those it continues, in words, the latest first.

        Only viewers who see the whole campaign may.
        """
        campaign = selectors.campaign_for(request.user, slug)
        viewer = fog_of_war.viewer_of(request.user, campaign)
        last = visible_branch(campaign, branch, viewer).last
        entries = campaign.entries.none()
        if last is not None:
            entries = selectors.entries_on(campaign, selectors.line_of(campaign, last))
        pages = Newest()
        pages.ordering = "-number"
        page = pages.paginate_queryset(entries, request)
        page_entries = entries.filter(number__in=[entry.number for entry in page])
        return self.answer(
            pages.document(map(entry_part, [*describe_steps(campaign, page_entries)][::-1]))
        )


class Rewinds(UmpirePowers):
    """Rewinds of a campaign."""

    parameters: ClassVar[frozenset[str]] = DRY_RUN

    @operation(
        BranchPart,
        status=201,
        also={200: RewindPreviewDocument},
        takes=RewindBody,
        once=True,
        match=True,
    )
    def post(self, request: Request, slug: str) -> WriteResult:
        """Rewind to an entry (umpire).

        Play goes on from it on a new branch with new dice. `If-Match` names the campaign's
        position. With `dry_run=true` the answer is a preview, and nothing is stored.
        """
        campaign = self.campaign(slug)
        body, seen = RewindBody.read(request), current_head_named(request, campaign)
        entry = _entry(campaign, body.cursor)
        if is_true(request, "dry_run"):
            preview = rewind.preview_rewind(campaign, entry)
            return WriteResult(200, rewind_preview(campaign, preview))
        branch = unless_stale(
            lambda: rewind.rewind_to(
                campaign.pk, request.user, entry, reason=body.reason, expected_head=seen
            )
        )
        lines = rewind.branch_summaries(Campaign.objects.get(pk=campaign.pk))
        line = next(summary for summary in lines if summary.branch.pk == branch.pk)
        document = branch_part(campaign, line, counted=True)
        return WriteResult(201, document, document.links.self)


def _entry(campaign: Campaign, cursor: str) -> Entry:
    branch, _, number = cursor.partition(".")
    entry = campaign.entries.filter(branch=int(branch), number=int(number)).first()
    if entry is None:
        raise unfit(cursor=f"This campaign has no entry {cursor}.")
    return entry
