"""Webhooks: create, change, test, list and delete them, and read their logs."""

from typing import Annotated, Any, ClassVar, cast

import msgspec
from django.contrib.auth.models import User
from django.http import HttpResponse
from django.urls import reverse
from msgspec import UNSET, Meta, UnsetType
from rest_framework.request import Request
from rest_framework.response import Response

from api import delivery, webhooks
from api.documents.scalars import Moment
from api.http.authentication import check_umpire_scope
from api.http.encoding import EmptyBody, RequestBody, Slug
from api.http.endpoint import Listed, OwnEndpoint, operation
from api.http.idempotency import WriteResult
from api.http.throttles import HookThrottle
from api.models import Delivery, Destination, OutgoingMessage, Webhook
from api.receivers import dispatch_deliveries
from api.webhooks import EVENTS, EventType
from campaign.access import selectors


class DestinationDocument(msgspec.Struct, frozen=True, kw_only=True):
    """A destination of messages, and whether it takes them."""

    id: Annotated[int, Meta(description="its number")]
    enabled: Annotated[bool, Meta(description="false if nothing is sent there")]
    disabled_at: Annotated[
        Moment | None, Meta(description="since when it is disabled, by a person or by failures")
    ]
    failure_count: Annotated[int, Meta(description="the failed attempts in a row")]
    created_at: Annotated[Moment, Meta(description="the time of its creation")]


class MessageDocument(msgspec.Struct, frozen=True, kw_only=True):
    """A message to a destination, delivered or pending."""

    id: Annotated[int, Meta(description="its number")]
    attempt_count: Annotated[int, Meta(description="the attempts so far")]
    response_status: Annotated[
        int | None, Meta(description="the status of the latest answer; null if there was none")
    ]
    last_error: Annotated[str | None, Meta(description="what went wrong in the latest attempt")]
    created_at: Annotated[Moment, Meta(description="the time at which it was queued")]
    due_at: Annotated[
        Moment | None, Meta(description="the time of the next attempt; null if there is none")
    ]
    delivered_at: Annotated[
        Moment | None, Meta(description="the time at which it was taken; null if it was not")
    ]


def destination_fields(row: Destination) -> dict[str, Any]:
    """Return the fields that every destination has."""
    return {
        "id": row.pk,
        "enabled": row.disabled is None,
        "disabled_at": row.disabled,
        "failure_count": row.failures,
        "created_at": row.created,
    }


def message_fields(row: OutgoingMessage) -> dict[str, Any]:
    """Return the fields that every message has."""
    return {
        "id": row.pk,
        "attempt_count": row.attempts,
        "response_status": row.status,
        "last_error": row.error or None,
        "created_at": row.created,
        "due_at": row.due,
        "delivered_at": row.delivered,
    }


SHOWN = 100
"""The number of deliveries in a log, the newest first."""


class WebhookLinks(msgspec.Struct, frozen=True):
    """The addresses of a webhook."""

    self: Annotated[str, Meta(description="the webhook")]
    deliveries: Annotated[str, Meta(description="its log; POST sends a test")]
    secret: Annotated[str, Meta(description="POST gives it a new secret")]


class WebhookDocument(DestinationDocument, frozen=True, kw_only=True):
    """A webhook without its secret."""

    url: Annotated[str, Meta(description="the address that receives the events")]
    campaign: Annotated[
        str | None, Meta(description="the slug of its campaign; null if it covers all of yours")
    ]
    events: Annotated[tuple[EventType, ...], Meta(description="the types of events it receives")]
    links: WebhookLinks


class NewWebhook(msgspec.Struct, frozen=True):
    """A new webhook and its secret, which is shown only in this answer."""

    secret: Annotated[str, Meta(description="the secret that signs its requests, `whsec_...`")]
    webhook: WebhookDocument


class WebhookSecret(msgspec.Struct, frozen=True):
    """A new secret, which is shown only in this answer."""

    secret: Annotated[str, Meta(description="the secret that signs requests from now on")]
    previous_expires_at: Annotated[
        Moment, Meta(description="until when the previous secret signs beside it")
    ]


class DeliveryDocument(MessageDocument, frozen=True, kw_only=True):
    """A delivery to a webhook, made or pending."""

    message_id: Annotated[str, Meta(description="the header `webhook-id` of every attempt")]
    type: Annotated[EventType, Meta(description="the type of the event")]
    campaign: Annotated[str | None, Meta(description="the slug of the campaign; null for a test")]


Address = Annotated[str, Meta(min_length=1, max_length=500)]
Events = Annotated[tuple[EventType, ...], Meta(min_length=1, max_length=len(EVENTS))]


class WebhookTerms(RequestBody, frozen=True):
    """The address and the events to send; by default all events of all your campaigns.

    The `url` begins with https:// and has a public host. `campaign` is the slug of a campaign whose
    umpire you are, null for all your campaigns.
    """

    url: Address
    campaign: Slug | None = None
    events: Events | UnsetType = UNSET


class WebhookChange(RequestBody, frozen=True):
    """Changes to a webhook; what is left out stays as it is."""

    url: Address | UnsetType = UNSET
    campaign: Slug | UnsetType | None = UNSET
    events: Events | UnsetType = UNSET
    enabled: bool | UnsetType = UNSET


