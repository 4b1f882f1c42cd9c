"""The books of battles side by side: battles of history, and any battle one likes."""

from typing import Any, ClassVar

from django.http import HttpResponse
from rest_framework import serializers
from rest_framework.permissions import IsAuthenticatedOrReadOnly
from rest_framework.request import Request

from api.contract import Listed, Paged, operation
from api.documents.comparisons import (
    ComparisonDocument,
    PastPart,
    comparison_document,
    past_parts,
)
from api.endpoint import Endpoint, OpenEndpoint, OwnEndpoint
from api.inputs import Input, StructField, WholeNumber
from api.pages import PAGES, Newest
from api.repeats import Done
from api.throttles import LongThrottle
from battles.contract import Brief
from battles.offers import offer
from campaign.access import saved_work
from campaign.services.jobs import comparisons
from campaign.services.jobs.comparisons import FEWEST_BATTLES, MOST_BATTLES


class NewComparison(Input):
    """A battle by the name of its offer, or one of your own, and how often each book fights it."""

    offer = serializers.CharField(max_length=120, required=False)
    brief = StructField(Brief, required=False)
    each = WholeNumber(min_value=FEWEST_BATTLES, max_value=MOST_BATTLES, default=100)
    seed = WholeNumber(min_value=0, max_value=1_000_000, default=1)

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        if ("offer" in attrs) == ("brief" in attrs):
            raise serializers.ValidationError({"offer": "Give either an offer or a brief."})
        if "offer" in attrs and offer(attrs["offer"]) is None:
            raise serializers.ValidationError({"offer": "There is no such battle on offer."})
        return attrs


class Comparisons(OwnEndpoint):
    """Comparisons of the books."""

    parameters: ClassVar[frozenset[str]] = PAGES
    largest_body: ClassVar[int] = 400_000
    throttle_classes = [*OwnEndpoint.throttle_classes, LongThrottle]

    @operation(Paged[ComparisonDocument])
    def get(self, request: Request) -> HttpResponse:
        """The comparisons you have asked for, the newest first."""
        pages = Newest()
        own = saved_work.comparisons(request.user).defer(None)
        page = pages.paginate_queryset(own, request)
        return self.tell(pages.document(map(comparison_document, page)))

    @operation(ComparisonDocument, status=202, takes=NewComparison, once=True)
    def post(self, request: Request) -> Done:
        """Have a battle fought many times by every book and by the campaign's own table."""
        wish = _wish(NewComparison.read(request))
        told = comparison_document(comparisons.request_comparison(request.user, wish))
        return Done(202, told, told.links["self"])


class OneComparison(Endpoint):
    """One comparison of the books."""

    permission_classes = [IsAuthenticatedOrReadOnly]

    @operation(ComparisonDocument)
    def get(self, request: Request, uuid: Any) -> HttpResponse:
        """How far a comparison is, and what has come of it so far."""
        return self.tell(comparison_document(saved_work.comparison_for(request.user, uuid)))

    @operation(ComparisonDocument)
    def delete(self, request: Request, uuid: Any) -> HttpResponse:
        """Stop a comparison; what has been fought is kept."""
        comparisons.stop_comparison(request.user, saved_work.comparison_for(request.user, uuid))
        return self.tell(comparison_document(saved_work.comparison_for(request.user, uuid)))


class Past(OpenEndpoint):
    """The battles of history by every book, as far as they have been counted."""

    @operation(Listed[PastPart])
    def get(self, request: Request) -> HttpResponse:
        return self.tell({"results": list(past_parts())})


def _wish(given: dict[str, Any]) -> comparisons.ComparisonTerms:
    named = offer(given["offer"]) if "offer" in given else None
    brief = named.brief if named else given["brief"]
    return comparisons.ComparisonTerms(
        brief, given["each"], named.slug if named else "", given["seed"]
    )
