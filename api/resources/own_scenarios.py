"""Users' own scenarios: save, check, share and delete them, by one document each."""

from typing import Any, ClassVar
from uuid import UUID

import msgspec
from django.contrib.auth.models import User
from django.db import transaction
from django.http import HttpResponse
from msgspec import UNSET, UnsetType
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.models import Scope
from api.documents.deleted import DeletedPart, deleted_scenario_parts
from api.documents.scenarios import (
    OwnScenarioDocument,
    OwnScenarioLine,
    ScenarioCheckDocument,
    ScenarioForm,
    own_scenario_document,
    own_scenario_line,
    scenario_check_document,
    scenario_errors,
)
from api.http.encoding import CampaignSlug, EmptyBody, RequestBody, read_as
from api.http.endpoint import Listed, OwnEndpoint, is_true, operation
from api.http.idempotency import WriteResult
from api.http.preconditions import etag_of, respond_with_version, revision_named, unless_stale
from api.http.problems import Problem
from campaign.access import saved_work, selectors
from campaign.models import OwnScenario
from campaign.rules.tables.scenario_document import LARGEST_DOCUMENT, ScenarioFault
from campaign.services.journal import own_scenarios
from campaign.web.visitor import visitor


class WrittenScenario(RequestBody, frozen=True, tag="document"):
    """A scenario that is given as a document."""

    document: ScenarioForm


class PositionScenario(RequestBody, frozen=True, tag="campaign"):
    """A scenario that begins from the position of a campaign, for those who see all of it."""

    campaign: CampaignSlug


class CopiedScenario(RequestBody, frozen=True, tag="link"):
    """A copy of a scenario that its owner shares by a link."""

    link_id: UUID


NewOwnScenario = WrittenScenario | PositionScenario | CopiedScenario


class OwnScenarioChange(RequestBody, frozen=True):
    """A change of a scenario; what is left out stays as it is.

    `document` takes the place of the one before. With `shared` anybody who has the link may read
    and copy the scenario.
    """

    document: ScenarioForm | UnsetType = UNSET
    shared: bool | UnsetType = UNSET


class OwnScenarios(OwnEndpoint):
    """Your own scenarios."""

    scope: ClassVar[str] = Scope.UMPIRE
    largest_body: ClassVar[int] = LARGEST_DOCUMENT
    write_parameters: ClassVar[frozenset[str]] = frozenset({"dry_run"})

    @operation(Listed[OwnScenarioLine])
    def get(self, request: Request) -> HttpResponse:
        """List your scenarios, the last changed first."""
        scenarios = saved_work.own_scenarios(request.user)
        return self.answer_list(map(own_scenario_line, scenarios))

    @operation(
        OwnScenarioDocument,
        status=201,
        also={200: ScenarioCheckDocument},
        takes=NewOwnScenario,
        once=True,
        problems=("unfit",),
    )
    def post(self, request: Request) -> WriteResult:
        """Create a scenario of your own.

        It is saved even if it has faults; `errors` lists them, and until they are mended no
        campaign begins by it. With `dry_run=true` the scenario is only read, by the code that plays
        it: the answer has its faults and what is in play on its map, and nothing is saved.
        """
        document = _document(visitor(request), read_as(NewOwnScenario, request.data))
        if is_true(request, "dry_run"):
            faults = own_scenarios.faults_in(document)
            in_play = own_scenarios.names_in_play_of(document)
            return WriteResult(200, scenario_check_document(faults, in_play))
        answer = own_scenario_document(*_save_document(visitor(request), document))
        return WriteResult(201, answer, answer.links.self, tag=etag_of)


class OneOwnScenario(OwnEndpoint):
    """A scenario of your own."""

    scope: ClassVar[str] = Scope.UMPIRE
    largest_body: ClassVar[int] = LARGEST_DOCUMENT

    @operation(OwnScenarioDocument)
    def get(self, request: Request, id: int) -> HttpResponse:
        """Retrieve a scenario of yours, with its document.

        Send its ETag in `If-Match` when you change or delete it.
        """
        document = _document_with_faults(saved_work.own_scenario(request.user, id))
        return respond_with_version(request, document)

    @operation(
        OwnScenarioDocument, takes=OwnScenarioChange, once=True, match=True, problems=("unfit",)
    )
    def patch(self, request: Request, id: int) -> WriteResult:
        """Change a scenario of yours: replace its document, or share it by its link.

        Campaigns that were begun by it keep what they began with.
        """
        own = saved_work.own_scenario(request.user, id)
        change, expected = OwnScenarioChange.read(request), revision_named(request)
        own = unless_stale(lambda: _change_scenario(visitor(request), own, change, expected))
        return WriteResult(200, _document_with_faults(own), tag=etag_of)

    @operation(status=204, match=True)
    def delete(self, request: Request, id: int) -> Response:
        """Delete a scenario of yours.

        Campaigns that were begun by it keep it. For some days you can restore it
        (`deleted-own-scenarios/`).
        """
        own = saved_work.own_scenario(request.user, id)
        expected = revision_named(request)
        unless_stale(
            lambda: own_scenarios.delete_scenario(visitor(request), own, expected=expected)
        )
        return Response(status=204)


class DeletedOwnScenarios(OwnEndpoint):
    """Your deleted scenarios."""

    @operation(Listed[DeletedPart])
    def get(self, request: Request) -> HttpResponse:
        """List the scenarios that you have deleted and can restore, the latest first."""
        return self.answer_list(deleted_scenario_parts(saved_work.deleted_scenarios(request.user)))


class OneDeletedOwnScenario(OwnEndpoint):
    """A deleted scenario of yours."""

    scope: ClassVar[str] = Scope.UMPIRE

    @operation(OwnScenarioDocument, status=201, takes=EmptyBody, once=True)
    def post(self, request: Request, id: int) -> WriteResult:
        """Restore a deleted scenario, as you left it.

        Refused while you have as many scenarios as you may have.
        """
        EmptyBody.read(request)
        own = own_scenarios.restore_scenario(visitor(request), id)
        document = _document_with_faults(own)
        return WriteResult(201, document, document.links.self, tag=etag_of)


@transaction.atomic
def _change_scenario(
    user: User, own: OwnScenario, change: OwnScenarioChange, expected: int | None
) -> OwnScenario:
    if not isinstance(change.document, UnsetType):
        own, _ = _save_document(user, change.document, own, expected=expected)
        expected = own.revision
    if change.shared is not UNSET:
        own = own_scenarios.share_scenario(user, own, shared=bool(change.shared), expected=expected)
    return own


def _document_with_faults(own: OwnScenario) -> OwnScenarioDocument:
    return own_scenario_document(own, own_scenarios.faults_in(own.document))


def _save_document(
    user: User,
    document: dict[str, Any],
    own: OwnScenario | None = None,
    *,
    expected: int | None = None,
) -> tuple[OwnScenario, list[ScenarioFault]]:
    """Save the document. Raises the problem `unfit` for one without a scenario's frame."""
    try:
        return own_scenarios.save_scenario(user, document, own, expected=expected)
    except ScenarioFault as fault:
        errors = [msgspec.to_builtins(error) for error in scenario_errors([fault])]
        raise Problem("unfit", f"{fault}.", errors=errors) from fault


def _document(user: User, body: NewOwnScenario) -> dict[str, Any]:
    if isinstance(body, WrittenScenario):
        return body.document
    if isinstance(body, CopiedScenario):
        return dict(saved_work.shared_scenario(body.link_id).document)
    campaign = selectors.campaign_for(user, body.campaign)
    return own_scenarios.document_from_campaign(user, campaign)