class HookEndpoint(OwnEndpoint):
    """An endpoint of webhooks; what sends requests is rate-limited."""

    throttle_classes: ClassVar[list[Any]] = [*OwnEndpoint.throttle_classes, HookThrottle]
    has_secrets: ClassVar[bool] = True


class Webhooks(HookEndpoint):
    """Your webhooks."""

    @operation(Listed[WebhookDocument])
    def get(self, request: Request) -> HttpResponse:
        """List your webhooks, including those of campaigns, the newest first."""
        return self.answer_list(map(_document, webhooks.webhooks_of(_user_of(request))))

    @operation(NewWebhook, status=201, takes=WebhookTerms, once=True)
    def post(self, request: Request) -> WriteResult:
        """Create a webhook; its secret is shown only in this answer.

        Only an umpire may create a webhook of a campaign. An address that could never be reached is
        refused.
        """
        terms = _with_campaign(request, WebhookTerms.read(request).given())
        webhook = webhooks.create_webhook(_user_of(request), terms.pop("url"), **terms)
        document = _document(webhook)
        return WriteResult(201, NewWebhook(webhook.secret, document), document.links.self)


class OneWebhook(OwnEndpoint):
    """A webhook of yours."""

    @operation(WebhookDocument)
    def get(self, request: Request, id: int) -> HttpResponse:
        """Retrieve a webhook."""
        return self.answer(_document(_own_webhook(request, id)))

    @operation(WebhookDocument, takes=WebhookChange, once=True)
    def patch(self, request: Request, id: int) -> WriteResult:
        """Change a webhook: its address, campaign and events, and whether it is enabled.

        Events that happened before the change are not sent.
        """
        webhook = _own_webhook(request, id)
        changes = _with_campaign(request, WebhookChange.read(request).given())
        webhooks.change_webhook(webhook, cast("webhooks.WebhookChanges", changes))
        return WriteResult(200, _document(webhook))

    @operation(status=204)
    def delete(self, request: Request, id: int) -> Response:
        """Delete a webhook and its log.

        Nothing more is sent to it.
        """
        delivery.delete_destination(_own_webhook(request, id))
        return Response(status=204)


class WebhookSecrets(HookEndpoint):
    """The secret of a webhook."""

    @operation(WebhookSecret, status=201, takes=EmptyBody, once=True)
    def post(self, request: Request, id: int) -> WriteResult:
        """Rotate the secret of a webhook; the new one is shown only in this answer.

        For 24 hours requests are signed with both secrets, then only with the new one.
        """
        EmptyBody.read(request)
        webhook = _own_webhook(request, id)
        webhooks.rotate_secret(webhook)
        document = WebhookSecret(webhook.secret, cast("Any", webhook.previous_expires))
        return WriteResult(201, document, reverse("api:webhook", args=[webhook.pk]))


class Deliveries(HookEndpoint):
    """The log of a webhook."""

    @operation(Listed[DeliveryDocument])
    def get(self, request: Request, id: int) -> HttpResponse:
        """List the latest deliveries to a webhook, failures with their reason."""
        return self.answer_list(
            map(_delivery, webhooks.delivery_log(_own_webhook(request, id))[:SHOWN])
        )

    @operation(DeliveryDocument, status=201, takes=EmptyBody, once=True)
    def post(self, request: Request, id: int) -> WriteResult:
        """Send a test to a webhook.

        A disabled webhook is enabled again. See its log for the result.
        """
        EmptyBody.read(request)
        webhook = _own_webhook(request, id)
        delivery = webhooks.send_test_event(webhook)
        log = reverse("api:webhook-deliveries", args=[webhook.pk])
        return WriteResult(201, _delivery(delivery), log, after=dispatch_deliveries)


def _user_of(request: Request) -> User:
    return cast("User", request.user)


def _with_campaign(request: Request, body: dict[str, Any]) -> dict[str, Any]:
    """Return the body with the campaign in place of its slug.

    Raises NotVisible, and Problem without the scope `umpire`.
    """
    slug = body.get("campaign")
    if slug:
        check_umpire_scope(request)
        body["campaign"] = selectors.campaign_for(request.user, slug)
    return body


def _own_webhook(request: Request, number: int) -> Webhook:
    own = webhooks.webhooks_of(_user_of(request))
    return selectors.first_visible(own.filter(pk=number), f"You have no webhook {number}.")


def _document(webhook: Webhook) -> WebhookDocument:
    return WebhookDocument(
        **destination_fields(webhook),
        url=webhook.url,
        campaign=webhook.campaign.slug if webhook.campaign else None,
        events=tuple(EventType(event) for event in webhook.events),
        links=WebhookLinks(
            self=reverse("api:webhook", args=[webhook.pk]),
            deliveries=reverse("api:webhook-deliveries", args=[webhook.pk]),
            secret=reverse("api:webhook-secret", args=[webhook.pk]),
        ),
    )


def _delivery(delivery: Delivery) -> DeliveryDocument:
    return DeliveryDocument(
        **message_fields(delivery),
        message_id=webhooks.message_id(delivery.message_id),
        type=EventType(delivery.event),
        campaign=delivery.campaign.slug if delivery.campaign else None,
    )
