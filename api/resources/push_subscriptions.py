"""Push subscriptions: the browsers in which a user is notified."""

from typing import Annotated

import msgspec
from django.http import HttpResponse
from django.urls import reverse
from msgspec import Meta
from rest_framework.request import Request
from rest_framework.response import Response

from api import push
from api.documents.scalars import Moment
from api.http.encoding import RequestBody
from api.http.endpoint import Listed, OwnEndpoint, operation
from campaign.access import selectors
from campaign.models import PushSubscription


class PushKeys(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The keys of a browser, as its subscription has them."""

    p256dh: Annotated[str, Meta(max_length=100, description="the browser's public key")]
    auth: Annotated[str, Meta(max_length=40, description="the secret shared with the browser")]


class NewPushSubscription(RequestBody, frozen=True):
    """A browser's subscription, as `PushSubscription.toJSON()` gives it, and a name for it."""

    endpoint: Annotated[str, Meta(max_length=500, description="the address at its push service")]
    keys: PushKeys
    browser: Annotated[str, Meta(max_length=60, description="a name to know it by")] = ""


class PushSubscriptionLinks(msgspec.Struct, frozen=True):
    """The address of a push subscription."""

    self: Annotated[str, Meta(description="the subscription; DELETE ends it")]


class PushSubscriptionDocument(msgspec.Struct, frozen=True):
    """A browser that is notified. Only its own address tells it apart from your others."""

    id: int
    browser: Annotated[str, Meta(description="its name")]
    endpoint: Annotated[str, Meta(description="its address at its push service")]
    created_at: Moment
    links: PushSubscriptionLinks


class PushSubscriptions(OwnEndpoint):
    """Your browsers that are notified."""

    @operation(Listed[PushSubscriptionDocument])
    def get(self, request: Request) -> HttpResponse:
        """List the browsers in which you are notified, the oldest first."""
        return self.answer_list(map(_document, push.subscriptions_of(request.user)))

    @operation(PushSubscriptionDocument, status=201, takes=NewPushSubscription)
    def post(self, request: Request) -> Response:
        """Notify a browser of what you get e-mails about.

        The site's public key is on the page of your notifications. A browser that is subscribed
        already is changed.
        """
        body = NewPushSubscription.read(request)
        subscription = push.subscribe(
            request.user, body.endpoint, body.keys.p256dh, body.keys.auth, body.browser
        )
        document = _document(subscription)
        headers = {"Cache-Control": "no-store", "Location": document.links.self}
        return Response(document, status=201, headers=headers)


class OnePushSubscription(OwnEndpoint):
    """A browser of yours that is notified."""

    @operation(PushSubscriptionDocument)
    def get(self, request: Request, id: int) -> HttpResponse:
        """Retrieve a push subscription."""
        return self.answer(_document(_own_subscription(request, id)))

    @operation(status=204)
    def delete(self, request: Request, id: int) -> Response:
        """End a push subscription."""
        _own_subscription(request, id).delete()
        return Response(status=204)


def _own_subscription(request: Request, id: int) -> PushSubscription:
    own = push.subscriptions_of(request.user)
    return selectors.first_visible(own.filter(pk=id), f"You have no push subscription {id}.")


def _document(subscription: PushSubscription) -> PushSubscriptionDocument:
    links = PushSubscriptionLinks(reverse("api:push-subscription", args=[subscription.pk]))
    return PushSubscriptionDocument(
        subscription.pk, subscription.browser, subscription.endpoint, subscription.created, links
    )
