"""Export campaigns to files and import them."""

from io import BytesIO
from typing import Any, BinaryIO, ClassVar

from django.http import HttpResponse
from rest_framework.parsers import BaseParser
from rest_framework.permissions import BasePermission, IsAuthenticated
from rest_framework.request import Request

from api.documents.campaigns import CampaignDocument, campaign_document
from api.http.encoding import JSON
from api.http.endpoint import UmpireEndpoint, is_true, operation
from api.http.idempotency import WriteResult
from api.http.preconditions import etag_of
from api.http.problems import Problem
from api.http.throttles import LongThrottle
from api.resources.umpire import UmpirePowers
from battles.services.quota import limit_cpu
from campaign.access import selectors
from campaign.services.transfer import archive
from campaign.web.console.transfer import MOST_BYTES

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

    parameters: ClassVar[frozenset[str]] = frozenset({"secret"})
    renderer_classes = [BundleRenderer, JSON]

    @operation("File", media=BUNDLE)
    def get(self, request: Request, slug: str) -> HttpResponse:
        """Export a campaign with all its branches (umpire).

        `secret=true` includes the secret of its dice.
        """
        campaign = self.campaign(slug)
        file = BytesIO()
        archive.export_campaign(campaign, file, with_secret=is_true(request, "secret"))
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
        """Import a campaign from a file; you become its umpire."""
        public = is_true(request, "public")
        with limit_cpu(request.user):
            campaign = archive.import_campaign(
                BytesIO(request.data or b""),
                slug=request.query_params.get("slug", ""),
                umpire=request.user,
                public=public,
            )
        document = campaign_document(campaign, selectors.role_of(request.user, campaign))
        return WriteResult(201, document, document.links.self, tag=etag_of)
