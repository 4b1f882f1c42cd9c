"""Webhooks: create, test, list and revoke them, and read their logs."""

from typing import Any, ClassVar

import msgspec
from django.http import HttpResponse
from django.urls import reverse
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.throttling import BaseThrottle

from api.documents.scalars import Moment
from api.http.endpoint import Listed, OwnEndpoint, operation
from api.http.inputs import Input
from api.http.problems import Problem, not_in_scope
from api.http.throttles import HookThrottle
from api.models import Delivery, Scope, Token, Webhook
from api.receivers import DELIVER_TASK, dispatch_task
from api.webhooks import registry
from api.webhooks.events import EVENTS
from campaign.access import selectors

SHOWN = 100
"""The number of deliveries in a log, the newest first."""


class WebhookLine(msgspec.Struct, frozen=True):
    """A webhook without its secret; `campaign` is null if it covers all your campaigns.

    `failures` counts consecutive failures; after too many the webhook is `disabled`.
    """

    id: int
    url: str
    campaign: str | None
    events: tuple[str, ...]
    created: Moment
    failures: int
    disabled: Moment | None
    links: dict[str, str]


class NewWebhook(msgspec.Struct, frozen=True):
    """A new webhook; `secret` signs its requests and is shown only in this answer."""

    secret: str
    webhook: WebhookLine


class DeliveryLine(msgspec.Struct, frozen=True):
    """A delivery to a webhook, made or pending; `due` is the time of the next attempt.

    `status` is that of the latest answer, null if there was none; `error` says what went wrong.
    """

    id: int
    event: str
    campaign: str | None
    created: Moment
    attempts: int
    status: int | None
    error: str
    due: Moment | None
    delivered: Moment | None


class WebhookInput(Input):
    """The address and the events to send; by default all events of all your campaigns.

    `turn`: it is your turn; `deadline`: a deadline is near; `gazette`: a month's paper is out;
    `receipt`: your orders were received or carried out; `month`: another month has begun; `battle`:
    a battle is waiting; `rewound`: the umpire has rewound the campaign; `over`: a campaign has
    ended.
    """

    url = serializers.CharField(max_length=500)
    campaign = serializers.SlugField(max_length=60, required=False)
    events = serializers.ListField(
        child=serializers.ChoiceField(list(EVENTS.items())), required=False, max_length=len(EVENTS)
    )


class Webhooks(OwnEndpoint):
    """Your webhooks."""

    def get_throttles(self) -> list[BaseThrottle]:
        return [*super().get_throttles(), HookThrottle()]

    @operation(Listed[WebhookLine])
    def get(self, request: Request) -> HttpResponse:
        """List your webhooks, including those of campaigns, the newest first."""
        return self.tell({"results": [_line(one) for one in registry.webhooks_of(_me(request))]})

    @operation(NewWebhook, status=201, takes=WebhookInput)
    def post(self, request: Request) -> Response:
        """Create a webhook; its secret is shown only in this answer.

        Only an umpire may create a webhook of a campaign.
        """
        wanted = WebhookInput.read(request)
        slug = wanted.get("campaign")
        campaign = selectors.campaign_for(request.user, slug) if slug else None
        _check_scope(request, of_campaign=campaign is not None)
        events = wanted.get("events", ())
        made = registry.create_webhook(
            _me(request), wanted["url"], campaign=campaign, events=events
        )
        line = _line(made)
        headers = {"Cache-Control": "no-store", "Location": line.links["self"]}
        return Response(NewWebhook(made.secret, line), status=201, headers=headers)


class OneWebhook(OwnEndpoint):
    """A webhook of yours."""

    @operation(WebhookLine)
    def get(self, request: Request, number: int) -> HttpResponse:
        """Retrieve a webhook."""
        return self.tell(_line(_mine(request, number)))

    @operation(status=204)
    def delete(self, request: Request, number: int) -> Response:
        """Delete a webhook and its log.

        Nothing more is sent to it.
        """
        _mine(request, number).delete()
        return Response(status=204)


class Deliveries(OwnEndpoint):
    """The log of a webhook."""

    @operation(Listed[DeliveryLine])
    def get(self, request: Request, number: int) -> HttpResponse:
        """List the latest deliveries to a webhook, failures with their reason."""
        log = registry.delivery_log(_mine(request, number))[:SHOWN]
        return self.tell({"results": [_told(one) for one in log]})


class WebhookTrial(OwnEndpoint):
    """A test of a webhook."""

    throttle_classes: ClassVar[list[Any]] = [*OwnEndpoint.throttle_classes, HookThrottle]

    @operation(DeliveryLine, status=202)
    def post(self, request: Request, number: int) -> Response:
        """Send a test to a webhook.

        A disabled webhook is enabled again. See its log for the result.
        """
        webhook = _mine(request, number)
        delivery = registry.send_test_event(webhook)
        dispatch_task(DELIVER_TASK)
        headers = {"Location": reverse("api:webhook-deliveries", args=[webhook.pk])}
        return Response(_told(delivery), status=202, headers=headers)


def _me(request: Request) -> Any:
    return request.user


def _check_scope(request: Request, *, of_campaign: bool) -> None:
    """Raise Problem if a webhook of a campaign is asked for without the scope `umpire`."""
    token = request.auth
    if of_campaign and isinstance(token, Token) and Scope.UMPIRE not in token.scopes:
        raise not_in_scope(Scope.UMPIRE)


def _mine(request: Request, number: int) -> Webhook:
    found = registry.webhooks_of(_me(request)).filter(pk=number).first()
    if found is None:
        raise Problem("not-found", "You have no such webhook.")
    return found


def _line(webhook: Webhook) -> WebhookLine:
    return WebhookLine(
        id=webhook.pk,
        url=webhook.url,
        campaign=webhook.campaign.slug if webhook.campaign else None,
        events=tuple(webhook.events),
        created=webhook.created,
        failures=webhook.failures,
        disabled=webhook.disabled,
        links={
            "self": reverse("api:webhook", args=[webhook.pk]),
            "deliveries": reverse("api:webhook-deliveries", args=[webhook.pk]),
            "test": reverse("api:webhook-test", args=[webhook.pk]),
        },
    )


def _told(delivery: Delivery) -> DeliveryLine:
    return DeliveryLine(
        id=delivery.pk,
        event=delivery.event,
        campaign=delivery.campaign.slug if delivery.campaign else None,
        created=delivery.created,
        attempts=delivery.attempts,
        status=delivery.status,
        error=delivery.error,
        due=delivery.due,
        delivered=delivery.delivered,
    )
