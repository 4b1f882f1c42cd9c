"""Webhooks: made, tried, looked after and revoked."""

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
"""Deliveries of the log, the newest."""


class WebhookLine(msgspec.Struct, frozen=True):
    """A webhook without its secret; `campaign` is null for one told of all campaigns of yours.

    `failures` counts those in a row; after too many it is `disabled`, and not told any more.
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
    """A webhook that has just been made: `secret` signs what is sent to it, shown this once."""

    secret: str
    webhook: WebhookLine


class DeliveryLine(msgspec.Struct, frozen=True):
    """What was told to a webhook or is to be: `due` is when it is tried next.

    `status` is what it was answered with last, null for not at all; `error` says what went wrong.
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
    """Where to tell what; without `events` all there is, without `campaign` all of yours.

    `turn`: it is your turn; `deadline`: one nears; `gazette`: a month's paper is out; `receipt`:
    your orders are in, or were carried out; `month`: another has begun; `battle`: one waits to be
    fought; `rewound`: the umpire has gone back; `over`: a campaign is.
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
        """Your webhooks, the newest first, those you have made for campaigns among them."""
        return self.tell({"results": [_line(one) for one in registry.webhooks_of(_me(request))]})

    @operation(NewWebhook, status=201, takes=WebhookInput)
    def post(self, request: Request) -> Response:
        """Return a new webhook, its secret shown this once; one of a campaign is its umpire's to
        make.
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
    """One of your webhooks."""

    @operation(WebhookLine)
    def get(self, request: Request, number: int) -> HttpResponse:
        """One of your webhooks."""
        return self.tell(_line(_mine(request, number)))

    @operation(status=204)
    def delete(self, request: Request, number: int) -> Response:
        """Revoke a webhook: nothing more is sent there, and its log goes."""
        _mine(request, number).delete()
        return Response(status=204)


class Deliveries(OwnEndpoint):
    """What was told to one of your webhooks, or could not be."""

    @operation(Listed[DeliveryLine])
    def get(self, request: Request, number: int) -> HttpResponse:
        """Return the newest of a webhook's log, failures with their reason."""
        log = registry.delivery_log(_mine(request, number))[:SHOWN]
        return self.tell({"results": [_told(one) for one in log]})


class WebhookTrial(OwnEndpoint):
    """A test of one of your webhooks."""

    throttle_classes: ClassVar[list[Any]] = [*OwnEndpoint.throttle_classes, HookThrottle]

    @operation(DeliveryLine, status=202)
    def post(self, request: Request, number: int) -> Response:
        """Send a webhook a test, which also enables it again; its log tells what came of it."""
        webhook = _mine(request, number)
        delivery = registry.send_test_event(webhook)
        dispatch_task(DELIVER_TASK)
        headers = {"Location": reverse("api:webhook-deliveries", args=[webhook.pk])}
        return Response(_told(delivery), status=202, headers=headers)


def _me(request: Request) -> Any:
    return request.user


def _check_scope(request: Request, *, of_campaign: bool) -> None:
    """A webhook of a campaign is among an umpire's powers."""
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
